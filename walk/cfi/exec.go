package cfi

import "coredbg/core"

// The call frame instructions of DWARF 5 section 7.24, and vendors' instructions.
const (
	cfaAdvanceLoc = 0x40 // with the delta in the low six bits
	cfaOffset     = 0x80 // with the register
	cfaRestore    = 0xc0 // with the register

	cfaNop              = 0x00
	cfaSetLoc           = 0x01
	cfaAdvanceLoc1      = 0x02
	cfaAdvanceLoc2      = 0x03
	cfaAdvanceLoc4      = 0x04
	cfaOffsetExtended   = 0x05
	cfaRestoreExtended  = 0x06
	cfaUndefined        = 0x07
	cfaSameValue        = 0x08
	cfaRegister         = 0x09
	cfaRememberState    = 0x0a
	cfaRestoreState     = 0x0b
	cfaDefCFA           = 0x0c
	cfaDefCFARegister   = 0x0d
	cfaDefCFAOffset     = 0x0e
	cfaDefCFAExpression = 0x0f
	cfaExpression       = 0x10
	cfaOffsetExtendedSF = 0x11
	cfaDefCFASF         = 0x12
	cfaDefCFAOffsetSF   = 0x13
	cfaValOffset        = 0x14
	cfaValOffsetSF      = 0x15
	cfaValExpression    = 0x16
	cfaMIPSAdvanceLoc8  = 0x1d

	cfaAArch64NegateRAStateWithPC = 0x2c
	cfaAArch64NegateRAState       = 0x2d
	cfaGNUArgsSize                = 0x2e
	cfaGNUNegativeOffsetExtended  = 0x2f
)

// maxStates bounds the stack of DW_CFA_remember_state; compilers nest once.
const maxStates = 64

// A state is a row in the making.
type state struct {
	cfaReg  uint64 // DWARF number
	cfaOff  int64
	cfaExpr []byte
	rules   [core.MaxRegs]Rule
	signed  bool
}

// A machine executes the instructions of one CIE and one FDE.
type machine struct {
	s       *section
	f       *fde
	pc      uint64 // stop before the row after it
	loc     uint64
	state   state
	initial state
	stack   []state
}

// execute returns the row of f that holds at pc.
func (s *section) execute(f *fde, pc uint64) (*Row, error) {
	m := &machine{s: s, f: f, pc: pc}
	return m.execute()
}

func (m *machine) execute() (*Row, error) {
	f := m.f
	m.loc = f.begin
	if err := m.run(f.cie.start, f.cie.end); err != nil {
		return nil, err
	}
	m.initial, m.loc, m.stack = m.state, f.begin, m.stack[:0]
	if err := m.run(f.start, f.stop); err != nil {
		return nil, err
	}
	return m.row()
}

// slot returns the slot of a DWARF register, or -1. A return address column
// that is not a register of its own (riscv64 signal frames use 64) is the program
// counter.
func (m *machine) slot(reg uint64) int {
	i := m.s.arch.Slot(reg)
	if i < 0 && reg == m.f.cie.ra {
		return m.s.arch.PC
	}
	return i
}

func (m *machine) set(reg uint64, r Rule) {
	if i := m.slot(reg); i >= 0 && i < core.MaxRegs {
		m.state.rules[i] = r
	}
}

func (m *machine) restore(reg uint64) {
	if i := m.slot(reg); i >= 0 && i < core.MaxRegs {
		m.state.rules[i] = m.initial.rules[i]
	}
}

// run executes the instructions between two offsets, up to the row of m.pc.
func (m *machine) run(start, end int) error {
	r := m.s.reader(start, end)
	for r.More() {
		at := r.Off
		op := r.U8()
		var err error
		switch op & 0xc0 {
		case cfaAdvanceLoc:
			m.loc += uint64(op&0x3f) * m.f.cie.codeAlign
		case cfaOffset:
			m.set(uint64(op&0x3f), Rule{Kind: Offset, Off: int64(r.ULEB()) * m.f.cie.dataAlign})
		case cfaRestore:
			m.restore(uint64(op & 0x3f))
		default:
			err = m.extended(op, at, &r)
		}
		if err != nil {
			return err
		}
		if r.Bad {
			return m.s.fail(at, "call frame instruction cut short", op)
		}
		if m.loc > m.pc {
			return nil
		}
	}
	return nil
}

