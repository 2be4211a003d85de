package art

// mirrorLayout is the part of the Layout for objects of the Java heap.
type mirrorLayout struct{}

// mirrorRows is the table for mirrorLayout.
var mirrorRows = []row{}
