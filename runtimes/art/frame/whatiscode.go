package frame

import (
	"fmt"
	"strings"

	"coredbg/core"
)

// maxNamed is how many of the methods that share code are named.
const maxNamed = 5

// WhatIsCode names the method whose code is at an address: code that the JIT made, a stub that methods share,
// or the interpreter's.
func (d *Decoder) WhatIsCode(at core.Addr) (string, bool) {
	if d.inNterp(at) {
		return fmt.Sprintf("the nterp interpreter, %#x bytes after its start", uint64(at-d.nterp()[0].Start)), true
	}
	e, ok := d.JITAt(at)
	if !ok || len(e.Methods) == 0 {
		return "", false
	}
	if _, err := d.FrameInfoAt(e.Start, at); err != nil {
		return "", false
	}
	var names []string
	for _, m := range e.Methods[:min(len(e.Methods), maxNamed)] {
		names = append(names, d.Method(m).String())
	}
	text := strings.Join(names, ", ")
	if n := len(e.Methods); n > maxNamed {
		text += fmt.Sprintf(" and %d more", n-maxNamed)
	}
	what := "JIT code of "
	switch {
	case e.Stub && len(e.Methods) > 1:
		what = fmt.Sprintf("a JNI stub of the JIT that %d methods share: ", len(e.Methods))
	case e.Stub:
		what = "the JNI stub of the JIT of "
	}
	return fmt.Sprintf("%s%s, at +%#x", what, text, uint64(at-e.Start)), true
}
