package v8_test

import (
	"os"
	"path/filepath"
	"testing"

	"coredbg/runtimes/v8"
)

// TestNewSpaceUsed: what the walk finds on the young pages in use is as many bytes
// as V8's own code says of NewSpace: objects left over behind its top would be too many.
func TestNewSpaceUsed(t *testing.T) {
	root := os.Getenv("COREDBG_LIVE")
	if root == "" {
		t.Skip("COREDBG_LIVE names no folder with live cores")
	}
	dirs, _ := filepath.Glob(filepath.Join(root, "*node-*"))
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			h := heapOf(t, v)
			if len(h.Collections) > 0 {
				return // see TestCollection
			}
			for _, s := range h.Spaces {
				if s.Name != "new_space" || s.Isolate == 0 {
					continue
				}
				// V8 says 0 where an isolate that ran out of memory has given its
				// area back; what was left over on that page is still counted.
				want, ok := newSpaceUsed(v, &s)
				if got := s.Walk.Bytes + s.Walk.Free + s.Walk.Skipped; ok && want != 0 && got != want {
					t.Errorf("isolate %v: %d bytes in use, V8 says %d", s.Isolate, got, want)
				}
			}
		})
	}
}

// newSpaceUsed returns V8's own number, where its code could be run.
func newSpaceUsed(v *v8.V8, s *v8.Space) (uint64, bool) {
	stats, err := v.HeapStatistics(s.Isolate)
	if err != nil {
		return 0, false
	}
	for _, x := range stats.Spaces {
		for _, size := range x.Sizes {
			if x.Name == "new_space" && size.Name == "space_used_size" && size.Known {
				return size.Value, true
			}
		}
	}
	return 0, false
}
