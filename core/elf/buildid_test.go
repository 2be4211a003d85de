package elf

import (
	"bytes"
	stdelf "debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core/elf/format"
	"coredbg/core/file"
)

// noteBytes lays out a note as the gABI has it, padded to 4 bytes.
func noteBytes(owner string, typ uint32, desc []byte) (b []byte) {
	for _, n := range []uint32{uint32(len(owner) + 1), uint32(len(desc)), typ} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	pad := func(s []byte) []byte { return append(s, make([]byte, -len(s)&3)...) }
	return append(append(b, pad(append([]byte(owner), 0))...), pad(desc)...)
}

// TestNotes finds a build-id and an owner among notes. The last note may be cut.
func TestNotes(t *testing.T) {
	class := format.Class{Order: binary.LittleEndian}
	id := []byte{1, 2, 3, 4, 5}
	first, build, blob := noteBytes("OTHER", 3, []byte("GNU")), noteBytes("GNU", ntGNUBuildID, id),
		noteBytes("BLOB", 0, make([]byte, 100))
	all := bytes.Join([][]byte{first, build, blob}, nil)
	for name, c := range map[string]struct {
		data  []byte
		build bool
		blob  bool
	}{
		"all":              {all, true, true},
		"cut in a payload": {all[:len(all)-50], true, true}, // it is there, though it cannot be read
		"cut in a name":    {all[:len(first)+len(build)+13], true, false},
		"cut in the build": {all[:len(first)+20], false, false},
		"another's":        {first, false, false},
		"a name of 4 GB":   {bytes.Repeat([]byte{0xff}, 64), false, false},
		"too long a payload": {append(noteBytes("GNU", ntGNUBuildID, make([]byte, maxBuildID+1)), blob...), false,
			true},
	} {
		if got := buildIDOf(class, c.data); (got != nil) != c.build || c.build && !bytes.Equal(got, id) {
			t.Errorf("%s: build-id %x", name, got)
		}
		f := ofNotes(t, class, c.data)
		if got := f.HasNote("BLOB"); got != c.blob {
			t.Errorf("%s: a note of BLOB: %v", name, got)
		}
	}
}

// ofNotes returns an image of notes alone.
func ofNotes(t *testing.T, class format.Class, data []byte) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notes")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := file.Map(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return &File{exec: executionView{head: format.Header{Class: class}, src: src,
		progs: []format.Prog{{Type: stdelf.PT_NOTE, Filesz: uint64(len(data))}}}}
}

// TestPackage reads .note.package. The text is one that Debian's linker wrote, but for the names.
func TestPackage(t *testing.T) {
	class := format.Class{Order: binary.LittleEndian}
	note := noteBytes("FDO", fdoPackaging, []byte(`{"type":"deb","os":"debian","name":"shop","version":"1.2-3","architecture":"amd64"}`+"\x00\x00"))
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"all":          {append(noteBytes("GNU", ntGNUBuildID, []byte{1}), note...), "shop 1.2-3"},
		"cut":          {note[:len(note)-20], ""},
		"another's":    {noteBytes("XDO", fdoPackaging, []byte(`{"name":"x"}`)), ""},
		"no JSON":      {noteBytes("FDO", fdoPackaging, []byte(`{"name":`)), ""},
		"no name":      {noteBytes("FDO", fdoPackaging, []byte(`{"version":"1"}`)), ""},
		"another type": {noteBytes("FDO", 1, []byte(`{"name":"x"}`)), ""},
		"too long": {noteBytes("FDO", fdoPackaging,
			[]byte(`{"name":"x","z":"`+strings.Repeat("z", maxPackage)+`"}`)), ""},
	} {
		f := ofNotes(t, class, c.data)
		got := ""
		if p := f.Package(); p != nil {
			got = p.String()
		}
		if got != c.want {
			t.Errorf("%s: package %q, not %q", name, got, c.want)
		}
	}
}
