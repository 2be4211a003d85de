package bytecode

import (
	"errors"
	"fmt"

	"coredbg/runtimes/v8/layout"
)

// A Bytecode is one instruction of Ignition, V8's interpreter.
type Bytecode struct {
	Offset   int    // from the start of the function's bytecodes, in bytes
	Bytes    []byte // with the prefix
	Name     string // as V8 prints it: "LdaSmi.Wide"
	Operands []Operand
	// Targets are the offsets that it may jump to.
	Targets []int
}

// An Operand is an operand of a Bytecode.
type Operand struct {
	// Kind is register, registers, constant, feedback, context slot, flag,
	// immediate, runtime, intrinsic, or native context.
	Kind  string
	Value int64
	Text  string // as it is shown: "r0", "a1", "<this>", "[5]"
	// Count is how many registers a list has.
	Count int64
	// Constant is the entry of the constant pool, for constants.
	Constant layout.Tagged
}

// Registers is how a function's registers are numbered in operands: as words
// from the frame pointer, downwards (interpreter/bytecode-register.h).
type Registers struct {
	File          int  // the operand of r0
	Params        int  // with the receiver
	ReceiverFirst bool // the receiver is next to the return address
}

// Operands of the words that every frame of JavaScript has; see Layout.Frame.
const (
	operandContext = -1
	operandClosure = -2
	operandParam   = 2 // the first word after the return address
)

// name returns a register's name (interpreter/bytecode-register.cc:
// Register::ToString).
func (r Registers) name(operand int64) string {
	switch {
	case operand == operandContext:
		return "<context>"
	case operand == operandClosure:
		return "<closure>"
	case operand <= int64(r.File):
		return fmt.Sprintf("r%d", int64(r.File)-operand)
	case operand < operandParam:
		return fmt.Sprintf("<fp%+d>", 8*operand)
	}
	i := operand - operandParam
	if !r.ReceiverFirst {
		i = int64(r.Params) - 1 - i
	}
	if i == 0 {
		return "<this>"
	}
	return fmt.Sprintf("a%d", i-1)
}

// A Decoder decodes the bytecodes of one function.
type Decoder struct {
	Set       *Set
	Registers Registers
	Code      []byte
	// constant returns an entry of the constant pool.
	Constant func(i int64) (layout.Tagged, bool)
	// runtime returns the name of a runtime function, or "".
	Runtime func(id uint32) string
}

// maxJumpTable bounds the targets of one switch.
const maxJumpTable = 1 << 16

var errBytecodeCut = errors.New("ends inside a bytecode")

// next decodes the bytecode at offset at.
func (d *Decoder) next(at int) (Bytecode, error) {
	b := d.Code[at:]
	scale, prefix, suffix := 1, 0, ""
	// Wide, ExtraWide and their variants for the debugger are 0 to 3.
	switch b[0] {
	case 0, 2:
		scale, prefix, suffix = 2, 1, ".Wide"
	case 1, 3:
		scale, prefix, suffix = 4, 1, ".ExtraWide"
	}
	if len(b) <= prefix {
		return Bytecode{}, fmt.Errorf("bytecode at %d: %w", at, errBytecodeCut)
	}
	op := int(b[prefix])
	if op >= len(d.Set.names) || prefix == 1 && op < 4 {
		return Bytecode{}, fmt.Errorf("bytecode at %d: %d is none", at, op)
	}
	size := prefix + d.Set.size(op, scale)
	if size > len(b) {
		return Bytecode{}, fmt.Errorf("bytecode at %d: %s %w", at, d.Set.names[op], errBytecodeCut)
	}
	out := Bytecode{Offset: at, Bytes: b[:size:size], Name: d.Set.names[op] + suffix}
	kinds := d.Set.kinds[op]
	pos := prefix + 1
	for i := 0; i < len(kinds); i++ {
		n := kinds[i].size(scale)
		v := readOperand(b[pos:pos+n], kinds[i].signed())
		pos += n
		if kinds[i] == opList && i+1 < len(kinds) && kinds[i+1] == opCount {
			n := kinds[i+1].size(scale)
			out.Operands = append(out.Operands, d.list(v, readOperand(b[pos:pos+n], false)))
			pos += n
			i++
			continue
		}
		out.Operands = append(out.Operands, d.operand(kinds[i], v))
	}
	d.jumps(&out, d.Set.names[op], at+prefix)
	return out, nil
}

