package abort

import (
	"strings"
	"testing"

	"coredbg/core"
)

// Where the classes of D and their names lie.
const (
	throwableClass = dataAt + 0x100
	exceptionClass = dataAt + 0x200
	brokenClass    = dataAt + 0x300
	plainClass     = dataAt + 0x400 // of no Throwable
	vtables        = dataAt + 0x600 // one of a word for each class, in this order
	thrownText     = dataAt + 0x800
)

// classesOfD lays out classes as druntime does (object.d, TypeInfo_Class).
func (s *scene) classesOfD() {
	for i, c := range []struct {
		at, base core.Addr
		name     string
	}{{throwableClass, 0, "object.Throwable"}, {exceptionClass, throwableClass, "object.Exception"},
		{brokenClass, exceptionClass, "app.Broken"}, {plainClass, 0, "app.Plain"}} {
		text := c.at + 0x80
		s.text(text, c.name)
		s.words(c.at+8*classOfDName, uint64(len(c.name)), uint64(text))
		s.words(c.at+8*classOfDBase, uint64(c.base))
		s.words(vtables+core.Addr(8*i), uint64(c.at))
	}
}

// thrown lays out an object of a class: its message and its file, and the words after its trace.
func (s *scene) thrown(at core.Addr, class int, message, file string, line uint64, after ...uint64) {
	text := thrownText + (at-heapAt)/2
	s.text(text, message+file)
	s.words(at, uint64(vtables+8*class), 0, uint64(len(message)), uint64(text), uint64(len(file)),
		uint64(text)+uint64(len(message)), line, 0)
	s.words(at+8*throwableNext, after...)
}

// TestThrownD reads exceptions of D by the layout of druntime (object.d). The thrower's frame is from 0x200
// to 0x300 of the stack, and the functions that it has called have saved registers below.
func TestThrownD(t *testing.T) {
	const first, second, third, own, saved, older = heapAt + 0x100, heapAt + 0x200, heapAt + 0x300, stackAt + 0x248,
		stackAt + 0x1f0, stackAt + 0x40
	for _, c := range []struct {
		what string
		lay  func(s *scene)
		want string
	}{
		{"on its own stack", func(s *scene) {
			s.thrown(first, 2, "order 8", "app.d", 12)
			s.words(own, first)
		}, "uncaught D exception app.Broken: order 8, at app.d:12"},
		{"in a register that was saved", func(s *scene) {
			s.thrown(first, 1, "order 8", "app.d", 12)
			s.words(saved, first)
		}, "uncaught D exception object.Exception: order 8, at app.d:12"},
		{"without a message and a place", func(s *scene) {
			s.thrown(first, 2, "", "", 0)
			s.words(own, first)
		}, "uncaught D exception app.Broken"},
		{"made in the library", func(s *scene) {
			s.thrown(first, 2, "no file", "std/file.d", 370)
			s.words(own, first)
		}, "uncaught D exception app.Broken: no file"},
		{"a chain", func(s *scene) {
			s.thrown(first, 2, "outer", "a.d", 1, second)
			s.thrown(second, 1, "inner", "b.d", 2, third)
			s.thrown(third, 1, "innermost", "c.d", 3)
			s.words(own, first)
		}, "uncaught D exception app.Broken: outer, at a.d:1; chained object.Exception: inner, at b.d:2; chained object.Exception: innermost, at c.d:3"},
		{"a chain, after a function that gives back the trace", func(s *scene) {
			s.thrown(first, 2, "outer", "a.d", 1, 0, second)
			s.thrown(second, 1, "inner", "b.d", 2)
			s.words(own, first)
		}, "uncaught D exception app.Broken: outer, at a.d:1; chained object.Exception: inner, at b.d:2"},
		{"the chain's first, whatever is found first", func(s *scene) {
			s.thrown(first, 2, "outer", "a.d", 1, second)
			s.thrown(second, 1, "inner", "b.d", 2)
			s.words(saved, second)
			s.words(older, first)
		}, "uncaught D exception app.Broken: outer, at a.d:1; chained object.Exception: inner, at b.d:2"},
		{"a chain that comes back", func(s *scene) {
			s.thrown(first, 2, "outer", "a.d", 1, second)
			s.thrown(second, 1, "inner", "b.d", 2, first)
			s.words(own, first)
		}, "uncaught D exception app.Broken: outer, at a.d:1; chained object.Exception: inner, at b.d:2"},
		{"an object of another class", func(s *scene) {
			s.thrown(first, 3, "no exception", "app.d", 12)
			s.words(own, first)
		}, "uncaught D exception (which exception it was is not known)"},
		{"a message that the core lacks", func(s *scene) {
			s.thrown(first, 2, "order 8", "app.d", 12)
			s.words(first+8*throwableText+8, 0x123456)
			s.words(own, first)
		}, "uncaught D exception app.Broken, at app.d:12 (its message cannot be read: 0x123456: not mapped)"},
		{"classes that are their own bases", func(s *scene) {
			s.thrown(first, 2, "order 8", "app.d", 12)
			s.words(exceptionClass+8*classOfDBase, exceptionClass)
			s.words(own, first)
		}, "uncaught D exception (which exception it was is not known)"},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := newScene()
			s.classesOfD()
			c.lay(s)
			var got []string
			for _, x := range s.causes(t, "abort", "_D3gcc3deh9terminateFNiAyakZv", "_d_throw", "app.main") {
				got = append(got, x.String())
			}
			if strings.Join(got, "; ") != c.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "; "), c.want)
			}
		})
	}
	s := newScene()
	s.classesOfD()
	s.thrown(first, 2, "order 8", "app.d", 12)
	s.words(own, first)
	if got := s.causes(t, "abort", "app.handle", "app.main"); len(got) > 0 {
		t.Errorf("%v without a function that throws", got)
	}
}
