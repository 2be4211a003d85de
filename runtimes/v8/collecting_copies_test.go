package v8

import (
	"context"
	"encoding/binary"
	"io"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/file"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
	"coredbg/runtimes/v8/v8test"
)

// A patchedSource is a Source with words replaced, by offset.
type patchedSource struct {
	core.Source
	words map[int64]uint64
}

// Window returns bytes up to the next replaced word.
func (s patchedSource) Window(off int64) ([]byte, error) {
	w, err := s.Source.Window(off)
	if err != nil {
		return nil, err
	}
	for at, word := range s.words {
		switch {
		case off >= at && off < at+8:
			return binary.LittleEndian.AppendUint64(nil, word)[off-at:], nil
		case at > off && at < off+int64(len(w)):
			w = w[:at-off]
		}
	}
	if len(w) == 0 {
		return nil, io.EOF
	}
	return w, nil
}

// openPatched opens a core with words replaced.
func openPatched(t *testing.T, path string, words map[int64]uint64) (*V8, *heap.Snapshot) {
	t.Helper()
	src, err := file.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, _, v := probed(t, v8test.OpenSource(t, patchedSource{src, words}, path, elf.Disk{}))
	h, err := v.Heaps.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return v, h
}

// TestCopiesInFlight puts the threads of real collections back to the moment after an object is copied and
// before its new place is recorded: each object must still be counted once. An object that a real thread was
// copying is in that state already, and nothing refers to it.
func TestCopiesInFlight(t *testing.T) {
	eachLive(t, func(t *testing.T, path string) {
		v, before := openPatched(t, path, nil)
		words, n := lastMoves(v, before)
		if n == 0 {
			t.Fatal("no allocation area ends with an object that was moved")
		}
		_, after := openPatched(t, path, words)
		t.Logf("%d copies in flight, with %d words, and %d that were; %d doubtful, and %d", n, len(words),
			len(before.Copies), after.Doubtful, before.Doubtful)
		if got, want := after.Stats.Objects, before.Stats.Objects; got < want || got > want+after.Doubtful {
			t.Errorf("%d objects with %d copies in flight, %d without; %d doubtful", got, n, want, after.Doubtful)
		}
		for _, c := range before.Copies {
			if !slices.Contains(after.Copies, c) {
				t.Errorf("%#x was a copy in flight before others were", uint64(c.Start))
			}
		}
		eachWord(v, before, func(a core.Addr, x layout.Tagged) {
			if slices.ContainsFunc(before.Copies, func(c layout.Area) bool { return layout.Tag(c.Start) == x&^2 }) {
				t.Errorf("%#x refers to the copy in flight %#x", uint64(a), uint64(x))
			}
		})
	})
}

// lastMoves returns the words that undo the last move into each allocation area, by offset in the core: the
// first words of the originals, and the words that already refer to their copies. It does not undo moves that a
// copy in flight depends on: a thread publishes one copy before it makes the next in its area.
func lastMoves(v *V8, h *heap.Snapshot) (map[int64]uint64, int) {
	w := page.NewWalker(v.Heaps.Reader, h.Maps, h.Gaps)
	moves := h.Moves(w, h.Busy())
	words, undone := map[int64]uint64{}, map[layout.Tagged]core.Addr{}
	set := func(a core.Addr, word uint64) bool {
		s, ok := v.Space.Find(a)
		if ok = ok && s.Kind == core.SegCore; ok {
			words[s.Off+int64(a-s.Start)] = word
		}
		return ok
	}
	for top := range h.Gaps {
		p, ok := heap.PageIndex(h.Pages).At(top - 8)
		if !ok || p.FromSpace || p.Evacuating || top == p.AreaStart {
			continue
		}
		if slices.ContainsFunc(h.Copies, func(c layout.Area) bool { return c.Start == top }) {
			continue
		}
		last := w.ObjectBefore(p, top)
		m, ok := moves[last.Start]
		if !ok || !h.Filled(p) && !h.HasOriginal(w, last, map[core.Addr]heap.Move{last.Start: m}) {
			continue
		}
		first, _ := v.Word(last.Start)
		if set(m.From, first) {
			undone[layout.Tag(last.Start)] = m.From
		}
	}
	eachWord(v, h, func(a core.Addr, x layout.Tagged) {
		if from, ok := undone[x&^2]; ok {
			set(a, uint64(layout.Tag(from)|x&2))
		}
	})
	return words, len(undone)
}

// eachWord visits the words of all pages that are in use.
func eachWord(v *V8, h *heap.Snapshot, visit func(core.Addr, layout.Tagged)) {
	for _, p := range h.Pages {
		data, _ := v.Space.Slice(p.AreaStart, int(p.AreaEnd-p.AreaStart))
		for i := 0; i+8 <= len(data) && !p.FromSpace; i += 8 {
			visit(p.AreaStart+core.Addr(i), layout.Tagged(v.Order.Uint64(data[i:])))
		}
	}
}
