package core_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// stack lays out a stack's top as the System V ABI says: argc, argv, 0, envp, 0,
// auxiliary vector, strings.
func stack(b *coretest.Builder, arch *core.Arch, at core.Addr, argc uint64, args, env []string, aux []core.AuxEntry) {
	titled(b, arch, at, argc, args, env, aux, 0)
}

// titled does that with another byte than 0 between the arguments.
func titled(b *coretest.Builder, arch *core.Arch, at core.Addr, argc uint64, args, env []string, aux []core.AuxEntry,
	between byte) {
	const stringsOff = 0x800
	var words []uint64
	var text []byte
	point := func(list []string) {
		for _, s := range list {
			words = append(words, uint64(at)+stringsOff+uint64(len(text)))
			text = append(append(text, s...), 0)
		}
		words = append(words, 0)
	}
	words = append(words, argc)
	point(args)
	for i, c := range text[:max(len(text)-1, 0)] {
		if c == 0 {
			text[i] = between
		}
	}
	point(env)
	for _, e := range aux {
		words = append(words, e.Type, e.Value)
	}
	words = append(words, 0, 0)
	b.Words(at, append(make([]uint64, 16), words...)...)
	data := make([]byte, stringsOff)
	for i, w := range append(make([]uint64, 16), words...) {
		if arch.PtrSize == 4 {
			arch.Order.PutUint32(data[4*i:], uint32(w))
		} else {
			arch.Order.PutUint64(data[8*i:], w)
		}
	}
	b.Map(at, append(data, text...))
}

func TestArgv(t *testing.T) {
	const at = 0x7ff000
	args, env := []string{"prog", "-x", ""}, []string{"HOME=/root", "A=b"}
	for _, arch := range []*core.Arch{core.AMD64, core.ARM, core.S390X} {
		for name, argc := range map[string]uint64{
			"argc": 3, "overwritten by arm's start-up code": at + 17*uint64(arch.PtrSize), "overwritten": 77,
		} {
			aux := []core.AuxEntry{{Type: 6, Value: 4096}, {Type: 25, Value: at + 0x900 - 0x100 + 3}}
			b := coretest.New(arch)
			stack(b, arch, at, argc, args, env, aux)
			p := b.Process()
			p.Auxv = aux
			if got, err := core.Argv(p); err != nil || !slices.Equal(got, args) {
				t.Errorf("%s %s: Argv = %q, %v", arch.Name, name, got, err)
			}
			if got, err := core.Environ(p); err != nil || !slices.Equal(got, env) {
				t.Errorf("%s %s: Environ = %q, %v", arch.Name, name, got, err)
			}
		}
	}
}

func TestArgvMissing(t *testing.T) {
	p := coretest.New(core.AMD64).Map(0x1000, make([]byte, 64)).Process()
	if _, err := core.Argv(p); !errors.Is(err, core.ErrNoArguments) {
		t.Errorf("without an auxiliary vector: %v", err)
	}
	p.Auxv = []core.AuxEntry{{Type: 25, Value: 0x1020}}
	if _, err := core.Argv(p); !errors.Is(err, core.ErrNoArguments) ||
		!strings.Contains(err.Error(), "auxiliary vector") {
		t.Errorf("with a stack that lacks it: %v", err)
	}
}

type image struct{ segs []core.ImageSegment }

func (image) Path() string                                      { return "x" }
func (image) Section(string) (core.Section, error)              { return core.Section{}, core.ErrNoSection }
func (i image) Segments() []core.ImageSegment                   { return i.segs }
func (image) Symbols(bool, func(core.ImageSymbol) bool) error   { return nil }
func (image) OffsetToAddr(off uint64) (link uint64, known bool) { return off + 0x10, true }

// TestModuleOf checks which module an address belongs to: with extents that nest,
// pieces far away, and zeroed data that no file backs.
func TestModuleOf(t *testing.T) {
	facts := func(*core.Module) core.ModuleFacts {
		return core.ModuleFacts{Bias: 0x1000, BiasKnown: true,
			Image: image{[]core.ImageSegment{{Addr: 0, MemSize: 0x2800, FileSize: 0x1000}}}}
	}
	exe := core.NewModule(core.Module{Path: "exe", Start: 0x1000, End: 0x2000, Parts: []core.ModulePart{
		{Start: 0x1000, End: 0x2000}, {Start: 0x90000, End: 0x91000, Off: 0x800}}}, facts)
	lib := core.NewModule(core.Module{Path: "lib", Start: 0x80000, End: 0xa0000, Parts: []core.ModulePart{
		{Start: 0x80000, End: 0x81000}, {Start: 0x9f000, End: 0xa0000}}}, nil)
	p := coretest.New(core.AMD64).Map(0x1000, make([]byte, 0x3000)).Process()
	p.Modules = []*core.Module{exe, lib}
	for a, want := range map[core.Addr]*core.Module{
		0xfff: nil, 0x1000: exe, 0x1fff: exe, 0x2000: exe, 0x37ff: exe, 0x3800: nil, 0x80010: lib, 0x90010: exe,
		0x91000: nil, 0x9f000: lib, 0xa0000: nil,
	} {
		if got := p.Module(a); got != want {
			t.Errorf("Module(%v) = %v", a, got)
		}
	}
	if link, ok := exe.LinkAddr(0x1234); !ok || link != 0x234 {
		t.Errorf("LinkAddr by bias = %#x, %v", link, ok)
	}
	if link, ok := exe.LinkAddr(0x90004); !ok || link != 0x814 {
		t.Errorf("LinkAddr by offset = %#x, %v", link, ok)
	}
}

// TestTitle: a title that a program has written over its arguments is one, whatever else
// points into it.
func TestTitle(t *testing.T) {
	const at = 0x7ff000
	aux := []core.AuxEntry{{Type: 6, Value: 4096}, {Type: 25, Value: at + 0x900 - 0x100 + 3}}
	b := coretest.New(core.AMD64)
	titled(b, core.AMD64, at, 3, []string{"prog", "-x", "file"}, []string{"HOME=/root"}, aux, ' ')
	p := b.Process()
	p.Auxv = aux
	if got, err := core.Argv(p); err != nil || !slices.Equal(got, []string{"prog -x file"}) {
		t.Errorf("Argv = %q, %v", got, err)
	}
	if got := p.CommandLine(); got != "prog -x file" {
		t.Errorf("CommandLine = %q", got)
	}
}
