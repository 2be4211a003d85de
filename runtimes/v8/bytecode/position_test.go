package bytecode

import (
	"reflect"
	"testing"

	"coredbg/runtimes/v8/v8test"
)

func TestPositionTable(t *testing.T) {
	want := []PositionEntry{{0, SourcePosition(v8test.Pos(10))}, {5, SourcePosition(v8test.Pos(24))},
		{200, SourcePosition(v8test.Pos(7))}}
	// Before V8 14: code delta zig-zag, one less and negative for expressions;
	// counted from -1, the function's entry.
	old := v8test.Ulebs(v8test.Zig(1), v8test.Zig(v8test.Pos(10)), v8test.Zig(-(5)-1),
		v8test.Zig(v8test.Pos(24)-v8test.Pos(10)), v8test.Zig(195), v8test.Zig(v8test.Pos(7)-v8test.Pos(24)))
	// From V8 14 on: bit 0 statement, bit 1 breakable.
	now := v8test.Ulebs(1<<2|1, v8test.Zig(v8test.Pos(10)), 5<<2, v8test.Zig(v8test.Pos(24)-v8test.Pos(10)), 195<<2|3,
		v8test.Zig(v8test.Pos(7)-v8test.Pos(24)))
	for what, c := range map[string]struct {
		table []byte
		enc   PositionEncoding
	}{
		"V8 13":      {old, PositionEncoding{First: -1}},
		"V8 14":      {now, PositionEncoding{First: -1, Flags: 2}},
		"V8 7, at 0": {append(v8test.Ulebs(v8test.Zig(0)), old[1:]...), PositionEncoding{}},
	} {
		got, err := DecodePositions(c.table, c.enc)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, %v, want %v", what, got, err, want)
		}
	}
	for _, c := range []struct{ code, offset int }{{-1, -1}, {0, 10}, {4, 10}, {5, 24}, {199, 24}, {200, 7},
		{1 << 20, 7}} {
		p, ok := LookupPosition(want, c.code)
		if ok != (c.offset >= 0) || ok && p.Offset() != c.offset {
			t.Errorf("lookup %d: %d, %v, want %d", c.code, p.Offset(), ok, c.offset)
		}
	}
	if got, err := DecodePositions(old[:len(old)-1], PositionEncoding{First: -1}); err == nil || len(got) != 2 {
		t.Errorf("cut table: %v, %v", got, err)
	}
}

func TestSourcePosition(t *testing.T) {
	// Offset 100, third inlined call.
	p := SourcePosition(101<<1 | 3<<31)
	if p.Offset() != 100 || p.Inlining() != 2 {
		t.Errorf("got %d, %d", p.Offset(), p.Inlining())
	}
	if p := SourcePosition(0); p.Offset() != -1 || p.Inlining() != -1 {
		t.Errorf("unknown position: got %d, %d", p.Offset(), p.Inlining())
	}
}

// sizes is a table of five bytecodes: Wide, ExtraWide, their debugger's
// variants, and one with an operand.
var sizes = []byte{
	1, 1, 1, 1, 2,
	1, 1, 1, 1, 3,
	1, 1, 1, 1, 5,
}

func TestBaselineOffset(t *testing.T) {
	// Op 4; Wide 4; ExtraWide 4; 4.
	code := []byte{4, 0, 0, 4, 0, 0, 1, 4, 0, 0, 0, 0, 4, 0}
	table := v8test.Ulebs(10, 3, 200, 1, 8) // prologue, then four bytecodes
	for _, c := range []struct{ pc, want int }{{0, -1}, {9, -1}, {10, 0}, {12, 0}, {13, 2}, {212, 2}, {213, 6},
		{214, 12}, {221, 12}} {
		if got, ok := BaselineOffset(table, code, sizes, c.pc); got != c.want || !ok {
			t.Errorf("pc %d: got %d, %v, want %d", c.pc, got, ok, c.want)
		}
	}
	if _, ok := BaselineOffset(table, code, sizes, 222); ok {
		t.Error("a pc after the table was found")
	}
}

// TestBaselineCallOffset: the table of baselineFn of testdata/cores/sources/v8
// in Node 16.0.0, whose last call is the bytecode at 0x22.
func TestBaselineCallOffset(t *testing.T) {
	table := []byte{0x11, 0, 0x2f, 6, 0x2c, 7, 0x20, 9, 0x21, 3, 0x34, 0, 0x1a, 5, 0x24, 4}
	for _, c := range []struct{ pc, want int }{{0, 0}, {0x10, 0}, {0x11, 6}, {0x3f, 6}, {0x40, 13}, {0x11e, 0x22}} {
		if got, ok := BaselineCallOffset(table, c.pc); got != c.want || !ok {
			t.Errorf("pc %#x: got %d, %v, want %d", c.pc, got, ok, c.want)
		}
	}
	if _, ok := BaselineCallOffset(table, 0x11f); ok {
		t.Error("a pc after the table was found")
	}
}

func FuzzPositionTable(f *testing.F) {
	f.Add(v8test.Ulebs(2, 22, 11, 30), byte(2))
	f.Add(v8test.Ulebs(7, 22, 29, 30), byte(3))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, byte(0))
	f.Fuzz(func(t *testing.T, table []byte, flags byte) {
		entries, _ := DecodePositions(table, PositionEncoding{Flags: int(flags & 3), First: -1})
		for i := 1; i < len(entries); i++ {
			if entries[i].Code < entries[i-1].Code {
				t.Fatalf("entry %d goes back", i)
			}
		}
		LookupPosition(entries, len(table))
		BaselineOffset(table, table, sizes, len(table))
	})
}
