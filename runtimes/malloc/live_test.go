package malloc_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/elf"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/runtimes/malloc"
)

// TestLiveChunks compares all chunks with what the program itself says of them: heaps.c
// prints each piece of memory that it had, and whether it gave it back.
func TestLiveChunks(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := openCore(t, path)
			h, err := malloc.Open(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if b := h.Broken(t.Context()); len(b) > 0 {
				t.Errorf("headers were overwritten, it seems: %+v", b)
			}
			compareLocated(t, p, h.All[0].Heap(t.Context()))
			f, err := os.Open(filepath.Join(path, "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			lists := map[string]int{}
			for s := bufio.NewScanner(f); s.Scan(); {
				checkChunk(t, h, s.Text(), lists)
			}
			for _, list := range []string{"tcache", "fastbin", "bin"} {
				if lists[list] < 10 {
					t.Errorf("%d free chunks in a %s, too few to show anything: %v", lists[list], list, lists)
				}
			}
		})
	}
}

func checkChunk(t *testing.T, h *malloc.Heap, line string, lists map[string]int) {
	t.Helper()
	var state string
	var at, size uint64
	if _, err := fmt.Sscanf(line, "%s 0x%x %d", &state, &at, &size); err != nil {
		return // what the shell says of the death
	}
	for _, a := range []uint64{at, at + size/2, at + size - 1} {
		c, ok := h.Chunk(t.Context(), core.Addr(a))
		switch {
		case !ok:
			t.Fatalf("%s: no chunk", line)
		case state == "used" && (c.State != malloc.Used || uint64(c.Addr) != at || c.Size < size || c.Size > size+24):
			t.Errorf("%s: %+v", line, c)
		case state == "free" && c.State != malloc.Free && c.State != malloc.Top:
			t.Errorf("%s: %+v", line, c)
		}
		lists[c.List]++
	}
}

func openCore(t testing.TB, dir string) *core.Process {
	t.Helper()
	src, err := file.Open(filepath.Join(dir, "core"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var truth struct{ Exe string }
	var o elfcore.Options
	if root := filepath.Join(dir, "root"); exists(root) {
		if data, err := os.ReadFile(filepath.Join(dir, "truth.json")); err == nil &&
			json.Unmarshal(data, &truth) == nil && truth.Exe != "" {
			o.Exe = filepath.Join(dir, truth.Exe)
		}
		o.Files = elf.Disk{Disk: find.Disk{Sysroot: root}}
	}
	p, err := elfcore.Open(src, dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
