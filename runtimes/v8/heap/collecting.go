package heap

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
	"coredbg/walk"
)

// collectors are the functions that a collection's thread is in; heap/scavenger.cc and
// heap/heap.cc @ 7.8 to 14.6. Heap::Scavenge, which calls the first, exchanges the
// semi-spaces before that: until then nothing moves.
var collectors = []struct{ symbol, kind string }{
	{"_ZN2v88internal18ScavengerCollector14CollectGarbageEv", "scavenge"},
	{"_ZN2v88internal4Heap11MarkCompactEv", "mark-compact"},
}

// maxCollectorStack bounds the search for a collector's frame on a stack, in bytes: a collection is near the
// top.
const maxCollectorStack = 64 << 10

// collections returns the collections that were under way. It returns nil if the image has no symbols for the
// collectors.
func (hs *Walker) collections(ctx context.Context, pages []page.Page) []Collection {
	var out []Collection
	for _, c := range collectors {
		s, ok := hs.Symbols.Find(hs.Image.Module.Path, c.symbol)
		if !ok || s.Size == 0 {
			continue
		}
		in := func(a core.Addr) bool { return a > s.Addr && a-s.Addr <= core.Addr(s.Size) }
		for _, t := range hs.Process.Threads {
			if !hs.stackHas(t, in) || !hs.walksThrough(ctx, t, in) {
				continue
			}
			x := Collection{Thread: t, Kind: c.kind}
			if isolate, ok := hs.objects.Isolate(t); ok {
				for i := range pages {
					if h := pages[i].Heap; h > isolate && h-isolate < code.MaxIsolate {
						x.Heap = h
						break
					}
				}
			}
			out = append(out, x)
		}
	}
	return out
}

// stackHas reports whether a word near the top of a stack is such an address.
func (hs *Walker) stackHas(t *core.Thread, in func(core.Addr) bool) bool {
	for _, s := range layout.Stacks(hs.Process, t) {
		data, _ := core.ReadBytes(hs.Space, s.Start, min(maxCollectorStack, uint64(s.End-s.Start)))
		for i := 0; i+8 <= len(data); i += 8 {
			if in(core.Addr(hs.Order.Uint64(data[i:]))) {
				return true
			}
		}
	}
	return false
}

// walksThrough reports whether a frame of a thread is at such an address: words of
// stacks may be left over.
func (hs *Walker) walksThrough(ctx context.Context, t *core.Thread, in func(core.Addr) bool) bool {
	target := walk.NewTarget(hs.Process, walk.Options{})
	n := 0
	for f, err := range target.Walk(ctx, t, hs.frames.Begin(t)) {
		if n++; err != nil || n > maxCollectorFrames {
			return false
		}
		if in(f.PC) {
			return true
		}
	}
	return false
}

// maxCollectorFrames bounds the frames of one stack that are looked at.
const maxCollectorFrames = 256

// markEvacuating marks the pages that a scavenge was about to empty. Objects that the scavenge had not reached
// are still there.
func (b *builder) markEvacuating() {
	for _, c := range b.Collections {
		for i := range b.Pages {
			p := &b.Pages[i]
			if c.Kind == "scavenge" && c.Heap != 0 && p.Heap == c.Heap && p.FromSpace {
				p.FromSpace, p.Evacuating = false, true
			}
		}
	}
}

// Busy returns the heaps that were being collected.
func (h *Snapshot) Busy() map[core.Addr]bool {
	busy := map[core.Addr]bool{}
	for _, c := range h.Collections {
		if c.Heap != 0 {
			busy[c.Heap] = true
		}
	}
	return busy
}

// settleEvacuating counts memory without objects on the young pages of heaps under collection as unused. On a
// page being emptied it follows the last object; on a page being filled it is left over from earlier.
func (b *builder) settleEvacuating() {
	busy := b.Busy()
	for i := range b.found {
		p, s := &b.Pages[i], &b.found[i].stats
		if s.Resyncs == 0 || !busy[p.Heap] {
			continue
		}
		first, _ := b.v.Word(p.AreaStart)
		switch {
		case p.Large && core.Addr(first) == p.AreaStart:
			// A large object is moved by changing its page's owner: the collector
			// keeps its map elsewhere meanwhile (ScavengerCollector::HandleSurvivingNewLargeObjects).
			s.Objects++
			s.Forwarded++
			s.Bytes += s.Skipped
		case p.Space == "new_space":
			s.Unused += s.Skipped
		default:
			continue
		}
		s.Skipped, s.Resyncs, s.BadMaps, s.Losses = 0, 0, 0, nil
	}
}
