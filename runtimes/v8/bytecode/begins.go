package bytecode

// Begins returns, for each byte of a function's code, whether a bytecode begins there, by V8's table of sizes,
// three rows of the same length. ok is set if the last bytecode ends where the code does.
func Begins(code, sizes []byte) (begins []bool, ok bool) {
	row := len(sizes) / 3
	begins = make([]bool, len(code))
	for at := 0; at < len(code); {
		begins[at] = true
		scale, prefix := 0, 0
		// Wide, ExtraWide and their variants for the debugger are 0 to 3.
		if op := code[at]; op < 4 {
			scale, prefix = int(op&1)+1, 1
		}
		if at+prefix >= len(code) {
			return begins, false
		}
		op := int(code[at+prefix])
		if op >= row || prefix == 1 && op < 4 || sizes[scale*row+op] == 0 {
			return begins, false
		}
		if at += prefix + int(sizes[scale*row+op]); at > len(code) {
			return begins, false
		}
	}
	return begins, true
}

// Fit reports whether the bytecodes of a function's code have these sizes: they end where the code does, and
// each position belongs to one.
func Fit(code, sizes []byte, positions []PositionEntry) bool {
	begins, ok := Begins(code, sizes)
	if !ok {
		return false
	}
	for _, e := range positions {
		if e.Code >= 0 && (e.Code >= len(code) || !begins[e.Code]) { // -1 is the function's entry
			return false
		}
	}
	return true
}
