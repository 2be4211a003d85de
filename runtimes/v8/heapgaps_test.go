package v8

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/page"
)

// TestFalseArea puts words that look like the allocation area of a semi-space into the
// memory around real ones: the area that the space itself names is the only one.
func TestFalseArea(t *testing.T) {
	eachLive(t, func(t *testing.T, path string) {
		v, before := openPatched(t, path, nil)
		words := falseArea(v, before)
		if len(words) == 0 {
			t.Fatal("no place for a false area")
		}
		_, after := openPatched(t, path, words)
		if got, want := after.Stats.Unused, before.Stats.Unused; got != want {
			t.Errorf("%d bytes not used with the false area, %d without", got, want)
		}
	})
}

// TestLimitAtTop lowers the limit of the area on a semi-space's current page to its top, as an allocation
// observer does to be called for the next object. The rest of the page must still count as unused.
func TestLimitAtTop(t *testing.T) {
	eachLive(t, func(t *testing.T, path string) {
		v, before := openPatched(t, path, nil)
		if v.Layout.Version.Before(9, 0) {
			return // areas are pairs; an empty pair may hold any value
		}
		words := limitsAtTop(v, before)
		if len(words) == 0 {
			t.Fatal("no area was found")
		}
		_, after := openPatched(t, path, words)
		if got, want := after.Stats.Unused, before.Stats.Unused; got != want {
			t.Errorf("%d bytes not used with the limit at the top, %d without", got, want)
		}
	})
}

// limitsAtTop returns the tops of areas of semi-spaces by where their limits are in the core.
func limitsAtTop(v *V8, h *heap.Snapshot) map[int64]uint64 {
	words := map[int64]uint64{}
	for i := range h.Pages {
		p := &h.Pages[i]
		if p.Space != "new_space" || p.FromSpace || p.Owner == 0 {
			continue
		}
		for top, end := range h.Gaps {
			if top <= p.AreaStart || top >= p.AreaEnd || end != p.AreaEnd {
				continue
			}
			for a := p.Heap - page.GapsBelow; a < p.Owner+page.GapsBelow; a += 8 {
				var w [3]uint64
				for k := range w {
					w[k], _ = v.Word(a + core.Addr(8*k))
				}
				s, ok := v.Space.Find(a + 16)
				if ok && core.Addr(w[1]) == top && core.Addr(w[0]) >= p.AreaStart && w[0] <= w[1] &&
					core.Addr(w[2]) > top && core.Addr(w[2]) <= p.AreaEnd {
					words[s.Off+int64(a+16-s.Start)] = w[1]
				}
			}
		}
	}
	return words
}

// falseArea returns three words, by offset in the core, that say that a semi-space's
// page is not used from some object on; they replace zeros near the space.
func falseArea(v *V8, h *heap.Snapshot) map[int64]uint64 {
	w := page.NewWalker(v.Heaps.Reader, h.Maps, h.Gaps)
	for i := range h.Pages {
		p := &h.Pages[i]
		if p.Space != "new_space" || p.FromSpace || p.Owner == 0 {
			continue
		}
		var starts []core.Addr
		w.Blocks(p, func(a core.Addr, _ *page.MapInfo, _ int) bool {
			starts = append(starts, a)
			return len(starts) < 400
		})
		s, ok := v.Space.Find(p.Owner)
		if !ok || len(starts) < 400 {
			continue
		}
		// The limit is within an object, or it would be an area without doubt.
		area := [3]core.Addr{starts[100], starts[100], starts[300] + 8}
		for a := p.Owner + page.GapsBelow/2; a+32 <= s.End; a += 8 {
			if zeros(v, a, 4) {
				words := map[int64]uint64{}
				for k, word := range area {
					words[s.Off+int64(a-s.Start)+int64(8*k)] = uint64(word)
				}
				return words
			}
		}
	}
	return nil
}

// zeros reports whether n words at a are 0.
func zeros(v *V8, a core.Addr, n int) bool {
	for range n {
		if x, ok := v.Word(a); !ok || x != 0 {
			return false
		}
		a += 8
	}
	return true
}
