package bugs

import (
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
)

func native(names ...string) []stack.Frame {
	var list []stack.Frame
	for _, n := range names {
		list = append(list, stack.Frame{Name: n, Kind: runtimes.Native})
	}
	return list
}

// TestSignNames: names of one function from several builds are one.
func TestSignNames(t *testing.T) {
	for want, names := range map[string][]string{
		"parse": {"parse", "parse.isra.0", "parse.constprop.0.isra.1", "parse.cold", "parse.part.0",
			"parse.llvm.12345678", "parse@@LIB_2.4"},
		"app::Shape::area": {"app::Shape::area", "app::Shape<int>::area",
			"app::Shape<std::map<int, std::less<int> > >::area"},
		"run::{lambda}": {"run::{lambda(int)#1}", "run::{lambda(std::vector<int> const&)#12}", "run::$_3"},
		"ranks::deep":   {"ranks::deep", "ranks::deep::h0123456789abcdef", "ranks::deep::<i32>"},
		"ranks::deep::{closure}": {"ranks::deep::{{closure}}", "ranks::deep::{closure#0}",
			"ranks::deep::{{closure}}::h0123456789abcdef"},
		"main.load.func":  {"main.load.func1", "main.load.func2.1"},
		"Buf::operator<<": {"Buf::operator<<", "Buf::operator<< <int>"},
		"Buf::operator->": {"Buf::operator->"},
		"name[abi]":       {"name[abi]"},
	} {
		for _, n := range names {
			s := DefaultRules().Sign(WildPointer, native("raise", "abort", n, "main"))
			if want := "wild-pointer | " + want + " | main"; s.Name != want {
				t.Errorf("%s: %q, want %q", n, s.Name, want)
			}
		}
	}
}

// TestSignFrames: what says nothing is left out, allocators are followed by who called
// them, recursion counts once.
func TestSignFrames(t *testing.T) {
	a := DefaultRules().Sign(HeapCorruption, native("raise", "abort", "__libc_message", "malloc_printerr", "_int_free",
		"free", "drop", "main", "__libc_start_main"))
	b := DefaultRules().Sign(HeapCorruption, native("raise", "abort", "__libc_message", "malloc_printerr", "_int_free",
		"free", "other", "main", "__libc_start_main"))
	if a.Name != "heap-corruption | _int_free | free | drop" || a.Coarse == b.Coarse || a.Fine == b.Fine {
		t.Errorf("%+v, %+v", a, b)
	}
	c := DefaultRules().Sign(NullDereference, native("walk", "walk", "walk", "main"))
	if d := DefaultRules().Sign(NullDereference, native("walk", "main")); c.Fine != d.Fine {
		t.Errorf("%q and %q", c.Name, d.Name)
	}
	if l := DefaultRules().Sign(Deadlock, native("futex_wait", "__GI___lll_lock_wait", "___pthread_mutex_lock",
		"__gthread_mutex_lock", "std::mutex::lock", "transfer", "main")); l.Name != "deadlock | transfer | main" {
		t.Errorf("%q", l.Name)
	}
	for _, thrower := range []string{"__cxa_bad_cast", "__cxa_bad_typeid", "__cxa_throw_bad_array_new_length",
		"__clang_call_terminate", "__cxa_call_terminate"} {
		if s := DefaultRules().Sign(CXXException, native("raise", "abort", "std::terminate", "__cxa_throw", thrower,
			"cast", "main")); s.Name != "cxx-exception | cast | main" {
			t.Errorf("%s: %q", thrower, s.Name)
		}
	}
	js := []stack.Frame{{Name: "node::Run", Kind: runtimes.Native},
		{Name: "v8::internal::Execute", Kind: runtimes.Native},
		{Name: "handle", Kind: "js", File: "/srv/app-0a1b2c3d4e.js", Line: 3},
		{Kind: "js", File: "/srv/app-0a1b2c3d4e.js", Line: 9}}
	if e := DefaultRules().Sign(JSUncaught, js); e.Name != "js-uncaught | handle | <anonymous> app.js" {
		t.Errorf("%q", e.Name)
	}
	unknown := []stack.Frame{{Name: runtimes.UnknownFunction, Kind: runtimes.JS, Function: 0x5001},
		{Name: "ChromeMain", Kind: runtimes.Native}}
	if e := DefaultRules().Sign(BusyLoop, unknown); e.Name != "busy-loop | ChromeMain" {
		t.Errorf("%q", e.Name)
	}
}

