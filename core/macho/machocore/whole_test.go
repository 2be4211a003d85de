package machocore_test

import (
	"bytes"
	"testing"

	"coredbg/core"
	"coredbg/core/macho/format"
	"coredbg/core/macho/machocore"
	"coredbg/core/macho/machotest"
)

// TestWholeImage finds nothing wrong with an image whose file is absent where the core
// has all that the file would have, and reports where it has not.
func TestWholeImage(t *testing.T) {
	const load = 0x500000000
	spec := machotest.Image{CPUType: format.CPUX86_64, FileType: format.MHExecute, UUID: 1,
		Segs: []machotest.Seg{{Name: "__TEXT", Addr: load, Prot: 5, Data: []byte("text")}},
		Trie: machotest.Trie(map[string]uint64{"_main": 0x800})}
	image := spec.Build()
	other := spec
	other.UUID = 2
	for _, c := range []struct {
		name  string
		size  int // bytes of the image that are dumped
		files someFiles
		wrong bool
	}{
		{"whole", len(image), nil, false},
		{"without __LINKEDIT", 0x1000, nil, true},
		{"another file in its place", len(image), someFiles{"/bin/a": other.Build()}, true},
	} {
		note := machotest.LoadNote(1, load, "/bin/a")
		const at = 0x1000
		cmds := machotest.Concat(machotest.SegmentCommand(load, 0x2000, at, uint64(c.size), 5),
			machotest.NoteCommand("load binary", 0x4000, uint64(len(note))))
		data := append(machotest.CoreFile(format.CPUX86_64, 2, cmds), make([]byte, 0x4000)...)[:0x4000]
		copy(data[at:], image[:c.size])
		p, err := machocore.Open(core.Bytes(append(data, note...)), "core", machocore.Options{Files: c.files})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Modules) != 1 {
			t.Fatalf("%s: %d images", c.name, len(p.Modules))
		}
		f := p.Modules[0].Facts()
		if !f.InMemory || f.Image == nil || (f.Err != nil) != c.wrong ||
			!bytes.Equal(f.BuildID, bytes.Repeat([]byte{1}, 16)) {
			t.Errorf("%s: in memory: %t, error %v", c.name, f.InMemory, f.Err)
		}
	}
}
