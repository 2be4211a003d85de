package faults_test

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
	"coredbg/runtimes/malloc/faults"
	"coredbg/runtimes/malloc/glibc"
)

// TestLiveFaults compares what is found with what spoil.c says it has written over, and by which block's pointer.
func TestLiveFaults(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := file.Open(filepath.Join(path, "core"), nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := elfcore.Open(src, path, elfcore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			h, err := glibc.Open(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			kind, culprit := said(t, filepath.Join(path, "out.txt"))
			found := faults.Find(p, h.Heap(t.Context()))
			if len(found) == 0 && kind != "none" || len(found) > 0 && kind == "none" {
				t.Fatalf("%+v; the program has done: %s", found, kind)
			}
			for _, f := range found {
				if string(f.Kind) != kind || f.Culprit.Addr != culprit {
					t.Errorf("%+v; the program has done: %s, by %v", f, kind, culprit)
				}
			}
		})
	}
}

func said(t *testing.T, name string) (kind string, culprit core.Addr) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	var at uint64
	s.Scan()
	if n, _ := fmt.Sscanf(s.Text(), "spoil %s 0x%x", &kind, &at); n < 1 {
		t.Fatalf("the program has said %q", s.Text())
	}
	return kind, core.Addr(at)
}
