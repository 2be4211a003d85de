package ehabi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/walk/cfi"
)

// text writes a row as "r13+48 r4-36 r14-4 ra r14".
func text(r *cfi.Row) string {
	s := fmt.Sprintf("r%d%+d", r.CFAReg, r.CFAOff)
	for _, x := range r.Rules {
		s += fmt.Sprintf(" r%d%+d", x.Slot, x.Rule.Off)
	}
	return s + fmt.Sprintf(" ra r%d", r.RA)
}

// TestDecode checks instructions against the output of readelf -u, which the comments quote.
func TestDecode(t *testing.T) {
	for _, c := range []struct {
		code string // bytes
		want string
	}{
		// vsp = vsp + 12; pop {r4-r11, r14}
		{"\x02\xaf\xb0", "r13+48 r4-36 r5-32 r6-28 r7-24 r8-20 r9-16 r10-12 r11-8 r14-4 ra r14"},
		// vsp = vsp + 52; vsp = vsp + 256; pop {r14}
		{"\x0c\x3f\x84\x00\xb0\xb0", "r13+312 r14-4 ra r14"},
		{"\xaa\xb0\xb0", "r13+16 r4-16 r5-12 r6-8 r14-4 ra r14"}, // pop {r4, r5, r6, r14}
		{"\xa3\xb0", "r13+16 r4-16 r5-12 r6-8 r7-4 ra r14"},      // pop {r4, r5, r6, r7}
		// vsp = r11; vsp = vsp - 8; pop {r11, r14}
		{"\x9b\x41\x84\x80\xb0", "r11+0 r11-8 r14-4 ra r14"},
		// vsp = r7; vsp = vsp + 4; pop {r0-r3}; pop {r14}
		{"\x97\x00\xb1\x0f\x84\x00", "r7+24 r0-20 r1-16 r2-12 r3-8 r14-4 ra r14"},
		{"\xb2\x81\x01\xb0", "r13+1032 ra r14"},       // vsp = vsp + 1032
		{"\xc9\x83\xb0", "r13+32 ra r14"},             // pop {d8-d11}
		{"\xd3\xc8\x01\xb3\x81\xb9", "r13+88 ra r14"}, // d8-d11; d16, d17; d8, d9 (FSTMFDX); d8, d9 (FSTMFDX)
		{"\x88\x00\xb0", "r13+4 r15-4 ra r15"},        // pop {r15}
		{"\xb0", "r13+0 ra r14"},                      // finish
		{"\x80\x00", "refuses"},
		{"\x82\x00", "pops the stack pointer"},
		{"\x9d", "reserved"},
		{"\xa0\x97", "after a pop"},
		{"\xb1\x10", "spare"},
		{"\xb5", "spare"},
		{"\xf0", "spare"},
		{"\xc8", "end within one"},
		{"\xb2\xff\xff\xff\xff\xff", "28 bits"},
	} {
		r, err := decode([]byte(c.code))
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%x: %v, want %s", c.code, err, c.want)
			}
			continue
		}
		if got := text(&r); got != c.want {
			t.Errorf("%x: %s, want %s", c.code, got, c.want)
		}
	}
}

func words(w ...uint32) []byte {
	var b []byte
	for _, x := range w {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

// rel makes the word at an address that refers to another.
func rel(at, to uint32) uint32 { return (to - at) &^ (1 << 31) }

// table is a table of five functions, one for each way to be unwound.
func table() *Table {
	const index, extab = 0x1000, 0x2000
	return New(core.Section{Addr: index, Data: words(
		rel(index, 0x100), 0x80aab0b0, // in the index
		rel(index+8, 0x200), cantUnwind,
		rel(index+16, 0x301), rel(index+20, extab), // Thumb; personality 1
		rel(index+24, 0x400), rel(index+28, extab+8), // GNU's personality
		rel(index+32, 0x500), rel(index+36, 0x9000), // outside
		rel(index+40, 0x600), rel(index+44, extab+20), // ends early
	)}, core.Section{Addr: extab, Data: words(
		0x81010c3f, 0x8400b0b0,
		rel(extab+8, 0x100), 0x019b4184, 0x80b0b0b0,
		0x81091122,
	)})
}

func TestRow(t *testing.T) {
	for pc, want := range map[uint64]string{
		0x100: "r13+16 r4-16 r5-12 r6-8 r14-4 ra r14",
		0x1ff: "r13+16 r4-16 r5-12 r6-8 r14-4 ra r14",
		0x300: "r13+312 r14-4 ra r14",
		0x4ff: "r11+0 r11-8 r14-4 ra r14",
		0x500: "lies outside of .ARM.extab",
		0x600: "ends within the entry",
		0xff:  "no entry",
		0x200: "cannot be unwound",
	} {
		r, err := table().Row(pc)
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%#x: %v, want %s", pc, err, want)
			}
		} else if got := text(r); got != want {
			t.Errorf("%#x: %s, want %s", pc, got, want)
		}
	}
	if _, err := table().Row(0x250); !errors.Is(err, ErrCannotUnwind) {
		t.Errorf("error %v", err)
	}
	if New(core.Section{Data: words(1)}, core.Section{}) != nil {
		t.Error("half an entry is a table")
	}
}

func FuzzRow(f *testing.F) {
	x := table()
	f.Add(x.index.Data, x.extab.Data, uint32(0x300))
	f.Add(words(0, 0x80b2ffff, 8, 0x8fffffff), []byte{}, uint32(8))
	f.Fuzz(func(t *testing.T, index, extab []byte, pc uint32) {
		if x := New(core.Section{Addr: 0x1000, Data: index}, core.Section{Addr: 0x2000, Data: extab}); x != nil {
			x.Row(uint64(pc))
		}
	})
}
