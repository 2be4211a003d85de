package pymalloc_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/elf"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/mimalloc"
	"coredbg/runtimes/malloc/pymalloc"
)

// TestLiveObjects compares blocks by size with the figures that the interpreter itself has printed
// (sys._debugmallocstats), or all of them with its count (sys.getallocatedblocks), which has blocks of malloc,
// too, where it has two allocators. It compares the types of objects, and the numbers of instances of two
// classes, with the lines that objects.py prints.
func TestLiveObjects(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := file.Open(filepath.Join(path, "core"), nil)
			if err != nil {
				t.Fatal(err)
			}
			disk, free := find.Disk{Sysroot: filepath.Join(path, "root")}, strings.HasSuffix(path, "-free-threaded")
			if free {
				disk = find.Disk{} // it has run outside of a root
			}
			p, err := elfcore.Open(src, path, elfcore.Options{Files: elf.Disk{Disk: disk}})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			text, err := os.ReadFile(filepath.Join(path, "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			all := pymalloc.Open(t.Context(), p)
			if free {
				for _, a := range mimalloc.Open(t.Context(), p) {
					if m := a.(*mimalloc.Malloc); m.Python() {
						all = append(all, pymalloc.ObjectsOf(p, m))
					}
				}
			}
			if len(all) != 1 {
				t.Fatalf("%d allocators", len(all))
			}
			h := all[0].Heap(t.Context())
			if len(h.Breaks)+len(h.Strays)+len(h.Notes) > 0 {
				t.Errorf("%+v %+v %v", h.Breaks, h.Strays, h.Notes)
			}
			if free { // its figures are about one of its heaps, and its count about all
				compareCount(t, h, string(text))
			} else {
				compareFigures(t, h, string(text))
			}
			compareObjects(t, all[0].(block.Typer), string(text))
		})
	}
}

// compareCount compares the number of all blocks in use, which includes blocks of a thread that has ended.
func compareCount(t *testing.T, h *block.Heap, text string) {
	t.Helper()
	_, figure, ok := strings.Cut(text, "\nblocks ")
	var want int
	if _, err := fmt.Sscan(figure, &want); !ok || err != nil {
		t.Fatal("the interpreter has printed no count")
	}
	if got := h.Sum(block.All).Used; got != want {
		t.Errorf("%d blocks are in use, the interpreter says %d", got, want)
	}
}

// compareFigures compares the blocks in use of each size, and their bytes.
func compareFigures(t *testing.T, h *block.Heap, text string) {
	t.Helper()
	used := map[uint64]int{}
	h.Each(func(_ block.Ref, p *block.Packed) bool {
		if p.State() == block.Used {
			used[p.Size()]++
		}
		return true
	})
	classes, said := 0, uint64(0)
	for line := range strings.Lines(text) {
		var class, pools, blocks, avail int
		var size uint64
		if n, _ := fmt.Sscan(line, &class, &size, &pools, &blocks, &avail); n == 5 {
			classes++
			if used[size] != blocks {
				t.Errorf("%d blocks of %d bytes are in use, the interpreter says %d", used[size], size, blocks)
			}
		}
		if figure, ok := strings.CutPrefix(line, "# bytes in allocated blocks"); ok {
			fmt.Sscan(strings.ReplaceAll(strings.TrimLeft(figure, " ="), ",", ""), &said)
		}
	}
	if sum := h.Sum(block.All); sum.UsedBytes != said || classes < 20 {
		t.Errorf("%d bytes are in use, the interpreter says %d; %d sizes", sum.UsedBytes, said, classes)
	}
}

// compareObjects compares the types of objects.
func compareObjects(t *testing.T, of block.Typer, text string) {
	t.Helper()
	h := of.Heap(t.Context())
	counts := map[string]int{}
	h.Each(func(_ block.Ref, p *block.Packed) bool {
		if p.State() == block.Used {
			counts[of.TypeOf(p.At, p.Size())]++
		}
		return true
	})
	objects := 0
	for line := range strings.Lines(text) {
		var at core.Addr
		var name string
		if n, _ := fmt.Sscanf(line, "object 0x%x %s", &at, &name); n == 2 {
			r, ok := h.Around(at)
			if !ok || h.Packed(r).State() != block.Used {
				t.Errorf("%v, a %s, is in no block in use", at, name)
			} else if got := of.TypeOf(h.Packed(r).At, h.Packed(r).Size()); got != name {
				t.Errorf("%v is a %s, found %q", at, name, got)
			}
			objects++
		}
		var sessions, points int
		if n, _ := fmt.Sscanf(line, "instances Session %d Point %d", &sessions, &points); n == 2 {
			if counts["Session"] != sessions || counts["Point"] != points {
				t.Errorf("%d of Session and %d of Point, the program has %d and %d", counts["Session"], counts["Point"],
					sessions, points)
			}
			objects++
		}
	}
	if objects < 11 {
		t.Errorf("%d objects were compared", objects)
	}
}
