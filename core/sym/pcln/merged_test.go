package pcln

import (
	"testing"

	"coredbg/core"
	"coredbg/core/sym/lines"
)

// TestMerged finds the table among what else a loader writes to, in programs of Go alone.
func TestMerged(t *testing.T) {
	for _, s := range smalls {
		img := s.image()
		tab := img.sections[".gopclntab"]
		delete(img.sections, ".gopclntab")
		before := append(append([]byte(nil), tab.Data[:8]...), make([]byte, 112)...) // looks like one, at first
		img.sections[".data.rel.ro"] = core.Section{Addr: smallAddr - uint64(len(before)),
			Data: append(before, tab.Data...)}
		if p, err := Open(Program{Image: img}); p != nil || err != nil {
			t.Errorf("%+v: not of Go: %v, %v", s, p, err)
		}
		img.sections[".note.go.buildid"] = core.Section{Data: []byte{0}}
		p, err := Open(Program{Image: img})
		if err != nil || p == nil || p.addr != smallAddr {
			t.Errorf("%+v: %+v, %v", s, p, err)
			continue
		}
		want := []lines.Line{{Func: "main.g", File: "main.go", Line: 3, Inlined: true},
			{Func: "main.f", File: "main.go", Line: 7}}
		if got, err := p.Lines(smallText + 8); err != nil || !equal(got, want) {
			t.Errorf("%+v: %+v, %v", s, got, err)
		}
	}
}
