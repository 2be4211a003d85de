package code

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/art/dex"
)

// FuzzDexIn takes a dex file out of archives, vdex files and dex files.
func FuzzDexIn(f *testing.F) {
	file := make([]byte, 0x70) // a header and nothing else
	copy(file, "dex\n035\x00")
	for off, v := range map[int]uint32{8: 0xc0ffee01, 32: 0x70, 36: 0x70, 40: 0x12345678} {
		binary.LittleEndian.PutUint32(file[off:], v)
	}
	f.Add(file, "", uint32(0xc0ffee01), int64(0))
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.CreateHeader(&zip.FileHeader{Name: "classes.dex", Method: method})
		if err != nil {
			f.Fatal(err)
		}
		if _, err := w.Write(file); err != nil || z.Close() != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes(), "", crc32.ChecksumIEEE(file), int64(0))
		f.Add(b.Bytes(), "classes2.dex", crc32.ChecksumIEEE(file), int64(0))
	}
	const at = 0x40
	vdex := []byte("vdex021\x00002\x00")
	for _, v := range []uint32{1, 0, 0, 0, 0xc0ffee01} {
		vdex = binary.LittleEndian.AppendUint32(vdex, v)
	}
	vdex = append(append(vdex, make([]byte, at-len(vdex))...), file...)
	f.Add(vdex, "", uint32(0xc0ffee01), int64(at))
	f.Add(vdex, "", uint32(0xc0ffee01), int64(at+4))
	f.Fuzz(func(t *testing.T, data []byte, entry string, checksum uint32, off int64) {
		d := &DexFile{Begin: 0x1000, Size: 1 << 16, Checksum: checksum}
		b, err := dexIn(core.Bytes(data), entry, d, off)
		if err != nil {
			return
		}
		if len(b) > max(len(data), int(d.Size)) {
			t.Fatalf("%d bytes came out of %d", len(b), len(data))
		}
		if x, err := dex.Parse(b); err == nil {
			x.String(0)
		}
	})
}
