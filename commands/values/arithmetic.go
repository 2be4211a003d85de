package values

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"coredbg/commands/values/cexpr"
	"coredbg/commands/values/view"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// An operand is one of arithmetic: an integer of 64 bits, or a real number.
type operand struct {
	real           bool
	f              float64
	u              uint64 // with the sign's bits, unless unsigned
	unsigned, wide bool   // wide: it has more than 4 bytes
	pointer        bool
	elem           *dwarf.Type // a pointer's target; nil for void
	of             dwarf.Value // the pointer
}

func (x operand) truth() bool {
	if x.real {
		return x.f != 0
	}
	return x.u != 0
}

func (x operand) float() float64 {
	switch {
	case x.real:
		return x.f
	case x.unsigned:
		return float64(x.u)
	}
	return float64(int64(x.u))
}

func (x operand) text() string {
	switch {
	case x.real:
		return strconv.FormatFloat(x.f, 'g', -1, 64)
	case x.unsigned:
		return strconv.FormatUint(x.u, 10)
	}
	return strconv.FormatInt(int64(x.u), 10)
}

// number returns a value as an operand: an array as a pointer to its first element, a function as its address.
func (e *evaluator) number(v dwarf.Value) (x operand, err error) {
	t := v.Type.Strip()
	if t == nil {
		return x, errors.New("a value of type void is no number")
	}
	switch t.Kind {
	case dwarf.Reference, dwarf.RvalueReference:
		to, err := v.Deref()
		if err != nil {
			return x, err
		}
		if s := to.Type.Strip(); s != nil && (s.Kind == dwarf.Reference || s.Kind == dwarf.RvalueReference) {
			return x, errors.New("a reference cannot refer to another")
		}
		return e.number(to)
	case dwarf.Array, dwarf.Function:
		a, ok := v.Addr()
		if !ok {
			return x, errors.New("the value is not in memory, so that it has no address")
		}
		return operand{u: uint64(a), unsigned: true, wide: true, pointer: true, elem: t.Elem(), of: v}, nil
	case dwarf.Pointer:
		a, err := v.Pointer()
		return operand{u: uint64(a), unsigned: true, wide: true, pointer: true, elem: t.Elem(), of: v}, err
	case dwarf.Base, dwarf.Enum:
	default:
		return x, fmt.Errorf("a value of type %s is no number", v.Type.Name())
	}
	size, _ := t.Size()
	if t.Kind == dwarf.Base && t.Encoding == dwarf.EncFloat {
		f, err := v.Float()
		return operand{real: true, f: f}, err
	}
	if size > 8 {
		return x, fmt.Errorf("a %s has too many bytes to reckon with", v.Type.Name())
	}
	x.wide = size > 4
	x.unsigned = t.Kind == dwarf.Base && !t.Encoding.Signed() && size >= 4
	if t.Kind == dwarf.Base && t.Encoding.Signed() || t.Kind == dwarf.Enum {
		i, err := v.Int()
		return operand{u: uint64(i), wide: x.wide}, err
	}
	x.u, err = v.Uint()
	return x, err
}

// integer makes a value of a type of at most 8 bytes.
func (e *evaluator) integer(t *dwarf.Type, u uint64) dwarf.Value {
	size, ok := t.Size()
	if !ok || size > 8 || size <= 0 {
		size = 8
	}
	b := make([]byte, 8)
	e.made.Arch.Order.PutUint64(b, u)
	if e.made.Arch.Order.Uint16([]byte{0, 1}) == 1 { // the least significant bytes are the last
		b = b[8-size:]
	}
	return e.made.Made(t, b[:size])
}

func (e *evaluator) float(f float64) dwarf.Value {
	return e.integer(e.ofC("double"), math.Float64bits(f))
}

func (e *evaluator) floatOf(t *dwarf.Type, f float64) (dwarf.Value, error) {
	switch n, _ := t.Size(); n {
	case 4:
		return e.integer(t, uint64(math.Float32bits(float32(f)))), nil
	case 8:
		return e.integer(t, math.Float64bits(f)), nil
	}
	return dwarf.Value{}, fmt.Errorf("a value cannot become a %s here", t.Name())
}

