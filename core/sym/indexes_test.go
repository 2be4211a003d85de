package sym

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/file"
)

// TestIndexes: the second process that asks about a large program reads what the first one has kept by its
// build-id, and finds the same; a program of the same names without a build-id, and a small one, have nothing
// kept.
func TestIndexes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.c": "struct point { int x, y; } origin;\nint main(void) { struct point *p = &origin; return p->x; }\n",
		// A unit of an unknown version.
		"pad.s": ".section .debug_info,\"\",@progbits\n.long 17000000\n.short 99\n.zero 16999998\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := func(out string, args ...string) string {
		cmd := exec.Command("gcc", append([]string{"-g", "-o", out, "a.c"}, args...)...)
		cmd.Dir = dir
		if msg, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("gcc: %v\n%s", err, msg)
		}
		return filepath.Join(dir, out)
	}
	cache := filepath.Join(dir, "cache")
	ask := func(program string) {
		t.Helper()
		b, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		img, err := elf.NewFile(core.Bytes(b), program)
		if err != nil {
			t.Fatal(err)
		}
		p, m := process(img, 0x5000000)
		table := NewTable(p)
		keep := &file.Cache{Dir: cache}
		table.Indexes = keep
		d, err := table.Data(m)
		if err != nil {
			t.Fatal(err)
		}
		if list := d.FindTypes("point"); len(list) != 1 || list[0].Name() != "struct point" {
			t.Errorf("%s: types %v", program, list)
		}
		if list := d.FindVariables("origin"); len(list) != 1 {
			t.Errorf("%s: variables %v", program, list)
		}
		main, _ := table.Find("", "main")
		if s, err := d.Scopes(uint64(main.Addr) - 0x5000000 + 4); err != nil || len(s) != 1 || len(s[0].Vars) != 1 {
			t.Errorf("%s: scopes %v, %v", program, s, err)
		}
		if err := keep.Close(); err != nil {
			t.Error(err)
		}
	}
	ask(build("small", "-Wl,--build-id=0x0102"))
	ask(build("without", "pad.s", "-Wl,--build-id=none"))
	if list, err := os.ReadDir(cache); err == nil {
		t.Errorf("kept %v", list)
	}
	large := build("large", "pad.s", "-Wl,--build-id=0xabcdef01")
	ask(large)
	kept := map[string]os.FileInfo{}
	for range 2 {
		list, err := os.ReadDir(cache)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range list {
			st, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			if old := kept[e.Name()]; old != nil && !os.SameFile(old, st) {
				t.Errorf("%s was written again", e.Name())
			}
			kept[e.Name()] = st
			names = append(names, e.Name())
		}
		if want := []string{"abcdef01.code.cached", "abcdef01.names.cached"}; !slices.Equal(names, want) {
			t.Errorf("kept %q, want %q", names, want)
		}
		ask(large)
	}
}
