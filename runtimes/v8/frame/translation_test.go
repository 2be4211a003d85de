package frame

import (
	"bytes"
	"slices"
	"testing"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// The opcodes of deoptimizer/translation-opcode.h @ 13.6.
const (
	withReturn136, withoutReturn136, begin136, literal136, slot136, optimizedOut136 = 0, 1, 15, 38, 40, 37
	opcodes136                                                                      = 45
)

// sign puts a number's sign into bit 0, as base/vlq.h does.
func sign(n int64) uint64 {
	if n < 0 {
		return uint64(-n)<<1 | 1
	}
	return uint64(n) << 1
}

// op encodes an operation: its opcode is a byte.
func op(code byte, operands ...int64) []byte {
	out := []byte{code}
	for _, n := range operands {
		out = append(out, v8test.Ulebs(sign(n))...)
	}
	return out
}

// begin encodes BEGIN, whose first operand is an unsigned distance.
func begin(lookback uint64, frames, jsFrames int64) []byte {
	out := append([]byte{begin136}, v8test.Ulebs(lookback)...)
	return append(append(out, v8test.Ulebs(sign(frames))...), v8test.Ulebs(sign(jsFrames))...)
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
		[]byte{opcodes136 + 2}, // the next two are the first's
		op(withoutReturn136, 41, 7, 8, 2),
		[]byte{44}, v8test.Ulebs(2)) // MATCH_PREVIOUS_TRANSLATION
	table := join(first, second)
	ops, err := Translations136.Decode(table, len(first))
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		name  opName
		first int64
	}{{opBegin, int64(len(first))}, {OpInterpretedWithReturn, 16}, {opLiteral, 9}, {opTaggedStackSlot, -3},
		{OpInterpretedWithoutReturn, 41}, {opLiteral, 10}, {opOptimizedOut, 0}}
	if len(ops) != len(want) {
		t.Fatalf("%d operations, want %d: %v", len(ops), len(want), ops)
	}
	for i, w := range want {
		if ops[i].Name != w.name || ops[i].Operands[0] != w.first {
			t.Errorf("operation %d: %+v, want %+v", i, ops[i], w)
		}
	}
	if ops, err := Translations136.Decode(table, 0); err != nil || len(ops) != 7 || ops[1].Operands[0] != 12 {
		t.Errorf("first: %v, %v", ops, err)
	}
}

func TestBrokenTranslations(t *testing.T) {
	for what, c := range map[string]struct {
		table []byte
		at    int
	}{
		"out of range":                {begin(0, 1, 1), 100},
		"negative":                    {begin(0, 1, 1), -1},
		"no BEGIN":                    {op(literal136, 1), 0},
		"looks back before the table": {begin(7, 1, 1), 0},
		"refers to itself": {join(begin(0, 1, 1), begin(4, 1, 1), begin(4, 1, 1), []byte{opcodes136 + 1}),
			8},
		"more than the earlier one has": {join(begin(0, 1, 1), begin(4, 1, 1), []byte{255}), 4},
		"refers back without a target":  {join(begin(0, 1, 1), []byte{opcodes136 + 3}), 0},
		"cut":                           {join(begin(0, 1, 1), []byte{literal136}), 0},
	} {
		if ops, err := Translations136.Decode(c.table, c.at); err == nil {
			t.Errorf("%s: got %v", what, ops)
		}
	}
}

func FuzzTranslation(f *testing.F) {
	f.Add(join(begin(0, 1, 1), op(withoutReturn136, 1, 2, 3, 4), begin(9, 1, 1), []byte{opcodes136 + 1}),
		uint16(9), uint8(3))
	f.Add([]byte{2, 0, 2, 2, 24, 1, 1, 1}, uint16(0), uint8(0))
	f.Add(oldTranslation, uint16(0), uint8(4))
	f.Add(sortedTranslation, uint16(0), uint8(7))
	f.Fuzz(func(t *testing.T, table []byte, at uint16, version uint8) {
		sets := []*TranslationSet{translations113, translations124, translations129, Translations136,
			translations78, translations86, translations90, translations94}
		ops, _ := sets[int(version)%len(sets)].Decode(table, int(at))
		if len(ops) > 2*maxTranslation {
			t.Fatalf("%d operations", len(ops))
		}
	})
}

