package art

import (
	"context"
	"errors"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/java"
)

// linker lays a ClassLinker that knows the scene's dex file twice, the second
// time under another name, by the forms of class_linker.h: a std::list until
// Android 12, a std::unordered_map since. It returns the word that leads from
// the last entry on.
func (s *scene) linker() (last core.Addr) {
	l, w := s.l, core.Addr(s.l.PtrSize)
	const at, nodes, second = sceneNative + 0x1e400, sceneNative + 0x1e800, sceneNative + 0x1f000
	s.ptr(off(sceneRuntime, l.Runtime.ClassLinker), at)
	s.ptr(off(second, l.DexFile.Begin), sceneDex)
	s.ptr(off(second, l.DexFile.Size), core.Addr(len(s.mem[sceneDex])))
	s.str(off(second, l.DexFile.Location), "again.dex")
	head := off(at, l.ClassLinker.DexCaches)
	first, value, end := head, 3*w, head
	if l.SDK >= 33 {
		first, value, end = head+2*w, w, 0
		if l.Library == layout.LibCxx {
			value = 2 * w
		}
	}
	s.ptr(first, nodes)
	s.ptr(nodes, nodes+0x100)
	s.ptr(nodes+0x100, end)
	s.ptr(nodes+value, sceneDexFile)
	s.ptr(nodes+0x100+value, second)
	return nodes + 0x100
}

func locations(list []*code.DexFile) string {
	var names []string
	for _, d := range list {
		names = append(names, d.Location)
	}
	return strings.Join(names, " ")
}

func TestDexFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it tries each layout")
	}
	eachLayout(t, func(t *testing.T, arch *core.Arch, l *layout.Layout) {
		s := newScene(t, arch, l)
		s.thread(101, "main", "Native")
		s.linker()
		// A dex file that the runtime does not know, and memory that only begins like one.
		const free = 0x70000000
		s.mem[free] = append(append(make([]byte, 0x104), s.mem[sceneDex]...), "dex\n039\x00 and no more"...)
		_, a := s.probe()
		list, err := a.DexFiles(context.Background())
		if l.SDK >= 37 {
			if err == nil || locations(list[1:]) != "" {
				t.Errorf("DexFiles = %q, %v", locations(list), err)
			}
			return
		}
		if err != nil || locations(list) != "debug.dex again.dex " {
			t.Fatalf("DexFiles = %q, %v", locations(list), err)
		}
		if d := list[2]; d.Begin != free+0x104 || d.Addr != 0 || d.File == nil {
			t.Errorf("found %+v", d)
		}
		if d, err := a.DexOf(context.Background(), free+0x200); d != list[2] || err != nil {
			t.Errorf("DexOf = %v, %v", d, err)
		}
		if d, err := a.DexOf(context.Background(), sceneDexFile); d != list[0] || err != nil {
			t.Errorf("DexOf a DexFile = %v, %v", d, err)
		}
		if _, err := a.DexOf(context.Background(), sceneText); err == nil {
			t.Error("libart is a dex file")
		}
	})
}

// TestMissingDexFiles checks that the missing file is named, and that a class that may be in it is not reported
// as missing.
func TestMissingDexFiles(t *testing.T) {
	eachHeap(t, func(t *testing.T, s *heapScene) {
		if s.l.SDK >= 37 {
			return
		}
		h := newHeapScene(t, s.arch, s.l)
		const gone = 0x123000
		h.linker()
		const second = sceneNative + 0x1f000
		h.ptr(off(second, h.l.DexFile.Begin), gone)
		h.regions(objectsBase+0x10000, [5]core.Addr{objectsBase, objectsBase + 0x10000, objectsBase + 0x10000,
			h.never(), allocatedRegion})
		a := h.art()
		missing := a.MissingFiles()
		if len(missing) != 1 || core.Fault(missing[0]) == nil || core.Fault(missing[0]).Addr != gone ||
			core.Fault(missing[0]).Gap != core.FileMissing {
			t.Fatalf("missing files %v", missing)
		}
		if _, err := a.ClassesNamed(context.Background(), "nowhere.None"); core.Fault(err) == nil ||
			!strings.Contains(err.Error(), "again.dex") {
			t.Errorf("a class that may be in it: %v", err)
		}
		if _, err := java.StaticSlot(context.Background(), a, "nowhere.None.x"); !errors.Is(err, java.ErrNoClass) {
			t.Errorf("a field of it: %v", err)
		}
	})
}

// TestHostileDexFiles breaks the chain of ClassLinker.dex_caches_.
func TestHostileDexFiles(t *testing.T) {
	for _, sdk := range []int{30, 34} {
		for _, tt := range []struct {
			name string
			to   func(last core.Addr) core.Addr
			fail bool
		}{
			{"itself", func(last core.Addr) core.Addr { return last }, false},
			{"the first", func(last core.Addr) core.Addr { return last - 0x100 }, false},
			{"nowhere", func(core.Addr) core.Addr { return 0x7ff00000 }, true},
		} {
			s := newScene(t, core.AMD64, layout.NewLayout(sdk, 8, layout.LibCxx))
			s.thread(101, "main", "Native")
			last := s.linker()
			s.ptr(last, tt.to(last))
			_, a := s.probe()
			list, err := a.KnownDexFiles()
			if locations(list) != "debug.dex again.dex" || (err != nil) != tt.fail {
				t.Errorf("SDK %d, linked to %s: %q, %v", sdk, tt.name, locations(list), err)
			}
		}
	}
}

// TestWhatIsDex names places in the scene's dex file; where its code items are,
// dexdump prints (dex/testdata/debug.dexdump).
func TestWhatIsDex(t *testing.T) {
	s := newScene(t, core.AMD64, layout.NewLayout(34, 8, layout.LibCxx))
	s.thread(101, "main", "Native")
	s.linker()
	_, a := s.probe()
	for at, want := range map[core.Addr]string{
		sceneDexFile:                     "art::DexFile debug.dex",
		sceneDex + 4:                     "dex file debug.dex+0x4",
		sceneDex + codeMixed:             "code item of sample.Debug.mixed, dex file debug.dex+0x378",
		sceneDex + codeMixed + 16:        "bytecode of sample.Debug.mixed at dex pc 0x0 (Debug.java:100), dex file debug.dex+0x388",
		sceneDex + codeMixed + 16 + 2*16: "bytecode of sample.Debug.mixed at dex pc 0x10 (Debug.java:23), dex file debug.dex+0x3a8",
		sceneDex + codeMixed + 16 + 2*17: "dex file debug.dex+0x3aa",
		sceneDex + codeParams + 16 + 2*1: "bytecode of sample.Debug.params at dex pc 0x1 (Debug.java:65536), dex file debug.dex+0x372",
	} {
		if got, ok := a.WhatIsDex(at); got != want || !ok {
			t.Errorf("whatIsDex(%v) = %q, %v; want %q", at, got, ok, want)
		}
	}
	if got, ok := a.WhatIsDex(sceneText); ok {
		t.Errorf("libart is %q", got)
	}
}
