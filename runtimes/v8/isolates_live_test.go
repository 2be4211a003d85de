package v8_test

import (
	"context"
	"path/filepath"
	"testing"

	"coredbg/core/coretest"
)

// TestIsolatesByHeap: the isolate that V8's own code gives for a heap is the one that a
// thread has entered. Cores that qemu-user wrote have no thread pointers: there each heap
// must have an isolate, which begins on a multiple of its alignment.
func TestIsolatesByHeap(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			list := heapOf(t, v).Isolates(context.Background())
			if len(list) == 0 {
				t.Fatal("no isolate")
			}
			off, ok := v.Heaps.HeapOffset()
			for _, x := range list {
				if x.Addr == 0 || x.Thread == nil || !ok || x.Heap-x.Addr != off || x.Addr%16 != 0 {
					t.Errorf("%+v, want the heap %v after the isolate: %t", x, off, ok)
				}
			}
		})
	}
}
