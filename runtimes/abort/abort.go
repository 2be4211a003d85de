// Package abort finds the last words of the libraries of C, C++, D, Rust, Go and the JVM: the message
// of an abort or a failed assertion, the exception that was not caught, the place and the text of a
// panic.
//
//	abort.go       the causes, in order
//	libc.go        messages of C libraries
//	cxx.go         exceptions of C++
//	dlang.go       exceptions of D
//	rust.go        panics of Rust
//	golang.go      panics of Go
//	hotspot.go     errors of the JVM
//	reader.go      words and texts of a process
//	noise.go       functions that say nothing about a bug
//	hotspot_shape.go  errors of a JVM without symbols
//	nameless.go    messages and exceptions of programs without names
//	rust_shape.go  panics of programs without names
//
// The chain: __abort_msg of glibc, the mapping of bionic; of a thread, __cxa_eh_globals of the C++ library,
// the exception's header, its type_info and the object, and the exceptions that are nested in it; the
// Throwable on the stack of D's throwing function, its class and the exceptions chained to it; the Location
// and the words that Rust's panicking functions have on their stack, and the value or the words that Go's
// have. Sources: glibc 2.36, bionic; Itanium C++ ABI, "Exception Handling"; GCC 12,
// libstdc++-v3/libsupc++/unwind-cxx.h; LLVM 19, libcxxabi/src/cxa_exception.h; Rust 1.63 to 1.90,
// library/std/src/panicking.rs and library/core/src/panic/location.rs; Go 1.17 to 1.26, runtime/panic.go;
// druntime 2.100, object.d, rt/dwarfeh.d; GCC 12, libphobos/libdruntime/gcc/deh.d.
//
// A stripped program that is linked statically has no names for the functions that give up, and a program of
// Rust none for the functions of its library. The same data are known by their shape there, and the cause
// says so.
//
// LIMITATIONS: what() of an exception is called on x86-64 (package machine); elsewhere only that of
// std::runtime_error and std::logic_error is known. musl and the C library of macOS write nothing down that
// is looked for. The words of a Rust panic are found by their form alone. Without names, an exception that a
// function must not throw counts as uncaught only on x86, by the code of the handler of std::terminate, and
// an exception of D is found only there. The value of a Go panic is not known if it is no text, number, error
// or Stringer.
package abort

import (
	"context"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// A finder is the runtimes.CauseFinder of this package: one finder for each library.
type finder struct {
	p      *core.Process
	d      dFinder
	cxx    cxxFinder
	rust   rustFinder
	golang goFinder
	jvm    jvmFinder
	libc   libcFinder
}

// New returns what knows why native code of a process gave up.
func New(p *core.Process, symbols *sym.Table) runtimes.CauseFinder {
	r := reader{p, symbols}
	return finder{p: p, d: dFinder{r}, cxx: cxxFinder{r}, rust: rustFinder{r}, golang: goFinder{r}, jvm: jvmFinder{r},
		libc: libcFinder{r}}
}

// Causes implements runtimes.CauseFinder.
func (f finder) Causes(ctx context.Context, c *runtimes.Crash) []runtimes.Cause {
	if f.p.Arch == nil {
		return nil
	}
	out := f.d.ofD(c)
	if out == nil {
		out = f.cxx.exception(c)
	}
	if p, ok := f.rust.panicked(ctx, c); ok {
		out = append(out, p)
	}
	if g, ok := f.golang.ofGo(ctx, c); ok {
		out = append(out, g)
	}
	if c.Signal != nil && c.Signal.Name == "SIGABRT" {
		if j, ok := f.jvm.ofJVM(c); ok {
			j.TID = c.Thread.TID
			out = append(out, j)
		}
		said := runtimes.Cause{Kind: runtimes.AbortMessage, Message: f.libc.abortMessage()}
		switch {
		case said.Message == "" && nameless(c):
			said.Message, said.Note = f.libc.glibcByShape(), shaped
			if said.Message == "" {
				said.Message = f.libc.muslAssertion(c)
			}
		case said.Message == "":
			said.Message, said.Note = f.libc.muslAssertion(c), leftBelow
		case !isText(said.Message):
			said.Note, said.Garbled = "it is not text, and may have been overwritten", true
		}
		if said.Message != "" {
			out = append(out, said)
		}
	}
	return out
}
