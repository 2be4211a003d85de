package abort

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// Where the parts of the scene lie.
const (
	stackAt = 0x80000
	heapAt  = 0x90000
	dataAt  = 0xa0000
)

// A scene is memory of which tests fill in words and text.
type scene struct{ stack, heap, data []byte }

func newScene() *scene {
	return &scene{make([]byte, 0x1000), make([]byte, 0x1000), make([]byte, 0x1000)}
}

func (s *scene) at(a core.Addr) []byte {
	switch {
	case a >= dataAt:
		return s.data[a-dataAt:]
	case a >= heapAt:
		return s.heap[a-heapAt:]
	}
	return s.stack[a-stackAt:]
}

func (s *scene) words(a core.Addr, v ...uint64) {
	for i, x := range v {
		binary.LittleEndian.PutUint64(s.at(a+core.Addr(8*i)), x)
	}
}

func (s *scene) text(a core.Addr, t string) { copy(s.at(a), t) }

// causes asks about a thread that aborted below the functions.
func (s *scene) causes(t *testing.T, functions ...string) []runtimes.Cause {
	t.Helper()
	p := coretest.New(core.ARM64).Map(stackAt, s.stack).Map(heapAt, s.heap).MapProt(dataAt, s.data, core.Read).
		Thread(1, map[string]uint64{"sp": stackAt, "pc": dataAt}).Process()
	c := &runtimes.Crash{Thread: p.Threads[0], Signal: &core.Signal{Number: 6, Name: "SIGABRT"}}
	for i, f := range functions {
		c.Frames = append(c.Frames, runtimes.CrashFrame{Function: f, SP: stackAt + core.Addr(0x100*i)})
	}
	return New(p, sym.NewTable(p)).Causes(t.Context(), c)
}

// exception lays out an exception as libsupc++ does (unwind-cxx.h): the type 80 bytes
// before the _Unwind_Exception, the object after it.
func (s *scene) exception(class uint64, typ core.Addr) (unwind core.Addr) {
	unwind = heapAt + 0x100
	s.words(unwind, class)
	s.words(unwind-80, uint64(typ))
	s.words(stackAt+0x40, uint64(unwind))
	return unwind
}

