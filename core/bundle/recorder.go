package bundle

import (
	"slices"
	"sync"

	"coredbg/core"
)

// A Recorder notes which pages of an address space are read. What a decoder
// needs of a heap is best found by letting it run: the pages that it touched
// are those that a small bundle has to hold.
type Recorder struct {
	space *core.Space

	mu    sync.Mutex
	pages map[core.Addr]struct{}
	last  core.Addr
}

// Record begins to note the reads of s, until Stop. Nothing may read s while it
// begins or stops, and cursors made before do not count.
func Record(s *core.Space) *Recorder {
	r := &Recorder{space: s, pages: make(map[core.Addr]struct{}), last: 1}
	s.Trace = r.touch
	return r
}

func (r *Recorder) touch(a core.Addr, n int) {
	first, end := a/core.TracePage, (a+core.Addr(max(n, 1))-1)/core.TracePage
	r.mu.Lock()
	defer r.mu.Unlock()
	if first == r.last && end == first {
		return
	}
	for page := first; page <= end; page++ {
		r.pages[page*core.TracePage] = struct{}{}
	}
	r.last = end
}

// Stop ends the recording.
func (r *Recorder) Stop() { r.space.Trace = nil }

// Pages returns the addresses of the pages that were read, sorted. A page is
// core.TracePage bytes.
func (r *Recorder) Pages() []core.Addr {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]core.Addr, 0, len(r.pages))
	for a := range r.pages {
		out = append(out, a)
	}
	slices.Sort(out)
	return out
}
