package dwarf

import (
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// A Frame is what expressions are evaluated with: a function's activation.
type Frame struct {
	Arch *core.Arch
	Mem  core.Memory
	// Regs are the frame's registers; what a walk has not recovered is not known.
	Regs *core.Regs
	// Wide returns the bytes of a register that Regs does not have, such as a vector register, by its
	// DWARF number. It may be nil.
	Wide func(reg uint64) []byte
	CFA  core.Addr // the canonical frame address; 0 if it is not known
	Bias core.Addr // added to link-time addresses of Data to get the process' addresses
	Data *Data     // of the image that the frame's code is in
	// PC is the link-time address that the frame is at: in the call, if it makes one. Return is
	// where that call returns to, 0 if the frame was interrupted.
	PC, Return uint64
	// Caller returns the frame that called this one, nil if it is not known.
	Caller func() *Frame
	// TLS returns the address of a thread-local variable by its offset in its module's block; it
	// may be nil.
	TLS func(off uint64) (core.Addr, error)
}

// The bounds of one evaluation.
const (
	maxOps    = 1 << 14
	maxStack  = 256
	maxPieces = 256
	maxEntry  = 16 // values at entry that depend on each other
)

// errNoObject is why an expression that starts from the address of a value has no result.
var errNoObject = errors.New("it depends on where the value lies, which is nowhere in memory as a whole")

// errDiscarded is why a variable has no place whose section linkers left out: they write 0 for its address.
var errDiscarded = errors.New("the linker left it out")

var errExpression = errors.New("its location is malformed")

// A word is an entry of the stack. Its type is a base type, or generic if t is nil.
type word struct {
	v uint64
	t *Type
}

// evaluator runs one expression.
type evaluator struct {
	f     *Frame
	u     *Unit
	fn    *Entry // the function, for its frame base; nil outside of one
	depth int
	cur   *core.Cursor

	ops    int // operations that were run
	calls  int // expressions that call each other
	stack  []word
	object *uint64 // what DW_OP_push_object_address pushes
	place  *piece  // where the value is, once an operation has said it
	pieces []piece
}

// evaluate runs an expression and returns where the value is that it describes.
func (f *Frame) evaluate(u *Unit, fn *Entry, expr []byte, depth int, first ...uint64) ([]piece, error) {
	if depth > maxEntry {
		return nil, errors.New("values that depend on each other without end")
	}
	x := &evaluator{f: f, u: u, fn: fn, depth: depth, cur: core.NewCursor(f.Mem, f.Arch.Order, f.Arch.PtrSize)}
	for _, v := range first {
		x.push(v)
		x.object = &v
	}
	return x.run(expr)
}

// value runs an expression whose result is a number, or the bytes of a register.
func (f *Frame) value(u *Unit, fn *Entry, expr []byte, depth int, first ...uint64) (uint64, error) {
	pieces, err := f.evaluate(u, fn, expr, depth, first...)
	if err != nil {
		return 0, err
	}
	return f.numberOf(pieces)
}

// numberOf returns the number that an expression without a place has computed.
func (f *Frame) numberOf(pieces []piece) (uint64, error) {
	if len(pieces) != 1 {
		return 0, errExpression
	}
	switch p := pieces[0]; {
	case p.err != nil:
		return 0, p.err
	case p.mem:
		return uint64(p.addr), nil
	case len(p.data) >= 8:
		return core.Fixed(p.data[:8], f.Arch.Order), nil
	default:
		return core.Fixed(p.data, f.Arch.Order), nil
	}
}

func (x *evaluator) run(expr []byte) ([]piece, error) {
	if err := x.steps(expr); err != nil {
		return nil, err
	}
	if len(x.pieces) > 0 {
		return x.pieces, nil
	}
	p, err := x.take()
	if err != nil {
		return nil, err
	}
	p.size = -1
	return []piece{p}, nil
}

// steps runs the operations of an expression.
func (x *evaluator) steps(expr []byte) error {
	b := core.Buf{Data: expr, Order: x.f.Arch.Order}
	for b.More() {
		if x.ops++; x.ops > maxOps {
			return errors.New("its location does not end")
		}
		op := b.U8()
		if err := x.step(op, &b); err != nil {
			return err
		}
		if b.Bad {
			return errExpression
		}
	}
	return nil
}

// call runs the location of another entry on the same stack (DWARF 5, section 2.5.1.5). An entry without
// a location does nothing.
func (x *evaluator) call(r ref) error {
	e := r.entry()
	if e == nil || x.calls >= maxEntry {
		return errExpression
	}
	expr, ok := e.attr(format.AtLocation).Block()
	if !ok {
		return nil
	}
	u := x.u
	x.u = e.u
	x.calls++
	err := x.steps(expr)
	x.calls--
	x.u = u
	return err
}

// take returns the place that the operations so far describe: the place that one of them named, or
// memory at the top of the stack.
func (x *evaluator) take() (piece, error) {
	if p := x.place; p != nil {
		x.place = nil
		return *p, nil
	}
	if len(x.stack) == 0 {
		return piece{err: ErrNoLocation}, nil // an empty piece
	}
	w, err := x.pop()
	return piece{mem: true, addr: core.Addr(w.v) & x.f.Arch.AddrMask()}, err
}

func (x *evaluator) push(v uint64) { x.pushTyped(word{v: v & x.mask()}) }

func (x *evaluator) pushTyped(w word) { x.stack = append(x.stack, w) }

// mask has the bits of a generic value.
func (x *evaluator) mask() uint64 { return uint64(x.f.Arch.AddrMask()) }

func (x *evaluator) pop() (word, error) {
	n := len(x.stack)
	if n == 0 {
		return word{}, errExpression
	}
	w := x.stack[n-1]
	x.stack = x.stack[:n-1]
	return w, nil
}

func (x *evaluator) step(op uint8, b *core.Buf) error {
	if len(x.stack) > maxStack {
		return errExpression
	}
	switch {
	case op >= format.OpLit0 && op < format.OpLit0+32:
		x.push(uint64(op - format.OpLit0))
	case op >= format.OpReg0 && op < format.OpReg0+32 || op == format.OpRegx:
		reg, _ := format.RegisterOf(op, b)
		p := x.register(reg)
		x.place = &p
	case op >= format.OpBreg0 && op < format.OpBreg0+32:
		return x.breg(uint64(op-format.OpBreg0), b.SLEB())
	case op >= format.OpConst1u && op <= format.OpConsts:
		x.push(format.Constant(op, b))
	case op >= format.OpAbs && op <= format.OpXor && op != format.OpPlusUconst, op >= format.OpEq && op <= format.OpNe:
		return x.arithmetic(op)
	case op >= format.OpDup && op <= format.OpRot, op == format.OpSkip, op == format.OpBra:
		return x.shuffle(op, b)
	case op >= format.OpFbreg && op != format.OpDerefSize && op != format.OpNop && op <= format.OpStackValue:
		return x.describe(op, b)
	default:
		return x.other(op, b)
	}
	return nil
}

// register returns the place that a register is.
func (x *evaluator) register(reg uint64) piece {
	a := x.f.Arch
	if v, ok := x.f.Regs.Get(a.Slot(reg)); ok {
		data := make([]byte, a.PtrSize)
		putFixed(data, v, a.Order)
		return piece{data: data, reg: true}
	}
	if x.f.Wide != nil {
		if data := x.f.Wide(reg); data != nil {
			return piece{data: data, reg: true}
		}
	}
	return piece{err: x.lostRegister(reg)}
}

func (x *evaluator) lostRegister(reg uint64) error {
	name := fmt.Sprintf("register %d", reg)
	if s := x.f.Arch.Slot(reg); s >= 0 && s < len(x.f.Arch.RegNames) {
		name = x.f.Arch.RegNames[s]
	}
	return fmt.Errorf("in %s, which is not known in this frame", name)
}

func (x *evaluator) breg(reg uint64, off int64) error {
	v, ok := x.f.Regs.Get(x.f.Arch.Slot(reg))
	if !ok {
		return x.lostRegister(reg)
	}
	x.push(v + uint64(off))
	return nil
}

// shuffle runs the operations that move entries of the stack or in the expression.
func (x *evaluator) shuffle(op uint8, b *core.Buf) error {
	n := len(x.stack)
	pick := func(i int) error {
		if i >= n {
			return errExpression
		}
		x.pushTyped(x.stack[n-1-i])
		return nil
	}
	switch op {
	case format.OpDup:
		return pick(0)
	case format.OpOver:
		return pick(1)
	case format.OpPick:
		return pick(int(b.U8()))
	case format.OpDrop:
		_, err := x.pop()
		return err
	case format.OpSwap:
		if n < 2 {
			return errExpression
		}
		x.stack[n-1], x.stack[n-2] = x.stack[n-2], x.stack[n-1]
	case format.OpRot:
		if n < 3 {
			return errExpression
		}
		x.stack[n-1], x.stack[n-2], x.stack[n-3] = x.stack[n-2], x.stack[n-3], x.stack[n-1]
	case format.OpSkip, format.OpBra:
		by := int(int16(b.U16()))
		to := b.Off + by
		if op == format.OpBra {
			w, err := x.pop()
			if err != nil || w.v == 0 {
				return err
			}
		}
		if to < 0 || to > len(b.Data) {
			return errExpression
		}
		b.Off = to
	}
	return nil
}

// piece ends a part of the value.
func (x *evaluator) piece(op uint8, b *core.Buf) error {
	p, err := x.take()
	if err != nil || len(x.pieces) >= maxPieces {
		return errExpression
	}
	size, off := b.ULEB(), uint64(0)
	if op == format.OpBitPiece {
		off = b.ULEB()
	} else if size <= maxBytes {
		size *= 8
	}
	if size > 8*maxBytes || off > 8*maxBytes {
		return errExpression
	}
	if (size%8 != 0 || off != 0) && format.BigEndian(x.f.Arch.Order) {
		p = piece{err: errors.New("its parts are not whole bytes")}
	}
	p.size, p.bit = int64(size), int64(off)
	x.pieces = append(x.pieces, p)
	return nil
}

// describe runs the operations that say where a value or a part of it is, and the operations that need
// the function's frame.
func (x *evaluator) describe(op uint8, b *core.Buf) error {
	switch op {
	case format.OpPiece, format.OpBitPiece:
		return x.piece(op, b)
	case format.OpImplicitValue:
		x.place = &piece{data: b.Bytes(b.ULEB())}
	case format.OpStackValue:
		w, err := x.pop()
		if err != nil {
			return err
		}
		data := make([]byte, 8)
		if format.BigEndian(x.f.Arch.Order) && w.t == nil {
			data = data[:x.f.Arch.PtrSize]
		}
		putFixed(data, w.v, x.f.Arch.Order)
		x.place = &piece{data: data, reg: true}
	case format.OpCallFrameCFA:
		if x.f.CFA == 0 {
			return errors.New("where its frame is is not known")
		}
		x.push(uint64(x.f.CFA))
	case format.OpFormTLSAddress:
		return x.tls()
	case format.OpFbreg:
		return x.fbreg(b.SLEB())
	case format.OpBregx:
		return x.breg(b.ULEB(), b.SLEB())
	case format.OpPushObjectAddress:
		if x.object == nil {
			return errNoObject
		}
		x.push(*x.object)
	case format.OpCall2:
		return x.call(ref{x.u.d, x.u.Off + format.Offset(b.U16())})
	case format.OpCall4:
		return x.call(ref{x.u.d, x.u.Off + format.Offset(b.U32())})
	case format.OpCallRef:
		return x.call(ref{x.u.d.main, format.Offset(b.Offset(x.u.w.DWARF64))})
	default:
		return fmt.Errorf("its location has operation %#x, which is not known", op)
	}
	return nil
}

func (x *evaluator) tls() error {
	w, err := x.pop()
	if err != nil {
		return err
	}
	if x.f.TLS == nil {
		return errors.New("where thread-local variables are is not known")
	}
	a, err := x.f.TLS(w.v)
	if err == nil {
		x.push(uint64(a))
	}
	return err
}

// fbreg pushes an address relative to the function's frame base.
func (x *evaluator) fbreg(off int64) error {
	if x.fn == nil {
		return errExpression
	}
	expr, err := x.u.location(x.fn.attr(format.AtFrameBase), x.f.PC)
	if err != nil {
		return fmt.Errorf("the frame base: %w", err)
	}
	base, err := x.f.value(x.u, nil, expr, x.depth+1)
	if err != nil {
		return fmt.Errorf("the frame base: %w", err)
	}
	x.push(base + uint64(off))
	return nil
}

// other runs the rest: memory, types, addresses by index, values at entry.
func (x *evaluator) other(op uint8, b *core.Buf) error {
	switch op {
	case format.OpNop, format.OpGNUUninit:
	case format.OpAddr:
		a := b.Uint(x.u.w.Addr)
		if a == 0 && !x.u.d.root.Object {
			return errDiscarded
		}
		x.push(a + uint64(x.f.Bias))
	case format.OpAddrx, format.OpGNUAddrIndex, format.OpConstx, format.OpGNUConstIndex:
		v, ok := x.u.indexedAddr(b.ULEB())
		if !ok {
			return errExpression
		}
		if op == format.OpAddrx || op == format.OpGNUAddrIndex {
			v += uint64(x.f.Bias)
		}
		x.push(v)
	case format.OpPlusUconst:
		w, err := x.pop()
		if err != nil {
			return err
		}
		x.pushTyped(x.fit(word{w.v + b.ULEB(), w.t}))
	case format.OpDeref:
		return x.deref(x.f.Arch.PtrSize, nil)
	case format.OpDerefSize:
		return x.deref(int(b.U8()), nil)
	case format.OpGNUPushTLSAddress:
		return x.tls()
	case format.OpImplicitPointer, format.OpGNUImplicitPointer:
		at := format.Offset(b.Offset(x.u.w.DWARF64))
		x.place = &piece{to: ref{x.u.d.main, at}, off: b.SLEB(), err: errors.New("what it points to has no address")}
	case format.OpEntryValue, format.OpGNUEntryValue:
		return x.entryValue(b.Bytes(b.ULEB()))
	case format.OpGNUParameterRef:
		return errors.New("the value at entry of a parameter that is not known")
	default:
		return x.typed(op, b)
	}
	return nil
}
