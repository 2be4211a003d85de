package dwarf

import "coredbg/core"

// Standard and extended opcodes of line number programs (DWARF 5, section 7.22).
const (
	lnsCopy           = 1
	lnsAdvancePC      = 2
	lnsAdvanceLine    = 3
	lnsSetFile        = 4
	lnsSetColumn      = 5
	lnsConstAddPC     = 8
	lnsFixedAdvancePC = 9

	lneEndSequence = 1
	lneSetAddress  = 2
	lneDefineFile  = 3
)

// A lineState is the machine that a program runs on (DWARF 5, section 6.2.2).
type lineState struct {
	addr, op     uint64
	file         uint64
	line, column int64
}

// Rows runs the program and calls visit for each row, in the program's order; the addresses of
// a sequence do not fall. Each row takes a byte of the section at least. It returns an error if the
// program is cut short: the rows before that are right.
func (p *LineProgram) Rows(visit func(LineRow)) error {
	b := p.code
	s := lineState{file: 1, line: 1}
	emit := func(end bool) {
		visit(LineRow{s.addr, int(min(s.file, 1<<31)), counted(s.line), counted(s.column), end})
	}
	for b.More() {
		op := b.U8()
		switch {
		case op >= p.opcodeBase:
			n := int64(op - p.opcodeBase)
			p.advance(&s, uint64(n/p.lineRange))
			s.line += p.lineBase + n%p.lineRange
			emit(false)
		case op == 0:
			size := b.ULEB()
			x := b.Part(size)
			if b.Bad {
				return b.Fail(lineSection, errLineEnd)
			}
			if p.extended(&s, &x) {
				emit(true)
				s = lineState{file: 1, line: 1}
			}
		case op == lnsCopy:
			emit(false)
		default:
			p.standard(&s, op, &b)
		}
	}
	if b.Bad {
		return b.Fail(lineSection, errLineEnd)
	}
	return nil
}

// counted returns a line or column number, or 0 if n cannot be one.
func counted(n int64) int {
	if n < 0 || n > 1<<30 {
		return 0
	}
	return int(n)
}

// advance moves the address by a number of operations (section 6.2.5.1).
func (p *LineProgram) advance(s *lineState, n uint64) {
	n += s.op
	s.addr += p.minLength * (n / p.maxOps)
	s.op = n % p.maxOps
}

// standard runs a standard opcode that makes no row.
func (p *LineProgram) standard(s *lineState, op uint8, b *core.Buf) {
	switch op {
	case lnsAdvancePC:
		p.advance(s, b.ULEB())
	case lnsAdvanceLine:
		s.line += b.SLEB()
	case lnsSetFile:
		s.file = b.ULEB()
	case lnsSetColumn:
		s.column = int64(min(b.ULEB(), 1<<31))
	case lnsConstAddPC:
		p.advance(s, uint64(int64(255-p.opcodeBase)/p.lineRange))
	case lnsFixedAdvancePC:
		s.addr += uint64(b.U16())
		s.op = 0
	default: // the header says how many operands it has
		for range p.lengths[op-1] {
			b.ULEB()
		}
	}
}

// extended runs an extended opcode, and reports whether it ends a sequence.
func (p *LineProgram) extended(s *lineState, b *core.Buf) bool {
	switch b.U8() {
	case lneEndSequence:
		return true
	case lneSetAddress:
		s.addr, s.op = b.Uint(min(len(b.Data)-b.Off, 8)), 0
	case lneDefineFile:
		if f, ok := plainName(b); ok && len(p.files) < maxLineNames {
			p.files = append(p.files, f)
		}
	}
	return false
}