// The first translations of functions of Node 12.22.12 (V8 7.8) and 16.20.2 (V8 9.4).
var (
	oldTranslation = []byte{0, 4, 4, 0, 4, 0x24, 0x14, 0x14, 0, 0, 0x48, 0x0c, 0x48, 0x0e, 0x48, 0x0a,
		0x48, 6, 0x48, 0x10, 0x30, 0x20, 0x64, 0x18, 0x30, 0x24, 0x64, 0x18, 0x64, 0x18, 0x64, 0x1c, 0, 4, 4, 0}
	sortedTranslation = []byte{6, 2, 2, 0, 0x24, 0x18, 6, 6, 0, 0, 0x30, 0x0a, 0x30, 3, 0x30, 5, 0x30, 0x0c, 0x2e, 0x10,
		0x2c, 8, 0x2e, 0x12, 0x2c, 8, 6, 6, 4, 0}
)

// TestOldTranslations decodes the forms before V8 11 by deoptimizer.cc @ 7.8 and
// translation-array.cc @ 9.4.
func TestOldTranslations(t *testing.T) {
	type o struct {
		name  opName
		first int64
	}
	literal, register, slot := opLiteral, opAnyRegister, opTaggedStackSlot
	for what, c := range map[string]struct {
		set   *TranslationSet
		table []byte
		want  []o
	}{
		"7.8": {translations78, oldTranslation, []o{{opBegin, 1}, {OpInterpretedWithReturn, 9}, {slot, 3},
			{slot, -3}, {slot, -2},
			{slot, -1}, {slot, 4}, {register, 8}, {literal, 6}, {register, 9}, {literal, 6}, {literal, 6},
			{literal, 7}}},
		"9.4": {translations94, sortedTranslation, []o{{opBegin, 1}, {OpInterpretedWithReturn, 12}, {slot, 5},
			{slot, -1}, {slot, -2},
			{slot, 6}, {register, 8}, {literal, 4}, {register, 9}, {literal, 4}}},
		// 9.0 has the list of 9.4 and the bits of 7.8; 300 takes two bytes.
		"9.0": {translations90, []byte{0x0c, 4, 4, 0, 0x60, 0xb1, 8}, []o{{opBegin, 1}, {slot, 300}}},
	} {
		ops, err := c.set.Decode(c.table, 0)
		if err != nil || len(ops) != len(c.want) {
			t.Errorf("%s: %v, %v", what, ops, err)
			continue
		}
		for i, w := range c.want {
			if ops[i].Name != w.name || ops[i].Operands[0] != w.first {
				t.Errorf("%s: operation %d is %+v, want %+v", what, i, ops[i], w)
			}
		}
	}
	for what, table := range map[string][]byte{
		"cut": {0, 4, 4}, "a number without end": {0, 4, 4, 1, 1}, "an unknown opcode": {0, 4, 4, 0, 0x70, 0},
		"a negative opcode": {0, 4, 4, 0, 6},
	} {
		if ops, err := translations78.Decode(table, 0); err == nil {
			t.Errorf("%s: got %v", what, ops)
		}
	}
}

// TestTranslationSets holds the lists against landmarks of the upstream files:
// the numbers of operations, and where BEGIN, LITERAL and the frames stand.
func TestTranslationSets(t *testing.T) {
	for _, c := range []struct {
		version                                layout.Version
		set                                    *TranslationSet
		size, begin, frame, construct, literal int
	}{
		{layout.V(7, 8), translations78, 27, 0, 1, 5, 25}, // deoptimizer.h
		{layout.V(8, 4), translations78, 27, 0, 1, 5, 25},
		{layout.V(8, 6), translations86, 27, 0, 1, 5, 25},    // deoptimizer.h
		{layout.V(9, 0), translations90, 28, 3, 18, 8, 22},   // translation-opcode.h from here on
		{layout.V(10, 2), translations94, 28, 3, 18, 8, 22},  //
		{layout.V(11, 3), translations113, 36, 2, 23, 8, 29}, //
		{layout.V(11, 8), translations124, 40, 12, 0, 4, 33}, //
		{layout.V(12, 4), translations124, 40, 12, 0, 4, 33}, //
		{layout.V(12, 6), translations126, 42, 14, 0, 4, 35}, // the tables of workerd 1.20240701
		{layout.V(12, 8), translations129, 44, 14, 0, 4, 37}, // from workerd 1.20240903
		{layout.V(12, 9), translations129, 44, 14, 0, 4, 37}, //
		{layout.V(13, 1), translations129, 44, 14, 0, 4, 37}, // from Chromium 131
		{layout.V(13, 2), translations132, 44, 14, 0, 4, 37}, // from Chromium 132
		{layout.V(13, 3), Translations136, 45, 14, 0, 4, 38}, // from Chromium 133
		{layout.V(14, 6), Translations136, 45, 14, 0, 4, 38}, //
		{layout.V(15, 6), Translations136, 45, 14, 0, 4, 38}, // from Chromium 156
		{layout.V(15, 8), translations158, 47, 14, 0, 4, 40}, // from workerd 1.20261117
	} {
		set, err := (&Deopt{Memory: &layout.Memory{Layout: layout.New(c.version,
			layout.Constants{})}}).TranslationSet(nil)
		if err != nil || set != c.set || len(set.operands) != c.size || len(set.names) != c.size {
			t.Errorf("%v: %v, %v", c.version, set, err)
			continue
		}
		for at, name := range map[int]opName{c.begin: opBegin, c.frame: OpInterpretedWithReturn,
			c.construct: OpConstructCreateStub,
			c.literal:   opLiteral} {
			if set.names[at] != name {
				t.Errorf("%v: opcode %d is %d, want %d", c.version, at, set.names[at], name)
			}
		}
	}
	if _, err := (&Deopt{Memory: &layout.Memory{Layout: layout.New(layout.V(8, 8),
		layout.Constants{})}}).TranslationSet(nil); err == nil {
		t.Error("8.8 is in no release of Node, but known")
	}
}

