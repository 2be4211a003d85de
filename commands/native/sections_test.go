package native

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// An imageOf has one section.
type imageOf struct {
	core.Image
	section core.Section
}

func (i imageOf) Section(string) (core.Section, error) { return i.section, nil }

// TestCompareSections: what the core holds of a section is compared with the file, and nothing else.
func TestCompareSections(t *testing.T) {
	p := coretest.New(core.AMD64).Map(0x10000, []byte("code and constants")).Process()
	for _, c := range []struct {
		addr  uint64
		data  string
		write bool
		want  string
	}{
		{0x10000, "code and constants", false, "same"},
		{0x10005, "and", false, "same"},
		{0x10000, "code AND constants", false, "differs at 0x10005"},
		{0x1000f, "nts, and what the core lacks", false, "same"},
		{0x10000, "code AND constants", true, ""},
		{0x20000, "not in the core", false, ""},
	} {
		s := core.SectionRange{Name: ".text", Addr: c.addr, Size: uint64(len(c.data)), Write: c.write}
		r := newSection(&core.Module{Path: "a.out"}, 0, s)
		image := imageOf{section: core.Section{Name: ".text", Addr: c.addr, Data: []byte(c.data)}}
		if got := compare(p, image, s, r); got != (c.want != "") || r.State != c.want {
			t.Errorf("%q at %#x: %v %q, want %q", c.data, c.addr, got, r.State, c.want)
		}
	}
}
