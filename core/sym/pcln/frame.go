package pcln

// Fields of a _func by their offsets in bytes from its second one, and a flag of it.
const (
	depthField = 12
	topFrame   = 1 // abi.FuncFlagTopFrame, as from Go 1.17 on
)

// A Frame is what a function has put on the stack when it comes to an address.
type Frame struct {
	Start uint64 // link-time address of the function
	// Depth is the distance in bytes from the stack pointer up to its value when the function was
	// called, or up to the return address that the call has pushed.
	Depth int64
	Top   bool // the function is the first of its stack
}

// Frame returns the frame of the function that holds a link-time address there; ok is false if that is not known.
func (t *Table) Frame(link uint64) (fr Frame, ok bool) {
	f, ok := t.find(link)
	if !ok {
		return fr, false
	}
	steps := maxSteps
	depth := f.valueAt(f.u32(f.at+depthField), link, &steps)
	if depth < 0 {
		return fr, false
	}
	fr = Frame{Start: f.entry, Depth: int64(depth)}
	if last := f.last(); last >= 3 && last <= uint64(len(f.data)) {
		fr.Top = f.data[last-3]&topFrame != 0
	}
	return fr, true
}
