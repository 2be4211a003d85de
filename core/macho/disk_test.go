package macho

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/find"
	"coredbg/core/macho/format"
	"coredbg/core/macho/machotest"
)

// TestLookup finds the files of images: the part of a universal file that has the
// UUID, and never a file with another one.
func TestLookup(t *testing.T) {
	dir := t.TempDir()
	for name, b := range map[string][]byte{
		"thin": machotest.ImageFile(format.CPUX86_64, 1),
		"fat": machotest.FatFile([]int{format.CPUX86_64, format.CPUARM64, format.CPUARM64},
			machotest.ImageFile(format.CPUX86_64, 1), machotest.ImageFile(format.CPUARM64, 2),
			machotest.ImageFile(format.CPUARM64, 3)),
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
		{"/no/such/folder/thin", format.CPUX86_64, id(1), true, false},
		{"/no/such/folder/thin", format.CPUX86_64, nil, true, false},
		{"/no/such/folder/thin", format.CPUX86_64, id(9), false, true},
		{"/no/such/folder/thin", format.CPUARM64, nil, false, false},
		{"/no/such/folder/fat", format.CPUARM64, id(3), true, false},
		{"/no/such/folder/fat", format.CPUX86_64, id(1), true, false},
		{"/no/such/folder/fat", format.CPUARM64, id(9), false, true},
		{"/no/such/folder/text", format.CPUARM64, nil, false, false},
		{"/no/such/folder/absent", format.CPUARM64, nil, false, false},
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
			if f, err := NewFile(src, "", c.cputype, c.uuid); err != nil || f.head.CPUType != c.cputype ||
				c.uuid != nil && !bytes.Equal(f.UUID(), c.uuid) {
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