// truth is what a comparison yields: an int in C, else a bool.
func (e *evaluator) truth(b bool) dwarf.Value {
	of := "int"
	if l := e.language(); l != 0 && !l.C() {
		of = "bool"
	}
	return e.integer(e.ofC(of), map[bool]uint64{true: 1}[b])
}

// language is the language of the current frame; 0 if it is not known.
func (e *evaluator) language() dwarf.Language {
	if e.s.Thread == nil || e.s.Stacks == nil {
		return 0
	}
	a, err := current(e.ctx, e.s, e.s.Thread)
	if err != nil || a.frame() == nil {
		return 0
	}
	u := a.frame().Data.UnitAt(a.frame().PC)
	if u == nil {
		return 0
	}
	return u.Lang()
}

// result makes a value of an integer, of the type that C gives it.
func (e *evaluator) result(x operand) dwarf.Value {
	name := "int"
	if x.wide {
		name = "long long"
		if e.made.Arch.PtrSize == 8 {
			name = "long"
		}
	}
	if x.unsigned {
		name = "unsigned " + name
	}
	return e.integer(e.ofC(name), x.u)
}

// binary is an operator between two operands.
func (e *evaluator) binary(n *cexpr.Node) (dwarf.Value, error) {
	v, err := e.eval(n.A)
	if err != nil {
		return v, err
	}
	if same, ok := e.compareTexts(n, v); ok {
		return same, nil
	}
	a, err := e.number(v)
	if err != nil {
		return v, err
	}
	switch n.Text { // whose second operand counts only sometimes
	case "&&":
		if !a.truth() {
			return e.truth(false), nil
		}
	case "||":
		if a.truth() {
			return e.truth(true), nil
		}
	}
	if v, err = e.eval(n.B); err != nil {
		return v, err
	}
	b, err := e.number(v)
	if err != nil {
		return v, err
	}
	switch n.Text {
	case "&&", "||":
		return e.truth(b.truth()), nil
	case "==", "!=", "<", ">", "<=", ">=":
		return e.truth(compare(n.Text, a, b)), nil
	}
	switch {
	case (a.pointer || b.pointer) && (n.Text == "+" || n.Text == "-"):
		return e.moved(n.Text, a, b)
	case a.real || b.real:
		return e.reals(n.Text, a.float(), b.float())
	}
	return e.integers(n.Text, a, b)
}

// compareTexts compares two texts, if an expression does: a string of C++, Go or Rust, or anything with a text in
// quotes.
func (e *evaluator) compareTexts(n *cexpr.Node, a dwarf.Value) (dwarf.Value, bool) {
	if n.Text != "==" && n.Text != "!=" {
		return a, false
	}
	quoted := n.A.Op == cexpr.String || n.B.Op == cexpr.String
	left, ok := e.textIn(a, quoted)
	if !ok {
		return a, false
	}
	b, err := e.eval(n.B)
	if err != nil {
		return b, false
	}
	right, ok := e.textIn(b, quoted)
	if !ok {
		return b, false
	}
	return e.truth((left == right) == (n.Text == "==")), true
}

// textIn returns the text that a value is or, if a pointer may count, leads to.
func (e *evaluator) textIn(v dwarf.Value, pointer bool) (string, bool) {
	t := v.Type.Strip()
	if t == nil || t.Kind == dwarf.Base || t.Kind == dwarf.Enum ||
		t.Kind == dwarf.Pointer && t.Own() == "" && !pointer {
		return "", false
	}
	n := view.New(e.s).View("", v, 0)
	switch {
	case n.Kind == view.Text && n.More == 0:
		return n.Text, true
	case n.HasStr && !n.Cut:
		return n.Str, true
	}
	return "", false
}

func compare(op string, a, b operand) bool {
	c := 0
	switch x, y := a.float(), b.float(); {
	case a.real || b.real:
		c = sign(x < y, x > y)
		if x != x || y != y {
			return op == "!="
		}
	default:
		a, b = converted(a, b)
		if c = sign(int64(a.u) < int64(b.u), int64(a.u) > int64(b.u)); a.unsigned {
			c = sign(a.u < b.u, a.u > b.u)
		}
	}
	switch op {
	case "==":
		return c == 0
	case "!=":
		return c != 0
	case "<":
		return c < 0
	case ">":
		return c > 0
	case "<=":
		return c <= 0
	}
	return c >= 0
}

