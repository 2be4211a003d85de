package malloc_test

import (
	"path/filepath"
	"testing"

	"coredbg/core/coretest"
	"coredbg/runtimes/malloc"
)

// BenchmarkAllocs finds the allocators of a process and reads all their chunks.
func BenchmarkAllocs(b *testing.B) {
	for _, path := range coretest.Live(b) {
		b.Run(filepath.Base(path), func(b *testing.B) {
			p := openCore(b, path)
			chunks := 0
			for b.Loop() {
				h, err := malloc.Open(b.Context(), p)
				if err != nil {
					b.Fatal(err)
				}
				chunks = 0
				for _, a := range h.All {
					chunks += a.Heap(b.Context()).Len()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(chunks), "ns/chunk")
			b.ReportMetric(float64(chunks), "chunks")
		})
	}
}
