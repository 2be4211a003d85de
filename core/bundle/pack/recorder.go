package pack

import (
	"context"
	"math"
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/core/find"
)

// A Recorder notes which pages of an address space are read. The best way to find the pages a decoder
// needs is to run it. A small bundle must hold the pages it touches.
type Recorder struct {
	space *core.Space

	mu    sync.Mutex
	pages map[core.Addr]struct{}
	last  core.Addr
}

// Record notes the pages read from s until Stop. No goroutine may read s while recording begins or
// stops, and cursors made before do not count.
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

// A FileRecorder is a find.Finder that notes the files without code that another one
// finds, as they are to be in the bundle.
type FileRecorder struct {
	finder find.Finder
	max    int64

	mu      sync.Mutex
	files   []DataFile
	taken   int64
	leftOut []string
}

// RecordFiles returns a recorder of the files that f finds.
func RecordFiles(f find.Finder) *FileRecorder { return &FileRecorder{finder: f, max: math.MaxInt64} }

// RecordDebugInfo returns a recorder of files that hold parts of the debugging information of images
// and their debug files. It records up to max bytes in all: DefaultDebugInfo if max is 0, nothing if
// max is negative.
func RecordDebugInfo(f find.Finder, max int64) *FileRecorder {
	o := Options{DebugInfo: max}
	return &FileRecorder{finder: f, max: o.debugInfo()}
}

// Find implements find.Finder.
func (r *FileRecorder) Find(ctx context.Context, w find.Want) find.Found {
	got := r.finder.Find(ctx, w)
	// A debug file that is asked for by path is shared by several images.
	if w.Kind != find.Data && (w.Kind != find.Debug || w.Path == "") || got.Source == nil {
		return got
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(r.files, func(f DataFile) bool { return f.Path == w.Path }) ||
		slices.Contains(r.leftOut, w.Path) {
		return got
	}
	if n := got.Source.Size(); n <= r.max-r.taken {
		r.taken += n
		// The caller closes what it got.
		if own := r.finder.Find(ctx, w); own.Source != nil {
			r.files = append(r.files, DataFile{Path: w.Path, Source: own.Source})
		}
	} else {
		r.leftOut = append(r.leftOut, w.Path)
	}
	return got
}

// LeftOut returns the paths of files that there was no room for.
func (r *FileRecorder) LeftOut() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.leftOut)
}

// Files returns the files that were found; see Options.Data.
func (r *FileRecorder) Files() []DataFile {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.files)
}

// Close closes the files, where no plan does.
func (r *FileRecorder) Close() {
	for _, f := range r.Files() {
		f.Source.Close()
	}
}
