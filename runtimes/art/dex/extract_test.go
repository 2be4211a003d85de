package dex

import (
	"bytes"
	"slices"
	"testing"

	"coredbg/core"
)

func TestExtract(t *testing.T) {
	good := load(t, "debug.dex")
	mem := append(append(make([]byte, 64), good...), "what follows"...)
	f, err := Open(Image(mem), 64)
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Extract()
	if err != nil || !bytes.Equal(b, good) {
		t.Fatalf("Extract: %d bytes, %v; want %d", len(b), err, len(good))
	}
	if c, err := f.Check(b); !c.OK() || err != nil {
		t.Errorf("Check of smali's file: %+v, %v", c, err)
	}
	changed := slices.Clone(b)
	changed[len(b)-1]++
	if c, err := f.Check(changed); c.AdlerOK() || c.SHA1OK() || err != nil {
		t.Errorf("Check of a changed file: %+v, %v", c, err)
	}
	changed = slices.Clone(b)
	changed[12]++ // in the signature, which adler32 covers and SHA-1 does not
	if c, _ := f.Check(changed); c.AdlerOK() || c.SHA1 != f.Signature {
		t.Errorf("Check of a changed signature: %+v", c)
	}
	if _, err := f.Check(b[:100]); err == nil {
		t.Error("a part of a file is checked")
	}
}

func TestExtractPartly(t *testing.T) {
	good := load(t, "debug.dex")
	f := parse(t, good[:0x200])
	b, err := f.Extract()
	if len(b) != 0x200 || core.Fault(err) == nil {
		t.Errorf("Extract of half a file: %d bytes, %v", len(b), err)
	}
	if _, err := parse(t, put(good, map[int]uint32{32: 0xffffffff})).Extract(); err == nil || core.Fault(err) != nil {
		t.Errorf("Extract of 4 GiB: %v", err)
	}
}

func TestExtractCompact(t *testing.T) {
	want := compact(t, load(t, "debug.dex"), false)
	f := parse(t, append(slices.Clone(want), 1, 2, 3))
	if b, err := f.Extract(); !bytes.Equal(b, want) || err != nil {
		t.Errorf("Extract: %d bytes, %v; want %d", len(b), err, len(want))
	}
	if _, err := f.Check(want); err == nil {
		t.Error("the checksum of compact dex is checked")
	}
}
