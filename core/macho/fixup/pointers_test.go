package fixup

import (
	"fmt"
	"testing"
)

// TestPointerForms has one pointer of each kind in each format, composed of the bit
// fields of mach-o/fixup-chains.h.
func TestPointerForms(t *testing.T) {
	b := func(fields ...uint64) (w uint64) { // value, width, value, width, …
		at := 0
		for i := 0; i < len(fields); i += 2 {
			w |= fields[i] << at
			at += int(fields[i+1])
		}
		if at != 64 && at != 32 {
			t.Fatalf("%d bits", at)
		}
		return w
	}
	for _, c := range []struct {
		format uint16
		raw    uint64
		want   string
	}{
		{1, b(0x123456789, 43, 0xab, 8, 3, 11, 0, 1, 0, 1), "next 3 to 0x123456789 high 0xab"},
		{9, b(0x1234, 43, 0, 8, 1, 11, 0, 1, 0, 1), "next 1 to image+0x1234"},
		{7, b(0x1234, 43, 0, 8, 1, 11, 0, 1, 0, 1), "next 1 to image+0x1234"},
		{10, b(0x1234, 43, 0, 8, 1, 11, 0, 1, 0, 1), "next 1 to 0x1234"},
		{1, b(0x1234, 32, 0xbeef, 16, 1, 1, 2, 2, 5, 11, 0, 1, 1, 1), "next 5 to image+0x1234"},
		{9, b(7, 16, 0, 16, 0x7ffff, 19, 4, 11, 1, 1, 0, 1), "next 4 import 7-1"},
		{12, b(0x20007, 24, 0, 8, 9, 19, 4, 11, 1, 1, 0, 1), "next 4 import 131079+9"},
		{9, b(0xffff, 16, 0, 16, 0xbeef, 16, 1, 1, 0, 2, 0, 11, 1, 1, 1, 1), "next 0 import 65535"},
		{12, b(0x123456, 24, 0, 8, 0xbeef, 16, 1, 1, 0, 2, 0, 11, 1, 1, 1, 1), "next 0 import 1193046"},
		{2, b(0x123456789, 36, 0x80, 8, 0, 7, 0xfff, 12, 0, 1), "next 4095 to 0x123456789 high 0x80"},
		{6, b(0x1234, 36, 0, 8, 0, 7, 2, 12, 0, 1), "next 2 to image+0x1234"},
		{2, b(0x10001, 24, 0xff, 8, 0, 19, 2, 12, 1, 1), "next 2 import 65537+255"},
		{3, b(0x123456, 26, 5, 5, 0, 1), "next 5 to 0x123456"},
		{3, b(0x12345, 20, 63, 6, 5, 5, 1, 1), "next 5 import 74565+63"},
		{4, b(0x12345678, 30, 3, 2), "next 3 to image+0x12345678"},
		{5, b(0x123456, 26, 63, 6), "next 63 to 0x123456"},
		{8, b(0x12345678, 30, 1, 2, 0xbeef, 16, 1, 1, 1, 2, 9, 12, 1, 1), "next 9 to image+0x12345678"},
		{11, b(0x12345678, 30, 0, 2, 0, 16, 0, 1, 0, 2, 9, 12, 0, 1), "next 9 to image+0x12345678"},
		{13, b(0x312345678, 34, 0x41, 8, 0, 10, 6, 11, 0, 1), "next 6 to image+0x312345678 high 0x41"},
		{13, b(0x312345678, 34, 0xbeef, 16, 1, 1, 1, 1, 6, 11, 1, 1), "next 6 to image+0x312345678"},
		{14, b(0x1234, 28, 2, 4, 0, 19, 7, 12, 0, 1), "next 7 to segment 2+0x1234"},
		{14, b(0x1234, 28, 15, 4, 0xbeef, 16, 1, 1, 3, 2, 7, 12, 1, 1), "next 7 to segment 15+0x1234"},
	} {
		p := pointerForms[c.format].decode(c.raw)
		got := fmt.Sprintf("next %d ", p.next)
		switch {
		case p.bind && p.addend != 0:
			got += fmt.Sprintf("import %d%+d", p.target, p.addend)
		case p.bind:
			got += fmt.Sprintf("import %d", p.target)
		case p.segment >= 0:
			got += fmt.Sprintf("to segment %d+%#x", p.segment, p.target)
		case p.offset:
			got += fmt.Sprintf("to image+%#x", p.target)
		default:
			got += fmt.Sprintf("to %#x", p.target)
		}
		if p.high != 0 {
			got += fmt.Sprintf(" high %#x", p.high)
		}
		if got != c.want {
			t.Errorf("format %d, %#x: %s, want %s", c.format, c.raw, got, c.want)
		}
	}
}
