package art_test

import (
	"context"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/find"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/object"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/java"
)

// TestDamagedObjects spoils words of a real heap and of the runtime's own memory
// around it: whatever is asked then ends, without a panic.
func TestDamagedObjects(t *testing.T) {
	for _, dir := range liveCores(t) {
		if !strings.Contains(dir, "values") && !strings.Contains(dir, "locks") {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			p, a := openLive(t, dir)
			h, err := a.Heap()
			if err != nil {
				t.Fatal(err)
			}
			const size = 0x20000
			from := []core.Addr{h.Spaces[1].Begin, h.Spaces[0].Begin, h.Addr &^ 0xfff, h.Spaces[1].Addr &^ 0xfff}
			rng := rand.New(rand.NewPCG(1, 2))
			for range 40 {
				at := from[rng.IntN(len(from))]
				n := size
				for n > 0x1000 && !readable(p.Space, at, n) {
					n /= 2
				}
				if !readable(p.Space, at, n) {
					continue
				}
				b, err := core.ReadBytes(p.Space, at, uint64(n))
				if err != nil {
					t.Fatal(err)
				}
				for range 1 + rng.IntN(200) {
					spoil(rng, b, from[0])
				}
				q := &core.Process{Format: p.Format, OS: p.OS, Arch: p.Arch, PID: p.PID, Threads: p.Threads,
					Modules: p.Modules, Mappings: p.Mappings}
				q.Space = core.NewSpace(append(slices.Clone(p.Space.Segments()),
					core.Segment{Start: at, End: at + core.Addr(n),
						Kind: core.SegCore, Prot: core.Read | core.Write, Src: core.Bytes(b)}), nil)
				r, err := art.Probe(context.Background(), runtimes.Target{Process: q, Symbols: sym.NewTable(q),
					Files: elf.Disk{Disk: find.Disk{Search: []string{dir}}}})
				if err == nil && r != nil {
					askAll(t, r.(*art.ART))
				}
			}
		})
	}
}

func readable(s *core.Space, at core.Addr, n int) bool {
	b, err := s.Slice(at, n)
	return err == nil && len(b) == n
}

// spoil writes a number that may hurt at a place.
func spoil(rng *rand.Rand, b []byte, heap core.Addr) {
	off := rng.IntN(len(b)/4) * 4
	v := []uint32{0, 1, 0x7fffffff, 0x80000000, 0xffffffff, rng.Uint32(), uint32(heap) + rng.Uint32N(0x10000)&^7,
		uint32(heap) + rng.Uint32N(0x10000), 0x40000000 | rng.Uint32N(0x1000),
		0xc0000000 | uint32(heap)>>3}[rng.IntN(10)]
	for i := range 4 {
		b[off+i] = byte(v >> (8 * i))
	}
}

// askAll asks everything that objects are asked.
func askAll(t *testing.T, a *art.ART) {
	t.Helper()
	ctx := context.Background()
	h, err := a.Heap()
	if err != nil {
		return
	}
	n := 0
	o := java.Options{Depth: 5, MaxItems: 20, MaxString: 50, MaxValues: 300}
	_, err = h.Walk(ctx, func(x object.Object, size uint64) bool {
		if size < 8 {
			t.Fatalf("a %s of %d bytes at %v", x.Class.Name, size, x.Addr)
		}
		v := a.Inspect(x.Addr, o)
		_ = v.Format(java.FormatOptions{})
		_ = v.AppendJSON(nil)
		_ = a.References(x, func(_, _ core.Addr) bool { return true })
		_, _ = a.Monitor(x.Addr)
		_, _ = a.Throwable(x.Addr)
		n++
		return n < 1000
	})
	if err != nil {
		t.Error(err)
	}
	_, _ = a.Classes(ctx)
	_, _ = a.Backlogs(ctx)
	_, _ = a.Loaders(ctx)
	_, _ = a.Monitors(ctx)
	a.Deadlocks()
	_, _ = a.JNIGlobals()
	if g, err := a.Graph(ctx); err == nil {
		for id := range graph.ID(min(g.Len(), 500)) {
			src := g.Source()
			_ = src.Describe(g.Addr(id))
			src.References(g.Addr(id), g.Size(id), func(graph.Edge) {})
		}
		_ = a.WriteHprof(ctx, io.Discard)
	}
	threads, _ := a.Threads()
	for _, th := range threads {
		_, _ = a.JNILocals(th)
		a.WhatIs(th.Peer + 4)
		activations, _ := a.Activations(th)
		for _, q := range activations {
			a.Locks(q, 0, nil)
		}
	}
}
