package amend

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Limits of looking for frames of builtins in C++: words of a stack that are read, how far the number of
// their type may have moved, and more than the arguments of a call.
const (
	maxMarkerWords = 64 << 10
	maxMarkerShift = 2
	maxExitArgs    = 1 << 10
)

// Markers corrects the number of frames of builtins written in C++, and of those between it and that of
// constructors, which comes right after Internal: V8 11.7 has one of fast constructors there that 11.3 has
// not, and 8.7 one of adaptors that 9.2 has not. Such a frame has its function and the count of its
// arguments (execution/frame-constants.h: BuiltinExitFrameConstants).
func (v *Build) Markers() {
	construct, exit := -1, -1
	for n, name := range v.Memory.Markers {
		switch name {
		case "Construct":
			construct = n
		case "BuiltinExit":
			exit = n
		}
	}
	if construct < 0 || exit < construct || v.Layout.Frame.ExitTarget == layout.Unknown {
		return
	}
	votes := map[int]int{}
	v.exits(func(n int) { votes[n]++ })
	best := exit
	for n := max(exit-maxMarkerShift, construct+1); n <= exit+maxMarkerShift; n++ {
		if votes[n] > votes[best] {
			best = n
		}
	}
	if best == exit || votes[exit] > 0 {
		return
	}
	moved := layout.FrameTypes{}
	for n, name := range v.Memory.Markers {
		if n <= construct {
			moved[n] = name
		}
	}
	if best > exit {
		moved[construct+1] = "FastConstruct"
	}
	for n, name := range v.Memory.Markers {
		if to := n + best - exit; n > construct && to > construct {
			moved[to] = name
		}
	}
	v.Memory.Markers = moved
}

// exits visits the markers of what may be frames of builtins in C++: a pair of words on the stack, the frame
// pointer of the caller and a return address into code, with the marker below and the function above.
func (v *Build) exits(visit func(marker int)) {
	for _, th := range v.Process.Threads {
		sp, ok := th.Regs.Get(v.Process.Arch.SP)
		if !ok {
			continue
		}
		at := core.Addr(sp) &^ 7
		data, _ := core.ReadBytes(v.Space, at, 8*maxMarkerWords)
		target := v.Layout.Frame.ExitTarget
		for i := 8; i+target+16 <= len(data); i += 8 {
			fp, pc := v.Order.Uint64(data[i:]), v.Order.Uint64(data[i+8:])
			marker := v.Order.Uint64(data[i-8:])
			if marker&1 != 0 || marker == 0 || marker>>8 != 0 || core.Addr(fp) <= at+core.Addr(i) || core.Addr(fp) >= at+core.Addr(len(data)) {
				continue
			}
			fn, argc := v.Full(v.Order.Uint64(data[i+target:])), v.Full(v.Order.Uint64(data[i+target+8:]))
			if !v.Process.Executable(core.Addr(pc)) || !argc.IsSmi() || argc.Smi() < 0 || argc.Smi() > maxExitArgs || !v.IsFunction(fn) {
				continue
			}
			// Functions with bytecodes have no such frame.
			shared, ok := v.Objects.ClosureShared(fn)
			if _, has := v.Objects.BytecodeOf(shared); ok && !has {
				visit(int(marker >> 1))
			}
		}
	}
}
