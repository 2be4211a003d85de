package where

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/stack"
)

// TestNear: what is next to an address that is not mapped.
func TestNear(t *testing.T) {
	p := coretest.New(core.AMD64).Map(0x80000, make([]byte, 0x1000)).Process()
	for a, want := range map[core.Addr]string{
		0x18:      "not mapped: the null page",
		0x81010:   "not mapped, 0x10 bytes past the end of the anonymous mapping at 0x80000",
		0x7fff0:   "not mapped, 0x10 bytes below the anonymous mapping at 0x80000",
		0x7000000: "not mapped, and no mapping is near",
	} {
		if got := Near(p, a); got != want {
			t.Errorf("%v: %q, want %q", a, got, want)
		}
	}
}

// TestOfProgram: functions that wait in a library, abort functions and an engine's functions are not
// the program.
func TestOfProgram(t *testing.T) {
	x := &Threads{Noise: func(f string) bool { return f == "give_up" }}
	for _, c := range []struct {
		f    stack.Frame
		want bool
		in   string
	}{
		{stack.Frame{Name: "work", Module: "/bin/app", File: "a.c", Line: 3}, true, "work (a.c:3)"},
		{stack.Frame{Name: "read", Module: "/lib/libc.so.6"}, false, "read"},
		{stack.Frame{Name: "std::mutex::lock", Module: "/bin/app"}, false, "std::mutex::lock"},
		{stack.Frame{Name: "give_up", Module: "/bin/app"}, false, "give_up"},
		{stack.Frame{Name: "entry", Kind: runtimes.Stub}, false, "entry"},
		{stack.Frame{}, false, "<anonymous>"},
	} {
		if got := x.OfProgram(&c.f); got != c.want || Frame(&c.f) != c.in {
			t.Errorf("%+v: %v, %q, want %v, %q", c.f, got, Frame(&c.f), c.want, c.in)
		}
	}
}

// TestOfRust: names and files as rustc 1.95 has them in the frames of a panic.
func TestOfRust(t *testing.T) {
	const core = "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/option.rs"
	for _, c := range []struct {
		f    stack.Frame
		want bool
	}{
		{stack.Frame{Name: "core::option::Option<T>::expect", File: core}, true},
		{stack.Frame{Name: "alloc::vec::Vec<T,A>::push"}, true},
		{stack.Frame{Name: "<usize as core::slice::index::SliceIndex<[T]>>::index"}, true},
		{stack.Frame{Name: "<alloc::vec::Vec<T,A> as core::ops::index::Index<I>>::index"}, true},
		{stack.Frame{Name: "rust_begin_unwind"}, true},
		{stack.Frame{Name: "expect", File: core}, true},
		{stack.Frame{Name: "<ledger::Book as core::fmt::Display>::fmt", File: "src/book.rs"}, false},
		{stack.Frame{Name: "ledger::index", File: "src/main.rs"}, false},
		{stack.Frame{Name: "core", File: "core.c"}, false},
	} {
		if got := OfRust(&c.f); got != c.want {
			t.Errorf("%+v: %v, want %v", c.f, got, c.want)
		}
	}
}

