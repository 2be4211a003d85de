package heap

import (
	"context"
	"runtime"
	"runtime/metrics"
	"slices"
	"testing"
	"time"

	"coredbg/core"
)

// A grid is a heap of any size that takes no memory itself. Its objects have 32 bytes and refer to
// three others, mostly near by.
type grid struct {
	fake
	objects int
}

const (
	gridStart = core.Addr(1 << 32)
	gridSize  = 32
	gridSpan  = 1 << 18
)

func (g *grid) at(i int) core.Addr { return gridStart + gridSize*core.Addr(i) }
func (g *grid) Reader() Reader     { return g }

func (g *grid) Spans() []Span {
	var out []Span
	for a := gridStart; a < g.at(g.objects); a += gridSpan {
		out = append(out, Span{Start: a, End: min(a+gridSpan, g.at(g.objects))})
	}
	return out
}

func (g *grid) Objects(span int, visit func(core.Addr, uint64, int32)) {
	a := gridStart + gridSpan*core.Addr(span)
	for end := min(a+gridSpan, g.at(g.objects)); a < end; a += gridSize {
		visit(a, gridSize, int32(a/gridSize%4))
	}
}

// targets are the targets of object i: the next ones of a tree, and one that is anywhere.
func (g *grid) targets(i int) [3]int {
	return [3]int{(2*i + 1) % g.objects, (2*i + 2) % g.objects,
		int((uint64(i) * 0x9e3779b97f4a7c15 >> 20) % uint64(g.objects))}
}

func (g *grid) Edges(at core.Addr, _ uint64, _ int32, visit func(from, to core.Addr)) {
	for _, t := range g.targets(int(at-gridStart) / gridSize) {
		visit(at, g.at(t))
	}
}

func newGrid(n int) *grid {
	g := &grid{objects: n}
	g.types = make([]Type, 4)
	g.roots = []Root{{Kind: "test", Target: g.at(0)}}
	return g
}

// TestGrid compares the references to objects with the references from them, for more objects than one
// block holds.
func TestGrid(t *testing.T) {
	src := newGrid(100_000)
	g, err := Build(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	want := make([][]ID, src.objects)
	for i := range src.objects {
		last := -1
		for _, to := range src.targets(i) {
			if to != i && to != last {
				want[to] = append(want[to], ID(i))
				last = to
			}
		}
	}
	for id, w := range want {
		if got := g.In(ID(id)); !slices.Equal(got, w) {
			t.Fatalf("references to %d: %v, want %v", id, got, w)
		}
	}
}

// BenchmarkBuild reports what Build takes at most, in bytes an object, with garbage that
// is not collected yet.
func BenchmarkBuild(b *testing.B) {
	src := newGrid(5_000_000)
	for b.Loop() {
		runtime.GC()
		stop, most := make(chan bool), make(chan uint64)
		go func() {
			s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
			peak := uint64(0)
			for {
				metrics.Read(s)
				peak = max(peak, s[0].Value.Uint64())
				select {
				case <-stop:
					most <- peak
					return
				case <-time.After(2 * time.Millisecond):
				}
			}
		}()
		g, err := Build(context.Background(), src)
		if err != nil {
			b.Fatal(err)
		}
		close(stop)
		b.ReportMetric(float64(<-most)/float64(g.Len()), "peak-B/object")
		b.ReportMetric(float64(g.Edges)/float64(g.Len()), "edges/object")
	}
}
