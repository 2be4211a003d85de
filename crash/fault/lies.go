package fault

import (
	"fmt"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/crash/where"
)

// GuardReach is how far below its stack an overflow may hit.
const GuardReach = 64 << 10

// whatLies says what is at a, or near it if there is nothing. The kernel records an
// address of arm64 with its tag since Linux 5.11 (arch/arm64/mm/fault.c).
func (e *explainer) whatLies(a core.Addr) string {
	poison := where.Poisoned(uint64(a))
	a = where.Untagged(e.p.Arch, a)
	if a < where.NullPage {
		e.is(bugs.NullDereference, bugs.Certain)
		if a == 0 {
			return "a null pointer"
		}
		return fmt.Sprintf("in the null page: a null pointer plus %#x", uint64(a))
	}
	if t := e.guard(a); t != nil {
		e.is(bugs.StackOverflow, bugs.Likely)
		return fmt.Sprintf("in the guard below the stack of thread %d: stack overflow", t.TID)
	}
	if poison != "" {
		e.is(bugs.UseAfterFree, bugs.Possible)
	}
	if problem := where.NotAnAddress(e.p.Arch, a); problem != "" {
		e.is(bugs.WildPointer, bugs.Certain)
		return problem + ": no pointer"
	}
	if m, ok := e.p.Mapping(a); ok {
		s := fmt.Sprintf("in %s (%v)", where.MappingName(m), m.Prot)
		if name := where.Symbolic(e.s.Process, e.s.Symbols, a); name != "" {
			s += ", " + name
		}
		if e.g.Unix() == "SIGBUS" && m.Path != "" {
			e.is(bugs.BusTruncatedFile, bugs.Likely)
			e.titled(bugs.BusTruncatedFile, "access to a page that the mapped file "+core.BaseName(m.Path)+
				" does not have")
			s += ": the file was cut below the mapping, or its file system was full, or its medium failed"
		}
		e.is(bugs.WildPointer, bugs.Likely)
		return s
	}
	e.is(bugs.WildPointer, bugs.Likely)
	return where.Near(e.p, a)
}

// guard returns the thread whose stack ends just above a, if its stack pointer
// says that it used the stack up.
func (e *explainer) guard(a core.Addr) *core.Thread {
	m, mapped := e.p.Mapping(a)
	if mapped && m.Prot != 0 {
		return nil
	}
	sp, ok := e.regs.Get(e.p.Arch.SP)
	if !ok {
		return nil
	}
	// The stack pointer is in the stack, or in the guard already.
	for _, at := range []core.Addr{core.Addr(sp), core.Addr(sp) + GuardReach} {
		st, ok := e.p.Mapping(at)
		if ok && st.Prot&core.Write != 0 && st.Path != "[heap]" && a < st.Start && st.Start-a <= GuardReach &&
			core.Addr(sp)-GuardReach < st.Start {
			return e.t
		}
	}
	return nil
}
