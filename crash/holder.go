package crash

import (
	"fmt"

	"coredbg/core"
	"coredbg/core/insn"
	"coredbg/crash/bugs"
	"coredbg/crash/origin"
	"coredbg/crash/where"
	"coredbg/runtimes/malloc"
	"coredbg/stack"
)

// originFrames is how many frames the pointer at fault is followed through.
const originFrames = 8

// words are the words of memory that the pointer at fault was read from, the last one first;
// nil if that is not known.
func (x heapExam) words() []core.Addr {
	if x.s.Walk == nil || x.stack != nil && len(x.stack.Frames) > 0 && stack.Managed(&x.stack.Frames[0]) {
		return nil
	}
	return origin.Trace(x.ctx, x.code(), x.originFrames(originFrames))
}

// code is what a pointer is followed through.
func (x heapExam) code() *origin.Code {
	return &origin.Code{Process: x.p, Start: x.s.Walk.FuncStart}
}

// originFrames are the first n frames from the fault on, as the machine has them.
func (x heapExam) originFrames(n int) []origin.Frame {
	frames := []origin.Frame{{PC: x.fault.PC, Regs: x.fault.Regs.Regs}}
	for f, err := range x.s.Walk.WalkFrom(x.ctx, x.fault.Regs.Regs) {
		if err != nil || len(frames) == n {
			break
		}
		if f.PC == x.fault.PC && len(frames) == 1 || f.Trampoline {
			continue
		}
		if !f.Regs.Has(x.p.Arch.SP) {
			f.Regs.Set(x.p.Arch.SP, uint64(f.SP))
		}
		frames = append(frames, origin.Frame{PC: f.PC, Regs: f.Regs})
	}
	return frames
}

// heldBy asks the allocator for the words that the pointer was read from: heap is nil if no
// arena of glibc was found. It reports whether the memory was free or overrun.
func (x heapExam) heldBy(f *finding, heap *malloc.Heap, words []core.Addr) bool {
	for _, at := range words {
		if !x.ofHeap(at) {
			continue
		}
		if heap != nil {
			c, ok := heap.Chunk(x.ctx, at)
			switch {
			case ok && c.State == malloc.Used:
				x.across(f, heap, at)
				continue
			case ok:
				x.freed(f, at, &c)
				return true
			}
			if b := x.breakBefore(heap, at); b != nil {
				x.afterBreak(f, at, b)
				return true
			}
			if !ok && heap.Owner(x.ctx, at) != nil {
				continue // a record of the allocator
			}
		}
		x.unsure(f, at)
	}
	return false
}

// breakBefore returns the header before an address that was overwritten, if it is near.
func (x heapExam) breakBefore(heap *malloc.Heap, at core.Addr) *malloc.Break {
	broken := heap.Broken(x.ctx)
	for i := range broken {
		if b := &broken[i]; at >= b.At && at-b.At <= headerReach {
			return b
		}
	}
	return nil
}

// unsure says that the pointer was read from a heap whose allocator cannot be asked.
func (x heapExam) unsure(f *finding, at core.Addr) {
	if f.sure < bugs.Certain {
		return
	}
	f.sure = bugs.Likely
	f.evidence = append(f.evidence, fmt.Sprintf("the pointer was read from %v, in memory whose allocator is not known: whether it was freed does not show", at))
}

// ofHeap reports whether a is memory that an allocator may have given out: not a file's, nor a
// module's data, nor a stack.
func (x heapExam) ofHeap(a core.Addr) bool {
	m, ok := x.p.Mapping(a)
	if !ok || m.Prot&core.Write == 0 || x.p.Module(a) != nil {
		return false
	}
	if name := m.Path; name != "" && name != "[heap]" && name[0] == '/' || name == "[stack]" {
		return false
	}
	for _, t := range x.p.Threads {
		sp, ok := t.Regs.Get(x.p.Arch.SP)
		if low := core.Addr(sp) - redZone; ok && low >= m.Start && a >= low && a-low < stackReach {
			return false
		}
	}
	return true
}

// A thread's stack is taken to go so far above its stack pointer, and below it, in bytes.
const (
	stackReach = 8 << 20
	redZone    = 128
)

// bases are the values of the registers in the operand at fault that are too small for addresses.
func (x heapExam) bases() []core.Addr {
	code, _ := x.p.Space.Slice(x.fault.PC, insn.MaxLen)
	places, _ := insn.PlacesOf(x.p.Arch, code, x.fault.PC)
	var out []core.Addr
	for _, p := range places {
		if v, ok := x.fault.Regs.Get(p.Base); ok && core.Addr(v) < where.NullPage {
			out = append(out, core.Addr(v))
		}
	}
	return out
}