// readOperand reads a little-endian number of 1, 2 or 4 bytes. Bytecodes are
// written in the host's order; hosts with the other one are not known here.
func readOperand(b []byte, signed bool) int64 {
	var n uint64
	for i, x := range b {
		n |= uint64(x) << (8 * i)
	}
	if shift := 64 - 8*len(b); signed {
		return int64(n<<shift) >> shift
	}
	return int64(n)
}

func (d *Decoder) operand(k operandKind, v int64) Operand {
	o := Operand{Kind: "immediate", Value: v, Text: fmt.Sprintf("[%d]", v)}
	switch k {
	case opRegister:
		o.Kind, o.Text = "register", d.Registers.name(v)
	case opPair:
		return d.list(v, 2)
	case opTriple:
		return d.list(v, 3)
	case opFlag8, opFlag16:
		o.Kind, o.Text = "flag", fmt.Sprintf("#%d", v)
	case opConstant:
		o.Kind = "constant"
		o.Constant, _ = d.Constant(v)
	case opFeedback:
		o.Kind, o.Text = "feedback", fmt.Sprintf("FBV[%d]", v)
	case opEmbedded, opEmbedded8:
		o.Kind, o.Text = "embedded feedback", fmt.Sprintf("feedback %#x", v)
	case opContext:
		o.Kind = "context slot"
	case opRuntime:
		o.Kind = "runtime"
		o.named(d.Runtime(uint32(v)))
	case opIntrinsic:
		o.Kind = "intrinsic"
		o.named(d.Set.intrinsicName(uint32(v)))
	case opNative:
		o.Kind = "native context"
	}
	return o
}

func (o *Operand) named(name string) {
	if name != "" {
		o.Text = "[" + name + "]"
	}
}

// list is a run of registers; V8 prints an empty one as if it went backwards,
// here it is one that holds nothing.
func (d *Decoder) list(first, n int64) Operand {
	o := Operand{Kind: "registers", Value: first, Count: n}
	switch {
	case n == 0:
		o.Text = "()"
	default:
		o.Text = d.Registers.name(first) + "-" + d.Registers.name(first-n+1)
	}
	return o
}

// jumps fills in where a bytecode jumps to. Distances count from after the
// prefix (interpreter/bytecode-array-iterator.cc: GetAbsoluteOffset).
func (d *Decoder) jumps(b *Bytecode, name string, from int) {
	o := b.Operands
	target := func(distance int64) {
		if t := int64(from) + distance; t >= 0 && t < int64(len(d.Code)) {
			b.Targets = append(b.Targets, int(t))
		}
	}
	switch {
	case name == "JumpLoop" && len(o) > 0:
		target(-o[0].Value)
	case len(name) > 4 && name[:4] == "Jump" || name == "Jump":
		if len(o) > 0 && o[0].Kind == "constant" {
			if o[0].Constant.IsSmi() {
				target(o[0].Constant.Smi())
			}
		} else if len(o) > 0 {
			target(o[0].Value)
		}
	case name == "SwitchOnSmiNoFeedback" && len(o) == 3:
		d.table(o[0].Value, o[1].Value, target)
	case name == "SwitchOnGeneratorState" && len(o) == 3:
		d.table(o[1].Value, o[2].Value, target)
	}
}

// table reads the jump table of a switch from the constant pool; a hole is a
// case that does not occur.
func (d *Decoder) table(start, n int64, target func(int64)) {
	for i := range min(n, maxJumpTable) {
		c, ok := d.Constant(start + i)
		if !ok {
			return
		}
		if c.IsSmi() {
			target(c.Smi())
		}
	}
}

// All decodes the whole function. On an error it returns what is before it.
func (d *Decoder) All() ([]Bytecode, error) {
	var out []Bytecode
	for at := 0; at < len(d.Code); {
		b, err := d.next(at)
		if err != nil {
			return out, err
		}
		out = append(out, b)
		at += len(b.Bytes)
	}
	return out, nil
}
