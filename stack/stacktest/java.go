// Package stacktest has stacks for the tests of packages that print them.
package stacktest

import (
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// Java returns a short stack of thread 7: native code, a native method, compiled code
// with an inlined method, a method whose file is not known, and native code again.
func Java() *stack.Stack {
	return &stack.Stack{Thread: &core.Thread{TID: 7, Name: "worker"}, Stop: &walk.StopError{Kind: walk.StopRoot},
		Frames: []stack.Frame{
			{Index: 0, Kind: runtimes.Native, Name: "__futex_wait", Module: "/lib/libc.so.6", Offset: 0x1b,
				HasOffset: true, FP: 0x10},
			{Index: 1, Kind: runtimes.Native, Name: "art::Monitor::Wait", Module: "/lib/libart.so", Offset: 4,
				HasOffset: true, FP: 0x20},
			{Index: 2, Kind: runtimes.Java, Name: "java.lang.Object.wait", File: "Object.java", Tier: "jni", FP: 0x30},
			{Index: 3, Kind: runtimes.Java, Name: "demo.Queue.take", File: "Queue.java", Line: 7, Tier: "jit",
				Inlined: true, FP: 0x40,
				ExtraText: []string{"locked <0x12c00100>"}},
			{Index: 4, Kind: runtimes.Java, Name: "demo.Worker.run", File: "Worker.java", Tier: "jit",
				Note: "line is approximate", FP: 0x40},
			{Index: 5, Kind: runtimes.Java, Name: "demo.Main.main", Tier: "interpreter", FP: 0x50},
			{Index: 6, Kind: runtimes.Native, Name: "main", Module: "/bin/dalvikvm", Offset: 4,
				HasOffset: true, FP: 0x60},
		}}
}
