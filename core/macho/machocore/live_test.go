package machocore_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/find"
	"coredbg/core/macho"
	"coredbg/core/macho/format"
	"coredbg/core/macho/machocore"
)

// TestLiveFill takes the code and the constants out of the cores that testdata/cores/make made, and
// compares the files' bytes in their place with the bytes of the processes.
func TestLiveFill(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(os.Getenv("COREDBG_MACHO"), "macho-*", "out"))
	if len(dirs) == 0 {
		dirs = coretest.Live(t)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(filepath.Dir(dir)), func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join(filepath.Dir(dir), "lldb-full.core"))
			if err != nil {
				t.Fatal(err)
			}
			disk := &macho.Disk{Disk: find.Disk{Search: []string{dir}}}
			whole, err := machocore.Open(core.Bytes(b), "core", machocore.Options{Files: disk})
			if err != nil {
				t.Fatal(err)
			}
			want := map[core.Addr][]byte{}
			cut := bytes.Clone(b)
			for _, m := range whole.Modules {
				img := m.Facts().Image.(*macho.File)
				for _, s := range img.Layout() {
					if s.Name != "__DATA_CONST" && s.Name != "__TEXT" {
						continue
					}
					at := core.Addr(s.VMAddr) + m.Facts().Bias
					data, err := whole.Space.Slice(at, int(s.FileSize))
					if err != nil {
						t.Fatal(err)
					}
					want[at] = data
					dropSegment(cut, uint64(at))
				}
			}
			p, err := machocore.Open(core.Bytes(cut), "core", machocore.Options{Files: disk})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for at, data := range want {
				if seg, ok := p.Space.Resolve(at); !ok || seg.Kind != core.SegFile {
					t.Errorf("%v is of kind %v", at, seg.Kind)
				}
				got, err := p.Space.Slice(at, len(data))
				if err != nil || !bytes.Equal(got, data) {
					for i := range got {
						if got[i] != data[i] {
							t.Errorf("%v: %#x, want %#x", at+core.Addr(i), got[i&^7:i&^7+8], data[i&^7:i&^7+8])
							break
						}
					}
					t.Errorf("%v: %d of %d bytes, %v", at, len(got), len(data), err)
				}
				n += len(data)
			}
			t.Logf("%d segments, %d bytes agree", len(want), n)
		})
	}
}

// dropSegment takes the contents of the region at an address out of a core.
func dropSegment(b []byte, at uint64) {
	h, _ := format.ParseHeader(b)
	cmds, _ := format.Commands(b[format.HeaderSize:], h.NCmds)
	for _, c := range cmds {
		if s, ok := format.ParseSegment(c.Data); ok && c.Cmd == format.LCSegment64 && s.VMAddr == at {
			binary.LittleEndian.PutUint64(b[c.Off+48:], 0)
		}
	}
}
