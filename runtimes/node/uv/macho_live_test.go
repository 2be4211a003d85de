package uv

import (
	"bytes"
	"debug/macho"
	"encoding/binary"
	"path/filepath"
	"testing"

	"coredbg/core/coretest"
)

// TestMachOLibuv: on macOS, the time and the closing handles of a loop lie where the code of libuv in Node's binaries
// for it has them, after wq_async; other numbers are the same as on Linux.
func TestMachOLibuv(t *testing.T) {
	u := libuv("darwin")
	const async = 200 // wq, at 120, is followed by a mutex of 64 bytes
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f, err := macho.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			loads := loadsOf(f, codeOf(t, f, "_uv_now"))
			if len(loads) == 0 || loads[0] != async+u.Async.Time {
				t.Errorf("uv_now loads from %v, want %d", loads, async+u.Async.Time)
			}
			for name, want := range map[string]int{"_uv_loop_alive": async + u.Async.ClosingHandles,
				"_uv_stream_get_write_queue_size": u.Handle.Size, "_uv_backend_fd": u.Loop.BackendFD,
				"_uv_timer_get_repeat": u.Timer.Repeat, "_uv_is_closing": u.Handle.Flags} {
				found := false
				for _, at := range loadsOf(f, codeOf(t, f, name)) {
					found = found || at == want
				}
				if !found {
					t.Errorf("%s does not load from %d", name, want)
				}
			}
		})
	}
}

// codeOf returns the first bytes of a function.
func codeOf(t *testing.T, f *macho.File, name string) []byte {
	t.Helper()
	for _, s := range f.Symtab.Syms {
		if s.Name != name || s.Sect == 0 {
			continue
		}
		code := make([]byte, 64)
		section := f.Sections[s.Sect-1]
		if _, err := section.ReadAt(code, int64(s.Value-section.Addr)); err != nil {
			t.Fatal(err)
		}
		return code
	}
	t.Fatalf("there is no %s", name)
	return nil
}

// loadsOf returns the offsets from the first argument that a function's start loads from.
func loadsOf(f *macho.File, code []byte) (at []int) {
	if f.Cpu == macho.CpuArm64 {
		for i := 0; i+4 <= len(code); i += 4 {
			switch w := binary.LittleEndian.Uint32(code[i:]); {
			case w>>5&31 != 0: // x0
			case w>>22 == 0x3e5: // LDR of 64 bits
				at = append(at, int(w>>10&0xfff)*8)
			case w>>22 == 0x2e5: // LDR of 32 bits
				at = append(at, int(w>>10&0xfff)*4)
			case w>>22 == 0xe5: // LDRB
				at = append(at, int(w>>10&0xfff))
			}
		}
		return at
	}
	for i := range code[:len(code)-8] {
		switch m := code[i+1]; {
		case bytes.HasPrefix(code[i:], []byte{0x8b, 0x87}) || bytes.HasPrefix(code[i:], []byte{0x83, 0xbf}):
			at = append(at, int(binary.LittleEndian.Uint32(code[i+2:])))
		case (code[i] == 0x8b || code[i] == 0xf6) && m == 0x47:
			at = append(at, int(code[i+2]))
		}
	}
	return at
}
