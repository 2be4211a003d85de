package dex

import "fmt"

// The opcodes of debug_info programs (dex format, "State machine bytecode").
const (
	dbgEndSequence          = 0x00
	dbgAdvancePC            = 0x01
	dbgAdvanceLine          = 0x02
	dbgStartLocal           = 0x03
	dbgStartLocalExt        = 0x04
	dbgEndLocal             = 0x05
	dbgRestartLocal         = 0x06
	dbgSetPrologueEnd       = 0x07
	dbgSetEpilogueBegin     = 0x08
	dbgSetFile              = 0x09
	dbgFirstSpecial         = 0x0a
	dbgLineBase             = -4
	dbgLineRange            = 15
	maxDebugOps             = 1 << 20 // far above any method of 65536 code units
	maxDebugParams          = 255     // a method has at most this many words of arguments
	debugLineUnknown    int = -1
)

// A debugProgram runs the program of a debug_info_item.
type debugProgram struct {
	s       *stream
	address uint32
	line    int
	params  []uint32 // names, in string_ids; NoIndex if there is none
}

// A debugOp is one step that a program took.
type debugOp struct {
	code                 byte
	reg                  uint32
	name, typ, signature uint32 // indices; NoIndex if there is none
	position             bool   // a row of the table of lines was emitted
}

// debug begins the program of a code item; nil without one.
func (f *File) debug(c *Code) (*debugProgram, error) {
	if c.DebugInfo == 0 {
		return nil, nil
	}
	a, err := f.data("debug_info", c.DebugInfo)
	if err != nil {
		return nil, err
	}
	p := &debugProgram{s: f.stream(a)}
	p.line = int(int32(p.s.uleb()))
	n := p.s.uleb()
	if p.s.err == nil && n > maxDebugParams {
		p.s.err = fmt.Errorf("%d names of parameters are more than a method can have", n)
	}
	for i := uint32(0); i < n && p.s.err == nil; i++ {
		p.params = append(p.params, p.s.ulebp1())
	}
	return p, p.err()
}

func (p *debugProgram) err() error {
	if p.s.err == nil {
		return nil
	}
	return fmt.Errorf("dex: debug_info at %v: %w", p.s.at, p.s.err)
}

// run executes the program until it ends, fails, or visit returns false. visit gets the address and the line
// after the step.
func (p *debugProgram) run(visit func(op debugOp) bool) error {
	for range maxDebugOps {
		op := p.step()
		if p.s.err != nil {
			return p.err()
		}
		if !visit(op) || op.code == dbgEndSequence {
			return nil
		}
	}
	return fmt.Errorf("dex: debug_info at %v: does not end", p.s.at)
}

func (p *debugProgram) step() debugOp {
	s := p.s
	op := debugOp{code: s.u8(), name: NoIndex, typ: NoIndex, signature: NoIndex}
	switch op.code {
	case dbgEndSequence, dbgSetPrologueEnd, dbgSetEpilogueBegin:
	case dbgAdvancePC:
		p.address += s.uleb()
	case dbgAdvanceLine:
		p.line = int(int32(p.line) + s.sleb())
	case dbgStartLocal, dbgStartLocalExt:
		op.reg, op.name, op.typ = s.uleb(), s.ulebp1(), s.ulebp1()
		if op.code == dbgStartLocalExt {
			op.signature = s.ulebp1()
		}
	case dbgEndLocal, dbgRestartLocal:
		op.reg = s.uleb()
	case dbgSetFile:
		op.name = s.ulebp1()
	default:
		adj := int(op.code) - dbgFirstSpecial
		p.address += uint32(adj / dbgLineRange)
		p.line = int(int32(p.line) + int32(dbgLineBase+adj%dbgLineRange))
		op.position = true
	}
	return op
}

// A Line says that from a dex pc on a line of the source is executed.
type Line struct {
	PC   uint32 // in code units
	Line int
}

// Lines returns the table of lines of a code item in its own order, which is by dex pc. It is empty without
// debug info. On an error it returns the part read so far.
func (f *File) Lines(c *Code) ([]Line, error) {
	var lines []Line
	p, err := f.debug(c)
	if p == nil || err != nil {
		return nil, err
	}
	err = p.run(func(op debugOp) bool {
		if op.position {
			lines = append(lines, Line{p.address, p.line})
		}
		return true
	})
	return lines, err
}

// Line returns the line of a dex pc: the line of the last position at or before it, as ART's GetLineNumFromPC;
// -1 without one.
func (f *File) Line(c *Code, pc uint32) (int, error) {
	p, err := f.debug(c)
	if p == nil || err != nil {
		return debugLineUnknown, err
	}
	line := debugLineUnknown
	err = p.run(func(op debugOp) bool {
		if !op.position {
			return true
		}
		if p.address > pc {
			return false
		}
		line = p.line
		return p.address != pc
	})
	return line, err
}
