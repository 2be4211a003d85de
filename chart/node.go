package chart

// A Node is a named weight in a tree. Weights of 2^53 and more lose precision where a
// browser computes with them; sums beyond 2^64 stay there.
type Node struct {
	Name     string   // the label; any text
	Detail   []string // text to show with the weight when the reader points at it
	Group    string   // nodes of one group have one colour; nodes of group "" have no colour
	Own      uint64   // the weight of the node, without its children's
	Children []*Node  // in any order
}
