package fit

import (
	"encoding/binary"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/layout"
	"coredbg/walk"
)

// TestHeapless: what a frame is by its words alone, and which object is missing for its name.
func TestHeapless(t *testing.T) {
	const (
		code  = core.Addr(0x5000_0000)
		stack = core.Addr(0x7fff_0000_0000)
		fp    = stack + 0x100
		cage  = core.Addr(0x1100_0000_0000)
		fn    = uint64(cage) + 0x5001
	)
	list, err := layout.Tables(layout.Variant{TaggedSize: 4, Sandbox: true}, layout.V(15, 0))
	if err != nil {
		t.Fatal(err)
	}
	c := layout.Constants{Values: list[0].Constants, Table: list[0]}
	mem := layout.NewMemory(runtimes.Target{Process: coretest.New(core.AMD64).Process()}, &layout.Image{Constants: c},
		layout.New(layout.V(15, 0), c))
	l := mem.Layout
	entry := uint64(0)
	for n, name := range mem.Markers {
		if name == "Entry" {
			entry = uint64(n) << 1
		}
	}
	function := make([]byte, 64)
	binary.LittleEndian.PutUint32(function[l.JSFunction.Shared:], 0x9001)
	for name, x := range map[string]struct {
		pc, context, function, array, offset uint64
		heap                                 map[core.Addr][]byte
		want, tier, note                     string
	}{
		"an entry":           {uint64(code) + 8, entry, 0, 0, 0, nil, "<entry>", "entry", ""},
		"an entry elsewhere": {0x6000_0000, entry, 0, 0, 0, nil, "", "", ""},
		"no type":            {uint64(code) + 8, 0x1000, 0, 0, 0, nil, "", "", ""},
		"a function": {uint64(code) + 8, uint64(cage) + 0x101, fn, uint64(cage) + 0x301, 68, nil,
			runtimes.UnknownFunction, "interpreter", "the function, 0x110000005001, is not mapped"},
		"of compiled code": {0x6000_0000, uint64(cage) + 0x101, fn, 0, 0, nil, runtimes.UnknownFunction, "",
			"the function, 0x110000005001, is not mapped"},
		"the function is here": {uint64(code) + 8, uint64(cage) + 0x101, fn, 0, 0, map[core.Addr][]byte{cage +
			0x5000: function}, runtimes.UnknownFunction, "", "is not mapped: 0x110000009000"},
		"of another cage": {uint64(code) + 8, 0x2200_0000_0101, fn, 0, 0, nil, "", "", ""},
		"both of another": {uint64(code) + 8, 0x2200_0000_0101, 0x2200_0000_5001, 0, 0, nil, "", "", ""},
		"no reference":    {uint64(code) + 8, uint64(cage) + 0x101, fn + 2, 0, 0, nil, "", "", ""},
		"half of a function": {uint64(code) + 8, uint64(cage) + 0x101, fn, 0, 0,
			map[core.Addr][]byte{cage + 0x5000: function[:4]}, runtimes.UnknownFunction, "",
			"the end of the function, 0x110000005001, is not mapped"},
	} {
		t.Run(name, func(t *testing.T) {
			words := make([]byte, 0x200)
			for off, w := range map[int]uint64{l.Frame.ContextOrType: x.context, l.Frame.Function: x.function,
				l.Frame.BytecodeArray: x.array, l.Frame.BytecodeOffset: x.offset} {
				binary.LittleEndian.PutUint64(words[0x100+off:], w)
			}
			b := coretest.New(core.AMD64).Map(stack, words)
			for at, data := range x.heap {
				b.Map(at, data)
			}
			h := &heapless{t: runtimes.Target{Process: b.Process()}, builtins: &embedded.Builtins{Start: code,
				End: code + 0x1000}, layout: l, markers: mem.Markers, cage: cage}
			var got runtimes.SourceFrame
			for _, f := range h.decode(&walk.Frame{PC: core.Addr(x.pc), FP: fp}) {
				got = f
			}
			if got.Name != x.want || got.Tier != x.tier || !strings.Contains(got.Note, x.note) ||
				x.note == "" && got.Note != "" {
				t.Errorf("%+v, want %q %q %q", got, x.want, x.tier, x.note)
			}
		})
	}
}

func TestCageOf(t *testing.T) {
	for value, want := range map[string]core.Addr{"0x110000000000": 0x1100_0000_0000, "0x110000001000": 0,
		"x": 0, "": 0} {
		p := &core.Process{Annotations: []core.Annotation{{Name: "other", Value: "0x1"}, {Name: cageKey, Value: value}}}
		if got := cageOf(p); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}