// TestSignCoarse: what an optimiser inlines, and how debug information calls what it has
// inlined, makes no other bug.
func TestSignCoarse(t *testing.T) {
	r := DefaultRules()
	inlined := native("operator()", "__move_median_to_first<int*>", "sort<int*>", "render", "main")
	inlined[1].File, inlined[2].File = "/usr/include/c++/12/bits/stl_algo.h", "/usr/include/c++/12/bits/stl_algo.h"
	coarse := map[string]string{}
	for _, frames := range [][]stack.Frame{
		inlined,
		native("render()::{lambda(int*, int*)#1}::operator()", "std::__introsort_loop<int*>", "std::sort<int*>",
			"render", "main"),
		native("render()::$_0::operator()", "std::sort<int*>", "render", "serve"),
		native("std::__introsort_loop<int*>", "render", "main"),
		native("memcpy", "render", "main"),
		native("__memcpy_avx_unaligned_erms", "render", "main"),
	} {
		s := r.Sign(NullDereference, frames)
		coarse[s.Coarse] = s.Name
	}
	if len(coarse) != 1 {
		t.Errorf("%v", coarse)
	}
	iterated := native("core::option::unwrap_failed", "app::total::{closure#0}", "core::iter::adapters::map::map_fold",
		"app::total", "app::main")
	if a, b := r.Sign(RustPanic, iterated), r.Sign(RustPanic, native("core::option::unwrap_failed", "app::total",
		"app::main")); a.Coarse != b.Coarse {
		t.Errorf("%q and %q", a.Name, b.Name)
	}
	// A lambda that was inlined into what std::function calls it by.
	invoke, lambda := "std::_Function_handler<int (long, std::map<int, int>), app::walk(long)::{lambda(long)#1}>::_M_invoke", "app::walk(long)::{lambda(long)#1}::operator()"
	own, wrapped := native(lambda, invoke, "std::function<int (long)>::operator()", "app::apply", "main"),
		native(invoke, "app::apply", "main")
	wrapped[0].File = "/usr/include/c++/12/bits/std_function.h"
	if a, b := r.Sign(NullDereference, own), r.Sign(NullDereference, wrapped); a.Coarse != b.Coarse ||
		a.Fine != b.Fine {
		t.Errorf("%q and %q", a.Name, b.Name)
	}
	if s := r.Sign(NullCall, native("std::_Function_handler<int (long), int (*)(long)>::_M_invoke", "app::apply",
		"main")); s.Name != "null-call | app::apply | main" {
		t.Errorf("%q", s.Name)
	}
	// The C library's choice for a processor makes no other bug, in any key.
	plain := r.Sign(NullDereference, native("strlen", "render", "main"))
	for _, name := range []string{"__strlen_evex", "__strlen_avx2_rtm", "__strlen_sse2", "__strlen_asimd",
		"__strlen_power9"} {
		if s := r.Sign(NullDereference, native(name, "render", "main")); s.Name != plain.Name || s.Fine != plain.Fine ||
			s.Coarse != plain.Coarse {
			t.Errorf("%s: %q, %q without a variant", name, s.Name, plain.Name)
		}
	}
	// musl: what it calls between abort and its caller, and in free.
	for _, c := range []struct{ musl, glibc []stack.Frame }{
		{native("__restore_sigs", "raise", "abort", "app", "main"), native("raise", "abort", "app", "main")},
		{native("get_meta", "__libc_free", "app", "main"), native("_int_free", "free", "app", "main")},
	} {
		if a, b := r.Sign(Abort, c.musl), r.Sign(Abort, c.glibc); a.Coarse != b.Coarse {
			t.Errorf("%q and %q", a.Name, b.Name)
		}
	}
	nameless := []stack.Frame{{Kind: runtimes.Native, Module: "/lib/libc.so.6", Name: "raise"},
		{Kind: runtimes.Native, Module: "/bin/app", ModuleOffset: 0x120}}
	if s := r.Sign(Abort, nameless); s.Name != "abort | app+0x120" || s.Frames[1].Why != "nothing else is left" {
		t.Errorf("%+v", s)
	}
	if s := r.Sign(Abort, native("abort", "std::vector<int>::at", "_start")); s.Name != "abort | std::vector::at" {
		t.Errorf("%+v", s)
	}
	js := []stack.Frame{{Name: "Object.<anonymous>", Kind: "js", File: "/srv/app.js"}}
	if s := r.Sign(JSAbort, js); s.Name != "js-abort | Object.<anonymous> app.js" {
		t.Errorf("%+v", s)
	}
}

