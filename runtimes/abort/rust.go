package abort

import (
	"context"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
)

// Limits of what is looked at of a panic.
const (
	maxLocation = 4 << 10  // bytes of a path
	maxPanic    = 64 << 10 // bytes of a message
)

// A rustFinder finds panics of Rust.
type rustFinder struct{ reader }

// panicked returns the place and the words of a Rust panic that ended the process.
func (f rustFinder) panicked(ctx context.Context, c *runtimes.Crash) (runtimes.Cause, bool) {
	inner := c.Within(func(name string) bool {
		name = strings.TrimPrefix(name, "__rustc::")
		return name == "rust_panic" || name == "rust_begin_unwind" || strings.HasPrefix(name, "core::panicking::panic")
	})
	switch {
	case inner < 0 && c.Signal != nil && c.Signal.Unix() == "SIGABRT" && nameless(c):
		return f.panickedByShape(ctx, c)
	case inner < 0:
		return runtimes.Cause{}, false
	}
	// The panic's frames end where one is of neither the library's core nor std.
	outer := inner
	for outer < len(c.Frames)-1 && ofRust(c.Frames[outer].Function) {
		outer++
	}
	cause := runtimes.Cause{Kind: runtimes.RustPanic, TID: c.Thread.TID, At: c.Frames[outer].Function}
	w := f.stackWords(ctx, c.Frames[inner].SP, c.Frames[outer].SP+calleeFrame)
	if place, ok := f.location(w); ok {
		cause.At = place
	}
	// What was given to panic! is in the frame of the closure that calls the hook.
	payload := c.Within(func(name string) bool {
		closure := strings.HasSuffix(name, "::{{closure}}") || strings.HasSuffix(name, "::{closure#0}")
		return closure && (strings.Contains(name, "panic_handler") ||
			strings.HasPrefix(name, "std::panicking::begin_panic"))
	})
	if payload < 0 || payload+1 >= len(c.Frames) {
		return cause, true
	}
	if text, ok := f.words(f.stackWords(ctx, c.Frames[payload].SP, c.Frames[payload+1].SP)); ok {
		cause.Message, cause.Note = text, "the words are known by their form alone"
	}
	return cause, true
}

// calleeFrame is how far beyond the stack pointer of the function that panicked its
// frame is looked at, in bytes.
const calleeFrame = 512

// ofRust reports whether a function is one of Rust's own libraries.
func ofRust(name string) bool {
	for _, p := range []string{"core::", "std::", "alloc::", "panic_abort::", "panic_unwind::", "rust_", "__rust",
		"<core::", "<std::", "<alloc::"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return name == ""
}

// location returns the first core::panic::Location outside of Rust's own libraries that
// a word refers to, or else the first one: a path (pointer and length), a line and a
// column, in memory that the program cannot write.
func (f rustFinder) location(words []core.Addr) (string, bool) {
	first := ""
	for _, at := range words {
		place, ok := f.place(at)
		if !ok {
			continue
		}
		if !strings.HasPrefix(place, "/rustc/") && !strings.Contains(place, "library/core/") &&
			!strings.Contains(place, "library/std/") && !strings.Contains(place, "library/alloc/") {
			return place, true
		}
		if first == "" {
			first = place
		}
	}
	return first, first != ""
}

// place returns the place that a core::panic::Location at an address names.
func (f rustFinder) place(at core.Addr) (string, bool) {
	cur, w := f.p.Cursor(), f.word()
	if m, ok := f.p.Mapping(at); !ok || m.Prot&core.Write != 0 || at%w != 0 {
		return "", false
	}
	file, ok := f.text(cur.Pointer(at), cur.Word(at+w), maxLocation)
	line, column := cur.U32(at+2*w), cur.U32(at+2*w+4)
	if cur.Reset() != nil || !ok || !strings.HasSuffix(file, ".rs") || line == 0 || column == 0 || line > 1<<24 ||
		column > 1<<20 {
		return "", false
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column), true
}

// owned returns the text of a String, whose three words have the capacity, the pointer and the length
// in an order that the compiler chooses.
func (f rustFinder) owned(w []core.Addr) (string, bool) {
	for _, o := range [][3]int{{0, 1, 2}, {1, 0, 2}, {2, 0, 1}} { // capacity, pointer, length
		size, at, n := w[o[0]], w[o[1]], w[o[2]]
		if n == 0 || n > size || size > maxPanic || !f.onHeap(at) {
			continue
		}
		if text, ok := f.text(at, uint64(n), maxPanic); ok {
			return text, true
		}
	}
	return "", false
}

// words returns the text that the panic was given. One that was put together lies on
// the heap as a String, whose three words are side by side on the stack: capacity,
// pointer and length, in an order that the compiler chooses; one that is a constant is
// a &str, a pointer and a length.
func (f rustFinder) words(w []core.Addr) (string, bool) {
	for i := range w {
		if i+3 > len(w) {
			break
		}
		if text, ok := f.owned(w[i : i+3]); ok {
			return text, true
		}
	}
	for i := range w {
		if i+2 > len(w) {
			break
		}
		m, ok := f.p.Mapping(w[i])
		if !ok || m.Prot&core.Write != 0 || w[i+1] < 2 {
			continue
		}
		if text, ok := f.text(w[i], uint64(w[i+1]), maxPanic); ok && !strings.HasSuffix(text, ".rs") && text != "main" {
			return text, true
		}
	}
	return "", false
}
