package compact

import (
	"debug/macho"
	"testing"

	"coredbg/core"
)

// unwindInfo reads the section with the standard library's reader.
func unwindInfo(t *testing.T, path string) (*core.Arch, []byte) {
	t.Helper()
	f, err := macho.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := f.Section("__unwind_info")
	if s == nil {
		t.Fatalf("%s has no __unwind_info", path)
	}
	b, err := s.Data()
	if err != nil {
		t.Fatal(err)
	}
	if f.Cpu == macho.CpuArm64 {
		return core.ARM64, b
	}
	return core.AMD64, b
}