// TestSignAllocators: one bug that several allocators notice, each in its own functions and as something else.
// gdb shows such stacks for a program that runs with each of them.
func TestSignAllocators(t *testing.T) {
	r := DefaultRules()
	in := func(module string, frames []stack.Frame) []stack.Frame {
		for i := range frames[:len(frames)-2] {
			frames[i].Module = module
		}
		return frames
	}
	coarse := map[string]string{}
	for _, c := range []struct {
		cause  Cause
		frames []stack.Frame
	}{
		{DoubleFree, native("raise", "abort", "__libc_message", "malloc_printerr", "munmap_chunk", "free",
			"drop", "main")},
		{HeapCorruption, native("raise", "abort", "__libc_message", "malloc_printerr", "_int_free_merge_chunk",
			"_int_free", "free", "drop", "main")},
		{HeapCorruption, native("malloc_printerr", "unlink_chunk.constprop.0", "malloc_consolidate", "_int_malloc",
			"sysmalloc_mmap.constprop.0", "calloc", "drop", "main")},
		{IllegalInstruction, native("get_meta", "nontrivial_free", "__libc_free", "drop", "main")},
		{NullDereference, native("unmap_chunk", "__bin_chunk", "free", "drop", "main")},
		{WildPointer, in("/usr/lib/x86_64-linux-gnu/libjemalloc.so.2", native("", "", "free", "drop", "main"))},
		{WildPointer, native("arena_dalloc_no_tcache", "je_sdallocx_default", "_rjem_je_tcache_bin_flush_small",
			"_rjem_sdallocx", "drop", "main")},
		{Abort, in("/usr/lib/libtcmalloc_minimal.so.4.5.10",
			native("abort", "tcmalloc::Log", "(anonymous namespace)::InvalidFree", "tc_free", "drop", "main"))},
		{WildPointer, native("tcmalloc::tcmalloc_internal::CentralFreeList::RemoveRange", "TCMallocInternalNew",
			"drop", "main")},
		{WildPointer, native("_mi_free_block_mt", "mi_free", "operator delete[]", "drop", "main")},
		{AbortMessage, in("/usr/lib/system/libsystem_malloc.dylib", native("__pthread_kill", "abort", "malloc_vreport",
			"malloc_zone_error", "free_tiny", "drop", "main"))},
		{AbortMessage, native("abort", "scudo::die", "scudo::reportInvalidChunkState", "scudo_free", "drop", "main")},
		{HeapCorruption, native("RtlReportCriticalFailure", "RtlpHeapHandleError", "RtlFreeHeap", "_free_base",
			"drop", "main")},
	} {
		s := r.Sign(c.cause, c.frames)
		coarse[s.Coarse] += s.Name + "; "
	}
	if len(coarse) != 1 {
		t.Errorf("%v", coarse)
	}
	if a, b := r.Sign(WildPointer, native("free", "drop", "main")),
		r.Sign(WildPointer, native("drop", "main")); a.Coarse == b.Coarse {
		t.Error("a wild pointer of a function and one that it frees are one bug")
	}
	own := native("pool_free", "queue", "trim", "main")
	if s := r.Sign(WildPointer, own); s.Coarse != r.Sign(WildPointer, native("pool_free", "main")).Coarse {
		t.Errorf("an allocator of the program is none: %+v", s)
	}
	stripped := func(at uint64) *Signature {
		f := native("free", "", "__libc_start_main")
		f[1].Module, f[1].ModuleOffset = "/bin/app", core.Addr(at)
		return r.Sign(DoubleFree, f)
	}
	if a, b := stripped(0x120), stripped(0x340); a.Name != "double-free | free | app+0x120" || a.Coarse == b.Coarse {
		t.Errorf("%+v, %+v", a, b)
	}
}

// TestSignDestructors: a destructor is inlined into its caller, or is not; one that is called by a table, by the end of
// the process or from another image cannot be.
func TestSignDestructors(t *testing.T) {
	r := DefaultRules()
	same := func(want bool, a, b []stack.Frame) {
		t.Helper()
		if x, y := r.Sign(DoubleFree, a), r.Sign(DoubleFree, b); (x.Coarse == y.Coarse) != want {
			t.Errorf("%q and %q are one bug: %t", x.Name, y.Name, !want)
		}
	}
	same(true, native("free", "app::Buffer::~Buffer", "app::Handle::~Handle",
		"std::unique_ptr<app::Handle>::~unique_ptr", "app::drop", "main"), native("free", "app::drop", "main"))
	same(true, native("free", "~Buffer", "app::drop", "main"), native("free", "app::drop", "main"))
	same(true, native("app::Node::~Node", "app::drop", "main"), native("app::drop", "main"))
	same(false, native("free", "app::Buffer::~Buffer", "app::load", "main"),
		native("free", "app::Buffer::~Buffer", "app::save", "main"))
	same(false, native("app::A::~A", "__run_exit_handlers", "exit", "main"),
		native("app::B::~B", "__run_exit_handlers", "exit", "main"))
	same(true, native("core::ptr::drop_in_place", "<app::Guard as core::ops::drop::Drop>::drop", "app::run", "main"),
		native("app::run", "main"))
	virtual := func(class string) []stack.Frame {
		f := native("free", "app::Member::~Member", class+"::~"+class, class+"::~"+class, "release", "main")
		f[3].Deleting = true
		return f
	}
	same(false, virtual("Foo"), virtual("Bar"))
	same(true, virtual("Foo"), append(native("free"), virtual("Foo")[2:]...))
	far := func(class string) []stack.Frame {
		f := native(class+"::~"+class, "deleteChildren", "main")
		f[0].Module, f[1].Module = "/bin/app", "/lib/libcore.so"
		return f
	}
	same(false, far("Foo"), far("Bar"))
}

