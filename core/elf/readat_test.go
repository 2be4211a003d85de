package elf

import (
	"bytes"
	stdelf "debug/elf"
	"os"
	"runtime"
	"testing"

	"coredbg/core"
)

// TestReadAt compares the bytes at link-time addresses of the test's own binary with the bytes that
// debug/elf finds in its sections.
func TestReadAt(t *testing.T) {
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
	truth, err := stdelf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".text", ".rodata", ".data"} {
		s := truth.Section(name)
		if s == nil {
			t.Fatalf("no %s", name)
		}
		want := make([]byte, min(s.Size, 5000))
		if _, err := s.ReadAt(want, 0); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(want))
		if n, err := f.ReadAt(got, s.Addr); n != len(got) || err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
	}
	if n, err := f.ReadAt(make([]byte, 8), 1); n != 0 || err == nil {
		t.Errorf("at 1: %d bytes, %v", n, err)
	}
	if bss := truth.Section(".noptrbss"); bss != nil {
		if _, err := f.ReadAt(make([]byte, 8), bss.Addr+bss.Size-8); err == nil {
			t.Error("the file has bytes of .noptrbss")
		}
	}
}
