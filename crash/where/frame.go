package where

import (
	"strings"

	"coredbg/stack"
)

// Frame says in a few words where a frame is.
func Frame(f *stack.Frame) string {
	s := f.Name
	switch {
	case s == "" && f.Module != "":
		s = f.Symbolic()
	case s == "":
		s = "<anonymous>"
	}
	if p := f.Position(); p != "" {
		s += " (" + p + ")"
	}
	return s
}

// OfSystem reports whether a frame is of the libraries that threads wait in and programs end in.
func OfSystem(f *stack.Frame) bool {
	for _, lib := range []string{"libc.so", "libc-2", "libpthread", "libstdc++", "libc++", "ld-linux", "ld-musl", "[vdso]"} {
		if strings.Contains(f.Module, lib) {
			return true
		}
	}
	return strings.HasPrefix(f.Name, "std::") || strings.HasPrefix(f.Name, "__gthread") || strings.HasPrefix(f.Name, "pthread_")
}
