package where

import (
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/java"
	"coredbg/stack"
)

// OfRust reports whether a frame belongs to Rust's own libraries (core, std, alloc), by its file or
// its name. An implementation of their traits for a type of the program does not.
func OfRust(f *stack.Frame) bool {
	for _, lib := range []string{"/library/core/src/", "/library/std/src/", "/library/alloc/src/"} {
		if strings.Contains(f.File, lib) {
			return true
		}
	}
	if strings.HasPrefix(f.Name, "rust_") || strings.HasPrefix(f.Name, "__rust") {
		return true
	}
	name := strings.TrimLeft(f.Name, "<&*[(")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "mut "), "dyn ")
	for _, lib := range []string{"core::", "std::", "alloc::"} {
		if strings.HasPrefix(name, lib) {
			return true
		}
	}
	// <usize as core::slice::index::SliceIndex<[T]>>::index
	self, trait, ok := strings.Cut(name, " as ")
	return ok && strings.HasPrefix(f.Name, "<") && (strings.HasPrefix(trait, "core::") ||
		strings.HasPrefix(trait, "alloc::") || strings.HasPrefix(trait, "std::")) &&
		!strings.Contains(self, "::")
}

// OfSystem reports whether a frame belongs to the libraries that threads wait in and programs end in.
func OfSystem(f *stack.Frame) bool {
	for _, lib := range []string{"libc.so", "libc-2", "libpthread", "libstdc++", "libc++", "ld-linux",
		"ld-musl", "[vdso]"} {
		if strings.Contains(f.Module, lib) {
			return true
		}
	}
	return strings.HasPrefix(f.Name, "std::") || strings.HasPrefix(f.Name, "__gthread") ||
		strings.HasPrefix(f.Name, "pthread_")
}

// OfGo reports whether a frame belongs to Go's runtime. Its frames are on the stack of each program that it ends.
func OfGo(f *stack.Frame) bool {
	for _, p := range []string{"runtime.", "syscall.", "internal/runtime/"} {
		if strings.HasPrefix(f.Name, p) {
			return true
		}
	}
	return false
}

// runtimeImages are how the names of images begin that have a language's runtime or its library.
// of C and C++
var runtimeImages = []string{"libgcc_s.", "libm.so", "libm-2", "libdl.so", "libdl-2", "librt.so", "librt-2", "ld-2",
	"libasan.", "libubsan.", "libtsan.", "liblsan.", "libhwasan.", "libclang_rt.",
	// of Java
	"libjvm.", "libjli.", "libjava.", "libnio.", "libnet.", "libzip.", "libart.", "libartd.",
	"libartbase.", "libopenjdk",
	"libpython", "libruby", "libperl.", "libcoreclr.", "libclrjit.", "libhostpolicy.", "libhostfxr.", "libmono",
	"libSystem.Native.",
	"libdruntime", "libphobos", "libgdruntime", "libgphobos", "libgnat", "libgnarl", "libgfortran.",
	"libswift", "libobjc."}

// libraryFiles are parts of the paths of source files that belong to a language's library, or that its tools
// write: headers of libstdc++ and libc++, druntime, GNAT's binder, cgo.
var libraryFiles = []string{"/include/c++/", "/c++/v1/", "libstdc++-v3/", "/include/d/", "/core/internal/entrypoint.d",
	"/rt/dmain2.d",
	"b~", "_cgo_gotypes.go"}

// libraryNames are how the names of functions begin that belong to a language's library or runtime, even in
// an image that is the program's own.
var libraryNames = []string{"__gnu_cxx::", "__cxxabiv1::", "sync.", "sync/atomic.", "internal/sync.", "internal/poll.",
	"internal/syscall/", "reflect.",
	"node::", "v8::", "uv_", "uv__", "art::", "Py_", "_Py", "PyEval_", "PyObject_", "PyRun_", "rb_", "Perl_",
	// of D
	"_D3std", "_D4core", "_D2rt", "_D3gcc", "_D3ldc", "_D6object", "_d_throw", "_d_assert",
	"_d_arraybounds", "_d_run_main",
	"_cgoexp_", "SYSTEM_$$_", "BASEUNIX_$$_", "SI_PRC_$$_"}

// OfLibrary reports whether a frame belongs to a library of the system, of a language or of a runtime, by its
// image, its file or its name. All other frames are the program's own.
func OfLibrary(f *stack.Frame) bool {
	if f.Kind == runtimes.Java {
		return java.OfSystem(f.Name) || strings.Contains(f.Name, "$$Lambda") // a class made at run time
	}
	if OfSystem(f) || OfRust(f) || OfGo(f) {
		return true
	}
	begins := func(s string) func(string) bool {
		return func(prefix string) bool { return strings.HasPrefix(s, prefix) }
	}
	return slices.ContainsFunc(runtimeImages, begins(core.BaseName(f.Module))) ||
		slices.ContainsFunc(libraryNames, begins(f.Name)) ||
		slices.ContainsFunc(libraryFiles, func(part string) bool { return strings.Contains(f.File, part) })
}
