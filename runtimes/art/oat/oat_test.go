package oat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"coredbg/runtimes/art/dex"
)

// No oat file is at hand, and no dex2oat to make one: these tests lay files out
// by AOSP's description (oat.h and oat_file.cc of each release).

// A layout is what a release writes.
type layout struct {
	version int
	before  int // words between dex_file_count and executable_offset
	after   int // words after executable_offset up to key_value_store_size
	magic   bool
	rest    int  // words of a dex file's record after the class offsets
	counted bool // OatClass has the number of methods
	isa     uint32
	padded  bool
}

var layouts = []layout{
	{124, 0, 10, false, 2, false, 5, false},
	{138, 1, 10, false, 5, false, 5, false},
	{170, 1, 5, false, 5, false, 5, false},
	{183, 1, 6, false, 5, false, 5, false},
	{195, 2, 7, false, 7, true, 5, false},
	{225, 2, 7, false, 7, true, 5, false},
	{239, 2, 7, true, 7, true, 6, false},
	{251, 2, 7, true, 8, true, 6, false},
	{259, 3, 7, true, 8, true, 6, true},
	{275, 3, 7, true, 9, true, 6, true}, // more words than are known
}

func words32(b []byte, words ...uint32) []byte {
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// build lays out an oat file of two dex files. The second has three classes: with all, with some, and with no
// methods compiled.
func build(l layout) []byte {
	store := "compiler-filter\x00speed\x00dex2oat-cmdline\x00--a --b\x00"
	if l.padded {
		store += strings.Repeat("\x00", 40) + "debuggable\x00false\x00"
	}
	b := words32([]byte(fmt.Sprintf("oat\n%03d\x00", l.version)), 0xc0ffee, l.isa, 7, 2)
	dexOffsets := len(b)
	for range l.before {
		b = words32(b, 0)
	}
	b = words32(b, 0x2000)
	for i := range l.after {
		b = words32(b, uint32(0x2000+i))
	}
	b = words32(b, uint32(len(store)))
	b = append(b, store...)
	if l.before > 0 {
		for len(b)%4 != 0 {
			b = append(b, 0)
		}
		binary.LittleEndian.PutUint32(b[dexOffsets:], uint32(len(b)))
	}
	var classes int
	for i, name := range []string{"/system/framework/core-oj.jar", "/data/app/base.apk!classes2.dex"} {
		b = append(words32(b, uint32(len(name))), name...)
		if l.magic {
			b = append(b, "dex\n039\x00"...)
		}
		b = words32(b, 0xabc0+uint32(i))
		if l.magic {
			b = append(b, make([]byte, 20)...)
		}
		b = words32(b, 0x100*uint32(i))
		classes = len(b)
		b = words32(b, 0)
		for n := range l.rest {
			b = words32(b, uint32(0x40+n))
		}
	}
	var offsets []uint32
	add := func(status, kind uint16, rest ...uint32) {
		offsets = append(offsets, uint32(len(b)))
		b = words32(b, append([]uint32{uint32(status) | uint32(kind)<<16}, rest...)...)
	}
	if l.counted {
		add(11, 0, 3, 0x3000, 0x3010, 0x3020)
		add(14, 1, 40, 1<<1|1<<31, 1<<2, 0x4000, 0x4010, 0x4020)
	} else {
		add(11, 0, 0x3000, 0x3010, 0x3020)
		add(14, 1, 8, 1<<1|1<<31, 1<<2, 0x4000, 0x4010, 0x4020)
	}
	add(9, 2)
	binary.LittleEndian.PutUint32(b[classes:], uint32(len(b)))
	return words32(b, offsets...)
}

func TestOpen(t *testing.T) {
	for _, l := range layouts {
		t.Run(fmt.Sprint(l.version), func(t *testing.T) {
			b := build(l)
			f, err := Open(dex.Image(b), 0, uint64(len(b)))
			if err != nil {
				t.Fatal(err)
			}
			if f.Version != l.version || f.InstructionSet != "x86_64" ||
				f.Checksum != 0xc0ffee || f.Features != 7 || f.Executable != 0x2000 {
				t.Errorf("header %+v", f)
			}
			if v, ok := f.Value("dex2oat-cmdline"); v != "--a --b" || !ok {
				t.Errorf("command line %q", v)
			}
			if _, ok := f.Value("no-such-key"); ok {
				t.Error("a key that is not there has a value")
			}
			if v, ok := f.Value("debuggable"); l.padded && (v != "false" || !ok) {
				t.Errorf("value after padding: %q, %v", v, ok)
			}
			checkDexFiles(t, f)
		})
	}
}

func checkDexFiles(t *testing.T, f *File) {
	t.Helper()
	list, err := f.DexFiles()
	if err != nil || len(list) != 2 {
		t.Fatalf("dex files %+v, %v", list, err)
	}
	if d := list[0]; d.Location != "/system/framework/core-oj.jar" || d.Checksum != 0xabc0 || d.ClassOffsets != 0 {
		t.Errorf("first dex file %+v", d)
	}
	if d := list[1]; d.Location != "/data/app/base.apk!classes2.dex" || d.Checksum != 0xabc1 || d.Offset != 0x100 {
		t.Errorf("second dex file %+v", d)
	}
	if k, err := f.Class(list[0], 5); k.Type != NoneCompiled || err != nil {
		t.Errorf("class of a dex file without code: %+v, %v", k, err)
	}
	for i, want := range []struct {
		typ   ClassType
		code  map[uint32]uint32
		state uint16
	}{
		{AllCompiled, map[uint32]uint32{0: 0x3000, 1: 0x3010, 2: 0x3020}, 11},
		{SomeCompiled, map[uint32]uint32{0: 0, 1: 0x4000, 2: 0, 30: 0, 31: 0x4010, 33: 0, 34: 0x4020, 39: 0}, 14},
		{NoneCompiled, map[uint32]uint32{0: 0, 9: 0}, 9},
	} {
		k, err := f.Class(list[1], uint32(i))
		if err != nil || k.Type != want.typ || k.Status != want.state {
			t.Errorf("class %d: %+v, %v", i, k, err)
			continue
		}
		for m, code := range want.code {
			if got, err := k.Code(m); got != code || err != nil {
				t.Errorf("class %d (%v): code of method %d is %#x, %v; want %#x", i, k.Type, m, got, err, code)
			}
		}
	}
}

func TestBad(t *testing.T) {
	good := build(layouts[6])
	errOf := func(b []byte, size uint64) error { _, err := Open(dex.Image(b), 0, size); return err }
	noStore := append([]byte{}, good...)
	for i := 8 + 4*14 + 4; i < 8+4*14+12; i++ {
		noStore[i] = 0xff
	}
	for _, tt := range []struct {
		name, want string
		err        error
	}{
		{"empty", "not mapped", errOf(nil, 0)},
		{"magic", "not an oat file", errOf([]byte("oat\n2x9\x00"), 8)},
		{"old", "version 079 is not known", errOf([]byte("oat\n079\x00"), 8)},
		{"cut", "not mapped", errOf(good[:40], 40)},
		{"store", "store of keys and values", errOf(noStore, uint64(len(noStore)))},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, tt.err, tt.want)
		}
	}
	if err := errOf([]byte("ELF\n079\x00"), 8); !errors.Is(err, ErrNotOat) {
		t.Errorf("error %v is not ErrNotOat", err)
	}
	f, err := Open(dex.Image(good), 0, 0x80)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.DexFiles(); err == nil {
		t.Error("dex files are read outside of the file")
	}
	f, err = Open(dex.Image(good), 0, uint64(len(good)))
	if err != nil {
		t.Fatal(err)
	}
	list, _ := f.DexFiles()
	if _, err := f.Class(list[1], 1<<20); err == nil || !strings.Contains(err.Error(), "outside the file") {
		t.Errorf("class that is not there: %v", err)
	}
}

// TestWords checks the number of words of each release's header.
func TestWords(t *testing.T) {
	got := map[int]int{}
	for _, r := range releases {
		got[r] = len(wordsOf(r))
	}
	want := map[int]int{124: 15, 131: 16, 138: 16, 170: 11, 183: 12, 195: 14, 199: 14, 225: 14, 230: 14, 239: 14,
		251: 14, 259: 15, 275: 15}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("words %v, want %v", got, want)
	}
}

func FuzzOat(f *testing.F) {
	for _, l := range layouts {
		f.Add(build(l))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := Open(dex.Image(b), 0, uint64(len(b)))
		if err != nil {
			return
		}
		list, _ := file.DexFiles()
		for _, d := range list[:min(len(list), 8)] {
			for i := range uint32(4) {
				k, err := file.Class(d, i)
				if err != nil {
					continue
				}
				for m := range uint32(70) {
					k.Code(m)
				}
			}
		}
	})
}
