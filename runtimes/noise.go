package runtimes

import "strings"

// A Noise knows functions of machine code between the line that gave up and the
// signal, which does not distinguish one crash from another: a summary of a stack
// leaves them out. Names are demangled, without parameters.
type Noise struct {
	Functions []string
	Prefixes  []string // of name spaces of such functions
}

// Has reports whether a function is one of them.
func (n *Noise) Has(function string) bool {
	for _, f := range n.Functions {
		if f == function {
			return true
		}
	}
	for _, p := range n.Prefixes {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	return false
}