// TestOfLibrary: names, files and images as the first screens of live cores have them.
func TestOfLibrary(t *testing.T) {
	for _, c := range []struct {
		f    stack.Frame
		want bool
	}{
		{stack.Frame{Name: "std::thread::_State_impl<int>::_M_run", File: "/usr/include/c++/12/bits/std_thread.h",
			Module: "/app/a"}, true},
		{stack.Frame{Name: "__invoke_impl<int, main(int, char**)::<lambda()> >",
			File: "/usr/include/c++/12/bits/invoke.h", Module: "/app/a"}, true},
		{stack.Frame{Name: "__gnu_cxx::__ops::_Iter_comp_iter<Less>::operator()", Module: "/app/a"}, true},
		{stack.Frame{Name: "std::__1::sort", File: "/usr/lib/llvm-14/include/c++/v1/algorithm"}, true},
		{stack.Frame{Name: "apply", File: "/app/thr.cc", Module: "/app/a"}, false},
		{stack.Frame{Name: "os::PlatformEvent::park", Module: "/jdk/lib/server/libjvm.so"}, true},
		{stack.Frame{Name: "JLI_Launch", Module: "/jdk/lib/libjli.so"}, true},
		{stack.Frame{Name: "decode", Module: "/app/libjvmtools.so"}, false},
		{stack.Frame{Name: "java.util.concurrent.locks.LockSupport.park", Kind: runtimes.Java,
			File: "LockSupport.java"}, true},
		{stack.Frame{Name: "jdk.internal.misc.Unsafe.park", Kind: runtimes.Java}, true},
		{stack.Frame{Name: "Stuck$$Lambda$3/1831932724.run", Kind: runtimes.Java}, true},
		{stack.Frame{Name: "javac.Main.run", Kind: runtimes.Java, File: "Main.java"}, false},
		{stack.Frame{Name: "node::OOMErrorHandler", Module: "/usr/bin/node"}, true},
		{stack.Frame{Name: "v8::internal::Heap::FatalProcessOutOfMemory", Module: "/usr/bin/node"}, true},
		{stack.Frame{Name: "nodes::Tree::walk", Module: "/app/a"}, false},
		{stack.Frame{Name: "art::Runtime::Abort", Module: "/lib/libart.so.0"}, true},
		{stack.Frame{Name: "d_run_main2", Module: "/usr/lib/libdruntime-ldc-shared.so.100.1"}, true},
		{stack.Frame{Name: "kinds.main", File: "/usr/lib/ldc/x86_64-linux-gnu/include/d/core/internal/entrypoint.d"},
			true},
		{stack.Frame{Name: "main", File: "b~kinds.adb"}, true},
		{stack.Frame{Name: "sync.(*Mutex).lockSlow"}, true},
		{stack.Frame{Name: "runtime.gopark"}, true},
		{stack.Frame{Name: "main.work"}, false},
		{stack.Frame{Name: "_PyEval_EvalFrameDefault", Module: "/usr/bin/python3.13"}, true},
		{stack.Frame{Name: "core::fmt::write"}, true},
		{stack.Frame{Name: "rbtree_insert", Module: "/app/a"}, false},
	} {
		if got := OfLibrary(&c.f); got != c.want {
			t.Errorf("%+v: %v, want %v", c.f, got, c.want)
		}
	}
}

// TestRunning: the functions of a runtime run for the managed code that they were called by, and
// a runtime is what calls managed code; machine code that managed code has called runs itself.
func TestRunning(t *testing.T) {
	x := &Threads{}
	const vm, libc, app = "/lib/libvm.so", "/lib/libc.so.6", "/app/libnative.so"
	frame := func(name, module string) stack.Frame {
		return stack.Frame{Kind: runtimes.Native, Name: name, Module: module}
	}
	java := func(name, tier string) stack.Frame { return stack.Frame{Kind: runtimes.Java, Name: name, Tier: tier} }
	entry := frame("vm::Call", vm)
	for _, c := range []struct {
		what   string
		frames []stack.Frame
		want   string
	}{
		{"compiled", []stack.Frame{java("a.B.spin", "jit"), entry, frame("main", "/app/app")}, "a.B.spin"},
		{"interpreted", []stack.Frame{frame("vm::Execute", vm), {Module: vm}, java("a.B.spin", "interpreter"),
			frame("vm::DoCall", vm), java("a.B.run", "interpreter"), entry}, "a.B.spin"},
		{"a copy that the interpreter makes", []stack.Frame{frame("memcpy", libc), frame("vm::Copy", vm),
			java("a.B.spin", "interpreter"), entry}, "a.B.spin"},
		{"native code of the program", []stack.Frame{frame("memcpy", libc), frame("hash", app), java("a.B.hash", "jni"),
			entry}, "hash"},
		{"native code that the runtime calls back", []stack.Frame{frame("vm::Find", vm), frame("hash", app),
			java("a.B.hash", "jni"), entry}, "hash"},
		{"a thread of the runtime", []stack.Frame{frame("vm::Sweep", vm), frame("vm::Thread", vm),
			frame("start_thread", libc)}, "vm::Sweep"},
		{"a builtin and an awaiting function", []stack.Frame{{Kind: runtimes.JS, Name: "Array.map", Tier: "builtin"},
			{Kind: runtimes.Java, Name: "a.B.later", Async: true}, frame("vm::Call", app)}, "vm::Call"},
		{"nobody knows where", []stack.Frame{{Module: app}, frame("read", libc)}, ""},
	} {
		got := ""
		if f := x.Running(c.frames); f != nil {
			got = f.Name
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
