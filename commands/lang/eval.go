package lang

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"coredbg/core"
)

var errZeroDivide = errors.New("division by zero")

// An evaluator evaluates expressions over a target, variables and the current place.
type evaluator struct {
	host  Host
	vars  *Vars
	radix int
	at    place
}

// A place is a command's context.
type place struct {
	dot  uint64
	inc  uint64 // bytes that the last format command consumed
	last uint64 // "&": where the last command ran
}

// value evaluates an expression. Values are unsigned 64-bit numbers and wrap.
func (ev *evaluator) value(e Expr) (uint64, error) {
	switch e := e.(type) {
	case Number:
		return ParseNumber(e.Text, ev.radix)
	case Ident:
		return ev.ident(e.Text)
	case Symbol:
		a, ok, err := ev.host.Symbol(e.Text)
		if !ok {
			return 0, unknownSymbol(e.Text, err)
		}
		return uint64(a), err
	case Chars:
		return charValue(e.Text), nil
	case Var:
		return ev.variable(e.Name)
	case Place:
		return ev.place(e.Op)
	case Unary:
		return ev.unary(e)
	case Deref:
		return ev.deref(e)
	case Binary:
		return ev.binary(e)
	}
	return 0, fmt.Errorf("expression of unknown kind %T", e)
}

// unknownSymbol names a symbol that is not there, or where it begins: what is pasted
// into a prompt may be pages long.
//
// The reason says why it may be there all the same; it may be nil. The error ends a
// pipeline: a name that is not there is not there for the next element either.
func unknownSymbol(name string, reason error) error {
	if reason != nil {
		return fmt.Errorf("%w; not there: %w", unknownSymbol(name, nil), reason)
	}
	return Abort(missing(name))
}

func missing(name string) error {
	const most = 200
	if r := []rune(name); len(r) > most {
		return fmt.Errorf("unknown symbol %q and %d more characters", string(r[:most]), len(r)-most)
	}
	return fmt.Errorf("unknown symbol %q", name)
}

// ident is a symbol if there is one of the name, else a number of the default
// radix.
func (ev *evaluator) ident(name string) (uint64, error) {
	a, ok, reason := ev.host.Symbol(name)
	if ok {
		return uint64(a), reason
	}
	if v, err := ParseNumber(name, ev.radix); err == nil {
		return v, nil
	}
	return 0, unknownSymbol(name, reason)
}

// variable reads a register before a variable of the same name, as MDB does
// for its register variables.
func (ev *evaluator) variable(name string) (uint64, error) {
	if v, ok := ev.host.Register(name); ok {
		return v, nil
	}
	if v, ok := ev.vars.Get(name); ok {
		return v, nil
	}
	return 0, fmt.Errorf("variable %q is not defined", name)
}

func (ev *evaluator) place(op byte) (uint64, error) {
	switch op {
	case '+':
		v := ev.at.dot + ev.at.inc
		if ev.at.dot>>63 == 0 && v>>63 != 0 || v < ev.at.dot {
			return 0, errors.New("the next location is beyond the address space")
		}
		return v, nil
	case '^':
		if ev.at.inc > ev.at.dot {
			return 0, errors.New("the previous location is below zero")
		}
		return ev.at.dot - ev.at.inc, nil
	case '&':
		return ev.at.last, nil
	}
	return ev.at.dot, nil
}

