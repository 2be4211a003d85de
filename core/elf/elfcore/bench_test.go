package elfcore_test

import (
	"os"
	"testing"

	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
)

// BenchmarkOpen opens the core that COREDBG_BENCH_CORE names.
func BenchmarkOpen(b *testing.B) {
	path := os.Getenv("COREDBG_BENCH_CORE")
	if path == "" {
		b.Skip("COREDBG_BENCH_CORE names no core")
	}
	for b.Loop() {
		src, err := file.Open(path, nil)
		if err != nil {
			b.Fatal(err)
		}
		p, err := elfcore.Open(src, path, elfcore.Options{})
		if err != nil {
			b.Fatal(err)
		}
		p.Close()
	}
}
