package macho

import (
	"bytes"
	"testing"

	"coredbg/core"
)

// TestWholeImage finds nothing wrong with an image whose file is absent where the core
// has all that the file would have, and reports where it has not.
func TestWholeImage(t *testing.T) {
	const load = 0x500000000
	spec := imageSpec{cputype: cpuX86_64, filetype: mhExecute, uuid: 1,
		segs: []segSpec{{name: "__TEXT", addr: load, prot: 5, data: []byte("text")}}, trie: smallTrie(map[string]uint64{"_main": 0x800})}
	image := spec.build()
	other := spec
	other.uuid = 2
	for _, c := range []struct {
		name  string
		size  int // bytes of the image that are dumped
		files someFiles
		wrong bool
	}{
		{"whole", len(image), nil, false},
		{"without __LINKEDIT", 0x1000, nil, true},
		{"another file in its place", len(image), someFiles{"/bin/a": other.build()}, true},
	} {
		note := loadNote(1, load, "/bin/a")
		const at = 0x1000
		cmds := concat(segmentCommand(load, 0x2000, at, uint64(c.size), 5), noteCommand("load binary", 0x4000, uint64(len(note))))
		data := append(coreFile(cpuX86_64, 2, cmds), make([]byte, 0x4000)...)[:0x4000]
		copy(data[at:], image[:c.size])
		p, err := Open(core.Bytes(append(data, note...)), "core", Options{Files: c.files})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Modules) != 1 {
			t.Fatalf("%s: %d images", c.name, len(p.Modules))
		}
		f := p.Modules[0].Facts()
		if !f.InMemory || f.Image == nil || (f.Err != nil) != c.wrong || !bytes.Equal(f.BuildID, bytes.Repeat([]byte{1}, 16)) {
			t.Errorf("%s: in memory: %t, error %v", c.name, f.InMemory, f.Err)
		}
	}
}
