package native

import (
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/sym"
)

// Limits of what explanations look at.
const (
	nullPage    = 64 << 10 // addresses below are a null pointer plus an offset
	guardReach  = 64 << 10 // how far below its stack an overflow may hit
	nearMapping = 1 << 20  // how far from a mapping "near" reaches
	maxMessage  = 4 << 10  // bytes of an abort message
)

// symbolic returns a as module`symbol+0xoff, module+0xoff, or "".
func symbolic(s *commands.Session, a core.Addr) string {
	if y, off, ok := s.Symbols.Lookup(a); ok {
		name := sym.Clean(s.Symbols.Demangle(y.Name, true))
		if y.Module != nil {
			name = sym.Clean(y.Module.Name()) + "`" + name
		}
		if off != 0 {
			name += fmt.Sprintf("+%#x", off)
		}
		return name
	}
	if m := s.Process.Module(a); m != nil {
		return fmt.Sprintf("%s+%#x", sym.Clean(m.Name()), uint64(a-m.Start))
	}
	return ""
}

// crashed returns the thread that the signal hit, or nil.
func crashed(p *core.Process) *core.Thread {
	for _, t := range p.Threads {
		if t.Crashed {
			return t
		}
	}
	return nil
}

// signalWords says in one line what ended the process: "SIGSEGV (Segmentation
// fault), SEGV_MAPERR (address not mapped to object) at 0x10".
func signalWords(g *core.Signal) string {
	if g == nil {
		return "no signal recorded"
	}
	s := g.Name
	if s == "" {
		s = fmt.Sprintf("signal %d", g.Number)
	}
	if g.Text != "" {
		s += " (" + g.Text + ")"
	}
	if g.CodeName != "" {
		s += ", " + g.CodeName
		if g.CodeText != "" {
			s += " (" + g.CodeText + ")"
		}
	} else if g.Code != 0 {
		s += fmt.Sprintf(", code %d", g.Code)
	}
	if g.HasAddr {
		s += " at " + g.Addr.String()
	}
	if g.HasSender && g.PID != 0 {
		s += fmt.Sprintf(", sent by pid %d uid %d", g.PID, g.UID)
	}
	return s
}

// explain says what the signal means in this process, in clauses of growing
// detail; nil if there is nothing to add to the signal's own words.
func explain(s *commands.Session) []string {
	p := s.Process
	t := crashed(p)
	if p.Signal == nil || t == nil || p.Arch == nil {
		return nil
	}
	e := &explainer{s: s, p: p, t: t}
	pc, ok := t.Regs.Get(p.Arch.PC)
	if ok {
		e.pc = p.StripCode(core.Addr(pc))
	}
	switch p.Signal.Name {
	case "SIGSEGV", "SIGBUS":
		e.fault()
	case "SIGABRT":
		e.abort()
	case "SIGILL", "SIGTRAP", "SIGFPE", "SIGSYS":
		e.instruction()
	}
	return e.out
}

type explainer struct {
	s   *commands.Session
	p   *core.Process
	t   *core.Thread
	pc  core.Addr
	out []string
}

func (e *explainer) say(format string, args ...any) {
	e.out = append(e.out, fmt.Sprintf(format, args...))
}

// fault explains an access that the processor refused.
func (e *explainer) fault() {
	g := e.p.Signal
	if !g.HasAddr || g.CodeName == "SI_KERNEL" {
		e.refused()
		return
	}
	if g.HasSender && g.PID != 0 {
		return // somebody's kill, not an access
	}
	a := e.p.StripCode(g.Addr)
	if a == e.pc && !e.p.Executable(a) {
		e.jump(a)
		return
	}
	e.say("%s", e.whatLies(a))
	if text := asText(e.p, uint64(g.Addr)); text != "" {
		e.say("the address reads as text: %s", text)
	}
	if code := e.code(); code != "" {
		e.say("by %s", code)
	}
}

// refused explains a fault whose address the processor does not tell: x86
// reports accesses outside the canonical range and misaligned vector moves
// without one.
func (e *explainer) refused() {
	w, _ := e.p.Space.Slice(e.pc, maxInstruction)
	for _, x := range accesses(e.p.Arch, w, &e.t.Regs) {
		if canonical(e.p.Arch, x.Addr) {
			continue
		}
		e.say("access to %v (%s), which is not canonical: no pointer", x.Addr, x.Operand)
		if text := asText(e.p, uint64(x.Addr)); text != "" {
			e.say("the address reads as text: %s", text)
		}
	}
	e.returned(w)
	if len(e.out) == 0 {
		e.say("the kernel does not tell the address: not canonical, or misaligned")
	}
	if code := e.code(); code != "" {
		e.say("by %s", code)
	}
}

// returned explains a return to what is no address: the stack was overwritten.
func (e *explainer) returned(code []byte) {
	if e.p.Arch != core.AMD64 || len(code) == 0 || code[0] != 0xc3 && code[0] != 0xc2 {
		return
	}
	sp, _ := e.t.Regs.Get(e.p.Arch.SP)
	c := e.p.Cursor()
	to := c.Pointer(core.Addr(sp))
	if c.Err() != nil || canonical(e.p.Arch, to) {
		return
	}
	e.say("return to %v, which is not canonical: the return address on the stack was overwritten", to)
	if text := asText(e.p, uint64(to)); text != "" {
		e.say("it reads as text: %s", text)
	}
}

// canonical reports whether hardware accepts the address.
func canonical(arch *core.Arch, a core.Addr) bool {
	if arch != core.AMD64 {
		return true
	}
	top := uint64(a) >> 47
	return top == 0 || top == 1<<17-1
}

