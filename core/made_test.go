package core_test

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// maker has one image at an address.
type maker struct{ m *core.Module }

func (k maker) ModuleAt(a core.Addr) *core.Module {
	if k.m.Contains(a) {
		return k.m
	}
	return nil
}
func (k maker) Modules() []*core.Module { return []*core.Module{k.m} }

// TestMade: images of code that was made at run time have executable memory without a file, or with a file that
// is no image. Memory that cannot be written to counts only if the core lists files.
func TestMade(t *testing.T) {
	const anon, file, flat, data, heap, memfd, zero = 0x10000, 0x20000, 0x30000, 0x40000, 0x50000, 0x60000, 0x70000
	rx, rwx := core.Read|core.Exec, core.Read|core.Write|core.Exec
	for _, origin := range []core.Origin{core.FromFileNote, core.FromHeaders} {
		page := make([]byte, 0x1000)
		p := coretest.New(core.AMD64).MapProt(anon, page, rx).MapProt(file, page, rx).MapProt(flat, page,
			rx).Map(data, page).
			MapProt(heap, page, rwx).MapProt(memfd, page, rx).MapProt(zero, page, rx).Process()
		p.Mappings[1].Path, p.Mappings[2].Path, p.Mappings[4].Path = "/lib/l.so", "/memfd:jit (deleted)", "[heap]"
		p.Mappings[5].Path, p.Mappings[6].Path = "/memfd:whole (deleted)", "/dev/zero (deleted)"
		for _, m := range []core.Module{
			{Path: "/lib/l.so", Start: file, End: file + 0x1000, Origin: origin},
			{Path: "/memfd:jit (deleted)", Start: flat, End: flat + 0x1000, Origin: origin, Flat: true},
			{Path: "/memfd:whole (deleted)", Start: memfd, End: memfd + 0x1000, Origin: origin},
		} {
			p.Modules = append(p.Modules, core.NewModule(m, nil))
		}
		made := core.NewModule(core.Module{Path: "[jit]", Start: 0, End: 0x100000, Origin: core.FromJIT}, nil)
		p.Made = maker{made}
		lists := origin == core.FromFileNote
		for _, c := range []struct {
			name       string
			at         core.Addr
			made, code bool
		}{
			{"anonymous", anon, true, lists},
			{"a library", file, false, false},
			{"a file that was made for code", flat, true, lists},
			{"data", data, false, false},
			{"the heap", heap, true, true},
			{"a file without a name", memfd, true, lists},
			{"shared memory", zero, true, lists},
			{"nowhere", 0x90000, false, false},
		} {
			if got := p.Module(c.at) == made; got != c.made {
				t.Errorf("%s: of the image: %v", c.name, got)
			}
			if got := p.MadeCode(c.at); got != c.code {
				t.Errorf("%s, %v: made at run time: %v", c.name, origin, got)
			}
		}
	}
}
