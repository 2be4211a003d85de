package crash

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/bugs"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// TestOfJVM: the words of HotSpot's own reports.
func TestOfJVM(t *testing.T) {
	for _, c := range []struct {
		typ, message string
		want         bugs.Cause
	}{
		{"", "fatal error: OutOfMemory encountered: Java heap space", bugs.JavaOutOfMemory},
		{"out of memory", "Chunk::new", bugs.OutOfMemory},
		{"", "guarantee(n > 0) failed: no room", bugs.Assertion},
		{"", "assert(is_oop(o)) failed", bugs.Assertion},
		{"", "fatal error: ExceptionMark constructor expects no pending exceptions", bugs.AbortMessage},
	} {
		if got := ofJVM(&runtimes.Cause{Type: c.typ, Message: c.message}); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.typ, c.message, got, c.want)
		}
	}
}

// TestOfMessage: the C library's own words for a failed check of _FORTIFY_SOURCE
// (debug/fdelt_chk.c, debug/longjmp_chk.c, stdio-common/vfprintf-process-arg.c).
func TestOfMessage(t *testing.T) {
	for text, want := range map[string]bugs.Cause{
		"*** buffer overflow detected ***: terminated":                  bugs.Fortify,
		"*** bit out of range 0 - FD_SETSIZE on fd_set ***: terminated": bugs.Fortify,
		"*** %n in writable segment detected ***":                       bugs.Fortify,
		"*** invalid %N$ use detected ***":                              bugs.Fortify,
		"*** longjmp causes uninitialized stack frame ***: terminated":  bugs.Fortify,
		"*** stack smashing detected ***: terminated":                   bugs.StackSmash,
		"bit by bit, out of range":                                      bugs.AbortMessage,
		"double free or corruption (!prev)":                             bugs.DoubleFree,
		"program: main.c:3: main: Assertion `n > 0' failed.":            bugs.Assertion,
	} {
		if got := ofMessage(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestGaveUpBeyond: frames inside the function that a failed check calls are that function's
// own, whatever they are called: Breakpad's linux_overflow.dmp has __fsetlocking there,
// the nearest symbol that libc exports. A module whose symbols stand in for its file names
// frames as well as the file would.
func TestGaveUpBeyond(t *testing.T) {
	frames := []stack.Frame{{Name: "gsignal"}, {Name: "abort"}, {Name: "__fsetlocking"}, {Name: "__fortify_fail"},
		{Name: "__chk_fail"},
		{Name: "overflow(char const*)"}, {Name: "main"}}
	noise := []string{"gsignal", "abort", "__fortify_fail", "__chk_fail"}
	x := &examination{p: coretest.New(core.AMD64).Process(), s: &Subject{}, stack: &stack.Stack{Frames: frames},
		threads: where.Threads{Noise: func(f string) bool { return slices.Contains(noise, f) }}}
	f, ok := x.gaveUp()
	if !ok || f.cause != bugs.Fortify || f.title != "buffer overflow detected in overflow(char const*)" {
		t.Errorf("%+v", f)
	}
	for _, c := range []struct {
		facts core.ModuleFacts
		doubt bool
	}{
		{core.ModuleFacts{Err: errors.New("no such file")}, true},
		{core.ModuleFacts{Err: errors.New("no such file"), Image: noImage{}}, false},
		{core.ModuleFacts{Err: errors.New("no such file"), Image: noImage{}, InMemory: true}, true},
	} {
		x.p = coretest.New(core.AMD64).MapProt(0x1000, make([]byte, 0x1000), core.Read|core.Exec).Process()
		x.p.Modules = []*core.Module{core.NewModule(core.Module{Path: "a", Start: 0x1000, End: 0x2000, Exe: true},
			func(*core.Module) core.ModuleFacts { return c.facts })}
		if got := x.doubts(&rule{needs: needsFrames}); got != "" != c.doubt {
			t.Errorf("%+v: %q", c.facts, got)
		}
	}
}

// A noImage is an image without contents.
type noImage struct{ core.Image }

// TestJoinable: a thread that was destroyed while it could be joined ends the process, and the function that
// destroyed it is the place.
func TestJoinable(t *testing.T) {
	frames := []stack.Frame{{Name: "abort"}, {Name: "std::terminate"}, {Name: "std::__terminate", Inlined: true},
		{Name: "std::thread::~thread", Inlined: true},
		{Name: "serve(int)"}, {Name: "main"}}
	x := &examination{p: coretest.New(core.AMD64).Process(), s: &Subject{}, stack: &stack.Stack{Frames: frames},
		causes:  []runtimes.Cause{{Kind: runtimes.Terminated}},
		threads: where.Threads{Noise: func(f string) bool { return f == "abort" }}}
	f, ok := x.written()
	why := "a std::thread was destroyed while it was joinable: neither join nor detach was called"
	if !ok || f.title != "std::terminate was called without an exception, in serve(int)" ||
		!slices.Contains(f.evidence, why) {
		t.Errorf("%+v", f)
	}
}

// TestCausedBy: a title names the root, and not all that wraps it.
func TestCausedBy(t *testing.T) {
	chain := func(n int) (list []runtimes.Cause) {
		for i := range n {
			list = append(list, runtimes.Cause{Kind: runtimes.CausedBy, Type: fmt.Sprint("E", i)})
		}
		return append(list, runtimes.Cause{Kind: runtimes.Suppressed, Type: "S"})
	}
	for n, want := range map[int]string{
		0: "", 1: "; caused by E0", 4: "; caused by E0; caused by E1; caused by E2; caused by E3",
		5: "; caused by E0; caused by E1; caused by E2; 1 more; caused by E4",
		9: "; caused by E0; caused by E1; caused by E2; 5 more; caused by E8",
	} {
		if got := causedBy(chain(n)); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