func sign(less, more bool) int {
	switch {
	case less:
		return -1
	case more:
		return 1
	}
	return 0
}

// moved is arithmetic of pointers: by elements, or the elements between two.
func (e *evaluator) moved(op string, a, b operand) (dwarf.Value, error) {
	if !a.pointer {
		a, b = b, a
		if op == "-" {
			return dwarf.Value{}, errors.New("a pointer cannot be subtracted from a number")
		}
	}
	size := int64(1)
	if n, ok := a.elem.Size(); ok && n > 0 {
		size = n
	}
	if b.pointer {
		if op == "+" {
			return dwarf.Value{}, errors.New("two pointers cannot be added")
		}
		return e.integer(e.ofC("long"), uint64(int64(a.u-b.u)/size)), nil
	}
	if b.real {
		return dwarf.Value{}, errors.New("a pointer moves by whole elements")
	}
	by := uint64(int64(b.u) * size)
	if op == "-" {
		by = -by
	}
	t := dwarf.VoidPointer(e.made.Arch.PtrSize)
	if a.elem != nil {
		t = a.elem.PointerTo()
	}
	r := e.integer(t, uint64(core.Addr(a.u+by)))
	f := a.of.Frame()
	data, err := r.Bytes(int64(e.made.Arch.PtrSize))
	if f == nil || err != nil {
		return r, err
	}
	return f.Made(t, data), nil
}

func (e *evaluator) reals(op string, a, b float64) (dwarf.Value, error) {
	switch op {
	case "+":
		return e.float(a + b), nil
	case "-":
		return e.float(a - b), nil
	case "*":
		return e.float(a * b), nil
	case "/":
		return e.float(a / b), nil
	}
	return dwarf.Value{}, fmt.Errorf("%s is for integers", op)
}

var errZero = errors.New("a division by zero")

// converted returns two integers after the usual conversions (C17, 6.3.1.8): with one width and one signedness.
func converted(a, b operand) (operand, operand) {
	wide := a.wide || b.wide
	unsigned := a.unsigned && a.wide == wide || b.unsigned && b.wide == wide
	a.wide, b.wide, a.unsigned, b.unsigned = wide, wide, unsigned, unsigned
	if unsigned && !wide {
		a.u, b.u = uint64(uint32(a.u)), uint64(uint32(b.u))
	}
	return a, b
}

// integers are the operators of integers.
func (e *evaluator) integers(op string, a, b operand) (dwarf.Value, error) {
	if op == "<<" || op == ">>" {
		return e.result(shifted(op, a, b.u)), nil
	}
	a, b = converted(a, b)
	r := operand{wide: a.wide, unsigned: a.unsigned}
	switch op {
	case "+":
		r.u = a.u + b.u
	case "-":
		r.u = a.u - b.u
	case "*":
		r.u = a.u * b.u
	case "/", "%":
		if b.u == 0 {
			return dwarf.Value{}, errZero
		}
		r.u = divided(op, a.u, b.u, r.unsigned)
	case "&":
		r.u = a.u & b.u
	case "|":
		r.u = a.u | b.u
	case "^":
		r.u = a.u ^ b.u
	default:
		return dwarf.Value{}, fmt.Errorf("the operator %s is not known", op)
	}
	return e.result(r), nil
}

// shifted is a number moved by some bits. Its type stays.
func shifted(op string, x operand, bits uint64) operand {
	switch {
	case op == "<<":
		x.u <<= min(bits, 64)
	case x.unsigned:
		x.u >>= min(bits, 64)
	default:
		x.u = uint64(int64(x.u) >> min(bits, 63))
	}
	return operand{u: x.u, wide: x.wide, unsigned: x.unsigned}
}

func divided(op string, a, b uint64, unsigned bool) uint64 {
	switch {
	case unsigned && op == "/":
		return a / b
	case unsigned:
		return a % b
	case int64(b) == -1 && op == "/":
		return -a
	case int64(b) == -1:
		return 0
	case op == "/":
		return uint64(int64(a) / int64(b))
	}
	return uint64(int64(a) % int64(b))
}
