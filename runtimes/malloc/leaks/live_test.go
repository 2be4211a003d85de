package leaks_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/glibc"
	"coredbg/runtimes/malloc/leaks"
)

// TestLiveLeaks compares the lost blocks with those that leaky.cc says it has lost. LeakSanitizer says the
// same of the same program, 156 blocks, and Valgrind too, but for one that the frame of main, which does not
// return, holds no more.
func TestLiveLeaks(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p, h := openCore(t, path)
			want := readTruth(t, filepath.Join(path, "out.txt"))
			n := 0
			res, err := leaks.Find(t.Context(), p, []*block.Heap{h.Heap(t.Context())},
				leaks.Options{Lost: func(at core.Addr, size uint64) {
					n++
					if x := want[at]; x.state != "lost" || x.size != size {
						t.Errorf("%v of %d bytes is said to be lost: %+v", at, size, x)
					}
				}})
			if err != nil {
				t.Fatal(err)
			}
			checkClusters(t, res, n)
		})
	}
}

// openCore opens the core in a folder, and its heap of glibc.
func openCore(t *testing.T, dir string) (*core.Process, *glibc.Malloc) {
	t.Helper()
	src, err := file.Open(filepath.Join(dir, "core"), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := elfcore.Open(src, dir, elfcore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	h, err := glibc.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return p, h
}

// checkClusters holds the clusters to what the program does: 66 requests with a body each, a list of 20, a
// ring, a block that a free one leads to, and a large one.
func checkClusters(t *testing.T, res *leaks.Result, n int) {
	t.Helper()
	if res.Count != 156 || n != res.Count {
		t.Errorf("%d blocks are lost", res.Count)
	}
	kinds := map[string]int{}
	total, bytes := 0, uint64(0)
	for _, c := range res.Clusters {
		kinds[fmt.Sprintf("size %d holds %d, ring %v", c.Size, c.Held, c.Ring)]++
		total += 1 + c.Held
		bytes += c.Bytes
	}
	want := map[string]int{"size 24 holds 1, ring false": 66, "size 24 holds 19, ring false": 1,
		"size 24 holds 1, ring true":   1,
		"size 408 holds 0, ring false": 1, "size 1052656 holds 0, ring false": 1}
	if fmt.Sprint(kinds) != fmt.Sprint(want) || total != res.Count || bytes != res.Bytes {
		t.Errorf("%v, %d blocks of %d bytes; want %v", kinds, total, bytes, want)
	}
}

type truth struct {
	state string
	size  uint64
}

func readTruth(t *testing.T, name string) map[core.Addr]truth {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[core.Addr]truth{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var x truth
		var at uint64
		if _, err := fmt.Sscanf(s.Text(), "%s 0x%x %d", &x.state, &at, &x.size); err == nil {
			out[core.Addr(at)] = x
		}
	}
	if len(out) < 700 {
		t.Fatalf("%d blocks are written down", len(out))
	}
	return out
}