// TestSetOfTable: a version between two known ones may have the list of the next or the previous version, and
// the table itself shows which. The tables come from workerd 1.20240701 (V8 12.6), from functions of
// embedded.mjs.
func TestSetOfTable(t *testing.T) {
	table126 := []byte{14, 0, 2, 2, 1, 26, 0, 8, 35, 2, 37, 3, 37, 5, 37, 7, 35, 4, 35, 6, 35, 6, 34, 34, 35, 6,
		14, 26, 2, 2, 53, 14, 31, 2, 2, 1, 12, 0, 8, 47, 26, 0, 26, 3, 44, 35, 8}
	table136 := []byte{14, 0, 12, 8, 10, 4, 3, 2, 38, 14, 40, 16, 1, 230, 2, 4, 2, 19, 38, 14}
	for _, c := range []struct {
		version layout.Version
		table   []byte
		set     *TranslationSet
	}{
		{layout.V(12, 5), table126, translations126},
		{layout.V(12, 7), table126, translations126},
		{layout.V(13, 1), table136, translations129}, // which that version is known to have
		{layout.V(15, 7), table136, Translations136},
		{layout.V(12, 7), []byte{1, 2, 3}, nil},
		{layout.V(15, 8), []byte{14, 0, 2, 2, 20, 0}, translations158},
		{layout.V(16, 9), []byte{14, 0, 2, 2, 39, 39}, translations158},
		{layout.V(16, 9), []byte{14, 0, 2, 2, 20, 0}, nil},
		{layout.V(7, 3), []byte{0, 2, 2}, nil},
	} {
		set, err := (&Deopt{Memory: &layout.Memory{Layout: layout.New(c.version,
			layout.Constants{})}}).TranslationSet(c.table)
		if set != c.set || (err != nil) != (c.set == nil) {
			t.Errorf("%v: list %v, %v", c.version, set, err)
		}
	}
	if ops, err := translations158.Decode([]byte{14, 0, 2, 2, 20, 0}, 0); err == nil {
		t.Errorf("an operation that is not known: %v", ops)
	}
}

// TestFitsHostile: tables that name a basis which is not the last one, or that stand for more operations than
// any function has, are not looked through.
func TestFitsHostile(t *testing.T) {
	basis := join(begin(0, 1, 1), bytes.Repeat(op(literal136, 1), 60))
	if !Translations136.fits(join(basis, begin(uint64(len(basis)), 1, 1), []byte{opcodes136 + 60})) {
		t.Error("a translation like the one before it does not fit")
	}
	other := join(begin(0, 1, 1), op(literal136, 2))
	if Translations136.fits(join(basis, other, begin(uint64(len(basis)+len(other)), 1, 1), []byte{opcodes136 + 60})) {
		t.Error("one that refers to another than the last basis fits")
	}
	if Translations136.fits(bytes.Repeat(basis, maxTableOps/60)) {
		t.Error("a table of too many operations fits")
	}
}

// TestExtraArguments decodes the head of a translation of Node 24.21.0's, of
// prettier's function mainPrint: what follows a frame of extra arguments is not
// one operand of it short.
func TestExtraArguments(t *testing.T) {
	table := []byte{14, 0, 12, 8, 10, 4, 3, 2, 38, 14, 40, 16, 1, 230, 2, 4, 2, 19, 38, 14}
	ops, err := Translations136.Decode(table, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []opName
	for _, op := range ops {
		got = append(got, op.Name)
	}
	want := []opName{opBegin, OpFrame, opLiteral, opTaggedStackSlot, OpInterpretedWithoutReturn, opLiteral}
	if !slices.Equal(got, want) {
		t.Errorf("operations %v, want %v", got, want)
	}
}
