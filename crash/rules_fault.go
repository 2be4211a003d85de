package crash

import (
	"fmt"
	"slices"
	"strings"

	"coredbg/runtimes"
	"coredbg/stack"
)

// next are the commands that show more of a fault.
var nextOfFault = []string{"::siginfo", "$C", "<pc::dis", "::regs"}

// titles of faults, before the place.
var faultTitles = map[Cause]string{
	NullDereference:    "null pointer dereferenced",
	NullCall:           "null function pointer called",
	WildPointer:        "wild pointer",
	UseAfterFree:       "memory used after it was freed",
	StackOverflow:      "stack overflow",
	StackSmash:         "return address overwritten",
	IllegalInstruction: "illegal instruction",
	Misaligned:         "misaligned access",
	HeapCorruption:     "heap corrupted",
	BadSystemCall:      "forbidden system call",
	BusTruncatedFile:   "access to a page that a mapped file does not have",
	DivideByZero:       "division by zero",
}

// refused is what the processor did.
func (x *examination) refused() (finding, bool) {
	f := finding{cause: x.fault.Cause, sure: x.fault.Sure, evidence: x.fault.Words, next: nextOfFault}
	if x.stack != nil && f.cause != NullCall && f.cause != DivideByZero && f.cause != Misaligned {
		if c, ok := recursion(x.stack.Frames); ok && (f.cause == StackOverflow || x.fault.Signal != nil && x.fault.Signal.Unix() == "SIGSEGV" && x.belowStack()) {
			f.cause, f.sure = StackOverflow, Certain
			f.evidence = append([]string{c.String()}, f.evidence...)
			f.title = "stack overflow: " + c.short()
			f.next = []string{"::stack -n 50", "::stacks", "::mappings"}
			return f, true
		}
	}
	if f.cause == None {
		return finding{}, false
	}
	x.heapFault(&f)
	f.title = faultTitles[f.cause]
	if x.fault.Title != "" && f.cause == x.fault.Cause {
		f.title = x.fault.Title
	}
	if !x.p.Executable(x.fault.PC) {
		f.next = []string{"::siginfo", "$C", "::regs"} // there are no instructions
	}
	if g := x.fault.Signal; f.cause == NullDereference && g != nil && g.HasAddr {
		if at := untagged(x.p.Arch, g.Addr); at > 0 && at < nullPage {
			f.title += fmt.Sprintf(", member at %#x", uint64(at))
		}
	}
	if p := x.place(); p != nil {
		f.title += " in " + where(p)
		if c := x.culprit(); c != nil && c != p && OfSystem(p) && !OfSystem(c) {
			f.title += ", called by " + where(c) // a library is seldom wrong
		}
	}
	if m := x.managed(); m != nil && !stack.Managed(&x.stack.Frames[0]) {
		f.evidence = append(f.evidence, "called from "+where(m))
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
	d := int64(untagged(x.p.Arch, g.Addr)) - int64(sp)
	return d > -guardReach && d < 4096
}

// place returns the first frame that says where it happened: not the machinery of giving
// up, and not a stub.
func (x *examination) place() *stack.Frame {
	frames := x.faulted()
	for i := range frames {
		f := &frames[i]
		if f.Name != "" && !x.noise(f) || f.Name == "" && x.ofExe(f) {
			return f
		}
	}
	return nil
}

// faulted returns the frames of the stack that were there when the first signal came: without
// those of the handler that has raised it again.
func (x *examination) faulted() []stack.Frame {
	if x.stack == nil {
		return nil
	}
	all := x.stack.Frames
	for i := range all {
		if i > 0 && all[i].PC == x.fault.PC && all[i-1].Kind == runtimes.Signal {
			return all[i:]
		}
	}
	return all
}

// ofExe reports whether a frame is of the executable, which is the program's own code
// even where it has no symbols.
func (x *examination) ofExe(f *stack.Frame) bool {
	m := x.p.Module(f.PC)
	return m != nil && m.Exe
}

// managed returns the first frame of managed code.
func (x *examination) managed() *stack.Frame {
	if x.stack == nil {
		return nil
	}
	for i := range x.stack.Frames {
		if f := &x.stack.Frames[i]; stack.Managed(f) && f.File != "" {
			return f
		}
	}
	return nil
}

func (x *examination) noise(f *stack.Frame) bool {
	return f.Kind == runtimes.Stub || f.Kind == runtimes.Signal || x.s.Noise != nil && x.s.Noise(f.Name)
}

// where says in a few words where a frame is.
func where(f *stack.Frame) string {
	s := f.Name
	switch {
	case s == "" && f.Module != "":
		s = f.Symbolic()
	case s == "":
		s = "<anonymous>"
	}
	if p := f.Position(); p != "" {
		s += " (" + p + ")"
	}
	return s
}

// A cycle is a recursion: functions that call each other, innermost first.
type cycle struct {
	functions []string
	depth     int // frames of it
	// frames are one turn of it, from the function whose name comes first: which one was
	// the last to run is chance.
	frames []stack.Frame
}

// How a recursion is known: functions of a cycle, and frames that it must take at least.
const (
	maxCycle     = 24
	minRecursion = 200
)

// recursion finds the functions that a deep stack repeats, by the frames after the first
// few: what it was doing when it ended need not be part of it.
func recursion(frames []stack.Frame) (cycle, bool) {
	for skip := 0; skip < maxCycle && len(frames)-skip > minRecursion; skip++ {
		list := frames[skip:]
		for n := 1; n <= maxCycle; n++ {
			depth := n
			for depth < len(list) && list[depth].Name == list[depth-n].Name && list[depth].Name != "" {
				depth++
			}
			if depth >= minRecursion {
				c := cycle{depth: depth}
				for i := range n {
					c.functions = append(c.functions, list[i].Name)
				}
				first := 0
				for i := range n {
					if c.functions[i] < c.functions[first] {
						first = i
					}
				}
				c.frames = slices.Concat(list[first:n], list[:first])
				return c, true
			}
		}
	}
	return cycle{}, false
}

// short names the functions of the cycle.
func (c *cycle) short() string {
	if len(c.functions) == 1 {
		return c.functions[0] + " calls itself"
	}
	return strings.Join(c.functions[:min(len(c.functions), 4)], ", ") + " call each other"
}

// String says what repeats how often.
func (c *cycle) String() string {
	return fmt.Sprintf("%s, in at least %d frames", c.short(), c.depth)
}
