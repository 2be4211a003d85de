// Package abort finds what the libraries of C, C++, Rust and Go have written down about
// why a process gave up: the message of an abort or a failed assertion, the exception
// that nobody caught, the place and the words of a panic.
//
// The chain: __abort_msg of glibc, the mapping of bionic; of a thread, __cxa_eh_globals
// of the C++ library, the exception's header, its type_info and the object, and the exceptions
// that are nested in it; the
// Location and the words that Rust's panicking functions have on their stack, and the value or the words that Go's have.
// Sources: glibc 2.36, bionic; Itanium C++ ABI, "Exception Handling"; GCC 12,
// libstdc++-v3/libsupc++/unwind-cxx.h; LLVM 19, libcxxabi/src/cxa_exception.h; Rust
// 1.63 to 1.90, library/std/src/panicking.rs and library/core/src/panic/location.rs; Go 1.17
// to 1.26, runtime/panic.go.
//
// LIMITATIONS: what() of an exception is called on x86-64 (package machine); elsewhere
// only that of std::runtime_error and std::logic_error is known. musl and the C library
// of macOS write nothing down that is looked for. The words of a Rust panic are found
// by their form alone. Of a Go panic with a value that is not a text, number, error or Stringer
// nothing is known but that it was one.
package abort

import (
	"context"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// A finder is the runtimes.Causer of this package.
type finder struct {
	p       *core.Process
	symbols *sym.Table
}

// word is the size of a pointer in bytes.
func (f finder) word() core.Addr { return core.Addr(f.p.Arch.PtrSize) }

// New returns what knows why native code of a process gave up.
func New(p *core.Process, symbols *sym.Table) runtimes.Causer { return finder{p, symbols} }

// Causes implements runtimes.Causer.
func (f finder) Causes(ctx context.Context, c *runtimes.Crash) []runtimes.Cause {
	if f.p.Arch == nil {
		return nil
	}
	out := f.exception(c)
	if p, ok := f.panicked(ctx, c); ok {
		out = append(out, p)
	}
	if g, ok := f.ofGo(ctx, c); ok {
		out = append(out, g)
	}
	if c.Signal != nil && c.Signal.Name == "SIGABRT" {
		if msg := f.abortMessage(); msg != "" {
			c := runtimes.Cause{Kind: "abort message", Message: msg}
			if !isText(msg) {
				c.Note = "it is not text, and may have been overwritten"
			}
			out = append(out, c)
		}
	}
	return out
}