func (ev *evaluator) unary(e Unary) (uint64, error) {
	x, err := ev.value(e.X)
	switch e.Op {
	case '-':
		x = -x
	case '~':
		x = ^x
	case '#':
		x = truth(x == 0)
	}
	return x, err
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (ev *evaluator) deref(e Deref) (uint64, error) {
	a, err := ev.value(e.X)
	if err != nil {
		return 0, err
	}
	size := e.Size
	if size == 0 {
		_, size = ev.host.Words()
	}
	return ev.read(core.Addr(a), size, e.Op == '%')
}

// read returns the unsigned value of size bytes at a.
func (ev *evaluator) read(a core.Addr, size int, file bool) (uint64, error) {
	var buf [8]byte
	if _, err := ev.host.Read(buf[:size], a, file); err != nil {
		return 0, readError(fmt.Sprintf("failed to read %d bytes", size), a, err)
	}
	return ev.uint(buf[:size]), nil
}

// uint returns the number that p, of 1, 2, 4 or 8 bytes, holds.
func (ev *evaluator) uint(p []byte) uint64 {
	order, _ := ev.host.Words()
	switch len(p) {
	case 1:
		return uint64(p[0])
	case 2:
		return uint64(order.Uint16(p))
	case 4:
		return uint64(order.Uint32(p))
	}
	return order.Uint64(p)
}

func (ev *evaluator) binary(e Binary) (uint64, error) {
	x, err := ev.value(e.X)
	if err != nil {
		return 0, err
	}
	y, err := ev.value(e.Y)
	if err != nil {
		return 0, err
	}
	switch e.Op {
	case "%%", "%", "#":
		if y == 0 {
			return 0, errZeroDivide
		}
	}
	switch e.Op {
	case "%%":
		return x % y, nil
	case "%":
		return uint64(int64(x) / int64(y)), nil
	case "#":
		if r := x % y; r != 0 {
			x += y - r
		}
		return x, nil
	case "*":
		return x * y, nil
	case "+":
		return x + y, nil
	case "-":
		return x - y, nil
	case "<<":
		return x << y, nil
	case ">>":
		return x >> y, nil
	case "==":
		return truth(x == y), nil
	case "!=":
		return truth(x != y), nil
	case "&":
		return x & y, nil
	case "^":
		return x ^ y, nil
	case "|":
		return x | y, nil
	}
	return 0, fmt.Errorf("unknown operator %q", e.Op)
}

// charValue packs up to 8 characters, the first one the most significant.
func charValue(s string) uint64 {
	var v uint64
	for i := range len(s) {
		v = v<<8 | uint64(s[i])
	}
	return v
}

var prefixes = map[byte]int{'x': 16, 'X': 16, 't': 10, 'T': 10, 'o': 8, 'O': 8, 'i': 2, 'I': 2}

// ParseNumber reads a number with MDB's prefixes: 0x, 0t, 0o and 0i for
// hexadecimal, decimal, octal and binary, else in the given radix. Digits may
// be grouped with "_". A decimal number with a point is a double's bits.
func ParseNumber(text string, radix int) (uint64, error) {
	digits := text
	if len(text) > 1 && text[0] == '0' {
		if r, ok := prefixes[text[1]]; ok {
			radix, digits = r, text[2:]
		}
	}
	if digits == "" {
		return 0, fmt.Errorf("%q has a prefix and no digits", text)
	}
	if radix == 10 && strings.Contains(digits, ".") {
		f, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			return 0, fmt.Errorf("%q is not a number", text)
		}
		return math.Float64bits(f), nil
	}
	plain := digits
	if strings.Contains(digits, "_") {
		if digits[0] == '_' || digits[len(digits)-1] == '_' {
			return 0, fmt.Errorf("%q: \"_\" belongs between digits", text)
		}
		plain = strings.ReplaceAll(digits, "_", "")
	}
	v, err := strconv.ParseUint(plain, radix, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%q does not fit in 64 bits", text)
	}
	if err != nil {
		return 0, fmt.Errorf("%q has a digit that radix %d does not have", text, radix)
	}
	return v, nil
}

// arg returns an operand's value, or its text.
func (ev *evaluator) arg(w Word) (Arg, error) {
	if len(w) == 1 && w[0].Expr != nil {
		v, err := ev.value(w[0].Expr)
		return Arg{Num: v, IsNum: true}, err
	}
	var b strings.Builder
	for _, p := range w {
		b.WriteString(p.Text)
	}
	return Arg{Text: b.String(), Parts: w}, nil
}

// named implements namer.
func (ev *evaluator) named(name string) bool {
	_, ok, err := ev.host.Symbol(name)
	return ok && err == nil
}

// meant implements namer.
func (ev *evaluator) meant(symbol, command string) bool {
	_, err := ev.host.Command("::" + command)
	return err == nil && ev.known(Ident{Text: symbol})
}

// known reports whether an expression has a value.
func (ev *evaluator) known(e Expr) bool {
	_, err := ev.value(e)
	return err == nil
}
