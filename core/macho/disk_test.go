package macho

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/find"
)

func imageFile(cputype int, id byte) []byte {
	uuid := lc(lcUUID, bytes.Repeat([]byte{id}, 16))
	return append(words(0xfeedfacf, cputype, 0, mhExecute, 1, len(uuid), 0, 0), uuid...)
}

// fatFile puts images after a header of the universal format.
func fatFile(cputypes []int, images ...[]byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, magicFat)
	b = binary.BigEndian.AppendUint32(b, uint32(len(images)))
	off := 8 + 20*len(images)
	for i, img := range images {
		for _, w := range []int{cputypes[i], 0, off, len(img), 0} {
			b = binary.BigEndian.AppendUint32(b, uint32(w))
		}
		off += len(img)
	}
	return append(b, bytes.Join(images, nil)...)
}

// TestLookup finds the files of images: the part of a universal file that has the
// UUID, and never a file with another one.
func TestLookup(t *testing.T) {
	dir := t.TempDir()
	for name, b := range map[string][]byte{
		"thin": imageFile(cpuX86_64, 1),
		"fat": fatFile([]int{cpuX86_64, cpuARM64, cpuARM64},
			imageFile(cpuX86_64, 1), imageFile(cpuARM64, 2), imageFile(cpuARM64, 3)),
		"text": []byte("#!/bin/sh\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	id := func(b byte) []byte { return bytes.Repeat([]byte{b}, 16) }
	for _, c := range []struct {
		path     string
		cputype  uint32
		uuid     []byte
		found    bool
		mismatch bool
	}{
		{"/no/such/folder/thin", cpuX86_64, id(1), true, false},
		{"/no/such/folder/thin", cpuX86_64, nil, true, false},
		{"/no/such/folder/thin", cpuX86_64, id(9), false, true},
		{"/no/such/folder/thin", cpuARM64, nil, false, false},
		{"/no/such/folder/fat", cpuARM64, id(3), true, false},
		{"/no/such/folder/fat", cpuX86_64, id(1), true, false},
		{"/no/such/folder/fat", cpuARM64, id(9), false, true},
		{"/no/such/folder/text", cpuARM64, nil, false, false},
		{"/no/such/folder/absent", cpuARM64, nil, false, false},
	} {
		src, _, refused := lookup(&Disk{Disk: find.Disk{Search: []string{dir}}}, c.path, c.cputype, c.uuid)
		for _, err := range refused {
			if !strings.Contains(err.Error(), dir) { // the file is closed by now
				t.Errorf("%+v: %v", c, err)
			}
		}
		var mismatch *MismatchError
		if found := src != nil; found != c.found || errors.As(errors.Join(refused...), &mismatch) != c.mismatch {
			t.Errorf("%+v: found %v, refused %v", c, found, refused)
		}
		if src != nil {
			if f, err := NewFile(src, "", c.cputype, c.uuid); err != nil || f.cputype != c.cputype || c.uuid != nil && !bytes.Equal(f.UUID(), c.uuid) {
				t.Errorf("%+v: %v", c, err)
			}
			src.Close()
		}
	}
}

func lookup(d *Disk, path string, cputype uint32, uuid []byte) (core.Source, string, []error) {
	got := d.Find(context.Background(), Want(path, cputype, uuid))
	return got.Source, got.From, got.Refused
}
