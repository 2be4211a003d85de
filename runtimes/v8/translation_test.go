package v8

import (
	"slices"
	"testing"
)

// The opcodes of deoptimizer/translation-opcode.h @ 13.6.
const (
	withReturn136, withoutReturn136, begin136, literal136, slot136, optimizedOut136 = 0, 1, 15, 38, 40, 37
	opcodes136                                                                      = 45
)

// op encodes an operation: its opcode is a byte, its operands are zig-zag.
func op(code byte, operands ...int64) []byte {
	out := []byte{code}
	for _, n := range operands {
		out = append(out, ulebs(zig(n))...)
	}
	return out
}

// begin encodes BEGIN, whose first operand is an unsigned distance.
func begin(lookback uint64, frames, jsFrames int64) []byte {
	out := append([]byte{begin136}, ulebs(lookback)...)
	return append(append(out, ulebs(zig(frames))...), ulebs(zig(jsFrames))...)
}

func join(parts ...[]byte) []byte {
	var out []byte
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func TestTranslation(t *testing.T) {
	first := join(begin(0, 2, 2),
		op(withReturn136, 12, 3, 4, 2, 0, 1), op(literal136, 9), op(slot136, -3),
		op(withoutReturn136, 40, 7, 8, 2), op(literal136, 10), op(optimizedOut136))
	second := join(begin(uint64(len(first)), 2, 2),
		op(withReturn136, 16, 3, 4, 2, 0, 1),
		[]byte{opcodes136 + 2}, // the next two are those of the first
		op(withoutReturn136, 41, 7, 8, 2),
		[]byte{44}, ulebs(2)) // MATCH_PREVIOUS_TRANSLATION
	table := join(first, second)
	ops, err := translations136.decode(table, len(first))
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		name  opName
		first int64
	}{{opBegin, int64(len(first))}, {opInterpretedWithReturn, 16}, {opLiteral, 9}, {opTaggedStackSlot, -3},
		{opInterpretedWithoutReturn, 41}, {opLiteral, 10}, {opOptimizedOut, 0}}
	if len(ops) != len(want) {
		t.Fatalf("%d operations, want %d: %v", len(ops), len(want), ops)
	}
	for i, w := range want {
		if ops[i].name != w.name || ops[i].operands[0] != w.first {
			t.Errorf("operation %d: %+v, want %+v", i, ops[i], w)
		}
	}
	if ops, err := translations136.decode(table, 0); err != nil || len(ops) != 7 || ops[1].operands[0] != 12 {
		t.Errorf("first: %v, %v", ops, err)
	}
}

func TestBrokenTranslations(t *testing.T) {
	for what, c := range map[string]struct {
		table []byte
		at    int
	}{
		"out of range":                  {begin(0, 1, 1), 100},
		"negative":                      {begin(0, 1, 1), -1},
		"no BEGIN":                      {op(literal136, 1), 0},
		"looks back before the table":   {begin(7, 1, 1), 0},
		"refers to itself":              {join(begin(0, 1, 1), begin(4, 1, 1), begin(4, 1, 1), []byte{opcodes136 + 1}), 8},
		"more than the earlier one has": {join(begin(0, 1, 1), begin(4, 1, 1), []byte{255}), 4},
		"refers back without a target":  {join(begin(0, 1, 1), []byte{opcodes136 + 3}), 0},
		"cut":                           {join(begin(0, 1, 1), []byte{literal136}), 0},
	} {
		if ops, err := translations136.decode(c.table, c.at); err == nil {
			t.Errorf("%s: got %v", what, ops)
		}
	}
}

func FuzzTranslation(f *testing.F) {
	f.Add(join(begin(0, 1, 1), op(withoutReturn136, 1, 2, 3, 4), begin(9, 1, 1), []byte{opcodes136 + 1}), uint16(9), uint8(3))
	f.Add([]byte{2, 0, 2, 2, 24, 1, 1, 1}, uint16(0), uint8(0))
	f.Fuzz(func(t *testing.T, table []byte, at uint16, version uint8) {
		sets := []*translationSet{translations113, translations124, translations129, translations136}
		ops, _ := sets[int(version)%len(sets)].decode(table, int(at))
		if len(ops) > 2*maxTranslation {
			t.Fatalf("%d operations", len(ops))
		}
	})
}

// TestTrampoline finds the call that a return address replaced by its
// deoptimizer's exit belongs to; codegen/safepoint-table.cc: SafepointTableBuilder::Emit.
func TestTrampoline(t *testing.T) {
	table := safepointTable{pcBytes: 2, deoptBytes: 1, size: 6, entries: []byte{
		0x10, 0, 0, 0x81, 0x01, 0, // behind the call 0x10, exit at 0x180
		0x40, 0, 0xff, 0, 0, 0, // no exit
		0x80, 0, 1, 0x86, 0x01, 0,
		0x90, 0, // cut
	}}
	for trampoline, want := range map[int]int{0x180: 0x10, 0x185: 0x80, 0x40: 0, 0x181: 0} {
		if got, _ := table.before(trampoline); got != want {
			t.Errorf("the call with the exit %#x ends at %#x, want %#x", trampoline, got, want)
		}
	}
}

// TestExtraArguments decodes the head of a translation of Node 24.21.0's, of
// prettier's function mainPrint: what follows a frame of extra arguments is not
// one operand of it short.
func TestExtraArguments(t *testing.T) {
	table := []byte{14, 0, 12, 8, 10, 4, 3, 2, 38, 14, 40, 16, 1, 230, 2, 4, 2, 19, 38, 14}
	ops, err := translations136.decode(table, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []opName
	for _, op := range ops {
		got = append(got, op.name)
	}
	want := []opName{opBegin, opFrame, opLiteral, opTaggedStackSlot, opInterpretedWithoutReturn, opLiteral}
	if !slices.Equal(got, want) {
		t.Errorf("operations %v, want %v", got, want)
	}
}

// TestWideTrampoline is TestTrampoline for V8 9.7 and before; codegen/safepoint-table.h @ 9.4.
func TestWideTrampoline(t *testing.T) {
	table := safepointTable{pcBytes: 4, deoptBytes: 4, size: 12, bias: -1, entries: []byte{
		0x10, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
		0x40, 0, 0, 0, 1, 0, 0, 0, 0x80, 0x01, 0, 0,
	}}
	if got, ok := table.before(0x180 + table.bias); !ok || got != 0x40 {
		t.Errorf("the call with the exit 0x180 ends at %#x, want 0x40", got)
	}
}
