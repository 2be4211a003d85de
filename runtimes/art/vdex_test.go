package art

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/find"
	"coredbg/runtimes/art/layout"
)

// oneFile is the only file that is found.
type oneFile struct {
	path  string
	bytes []byte
}

func (f oneFile) Find(_ context.Context, w find.Want) find.Found {
	if w.Kind != find.Data || w.Path != f.path {
		return find.Found{}
	}
	if err := w.Check(core.Bytes(f.bytes)); err != nil {
		return find.Found{Refused: []error{err}}
	}
	return find.Found{Source: core.Bytes(f.bytes), From: w.Path}
}

// TestVdex has the core lack a dex file that was mapped from a vdex file, which
// is laid by vdex_file.h of Android 10: magic and versions, number of dex files,
// three sizes, checksums; a word with quickening's size; the dex file.
func TestVdex(t *testing.T) {
	const checksum, at = 0xc0ffee01, 0x40
	s := newScene(t, core.AMD64, layout.NewLayout(29, 8, layout.LibCxx))
	s.thread(101, "main", "Native")
	s.u32(off(sceneDexFile, s.l.DexFile.Checksum), checksum)
	b := s.mem[sceneDex]
	delete(s.mem, sceneDex)
	vdex := []byte("vdex021\x00002\x00")
	for _, v := range []uint32{2, 0, 0, 0, 0xdead, checksum} {
		vdex = binary.LittleEndian.AppendUint32(vdex, v)
	}
	vdex = append(vdex, make([]byte, at-len(vdex))...)
	vdex = append(vdex, b...)
	for _, tt := range []struct {
		name   string
		spoil  func(b []byte) []byte
		mapOff uint64
		fails  string
	}{
		{"whole", func(b []byte) []byte { return b }, 0, ""},
		{"another", func(b []byte) []byte { b[32]++; return b }, 0, "another dex file"},
		{"elsewhere", func(b []byte) []byte { return b }, 4, "no dex file is at offset 0x44"},
		{"cut", func(b []byte) []byte { return b[:at] }, 0, "not known"},
	} {
		p := s.open()
		p.Mappings = append(p.Mappings, core.Mapping{Start: sceneDex - at, End: sceneDex + 0x1000,
			Path: "/data/app/base.vdex", Off: tt.mapOff})
		slices.SortFunc(p.Mappings, func(x, y core.Mapping) int { return cmp.Compare(x.Start, y.Start) })
		a := s.find(p, oneFile{"/data/app/base.vdex", tt.spoil(bytes.Clone(vdex))})
		d := a.DexFileAt(sceneDexFile)
		switch {
		case tt.fails != "":
			if d.Err == nil || !strings.Contains(d.Err.Error(), tt.fails) {
				t.Errorf("%s: error %v, want %q", tt.name, d.Err, tt.fails)
			}
		case d.Err != nil || d.From != "/data/app/base.vdex":
			t.Errorf("%s: from %q, %v", tt.name, d.From, d.Err)
		default:
			if got, err := d.File.Extract(); err != nil || !bytes.Equal(got, b) {
				t.Errorf("%s: %d bytes, %v", tt.name, len(got), err)
			}
		}
	}
}