// jump explains a pc from which nothing can be fetched.
func (e *explainer) jump(a core.Addr) {
	switch _, mapped := e.p.Mapping(a); {
	case a < nullPage:
		e.say("call or jump to %v: a null function pointer", a)
	case mapped:
		e.say("jump to memory that is not executable: %s", e.whatLies(a))
	default:
		e.say("jump to an address that is %s", e.whatLies(a))
	}
	if text := asText(e.p, uint64(a)); text != "" {
		e.say("the address reads as text: %s: an overwritten return address or function pointer", text)
	}
}

// whatLies says what is at a, or near it if there is nothing.
func (e *explainer) whatLies(a core.Addr) string {
	if a < nullPage {
		if a == 0 {
			return "a null pointer"
		}
		return fmt.Sprintf("in the null page: a null pointer plus %#x", uint64(a))
	}
	if t := e.guard(a); t != nil {
		return fmt.Sprintf("in the guard below the stack of thread %d: stack overflow", t.TID)
	}
	if !canonical(e.p.Arch, a) {
		return "not a canonical address: no pointer"
	}
	if m, ok := e.p.Mapping(a); ok {
		s := fmt.Sprintf("in %s (%v)", mappingName(m), m.Prot)
		if name := symbolic(e.s, a); name != "" {
			s += ", " + name
		}
		if e.p.Signal.Name == "SIGBUS" && m.Path != "" {
			s += ": the file was cut below the mapping, or its medium failed"
		}
		return s
	}
	return near(e.p, a)
}

// near says which mapping is next to an address that is not mapped.
func near(p *core.Process, a core.Addr) string {
	if a < nullPage {
		return "not mapped: the null page"
	}
	var best core.Mapping
	bestDist, behind := uint64(nearMapping), false
	for _, m := range p.Mappings {
		if m.End <= a {
			if d := uint64(a - m.End); d < bestDist {
				best, bestDist, behind = m, d, true
			}
			continue
		}
		if d := uint64(m.Start - a); d <= bestDist {
			best, bestDist, behind = m, d, false
		}
		break
	}
	switch {
	case best.End == 0:
		return "not mapped, and no mapping is near"
	case behind:
		return fmt.Sprintf("not mapped, %#x bytes behind the end of %s", bestDist, mappingName(best))
	}
	return fmt.Sprintf("not mapped, %#x bytes below %s", bestDist, mappingName(best))
}

// guard returns the thread whose stack ends just above a, if its stack pointer
// says that it used the stack up.
func (e *explainer) guard(a core.Addr) *core.Thread {
	m, mapped := e.p.Mapping(a)
	if mapped && m.Prot != 0 {
		return nil
	}
	sp, ok := e.t.Regs.Get(e.p.Arch.SP)
	if !ok {
		return nil
	}
	// The stack pointer stands in the stack, or in the guard already.
	for _, at := range []core.Addr{core.Addr(sp), core.Addr(sp) + guardReach} {
		st, ok := e.p.Mapping(at)
		if ok && st.Prot&core.Write != 0 && st.Path != "[heap]" && a < st.Start && st.Start-a <= guardReach &&
			core.Addr(sp)-guardReach < st.Start {
			return e.t
		}
	}
	return nil
}

// code returns the instruction at the pc with its place.
func (e *explainer) code() string {
	where := symbolic(e.s, e.pc)
	w, _ := e.p.Space.Slice(e.pc, maxInstruction)
	in, ok := Disassemble(e.p.Arch, w, e.pc)
	if !ok || !disassemblable(e.p.Arch) {
		return where
	}
	text := strings.ReplaceAll(in.Text, "\t", " ")
	if where == "" {
		return text
	}
	return where + ": " + text
}

// instruction explains a trap.
func (e *explainer) instruction() {
	code := e.code()
	w, _ := e.p.Space.Slice(e.pc, 4)
	switch {
	case e.p.Signal.HasSender && e.p.Signal.PID != 0:
		return
	case e.p.Arch == core.AMD64 && e.p.Signal.Name == "SIGTRAP":
		// A breakpoint has been passed when it traps.
		if b, err := e.p.Space.Slice(e.pc-1, 1); err == nil && b[0] == 0xcc {
			e.pc--
			code = e.code()
			e.say("int3: a trap that the program has at this place (abort, failed check, breakpoint)")
		}
	case e.p.Arch == core.AMD64 && len(w) > 1 && w[0] == 0x0f && w[1] == 0x0b:
		e.say("ud2: a trap that the compiler put in (abort, unreachable code, failed check)")
	case e.p.Arch == core.ARM64 && len(w) == 4 && w[3] == 0xd4 && w[2]>>5 == 1:
		e.say("brk: a trap that the compiler put in (abort, unreachable code, failed check)")
	}
	if code != "" {
		e.say("at %s", code)
	}
}

// abort tells what the C library was told to say before it raised SIGABRT.
func (e *explainer) abort() {
	if msg := abortMessage(e.s); msg != "" {
		e.say("abort message: %s", sym.Clean(msg))
	}
}

// asText returns the printable bytes of a word that holds nothing else, in
// quotes and in the order of memory: the mark of a pointer that text was
// written over.
func asText(p *core.Process, v uint64) string {
	if p.Arch == nil || p.Arch.Order.String() != "LittleEndian" {
		return ""
	}
	var b []byte
	for ; v != 0; v >>= 8 {
		if c := byte(v); c < 0x20 || c > 0x7e {
			return ""
		}
		b = append(b, byte(v))
	}
	if len(b) < 4 {
		return ""
	}
	return fmt.Sprintf("%q", b)
}

// mappingName names a mapping in a sentence.
func mappingName(m core.Mapping) string {
	if m.Path == "" {
		return fmt.Sprintf("the anonymous mapping at %v", m.Start)
	}
	return sym.Clean(m.Path)
}
