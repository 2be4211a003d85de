package where

import (
	"strings"

	"coredbg/stack"
)

// Frame says in a few words where a frame is.
func Frame(f *stack.Frame) string {
	s := f.Name
	switch {
	case s == "" && f.Made:
		s = stack.MadeCode
	case s == "" && f.Module != "":
		s = f.Symbolic()
	case s == "":
		s = "<anonymous>"
	}
	if p := f.Position(); p != "" {
		if f.Unmapped {
			p += ", generated"
		}
		s += " (" + p + ")"
	}
	return s
}

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
	return ok && strings.HasPrefix(f.Name, "<") && (strings.HasPrefix(trait, "core::") || strings.HasPrefix(trait, "alloc::") || strings.HasPrefix(trait, "std::")) &&
		!strings.Contains(self, "::")
}

// OfSystem reports whether a frame belongs to the libraries that threads wait in and programs end in.
func OfSystem(f *stack.Frame) bool {
	for _, lib := range []string{"libc.so", "libc-2", "libpthread", "libstdc++", "libc++", "ld-linux", "ld-musl", "[vdso]"} {
		if strings.Contains(f.Module, lib) {
			return true
		}
	}
	return strings.HasPrefix(f.Name, "std::") || strings.HasPrefix(f.Name, "__gthread") || strings.HasPrefix(f.Name, "pthread_")
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

// OfLibrary reports whether a frame belongs to a library of the system or of its language.
func OfLibrary(f *stack.Frame) bool { return OfSystem(f) || OfRust(f) || OfGo(f) }
