package v8_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestEveryByte: each byte of each page is of an object, free, or not used yet. What
// follows from that alone is that objects' sizes fit; the other tests count them.
func TestEveryByte(t *testing.T) {
	root := os.Getenv("COREDBG_LIVE")
	if root == "" {
		t.Skip("COREDBG_LIVE names no folder with live cores")
	}
	dirs, _ := filepath.Glob(filepath.Join(root, "*node-*"))
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			h := heapOf(t, v)
			checkSum(t, h)
			if len(h.Collections) > 0 {
				return // see TestCollection
			}
			if s := h.Stats; s.Skipped != 0 || s.Resyncs != 0 || s.BadMaps != 0 {
				t.Errorf("%d bytes passed over in %d places, %d bad maps: %+v", s.Skipped, s.Resyncs, s.BadMaps, s.Losses)
			}
		})
	}
}
