package source

import (
	"testing"

	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// TestStored: the register of a variable by the code for the place of its first value.
func TestStored(t *testing.T) {
	op := func(off int, name string, operands ...string) bytecode.Bytecode {
		b := bytecode.Bytecode{Offset: off, Name: name}
		for _, o := range operands {
			b.Operands = append(b.Operands, bytecode.Operand{Text: o})
		}
		return b
	}
	code := &object.BytecodeArray{Length: 60, Bytecodes: []bytecode.Bytecode{
		op(0, "LdaSmi"), op(2, "Star0"), // at 10
		// at 20
		op(3, "LdaZero"), op(4, "Star.Wide", "r7"), op(8, "LdaTheHole"), op(9, "Star5"),
		op(10, "Mov", "<context>", "r6"),
		op(13, "Mov", "r0", "r8"),                    // at 30
		op(16, "LdaZero"), op(17, "Mov", "r0", "r9"), // at 40
		op(20, "StaCurrentContextSlot"), // at 50
		op(28, "LdaZero"),
		op(30, "GetNamedProperty", "a0"), op(33, "Star3"), // at 60
		op(40, "Return"),
	}, Positions: []object.BytecodePosition{
		{Offset: 0, Position: 10, Statement: true}, {Offset: 3, Position: 20, Statement: true},
		{Offset: 13, Position: 30, Statement: true},
		{Offset: 16, Position: 40, Statement: true}, {Offset: 20, Position: 50, Statement: true}, {Offset: 28,
			Position: 55, Statement: true}, {Offset: 30, Position: 60}, {Offset: 40, Position: 70, Statement: true},
	}}
	e := &evidence{code: code}
	for _, c := range []struct {
		place int
		v     syntax.Local
		want  int // -1: none
	}{
		{10, syntax.Local{Stated: true}, 0}, {10, syntax.Local{}, -1}, {11, syntax.Local{Stated: true}, -1},
		{20, syntax.Local{Stated: true}, 7},
		{30, syntax.Local{Stated: true, Alias: true}, 8}, {30, syntax.Local{Stated: true}, -1},
		{30, syntax.Local{Loop: true}, 8},
		{40, syntax.Local{Stated: true, Alias: true}, -1}, {50, syntax.Local{Stated: true}, -1},
		{60, syntax.Local{Pattern: true}, 3}, {10, syntax.Local{Pattern: true}, -1},
	} {
		got, ok := e.stored(&c.v, c.place)
		if !ok {
			got = -1
		}
		if got != c.want {
			t.Errorf("at %d, %+v: r%d, want r%d", c.place, c.v, got, c.want)
		}
	}
}

// TestAgreed: no two variables share a register, and no variable has two.
func TestAgreed(t *testing.T) {
	for _, c := range []struct {
		list []registerName
		want int
	}{
		{[]registerName{{name: "a", register: 1, to: 9}, {name: "b", register: 2, to: 9}}, 2},
		{[]registerName{{name: "a", register: 1, to: 9}, {name: "b", register: 1, to: 9}}, 0},
		{[]registerName{{name: "a", register: 1, to: 9}, {name: "a", register: 1, to: 9}}, 2}, // var a; var a;
		{[]registerName{{name: "a", register: 1, to: 9}, {name: "a", register: 2, to: 9}}, 0},
		{[]registerName{{name: "a", register: 1, to: 9}, {name: "a", register: 2, from: 3, to: 5}}, 2}, // of a block
	} {
		if got := agreed(c.list); len(got) != c.want {
			t.Errorf("%+v: %+v", c.list, got)
		}
	}
}

func TestRegisterOf(t *testing.T) {
	for text, want := range map[string]int{"r0": 0, "r12": 12, "r": -1, "a0": -1, "r1234567": -1, "r1x": -1, "": -1,
		"<context>": -1} {
		got, ok := registerOf(text)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