// extended executes the instructions that are a byte of their own.
func (m *machine) extended(op uint8, at int, r *reader) error {
	align := m.f.cie.dataAlign
	switch op {
	case cfaNop:
	case cfaSetLoc:
		b := m.s.base
		b.ptr, b.fn = m.f.cie.ptr, m.f.begin
		m.loc = r.pointer(m.f.cie.fdeEnc, &b)
	case cfaAdvanceLoc1:
		m.loc += uint64(r.U8()) * m.f.cie.codeAlign
	case cfaAdvanceLoc2:
		m.loc += uint64(r.U16()) * m.f.cie.codeAlign
	case cfaAdvanceLoc4:
		m.loc += uint64(r.U32()) * m.f.cie.codeAlign
	case cfaMIPSAdvanceLoc8:
		m.loc += r.U64() * m.f.cie.codeAlign
	case cfaRestoreExtended:
		m.restore(r.ULEB())
	case cfaRememberState:
		if len(m.stack) >= maxStates {
			return m.s.fail(at, "remembered states nest deeper than", maxStates)
		}
		m.stack = append(m.stack, m.state)
	case cfaRestoreState:
		if len(m.stack) == 0 {
			return m.s.fail(at, "restores a state that was not remembered", nil)
		}
		m.state = m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
	case cfaDefCFA:
		m.defCFA(r.ULEB(), int64(r.ULEB()))
	case cfaDefCFASF:
		m.defCFA(r.ULEB(), r.SLEB()*align)
	case cfaDefCFARegister:
		m.defCFA(r.ULEB(), m.state.cfaOff)
	case cfaDefCFAOffset:
		m.state.cfaOff = int64(r.ULEB())
	case cfaDefCFAOffsetSF:
		m.state.cfaOff = r.SLEB() * align
	case cfaDefCFAExpression:
		m.state.cfaExpr = r.block()
	case cfaAArch64NegateRAState, cfaAArch64NegateRAStateWithPC:
		// On SPARC 0x2d is DW_CFA_GNU_window_save; it is not supported.
		m.state.signed = !m.state.signed
	case cfaGNUArgsSize:
		r.ULEB()
	default:
		return m.rule(op, at, r)
	}
	return nil
}

func (m *machine) defCFA(reg uint64, off int64) {
	m.state.cfaReg, m.state.cfaOff, m.state.cfaExpr = reg, off, nil
}

// rule executes the instructions that give one register its rule.
func (m *machine) rule(op uint8, at int, r *reader) error {
	align := m.f.cie.dataAlign
	reg := r.ULEB()
	switch op {
	case cfaUndefined:
		m.set(reg, Rule{Kind: Undefined})
	case cfaSameValue:
		m.set(reg, Rule{Kind: SameValue})
	case cfaRegister:
		rule := Rule{Kind: Undefined}
		if from := m.slot(r.ULEB()); from >= 0 {
			rule = Rule{Kind: Register, Reg: int8(from)}
		}
		m.set(reg, rule)
	case cfaOffsetExtended:
		m.set(reg, Rule{Kind: Offset, Off: int64(r.ULEB()) * align})
	case cfaOffsetExtendedSF:
		m.set(reg, Rule{Kind: Offset, Off: r.SLEB() * align})
	case cfaGNUNegativeOffsetExtended:
		m.set(reg, Rule{Kind: Offset, Off: -int64(r.ULEB()) * align})
	case cfaValOffset:
		m.set(reg, Rule{Kind: ValOffset, Off: int64(r.ULEB()) * align})
	case cfaValOffsetSF:
		m.set(reg, Rule{Kind: ValOffset, Off: r.SLEB() * align})
	case cfaExpression:
		m.set(reg, Rule{Kind: Expression, Expr: r.block()})
	case cfaValExpression:
		m.set(reg, Rule{Kind: ValExpression, Expr: r.block()})
	default:
		return m.s.fail(at, "call frame instruction", op)
	}
	return nil
}

// row compiles the state to the compact form.
func (m *machine) row() (*Row, error) {
	row := &Row{arch: m.s.arch, CFAOff: m.state.cfaOff, CFAExpr: m.state.cfaExpr,
		RASigned: m.state.signed, Signal: m.f.cie.signal}
	cfa := m.slot(m.state.cfaReg)
	if cfa < 0 && row.CFAExpr == nil {
		return nil, m.s.fail(m.f.off, "CFA in a register that is not supported", m.state.cfaReg)
	}
	ra := m.slot(m.f.cie.ra)
	if ra < 0 {
		return nil, m.s.fail(m.f.off, "return address column", m.f.cie.ra)
	}
	row.CFAReg, row.RA = int8(cfa), int8(ra)
	n := 0
	for i := range m.state.rules {
		if m.state.rules[i].Kind != Unspecified {
			n++
		}
	}
	row.Rules = make([]SlotRule, 0, n)
	for i := range m.state.rules {
		if m.state.rules[i].Kind != Unspecified {
			row.Rules = append(row.Rules, SlotRule{Slot: int8(i), Rule: m.state.rules[i]})
		}
	}
	return row, nil
}
