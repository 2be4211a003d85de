package crash

import (
	"fmt"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/crash/fault"
	"coredbg/crash/where"
	"coredbg/stack"
)

// next are the commands that show more of a fault.
var nextOfFault = []string{"::siginfo", "$C", "<pc::dis", "::regs"}

// titles of faults, before the place.
var faultTitles = map[bugs.Cause]string{
	bugs.NullDereference:    "null pointer dereferenced",
	bugs.NullCall:           "null function pointer called",
	bugs.WildPointer:        "wild pointer",
	bugs.UseAfterFree:       "memory used after it was freed",
	bugs.StackOverflow:      "stack overflow",
	bugs.StackSmash:         "return address overwritten",
	bugs.IllegalInstruction: "illegal instruction",
	bugs.Misaligned:         "misaligned access",
	bugs.TagMismatch:        "memory accessed by a pointer with another tag than it has",
	bugs.HeapCorruption:     "heap corrupted",
	bugs.DoubleFree:         "block freed twice",
	bugs.InvalidFree:        "pointer freed that is not the start of a block",
	bugs.BadSystemCall:      "forbidden system call",
	bugs.BusTruncatedFile:   "access to a page that a mapped file does not have",
	bugs.DivideByZero:       "division by zero",
}

// overflowed completes f if recursion has used the stack up, and reports whether it has.
func (x *examination) overflowed(f *finding) bool {
	if x.stack == nil || f.cause == bugs.NullCall || f.cause == bugs.DivideByZero || f.cause == bugs.Misaligned {
		return false
	}
	c, ok := recursion(x.stack.Frames)
	if !ok || f.cause != bugs.StackOverflow && (x.fault.Signal == nil || x.fault.Signal.Unix() != "SIGSEGV" ||
		!x.belowStack()) {
		return false
	}
	f.cause, f.sure = bugs.StackOverflow, bugs.Certain
	f.evidence = append([]string{c.String()}, f.evidence...)
	f.title = "stack overflow: " + c.short()
	if m := x.calledBy(&c); m != "" {
		f.title += ", called by " + m
	}
	f.next = []string{"::stack -n 50", "::stacks", "::mappings"}
	return true
}

// refused is what the processor did.
func (x *examination) refused() (finding, bool) {
	f := finding{cause: x.fault.Cause, sure: x.fault.Sure, evidence: x.fault.Words, next: nextOfFault}
	if x.overflowed(&f) {
		return f, true
	}
	if f.cause == bugs.None {
		return finding{}, false
	}
	x.largeFrame(&f)
	heapExam{x}.heapFault(&f)
	heapExam{x}.freedTag(&f)
	f.title = faultTitles[f.cause]
	if x.fault.Title != "" && f.cause == x.fault.Cause {
		f.title = x.fault.Title
	}
	if !x.p.Executable(x.fault.PC) || x.fault.NotCode != "" {
		f.next = []string{"::siginfo", "$C", "::regs"} // there are no instructions
	}
	if g := x.fault.Signal; g != nil && g.CodeName == "SEGV_MTESERR" {
		f.next = append([]string{g.Addr.String() + "::memtag"}, f.next...)
	}
	if g := x.fault.Signal; f.cause == bugs.NullDereference && g != nil && g.HasAddr {
		if at := where.Untagged(x.p.Arch, g.Addr); at > 0 && at < where.NullPage {
			f.title += fmt.Sprintf(", member at %#x", uint64(at))
		}
	}
	if p := x.place(); p != nil {
		f.title += " in " + where.Frame(p)
		if c := x.culprit(); c != nil && c != p && where.OfSystem(p) && !where.OfSystem(c) {
			f.title += ", called by " + where.Frame(c) // a library is seldom wrong
		}
	}
	made(&f, x.ran())
	if m := x.managed(); m != nil && !stack.Managed(&x.stack.Frames[0]) {
		f.evidence = append(f.evidence, "called from "+where.Frame(m))
		f.next = append(f.next, "::stacks")
	}
	return f, true
}

// belowStack reports whether the fault is next to the stack pointer: a stack that was used
// up, whose end nothing in the core shows.
func (x *examination) belowStack() bool {
	sp, ok := x.s.Thread.Regs.Get(x.p.Arch.SP)
	g := x.fault.Signal
	if !ok || !g.HasAddr {
		return false
	}
	d := int64(where.Untagged(x.p.Arch, g.Addr)) - int64(sp)
	return d > -fault.GuardReach && d < 4096
}

// maxFrame is how large a frame may be that a function can have asked for: a stack pointer
// that is farther from its caller's is more likely overwritten.
const maxFrame = 1 << 32

// largeFrame finds a frame that does not fit into the stack, as of alloca or of a large
// array: the stack pointer has gone past the guard, and the caller's is still in the stack.
func (x *examination) largeFrame(f *finding) {
	if f.cause != bugs.WildPointer || x.stack == nil || x.s.Thread == nil || x.fault.Signal == nil ||
		x.fault.Signal.Unix() != "SIGSEGV" || !x.belowStack() {
		return
	}
	sp, _ := x.s.Thread.Regs.Get(x.p.Arch.SP)
	low := core.Addr(sp)
	if _, mapped := x.p.Mapping(low); mapped {
		return
	}
	frames := x.faulted()
	for i := 1; i < len(frames); i++ {
		high := frames[i].SP
		if high == low {
			continue // inlined
		}
		m, ok := x.p.Mapping(high)
		if !ok || m.Prot&core.Write == 0 || low >= m.Start || high-low > maxFrame {
			return
		}
		f.cause, f.sure = bugs.StackOverflow, bugs.Likely
		f.evidence = append([]string{fmt.Sprintf("the frame of %s takes %d KiB, and goes %d KiB below the mapping of the stack, at %v",
			where.Frame(&frames[i-1]), uint64(high-low)>>10, uint64(m.Start-low)>>10, m.Start)}, f.evidence...)
		return
	}
}
