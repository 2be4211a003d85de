package dwarf

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/dwarf/format"
)

// opened returns the made program with a frame of its function: CFA 0x7010, so that p is at
// 0x7000, and rbx = -5.
func opened(t testing.TB, version int) (*Data, *Frame) {
	t.Helper()
	d, err := Open(program(version).image(), binary.LittleEndian, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := coretest.New(core.AMD64).Map(0x7000, []byte{7, 0, 0, 0, 0b10100, 0, 0, 0}).Map(0x402000,
		[]byte{1, 0, 0, 0, 0xff, 0, 0, 0}).Process()
	regs := &core.Regs{}
	minusFive := int64(-5)
	regs.Set(3, uint64(minusFive))
	return d, &Frame{Arch: core.AMD64, Mem: p.Space, Regs: regs, CFA: 0x7010, Bias: 0x400000, Data: d, PC: 0x1018}
}

// TestProgram reads types, variables and values of a program that is laid out by hand (DWARF 5,
// sections 5 and 7.5), as DWARF 4 and 5 write it.
func TestProgram(t *testing.T) {
	for _, version := range []int{4, 5} {
		d, f := opened(t, version)
		point := d.FindTypes("point")
		if len(point) != 1 || point[0].Name() != "struct point" {
			t.Fatalf("point is %v", point)
		}
		if n, ok := point[0].Size(); n != 8 || !ok {
			t.Errorf("point has %d bytes", n)
		}
		if list := d.FindTypes("inner"); len(list) != 0 {
			t.Errorf("a type of a function is found by name: %v", list[0].Name())
		}
		scopes, err := d.Scopes(f.PC)
		if err != nil {
			t.Fatal(err)
		}
		if len(scopes) != 1 || scopes[0].Name != "f" || len(scopes[0].Vars) != 3 {
			t.Fatalf("scopes %+v", scopes)
		}
		n, p, lost := scopes[0].Vars[0], scopes[0].Vars[1], scopes[0].Vars[2]
		if i, err := n.Value(f).Int(); i != -5 || err != nil || n.Kind != Argument {
			t.Errorf("n is %d, %v", i, err)
		}
		if a, ok := p.Value(f).Addr(); a != 0x7000 || !ok {
			t.Errorf("p is at %v", a)
		}
		checkMember(t, p.Value(f), "x", 7)
		checkMember(t, p.Value(f), "y", -3) // three bits, 101, of an int
		if _, err := lost.Value(f).Int(); !errors.Is(err, ErrNoLocation) {
			t.Errorf("a variable without a place: %v", err)
		}
		for _, pc := range []uint64{0x1040, 0x9000} {
			if s, err := d.Scopes(pc); s != nil || err != nil {
				t.Errorf("scopes where there is no function: %v, %v", s, err)
			}
		}
		checkGlobal(t, d, f)
	}
}

func checkGlobal(t *testing.T, d *Data, f *Frame) {
	t.Helper()
	v, off, ok := d.VariableAt(0x2004)
	if !ok || v.Name != "origin" || off != 4 {
		t.Fatalf("at 0x2004 is %+v+%d", v, off)
	}
	if list := d.FindVariables("origin"); len(list) != 1 {
		t.Errorf("%d variables are called origin", len(list))
	}
	checkMember(t, v.Value(f), "x", 1)
	if _, _, ok := d.VariableAt(0x2008); ok {
		t.Error("a variable after the last")
	}
}

func checkMember(t *testing.T, v Value, name string, want int64) {
	t.Helper()
	m, ok := v.Type.Find(name)
	if !ok {
		t.Fatalf("%s has no member %s", v.Type.Name(), name)
	}
	if i, err := v.Member(&m).Int(); i != want || err != nil {
		t.Errorf("%s is %d, %v; want %d", name, i, err, want)
	}
}

// TestNames spells types as C does.
func TestNames(t *testing.T) {
	m := program(5)
	d, err := Open(m.image(), binary.LittleEndian, nil)
	if err != nil {
		t.Fatal(err)
	}
	for label, want := range map[string]string{"pointer": "struct point *", "array": "struct point *[4]",
		"inner": "struct app::inner", "int": "int"} {
		if got := d.own.typeAt(format.Offset(m.labels[label])).Name(); got != want {
			t.Errorf("%s is %q, want %q", label, got, want)
		}
	}
	array := d.own.typeAt(format.Offset(m.labels["array"]))
	if got := array.PointerTo().ArrayOf(2).Name(); got != "struct point *(*[2])[4]" {
		t.Errorf("an array of pointers to arrays is %q", got)
	}
}

// TestExpressions evaluates operations to numbers (DWARF 5, section 2.5); rbx is 0x10, and
// at 0x5000 are the words 0x5008 and 0x1122334455667788.
func TestExpressions(t *testing.T) {
	p := coretest.New(core.AMD64).Words(0x5000, 0x5008, 0x1122334455667788).Process()
	f := &Frame{Arch: core.AMD64, Mem: p.Space, Regs: &core.Regs{}, CFA: 0x7000, Bias: 0x10}
	f.Regs.Set(3, 0x10)
	u := &Unit{d: &part{order: binary.LittleEndian}, w: format.Widths{Addr: 8}}
	const stop = format.OpStackValue
	at5000 := []byte{format.OpConst2u, 0x00, 0x50}
	for _, c := range []struct {
		name string
		expr []byte
		want uint64
	}{
		{"literal", []byte{format.OpLit0 + 31, stop}, 31},
		{"address", []byte{format.OpAddr, 1, 0, 0, 0, 0, 0, 0, 0, stop}, 0x11},
		{"signed constants", []byte{format.OpConst1s, 0xff, format.OpConst2s, 0xfe, 0xff, format.OpPlus, stop},
			^uint64(2)},
		{"LEB128", []byte{format.OpConstu, 0x80, 1, format.OpConsts, 0x7f, format.OpPlus, stop}, 127},
		{"register", []byte{format.OpBreg0 + 3, 0x7f, stop}, 15},
		{"dereference", append(at5000, format.OpDeref, format.OpDeref, stop), 0x1122334455667788},
		{"two bytes", append(at5000, format.OpDeref, format.OpDerefSize, 2, stop), 0x7788},
		// 3 1 2: 3*(1-2)
		{"rotate", []byte{format.OpLit0 + 1, format.OpLit0 + 2, format.OpLit0 + 3, format.OpRot, format.OpMinus,
			format.OpMul, stop}, ^uint64(2)},
		{"over, pick and drop", []byte{format.OpLit0 + 5, format.OpLit0 + 6, format.OpOver, format.OpPick, 1,
			format.OpDrop, format.OpPlus, stop}, 11},
		{"division with a sign", []byte{format.OpConst1s, 0xf8, format.OpLit0 + 2, format.OpDiv, stop}, ^uint64(3)},
		{"modulo without", []byte{format.OpLit0 + 9, format.OpLit0 + 4, format.OpMod, stop}, 1},
		{"shifts", []byte{format.OpConst1s, 0xf0, format.OpLit0 + 2, format.OpShra, format.OpLit0 + 4, format.OpShl,
			stop}, ^uint64(0x3f)},
		{"branch", []byte{format.OpLit0 + 1, format.OpBra, 2, 0, format.OpLit0 + 7, stop, format.OpLit0 + 8, stop}, 8},
		{"skip", []byte{format.OpSkip, 1, 0, format.OpLit0, format.OpLit0 + 4, stop}, 4},
		{"comparison", []byte{format.OpLit0 + 3, format.OpLit0 + 4, format.OpLt, stop}, 1},
		{"frame address", []byte{format.OpCallFrameCFA, format.OpPlusUconst, 8, stop}, 0x7008},
		{"place", []byte{format.OpCallFrameCFA, format.OpPlusUconst, 8}, 0x7008},
		{"a register as the place", []byte{format.OpReg0 + 3}, 0x10},
		{"a value in place", []byte{format.OpImplicitValue, 2, 0x34, 0x12}, 0x1234},
	} {
		if got, err := f.value(u, nil, c.expr, 0); got != c.want || err != nil {
			t.Errorf("%s: %#x, %v; want %#x", c.name, got, err, c.want)
		}
	}
	for name, expr := range map[string][]byte{
		"an empty stack": {format.OpPlus, stop}, "no such memory": {format.OpLit0, format.OpDeref, stop},
		"an unknown register": {format.OpBreg0 + 5, 0, stop},
		"division by zero":    {format.OpLit0, format.OpLit0, format.OpDiv, stop},
		"an endless loop":     {format.OpSkip, 0xfd, 0xff},
		"a cut operand":       {format.OpConst8u, 1},
		"a jump out":          {format.OpSkip, 0, 1}, "an unknown operation": {0xdf},
		"no frame base": {format.OpFbreg, 0},
	} {
		if v, err := f.value(u, nil, expr, 0); err == nil {
			t.Errorf("%s: %#x", name, v)
		}
	}
}

// TestPieces puts values together from parts that are known and not.
func TestPieces(t *testing.T) {
	d, f := opened(t, 5)
	u := d.own.units[0]
	point := d.FindTypes("point")[0]
	pieces, err := f.evaluate(u, nil, []byte{format.OpReg0 + 3, format.OpPiece, 4, format.OpPiece, 2, format.OpLit0 + 9,
		format.OpStackValue, format.OpPiece, 2},
		0)
	if err != nil {
		t.Fatal(err)
	}
	v := Value{Type: point, f: f, pieces: pieces}
	checkMember(t, v, "x", -5)
	if _, err := v.part(nil, 4).Bytes(2); !errors.Is(err, ErrNoLocation) {
		t.Errorf("a part without a place: %v", err)
	}
	if b, err := v.part(nil, 6).Bytes(2); !slices.Equal(b, []byte{9, 0}) || err != nil {
		t.Errorf("the last part is %v, %v", b, err)
	}
	checkBits(t, f, u, point)
	first, err := f.evaluate(u, nil, []byte{format.OpAddr, 0, 0x20, 0, 0, 0, 0, 0, 0, format.OpPiece, 4}, 0)
	if err != nil {
		t.Fatal(err)
	}
	half := Value{Type: point, f: f, pieces: first}
	x, _ := point.Find("x")
	if _, ok := half.Addr(); ok {
		t.Error("a value of which one part is in memory is there as a whole")
	}
	if at, ok := half.Member(&x).Addr(); !ok || at != 0x2000+f.Bias {
		t.Errorf("the part that is in memory is at %v, %v", at, ok)
	}
	if _, err := half.Bytes(8); !errors.Is(err, ErrNoLocation) {
		t.Errorf("all of a value of which one part is in memory: %v", err)
	}
	if _, err := v.Bytes(9); !errors.Is(err, ErrNoLocation) {
		t.Errorf("more than all parts: %v", err)
	}
}

// checkBits puts point's y, three bits after two others in its fifth byte, together from parts that
// are not whole bytes, as gcc describes bit-fields that it has taken apart.
func checkBits(t *testing.T, f *Frame, u *Unit, point *Type) {
	t.Helper()
	pieces, err := f.evaluate(u, nil, []byte{format.OpPiece, 4, format.OpBitPiece, 2, 0, format.OpLit0 + 21,
		format.OpStackValue, format.OpBitPiece, 3, 1,
		format.OpBitPiece, 3, 0, format.OpPiece, 3}, 0)
	if err != nil {
		t.Fatal(err)
	}
	v := Value{Type: point, f: f, pieces: pieces}
	checkMember(t, v, "y", 2) // 010 of 10101, after the last
	if _, err := v.Bytes(8); !errors.Is(err, ErrNoLocation) {
		t.Errorf("bits without a place: %v", err)
	}
}

// FuzzExpression: whatever an expression is, its evaluation ends.
func FuzzExpression(f *testing.F) {
	for _, e := range [][]byte{{format.OpLit0, format.OpStackValue}, {format.OpReg0, format.OpPiece, 4, format.OpPiece,
		4}, {format.OpSkip, 0xfd, 0xff},
		{format.OpEntryValue, 1, format.OpReg0 + 5},
		{format.OpConst1u, 8, format.OpDup, format.OpMul, format.OpDeref}, {format.OpImplicitPointer, 40, 0, 0, 0, 0},
		{format.OpLit0, format.OpBitPiece, 3, 1, format.OpReg0 + 3, format.OpBitPiece, 5, 0}} {
		f.Add(e)
	}
	d, frame := opened(f, 5)
	f.Fuzz(func(t *testing.T, expr []byte) {
		if len(expr) > 256 {
			return
		}
		pieces, err := frame.evaluate(d.own.units[0], nil, expr, 0)
		if err != nil {
			return
		}
		v := Value{Type: d.FindTypes("point")[0], f: frame, pieces: pieces}
		v.Bytes(16)
		v.Deref()
	})
}

// TestFloats reads numbers with more bits than Go has: 0.625, -1.25 and infinity, as IEEE 754's
// binary128 and x87's double extended have them.
func TestFloats(t *testing.T) {
	for _, c := range []struct {
		head, low uint64
		want      float64
	}{{0x3ffe400000000000, 0, 0.625}, {0xbfff400000000000, 0, -1.25}, {0x7fff000000000000, 0, math.Inf(1)}, {0, 0, 0},
		{0x3fff000000000000, 1 << 63, 1 + 0x1p-49}} {
		b := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, c.low), c.head)
		if got := quad(b, binary.LittleEndian); got != c.want {
			t.Errorf("%#x %#x is %v, want %v", c.head, c.low, got, c.want)
		}
	}
	if got := x87(0xa000000000000000, 0xbfff); got != -1.25 {
		t.Errorf("-1.25 is %v", got)
	}
}

// TestBeyond: a part after the end of a value contradicts it; one that has more bits than are left does not.
func TestBeyond(t *testing.T) {
	for _, c := range []struct {
		pieces []piece
		bits   int64
		want   bool
	}{
		{[]piece{{size: -1}}, 64, false}, {[]piece{{size: 64}, {size: 64}}, 128, false},
		{[]piece{{size: 64}, {size: 64}}, 96, false},
		{[]piece{{size: 64}, {size: 64}, {size: 64}}, 128, true}, {[]piece{{size: 64}, {size: 0}}, 64, false},
	} {
		if got := beyond(c.pieces, c.bits); got != c.want {
			t.Errorf("%+v of %d bits: %v", c.pieces, c.bits, got)
		}
	}
}
