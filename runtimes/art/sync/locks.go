package sync

import (
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/dex"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/object"
)

// A HeldLock is an object that a frame has locked and not yet unlocked.
type HeldLock struct {
	Object core.Addr // 0 if it is not known; Missing then says why
	// Class is the object's; nil if it is not known.
	Class   *object.Class
	Missing string
	// DexPC is the pc of the monitor-enter; it is not valid if Method is set.
	DexPC uint32
	// Method is set if the method itself is synchronized.
	Method bool
}

const accSynchronized = 0x20 // of native methods; others lock in their code

// maxLockSteps bounds the instructions that are gone through for one frame.
const maxLockSteps = 1 << 20

// Locks returns what frame n of an activation has locked, in the order of
// locking; see VRegs for n and regs. The instructions from the method's start to
// the frame's dex pc say which registers were locked, whichever way leads
// there, since Java's compilers pair monitor-enter and monitor-exit; ART asks
// its verifier for the same (runtime/monitor.cc, VisitLocks).
func (an *Analyzer) Locks(q *frame.Activation, n int, regs *core.Regs) []HeldLock {
	m, pc, known := q.Method, q.DexPC, q.HasDexPC
	if n < len(q.Inlined) {
		m, pc, known = q.Inlined[n].Method, q.Inlined[n].DexPC, true
	}
	if m.Native() {
		return an.nativeLock(m, q)
	}
	if !known || m.Code == nil || m.Dex == nil || m.Dex.File == nil {
		return nil
	}
	sites := lockSites(m.Dex.File, m.Code, pc)
	if len(sites) == 0 {
		return nil
	}
	if regs == nil {
		regs = &core.Regs{}
	}
	read := an.Registers(q, n, m, regs)
	var out []HeldLock
	for _, s := range sites {
		h := HeldLock{DexPC: s.pc}
		switch r := read(int(s.register)); {
		case r.Missing != "":
			h.Missing = r.Missing
		default:
			h.Object = core.Addr(r.Bits)
			if h.Class = an.ClassOf(h.Object); h.Class == nil {
				h.Object, h.Missing = 0, "its register holds no object any more"
			}
		}
		out = append(out, h)
	}
	return out
}

// nativeLock returns what a synchronized native method has locked: its class if
// it is static, else its receiver, once the frame's thread owns that.
func (an *Analyzer) nativeLock(m *code.Method, q *frame.Activation) []HeldLock {
	t := an.threadOnStack(q.At)
	if m.Access&accSynchronized == 0 || t == nil {
		return nil
	}
	if m.Static() {
		if !an.owns(t, m.DeclaringClass) {
			return nil // it waits
		}
		return []HeldLock{{Method: true, Object: m.DeclaringClass, Class: an.ClassOf(m.DeclaringClass)}}
	}
	for _, at := range an.receivers(q) {
		if r, ok := an.Ref(at); ok && an.isInstance(r, m.DeclaringClass) && an.owns(t, r) {
			return []HeldLock{{Method: true, Object: r, Class: an.ClassOf(r)}}
		}
	}
	if t.State == "Blocked" && an.isInstance(t.MonitorEnter, m.DeclaringClass) {
		return nil
	}
	return []HeldLock{{Method: true, Missing: "its receiver was not found"}}
}

// receivers returns where the frame of a native method may have the reference to
// its receiver: first in a HandleScope {link, count, references} above the
// ArtMethod, or in Android 11 below the frame of the generic stub, until 11; in
// the caller's registers for arguments since 12 (runtime/stack.cc,
// StackVisitor::GetThisObject).
func (an *Analyzer) receivers(q *frame.Activation) []core.Addr {
	word := core.Addr(an.PtrSize)
	out := []core.Addr{q.At + word + word + 4, q.At + core.Addr(q.Size) + word}
	for at := q.At - 4; at >= q.At-belowFrame && at < q.At; at -= 4 {
		out = append(out, at)
	}
	return out
}

