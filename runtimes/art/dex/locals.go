package dex

import "fmt"

// A Local is a variable of the source, for as long as it is in a register.
type Local struct {
	Register  uint32
	Name      string
	Type      string // descriptor
	Signature string // with generics; "" without them
	// Start and End are the dex pcs between which the register holds it; End
	// is exclusive.
	Start, End uint32
}

// maxLocals bounds the ranges of one method.
const maxLocals = 1 << 16

// Locals returns the variables of a method's code item, ordered by the ends of their ranges. It is empty
// without debug info. On an error it returns the part read so far, including variables whose name or type
// cannot be read.
func (f *File) Locals(c *Code, method uint32, static bool) ([]Local, error) {
	p, err := f.debug(c)
	if p == nil || err != nil {
		return nil, err
	}
	m, err := f.Method(method)
	l := &locals{f: f, code: c, live: make(map[uint32]*Local), last: make(map[uint32]Local), err: err}
	l.parameters(p, m, static)
	runErr := p.run(func(op debugOp) bool {
		l.step(op, p.address)
		return len(l.list) < maxLocals
	})
	if runErr == nil || l.err == nil {
		l.note(runErr)
	}
	for r := range uint32(c.Registers) {
		l.end(r, c.Units)
	}
	return l.list, l.err
}

// locals collects the variables of one method.
type locals struct {
	f    *File
	code *Code
	live map[uint32]*Local // by register
	last map[uint32]Local  // what END_LOCAL ended, which RESTART_LOCAL begins again
	list []Local
	err  error // the first
}

func (l *locals) note(err error) {
	if l.err == nil {
		l.err = err
	}
}

// text resolves a string; NoIndex is "".
func (l *locals) text(i uint32) string {
	if i == NoIndex {
		return ""
	}
	s, err := l.f.String(i)
	l.note(err)
	return s
}

// parameters begins this and the parameters, which are in the last registers; long and double take two. For a
// parameter without a name only the type is known.
func (l *locals) parameters(p *debugProgram, m Method, static bool) {
	reg := uint32(l.code.Registers - l.code.Ins)
	if !static {
		l.live[reg] = &Local{Register: reg, Name: "this", Type: m.Class}
		reg++
	}
	for i, d := range m.Proto.Params {
		if reg >= uint32(l.code.Registers) {
			l.note(fmt.Errorf("dex: the parameters of %s do not fit into its %d registers", m.Name, l.code.Registers))
			return
		}
		if i < len(p.params) && p.params[i] != NoIndex {
			l.live[reg] = &Local{Register: reg, Name: l.text(p.params[i]), Type: d}
		}
		reg++
		if d == "J" || d == "D" {
			reg++
		}
	}
}

// step follows one operation of the program.
func (l *locals) step(op debugOp, address uint32) {
	switch op.code {
	case dbgStartLocal, dbgStartLocalExt, dbgEndLocal, dbgRestartLocal:
	default:
		return
	}
	if op.reg >= uint32(l.code.Registers) {
		l.note(fmt.Errorf("dex: debug_info of the code item at %v: it has no register %d", l.code.Addr, op.reg))
		return
	}
	l.end(op.reg, address)
	switch op.code {
	case dbgStartLocal, dbgStartLocalExt:
		v := &Local{Register: op.reg, Name: l.text(op.name), Signature: l.text(op.signature), Start: address}
		if op.typ != NoIndex {
			var err error
			v.Type, err = l.f.Type(op.typ)
			l.note(err)
		}
		l.live[op.reg] = v
	case dbgRestartLocal:
		if v, ok := l.last[op.reg]; ok {
			v.Start = address
			l.live[op.reg] = &v
		}
	}
}

// end ends the variable of a register. An empty range is left out: d8 begins
// parameters of generic types twice.
func (l *locals) end(reg, address uint32) {
	v := l.live[reg]
	if v == nil {
		return
	}
	delete(l.live, reg)
	v.End = address
	l.last[reg] = *v
	if v.End > v.Start {
		l.list = append(l.list, *v)
	}
}
