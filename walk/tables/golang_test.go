package tables

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/sym/pcln"
	"coredbg/walk/cfi"
)

// goImage builds a program of Go.
func goImage(t *testing.T, arch string) core.Image {
	t.Helper()
	dir := t.TempDir()
	source, exe := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	if err := os.WriteFile(source, []byte("package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(1) }\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-o", exe, source)
	cmd.Env = append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	data, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	img, err := elf.NewFile(core.Bytes(data), exe)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestGoRows compares the rows from a program's own function table with the rows that the linker has
// written for it.
func TestGoRows(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	for name, arch := range map[string]*core.Arch{"amd64": core.AMD64, "386": core.I386, "arm64": core.ARM64} {
		img := goImage(t, name)
		frames, err := img.Section(".debug_frame")
		if err != nil {
			t.Fatal(err)
		}
		want := cfi.New(arch, cfi.Sections{DebugFrame: frames})
		g, err := pcln.Open(pcln.Program{Image: img})
		if err != nil {
			t.Fatal(err)
		}
		im := &Module{arch: arch, golang: func() *pcln.Table { return g }}
		rows, funcs := 0, 0
		g.Functions(func(s core.ImageSymbol) bool {
			if funcs++; funcs%4 != 0 {
				return true
			}
			for pc := s.Value; pc < s.Value+s.Size-1; pc += 4 {
				w, err := want.Row(pc)
				if err != nil {
					continue // after the function's end
				}
				rows++
				if got := im.goRow(pc); !reflect.DeepEqual(got, w) {
					t.Errorf("%s: %s+%#x: %+v, not %+v", name, s.Name, pc-s.Value, got, w)
					return false
				}
			}
			return true
		})
		if t.Logf("%s: %d rows", name, rows); rows < 10000 {
			t.Errorf("%s: %d rows", name, rows)
		}
	}
}