// belowFrame is how far below a generic stub's frame its HandleScope may begin.
const belowFrame = 256

// threadOnStack returns the thread whose stack holds an address.
func (an *Analyzer) threadOnStack(at core.Addr) *frame.Thread {
	all, _ := an.Threads()
	for _, t := range all {
		if at >= t.StackBegin && uint64(at-t.StackBegin) < t.StackSize {
			return t
		}
	}
	return nil
}

// owns reports whether a thread has locked an object.
func (an *Analyzer) owns(t *frame.Thread, object core.Addr) bool {
	m, err := an.Monitor(object)
	return err == nil && m.Owner == t
}

// isInstance reports whether an object's class is class or extends it.
func (an *Analyzer) isInstance(o, class core.Addr) bool {
	c := an.ClassOf(o)
	if c == nil {
		return false
	}
	return c.Addr == class || slices.ContainsFunc(an.Supers(c), func(s *object.Class) bool { return s.Addr == class })
}

// A lockSite is a monitor-enter that is in force.
type lockSite struct {
	pc       uint32
	register uint16
}

// A lockState is a place in a method with the locks that are held before it is
// executed.
type lockState struct {
	pc   uint32
	held []lockSite
}

// lockSites finds a way through the control flow from a method's start to a dex
// pc and returns the locks that are held there.
func lockSites(f *dex.File, c *dex.Code, target uint32) []lockSite {
	units, err := f.Instructions(c)
	if err != nil || uint64(target) >= uint64(len(units)) ||
		!slices.ContainsFunc(units, func(u uint16) bool { return u&0xff == opMonitorEnter }) {
		return nil
	}
	tries, _ := f.Tries(c)
	seen := make([]bool, len(units))
	todo := []lockState{{}}
	for steps := 0; len(todo) > 0 && steps < maxLockSteps; steps++ {
		s := todo[0]
		todo = todo[1:]
		if int64(s.pc) >= int64(len(units)) || seen[s.pc] {
			continue
		}
		seen[s.pc] = true
		if s.pc == target {
			return s.held
		}
		in, err := dex.Decode(units, s.pc)
		if err != nil {
			continue
		}
		for _, t := range tries {
			if t.Start <= s.pc && s.pc < t.End {
				for _, h := range t.Handlers {
					todo = append(todo, lockState{h.PC, s.held})
				}
			}
		}
		todo = append(todo, follow(in, units, locksAfter(in, s.held))...)
	}
	return nil
}

const (
	opMonitorEnter = 0x1d
	opMonitorExit  = 0x1e
)

// locksAfter returns the locks that are held after an instruction.
func locksAfter(in dex.Instruction, held []lockSite) []lockSite {
	if len(in.Registers) != 1 {
		return held
	}
	switch in.Op {
	case opMonitorEnter:
		return append(slices.Clone(held), lockSite{in.PC, in.Registers[0]})
	case opMonitorExit:
		for i, s := range slices.Backward(held) {
			if s.register == in.Registers[0] {
				return slices.Delete(slices.Clone(held), i, i+1)
			}
		}
		if len(held) > 0 { // another register with the same object
			return held[:len(held)-1]
		}
	}
	return held
}

// follow returns where an instruction leads, other than to handlers.
func follow(in dex.Instruction, units []uint16, held []lockSite) []lockState {
	var out []lockState
	switch {
	case strings.HasPrefix(in.Name, "return"), in.Name == "throw":
		return nil
	case strings.HasPrefix(in.Name, "goto"):
		return []lockState{{in.Target, held}}
	case strings.HasPrefix(in.Name, "if-"):
		out = append(out, lockState{in.Target, held})
	case strings.HasSuffix(in.Name, "-switch"):
		if p, err := dex.Decode(units, in.Target); err == nil && p.Payload != nil {
			for _, k := range p.Payload.Cases {
				out = append(out, lockState{in.PC + uint32(k.Offset), held})
			}
		}
	}
	return append(out, lockState{in.PC + uint32(max(in.Size, 1)), held})
}
