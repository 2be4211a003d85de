package core

import (
	"encoding/binary"
	"testing"
)

// TestBuf: numbers in both orders, and a read past the end, which gives 0 and is remembered with its place.
func TestBuf(t *testing.T) {
	data := []byte{1, 2, 3, 4, 5, 6, 7, 0x85, 0x01, 0x7f, 'h', 'i', 0, 9}
	for _, c := range []struct {
		order    binary.ByteOrder
		u16, u24 uint64
	}{{binary.LittleEndian, 0x0201, 0x050403}, {binary.BigEndian, 0x0102, 0x030405}} {
		b := Buf{Data: data, Order: c.order}
		if got := uint64(b.U16()); got != c.u16 {
			t.Errorf("%v: %#x", c.order, got)
		}
		if got := b.Uint(3); got != c.u24 {
			t.Errorf("%v: %#x", c.order, got)
		}
		part := b.Part(2)
		if part.Off != 5 || part.U8() != 6 || part.U8() != 7 || part.U8() != 0 || !part.Bad || part.Off != 7 {
			t.Errorf("a part: %+v", part)
		}
		if u, s, text := b.ULEB(), b.SLEB(), string(b.CString()); u != 0x85 || s != -1 || text != "hi" {
			t.Errorf("%#x, %d, %q", u, s, text)
		}
		if b.U32() != 0 || !b.Bad || b.Off != 13 || b.U8() != 0 || b.ULEB() != 0 || b.CString() != nil || b.More() {
			t.Errorf("past the end: %+v", b)
		}
	}
	if b := BufAt(data, 15, binary.LittleEndian); !b.Bad || b.Off != 15 || len(b.Rest()) != 0 || b.SLEB() != 0 ||
		!bad(b.Part(0)) {
		t.Errorf("outside: %+v", b)
	}
	if b := (&Buf{Data: data}); !bad(b.Part(99)) || !b.Bad {
		t.Errorf("a part that is too long: %+v", b)
	}
	if b := (Buf{Data: []byte{0x80, 0x80}}); b.ULEB() != 0 || !b.Bad || b.Off != 0 {
		t.Errorf("a number that is cut off: %+v", b)
	}
}

func bad(b Buf) bool { return b.Bad && b.U8() == 0 }
