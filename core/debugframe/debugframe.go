// Package debugframe writes sections .debug_frame, for unwind information that says in
// another way what call frame information of DWARF does.
//
// Source: DWARF 5, section 6.4. There is one CIE, of version 3, with factors of 1.
package debugframe

import "coredbg/core"

// MaxSize bounds a section in bytes: what comes after it is left out.
const MaxSize = 1 << 30

// Operations of expressions that rules need (DWARF 5, section 2.5.1).
const (
	OpDeref  = 0x06
	OpConsts = 0x11
	OpPick   = 0x15
	OpAnd    = 0x1a
	OpDiv    = 0x1b
	OpMinus  = 0x1c
	OpMod    = 0x1d
	OpMul    = 0x1e
	OpNeg    = 0x1f
	OpPlus   = 0x22
	OpBregx  = 0x92
)

// Instructions (DWARF 5, section 6.4.2).
const (
	cfaAdvance1      = 0x02
	cfaAdvance4      = 0x04
	cfaUndefined     = 0x07
	cfaSameValue     = 0x08
	cfaRegister      = 0x09
	cfaDefCFA        = 0x0c
	cfaDefCFAExpr    = 0x0f
	cfaOffsetExtSF   = 0x11
	cfaValExpression = 0x16
)

// A Writer makes a section.
type Writer struct {
	arch *core.Arch
	ra   int
	b    []byte
}

// New returns a writer of a section of an architecture. The return address is the rule of the link
// register, or else of the program counter. Initial writes rules that hold unless a description says
// otherwise; it may be nil.
func New(arch *core.Arch, initial func(*Writer)) *Writer {
	w := &Writer{arch: arch, ra: arch.LR}
	if w.ra < 0 {
		w.ra = arch.PC
	}
	w.record(func() {
		w.u32(^uint32(0))
		w.b = append(w.b, 3, 0, 1, 1, byte(w.ra))
		if initial != nil {
			initial(w)
		}
	})
	return w
}

// RA returns the register of the return address.
func (w *Writer) RA() int { return w.ra }

// Bytes returns the section.
func (w *Writer) Bytes() []byte { return w.b }

// record appends what body writes with its length before it.
func (w *Writer) record(body func()) {
	if len(w.b) > MaxSize {
		return
	}
	at := len(w.b)
	w.b = append(w.b, 0, 0, 0, 0)
	body()
	for len(w.b)%w.arch.PtrSize != 0 {
		w.b = append(w.b, 0) // DW_CFA_nop
	}
	w.arch.Order.PutUint32(w.b[at:], uint32(len(w.b)-at-4))
}

// FDE writes the description of code, of size bytes at a link-time address.
func (w *Writer) FDE(start, size uint64, body func()) {
	w.record(func() {
		w.u32(0)
		w.addr(start)
		w.addr(size)
		body()
	})
}

// Advance says that what follows holds from n bytes further on.
func (w *Writer) Advance(n uint64) {
	switch {
	case n == 0:
	case n < 1<<8:
		w.b = append(w.b, cfaAdvance1, byte(n))
	default:
		w.b = append(w.b, cfaAdvance4)
		w.u32(uint32(n))
	}
}

// DefCFA says that the CFA is a register plus off bytes.
func (w *Writer) DefCFA(reg int, off uint64) {
	w.b = append(w.b, cfaDefCFA)
	w.uleb(uint64(reg))
	w.uleb(off)
}

// DefCFAExpr says that the CFA is the value of an expression.
func (w *Writer) DefCFAExpr(expr []byte) { w.block(cfaDefCFAExpr, -1, expr) }

// Offset says that a register is saved at off bytes from the CFA.
func (w *Writer) Offset(reg int, off int64) {
	w.b = append(w.b, cfaOffsetExtSF)
	w.uleb(uint64(reg))
	w.b = AppendSLEB(w.b, off)
}

// Value says that a register is the value of an expression, whose stack begins with the CFA.
func (w *Writer) Value(reg int, expr []byte) { w.block(cfaValExpression, reg, expr) }

// Register says that a register is in another one.
func (w *Writer) Register(reg, from int) {
	if reg == from {
		w.b = append(w.b, cfaSameValue)
		w.uleb(uint64(reg))
		return
	}
	w.b = append(w.b, cfaRegister)
	w.uleb(uint64(reg))
	w.uleb(uint64(from))
}

// Undefined says that a register cannot be known.
func (w *Writer) Undefined(reg int) {
	w.b = append(w.b, cfaUndefined)
	w.uleb(uint64(reg))
}

func (w *Writer) u32(v uint32) {
	w.b = append(w.b, 0, 0, 0, 0)
	w.arch.Order.PutUint32(w.b[len(w.b)-4:], v)
}

func (w *Writer) addr(v uint64) {
	if w.arch.PtrSize == 4 {
		w.u32(uint32(v))
		return
	}
	w.b = append(w.b, make([]byte, 8)...)
	w.arch.Order.PutUint64(w.b[len(w.b)-8:], v)
}

func (w *Writer) uleb(v uint64) {
	for ; v >= 0x80; v >>= 7 {
		w.b = append(w.b, byte(v)|0x80)
	}
	w.b = append(w.b, byte(v))
}

// block writes an instruction with a register, unless that is negative, and an expression.
func (w *Writer) block(op byte, reg int, expr []byte) {
	w.b = append(w.b, op)
	if reg >= 0 {
		w.uleb(uint64(reg))
	}
	w.uleb(uint64(len(expr)))
	w.b = append(w.b, expr...)
}

// AppendSLEB appends a signed LEB128 number.
func AppendSLEB(b []byte, v int64) []byte {
	for {
		low := byte(v & 0x7f)
		v >>= 7
		if v == 0 && low&0x40 == 0 || v == -1 && low&0x40 != 0 {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}
