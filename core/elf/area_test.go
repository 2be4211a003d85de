package elf

import (
	stdelf "debug/elf"
	"os"
	"runtime"
	"testing"

	"coredbg/core"
)

// TestAreaAt compares areas of the test's own binary with the sections that debug/elf finds.
func TestAreaAt(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the test binary is not an ELF file")
	}
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFile(core.Bytes(data), path)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := stdelf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer truth.Close()
	checked := 0
	for _, s := range truth.Sections {
		if s.Flags&stdelf.SHF_ALLOC == 0 || s.Type == stdelf.SHT_NOBITS || s.Size == 0 {
			continue
		}
		checked++
		what, code, ok := f.AreaAt(s.Addr + s.Size/2)
		if !ok || what != s.Name || code != (s.Flags&stdelf.SHF_EXECINSTR != 0) {
			t.Errorf("in %s: %q, %v, %v", s.Name, what, code, ok)
		}
	}
	if checked < 3 {
		t.Errorf("%d sections", checked)
	}
	base := truth.Progs[0].Vaddr
	for _, p := range truth.Progs {
		if p.Type == stdelf.PT_LOAD && p.Off == 0 {
			base = p.Vaddr
		}
	}
	for at, want := range map[uint64]string{0: "the ELF header", 63: "the ELF header", 64: "the program headers"} {
		if what, code, ok := f.AreaAt(base + at); !ok || code || what != want {
			t.Errorf("at %#x: %q, %v, %v", at, what, code, ok)
		}
	}
}
