package values

// Described and Piece are for tests of package values_test.
var (
	Described = described
	Piece     = pieceFrames
)