// TestException reads exceptions of both C++ libraries and of std::exception_ptr, by
// the layouts of unwind-cxx.h (GCC 12) and cxa_exception.h (LLVM 19).
func TestException(t *testing.T) {
	const info, name = dataAt + 0x100, dataAt + 0x200
	for _, c := range []struct {
		what string
		lay  func(s *scene)
		want string
	}{
		{"an int of libstdc++", func(s *scene) {
			s.text(name, "i")
			binary.LittleEndian.PutUint32(s.at(s.exception(classGNU, info)+32), 42)
		}, "uncaught C++ exception int: 42"},
		{"text of libc++abi", func(s *scene) {
			s.text(name, "PKc")
			s.text(dataAt+0x300, "a literal")
			s.words(s.exception(classClang, info)+32, dataAt+0x300)
		}, "uncaught C++ exception char const*: a literal"},
		{"a runtime_error", func(s *scene) {
			s.text(name, "St13runtime_error")
			s.text(heapAt+0x400, "no such shape")
			s.words(s.exception(classGNU, info)+32, 0, heapAt+0x400)
		}, "uncaught C++ exception std::runtime_error: no such shape"},
		{"one of std::rethrow_exception", func(s *scene) {
			s.text(name, "i")
			const primary = heapAt + 0x800
			unwind := s.exception(classGNU|classDependent, primary)
			s.words(unwind-80, primary)
			s.words(primary-32-80, info)
			binary.LittleEndian.PutUint32(s.at(primary), 7)
		}, "uncaught C++ exception int: 7"},
		{"one of another runtime", func(s *scene) { s.text(name, "i"); s.exception(0x4d4f5a0052555354, info) }, ""},
		{"a type that cannot be read", func(s *scene) { s.exception(classGNU, 0x123456) }, "uncaught C++ exception"},
	} {
		s := newScene()
		s.words(info, 0, name)
		c.lay(s)
		got := ""
		if list := s.causes(t, "abort", "std::terminate", "__cxa_throw", "main"); len(list) > 0 {
			if list[0].Note == "" {
				t.Errorf("%s: nothing says that it was found on the stack", c.what)
			}
			list[0].Note = ""
			got = list[0].String()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
	s := newScene()
	s.words(info, 0, name)
	s.text(name, "i")
	s.exception(classGNU, info)
	if list := s.causes(t, "abort", "main"); len(list) != 0 {
		t.Errorf("an abort without a throw: %v", list)
	}
}

// TestNested reads exceptions that hold another one, as nested_exception.h of GCC 12 lays
// them out: a class with several bases (Itanium C++ ABI, "RTTI Layout"), the second of which
// is a vtable and the address of the object that was thrown before.
func TestNested(t *testing.T) {
	const (
		vmi, si, nested, outer, inner  = dataAt + 0x100, dataAt + 0x108, dataAt + 0x180, dataAt + 0x200, dataAt + 0x280
		names, innerObject, nestedBase = dataAt + 0x400, heapAt + 0x620, 16
	)
	lay := func(s *scene) (held core.Addr) {
		for i, n := range []string{"St16nested_exception", "St17_Nested_exceptionISt13runtime_errorE",
			"St11logic_error", "St13runtime_error"} {
			s.text(names+core.Addr(0x40*i), n)
		}
		s.words(nested, 0, names)
		s.words(inner, 0, names+0x80)
		s.words(dataAt+0x300, si, names+0xc0)
		s.words(outer, vmi, names+0x40, 2<<32, dataAt+0x300, 2, nested, nestedBase<<8|2)
		unwind := s.exception(classGNU, outer)
		s.text(heapAt+0x400, "cannot save")
		s.words(unwind+32, 0, heapAt+0x400, 0, innerObject)
		s.words(innerObject-32, classGNU)
		s.words(innerObject-32-80, inner)
		s.text(heapAt+0x440, "the disk is full")
		s.words(innerObject, 0, heapAt+0x440)
		return unwind + 32 + nestedBase + 8
	}
	const first = "uncaught C++ exception std::_Nested_exception<std::runtime_error>: cannot save"
	const second = "caused by std::logic_error: the disk is full"
	for _, c := range []struct {
		what   string
		change func(s *scene, held core.Addr)
		want   []string
	}{
		{"two", func(*scene, core.Addr) {}, []string{first, second}},
		{"nothing held", func(s *scene, held core.Addr) { s.words(held, 0) }, []string{first}},
		{"itself held", func(s *scene, held core.Addr) { s.words(held, uint64(held-24)) }, []string{first}},
		{"what is no exception", func(s *scene, held core.Addr) { s.words(held, heapAt+0x900) }, []string{first}},
		{"what cannot be read", func(s *scene, held core.Addr) { s.words(held, 0x10) }, []string{first}},
	} {
		s := newScene()
		c.change(s, lay(s))
		p := coretest.New(core.ARM64).Map(stackAt, s.stack).Map(heapAt, s.heap).MapProt(dataAt, s.data, core.Read).
			Thread(1, map[string]uint64{"sp": stackAt, "pc": dataAt}).Process()
		symbols := sym.NewTable(p)
		symbols.Add(sym.Symbol{Name: "vtable for __cxxabiv1::__vmi_class_type_info", Addr: vmi})
		symbols.Add(sym.Symbol{Name: "vtable for __cxxabiv1::__si_class_type_info", Addr: si})
		crash := &runtimes.Crash{Thread: p.Threads[0],
			Frames: []runtimes.CrashFrame{{Function: "std::terminate", SP: stackAt}}}
		var got []string
		for _, x := range New(p, symbols).Causes(t.Context(), crash) {
			x.Note = ""
			got = append(got, x.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestPanic reads the Location and the words of a panic. Core::panic::Location is a
// &str, a line and a column (library/core/src/panic/location.rs, Rust 1.63).
func TestPanic(t *testing.T) {
	const file, location, std = dataAt + 0x100, dataAt + 0x200, dataAt + 0x300
	functions := []string{"abort", "rust_panic", "std::panicking::panic_with_hook",
		"std::panicking::panic_handler::{closure#0}",
		"__rustc::rust_begin_unwind", "core::panicking::panic_fmt", "app::main"}
	lay := func() *scene {
		s := newScene()
		s.text(file, "src/main.rs")
		s.words(location, file, 11, 5|9<<32)
		s.text(file+0x20, "/rustc/abc/library/core/src/option.rs")
		s.words(std, file+0x20, 37, 1|1<<32)
		s.words(stackAt+0x108, std)
		s.words(stackAt+0x418, location)
		return s
	}
	for _, c := range []struct {
		what string
		lay  func(s *scene)
		want string
	}{
		{"a String", func(s *scene) {
			s.text(heapAt+0x10, "value is 42")
			s.words(stackAt+0x340, 16, heapAt+0x10, 11)
		}, "panic: value is 42, at src/main.rs:5:9 (the words are known by their form alone)"},
		{"a &str", func(s *scene) {
			s.text(dataAt+0x400, "a plain literal and more")
			s.words(stackAt+0x340, dataAt+0x400, 15)
		}, "panic: a plain literal, at src/main.rs:5:9 (the words are known by their form alone)"},
		{"text elsewhere on the stack", func(s *scene) {
			s.text(heapAt+0x10, "main")
			s.words(stackAt+0x140, 16, heapAt+0x10, 4)
		}, "panic, at src/main.rs:5:9"},
		{"bytes that are not text", func(s *scene) {
			s.text(heapAt+0x10, "\xff\xfe\x01\x02")
			s.words(stackAt+0x340, 16, heapAt+0x10, 4)
		}, "panic, at src/main.rs:5:9"},
		{"an absurd length", func(s *scene) { s.words(stackAt+0x340, ^uint64(0), heapAt+0x10, ^uint64(0)-1) },
			"panic, at src/main.rs:5:9"},
	} {
		s := lay()
		c.lay(s)
		list := s.causes(t, functions...)
		if len(list) != 1 || list[0].String() != c.want {
			t.Errorf("%s: %v, want %s", c.what, list, c.want)
		}
	}
	if list := lay().causes(t, "abort", "app::main"); len(list) != 0 {
		t.Errorf("an abort without a panic: %v", list)
	}
}

// FuzzCauses looks for causes in memory that anybody made.
func FuzzCauses(f *testing.F) {
	s := newScene()
	s.words(dataAt+0x100, 0, dataAt+0x200)
	s.exception(classGNU, dataAt+0x100)
	f.Add(s.stack[:0x80], s.heap[:0x180], []byte("i"))
	f.Fuzz(func(t *testing.T, stack, heap, data []byte) {
		s := newScene()
		copy(s.stack, stack)
		copy(s.heap, heap)
		copy(s.data, data)
		s.causes(t, "std::terminate", "rust_panic", "std::panicking::panic_handler::{{closure}}",
			"core::panicking::panic_fmt", "main")
	})
}

// TestGoSignal: the panic of a nil dereference has the signal's address, as the runtime's own trace
// prints it. The members of the g are as Go 1.24 has them, with sig in the upper half of its word.
func TestGoSignal(t *testing.T) {
	const g, m, pc = heapAt + 0x100, heapAt + 0x800, dataAt + 0x40
	for _, c := range []struct {
		sig  uint64
		pc   uint64
		want string
	}{
		{11 << 32, pc, " [signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0xa0040]"},
		{11, pc, " [signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0xa0040]"},
		{11, pc + 8, ""},
		{0, pc, ""},
	} {
		s := newScene()
		s.words(g+6*8, m)
		s.words(m+20*8, uint64(g))
		s.words(g+28*8, c.sig, 0, 0, 0, 1, 0x18, c.pc)
		p := coretest.New(core.ARM64).Map(stackAt, s.stack).Map(heapAt, s.heap).MapProt(dataAt, s.data, core.Read).
			Thread(1, map[string]uint64{"sp": stackAt, "pc": dataAt, "x28": uint64(g)}).Process()
		f := goFinder{reader{p: p}}
		frames := []runtimes.CrashFrame{{Function: "runtime.gopanic"}, {Function: "runtime.sigpanic"},
			{Function: "main.title", PC: pc}}
		if got := f.signalText(&runtimes.Crash{Thread: p.Threads[0], Frames: frames}); got != c.want {
			t.Errorf("sig %#x, pc %#x: %q, want %q", c.sig, c.pc, got, c.want)
		}
	}
}
