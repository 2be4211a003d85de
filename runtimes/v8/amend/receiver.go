package amend

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// Receiver corrects where the receiver of a call is. Until V8 9.0 a build option says whether arguments are pushed from
// the last on, so that the receiver lies next to the return address, or in order, so that it comes after them
// (v8_enable_reverse_jsargs; BUILD.gn @ 8.7 has it on, Chromium 85 too, and Node 15 has it off). There are as many
// arguments as a function declares then, for an adaptor frame sees to it. A function that is called as one has undefined
// or the global proxy for a receiver, which is rare among arguments.
func (v *Build) Receiver() {
	l := &v.Layout.Frame
	if !v.Layout.Version.Before(9, 0) || l.ReceiverFirst == layout.Unknown {
		return
	}
	first, last := 0, 0
	for at, data := range v.stacks() {
		for i := 16; i+32 <= len(data); i += 8 {
			n := v.declared(at, data, i)
			if n <= 0 || i+16+8*n+8 > len(data) {
				continue
			}
			a, b := v.noReceiver(data[i+l.Args:]), v.noReceiver(data[i+l.Args+8*n:])
			switch {
			case a && !b:
				first++
			case b && !a:
				last++
			}
		}
	}
	value, exit := 0, layout.Unknown
	if first > last {
		value, exit = 1, exitReceiver
	}
	if value != l.ReceiverFirst && first != last {
		v.Layout.Probed("Frame", "ReceiverFirst", value)
		v.Layout.Probed("Frame", "ExitReceiver", exit)
	}
}

// exitReceiver is where the receiver of a builtin in C++ is from its frame pointer, if it is the first
// (execution/frame-constants.h @ 8.7).
const exitReceiver = 40

// declared returns how many arguments the function declares whose frame is in a stack at i; 0 if there is none.
func (v *Build) declared(at core.Addr, data []byte, i int) int {
	l := &v.Layout.Frame
	fp, pc := core.Addr(v.Order.Uint64(data[i:])), core.Addr(v.Order.Uint64(data[i+8:]))
	if fp <= at+core.Addr(i) || fp >= at+core.Addr(len(data)) || fp&7 != 0 || !v.Process.Executable(pc) || i+l.Function < 0 {
		return 0
	}
	fn := v.Full(v.Order.Uint64(data[i+l.Function:]))
	context := v.Full(v.Order.Uint64(data[i+l.ContextOrType:]))
	if !context.IsHeap() || !v.IsFunction(fn) {
		return 0
	}
	shared, ok := v.Objects.ClosureShared(fn)
	if _, has := v.Objects.BytecodeOf(shared); !ok || !has {
		return 0
	}
	n, ok := v.U16(shared.Addr().Add(int64(v.Layout.SharedFunctionInfo.Parameters)))
	if !ok || n > maxDeclared {
		return 0
	}
	return int(n)
}

// maxDeclared is more than the parameters of a function that is evidence.
const maxDeclared = 64

// noReceiver reports whether a word on the stack is what a function has for a receiver that is called as one.
func (v *Build) noReceiver(word []byte) bool {
	o := v.Full(v.Order.Uint64(word))
	return v.Is(o, v.Types.JSGlobalProxy) || v.Objects.OddballKind(o) == object.KindUndefined
}