// TestRules: a file of rules, and the errors in others.
func TestRules(t *testing.T) {
	r, err := ReadRules(strings.NewReader("version 3\nsentinel  start_.*\nprefix\thelp.*\nnormalise\t_v[0-9]+$\t\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := r.Sign(Abort, native("inside", "start_work_v2", "help_me", "main"))
	if s.Name != "abort | start_work | help_me | main" || s.Rules != 3 {
		t.Errorf("%+v", s)
	}
	for text, want := range map[string]string{"irrelevant  (": "line 1: error parsing regexp",
		"\nmystery  x": `line 2: "mystery" is not a kind of rule`, "version x": "line 1: "} {
		if _, err := ReadRules(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzRules(f *testing.F) {
	f.Add("version 1\nirrelevant  raise\nnormalise\ta+\tb\n", "aaa<b<c>>::d")
	f.Add("prefix  (std::)?.*\nsentinel  main", "operator<")
	f.Fuzz(func(t *testing.T, text, name string) {
		r, err := ReadRules(strings.NewReader(text))
		if err != nil {
			return
		}
		if s := r.Sign(Unknown, native(name, "main", name)); s.Undecoded == "" &&
			(len(s.Coarse) != 16 || len(s.Fine) != 16) {
			t.Fatalf("%+v", s)
		}
	})
}

// TestNoKey: a stack without names gives its cause as the name, and no key.
func TestNoKey(t *testing.T) {
	for _, frames := range [][]stack.Frame{nil, {{Kind: runtimes.Native}}, {{Kind: runtimes.Native, Name: "abort"}}} {
		if s := DefaultRules().Sign(Abort, frames); s.Name != "abort" || s.Coarse != "" || s.Fine != "" {
			t.Errorf("%+v: %+v", frames, s)
		}
	}
}

// TestJavaConstructors: constructors and class initialisers of Java are no templates.
func TestJavaConstructors(t *testing.T) {
	for name, want := range map[string]string{
		"android.graphics.Bitmap.<init>": "android.graphics.Bitmap.<init>", "a.B$C.<clinit>": "a.B$C.<clinit>",
		"ns::vec<int>::push": "ns::vec::push",
	} {
		if got := withoutTemplates(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestSignPlatform: where a task or a call by reflection fails in Java's library is the same for all of them.
func TestSignPlatform(t *testing.T) {
	trace := func(names ...string) (list []stack.Frame) {
		for _, n := range names {
			list = append(list, stack.Frame{Name: n, File: "A.java", Kind: runtimes.Java})
		}
		return list
	}
	a := DefaultRules().Sign(JavaUncaught, trace("java.lang.Integer.parseInt", "app.Age.of", "app.Form.read"))
	b := DefaultRules().Sign(JavaUncaught, trace("java.lang.NumberFormatException.forInputString",
		"java.lang.Integer.parseInt", "app.Age.of", "app.Form.read"))
	c := DefaultRules().Sign(JavaUncaught, trace("java.lang.Integer.parseInt", "app.Price.of", "app.Form.read"))
	if a.Coarse != b.Coarse || a.Coarse == c.Coarse ||
		a.Name != "java-uncaught | java.lang.Integer.parseInt | app.Age.of | app.Form.read" {
		t.Errorf("%+v, %+v, %+v", a, b, c)
	}
	d := DefaultRules().Sign(JavaUncaught, trace("android.view.ViewRootImpl.setView",
		"android.view.WindowManagerGlobal.addView"))
	e := DefaultRules().Sign(JavaUncaught, trace("android.view.ViewRootImpl.setView",
		"android.app.ActivityThread.main"))
	if d.Coarse != e.Coarse || d.Fine == e.Fine {
		t.Errorf("%+v, %+v", d, e)
	}
	stripped := trace("a.b.c", "d.e.<init>")
	for i := range stripped {
		stripped[i].File = ""
	}
	if s := DefaultRules().Sign(JavaUncaught, stripped); s.Name != "java-uncaught | a.b.c | d.e.<init>" {
		t.Errorf("without files: %q", s.Name)
	}
}
