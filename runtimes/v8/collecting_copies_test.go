package v8

import (
	"context"
	"encoding/binary"
	"io"
	"testing"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/file"
	"coredbg/runtimes/v8/heap"
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
func openPatched(t *testing.T, path string, words map[int64]uint64) (*V8, *heap.Heap) {
	t.Helper()
	src, err := file.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, _, v := openSource(t, patchedSource{src, words}, path, elf.Disk{})
	h, err := v.Heaps.Heap(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return v, h
}

// TestCopiesInFlight puts threads of real collections back to the moment between the
// copying of an object and the note of its new place: each object is counted once
// then, too.
func TestCopiesInFlight(t *testing.T) {
	eachLive(t, "scavenge", func(t *testing.T, path string) {
		v, before := openPatched(t, path, nil)
		words := lastMoves(v, before)
		if len(words) == 0 {
			t.Fatal("no allocation area ends with an object that was moved")
		}
		_, after := openPatched(t, path, words)
		t.Logf("%d copies in flight", len(words))
		if got, want := after.Stats.Objects, before.Stats.Objects; got < want || got > want+after.Doubtful {
			t.Errorf("%d objects with %d copies in flight, %d without; %d doubtful", got, len(words), want, after.Doubtful)
		}
	})
}

// lastMoves returns the words that undo the last move into each allocation area, by
// offset in the core: the first words of the originals. What has been updated since it
// was moved is not undone.
func lastMoves(v *V8, h *heap.Heap) map[int64]uint64 {
	w := heap.NewPageWalker(v.Heaps.Reader, h.Maps, h.Gaps)
	moves := h.Moves(w, h.Busy())
	words := map[int64]uint64{}
	for top := range h.Gaps {
		p, ok := heap.PageIndex(h.Pages).At(top - 8)
		if !ok || p.FromSpace || p.Evacuating || top == p.AreaStart {
			continue
		}
		last := w.ObjectBefore(p, top)
		m, ok := moves[last.Start]
		if !ok || !h.Filled(p) && !h.HasOriginal(w, last, map[core.Addr]heap.Move{0: m}) {
			continue
		}
		first, _ := v.Word(last.Start)
		if s, ok := v.Space.Find(m.From); ok && s.Kind == core.SegCore {
			words[s.Off+int64(m.From-s.Start)] = first
		}
	}
	return words
}
