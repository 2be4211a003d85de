package crash

import (
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/bugs"
	"coredbg/crash/fault"
	"coredbg/stack"
)

// Programs that clang 22 made have these names: with libc++ 22 and
// _LIBCPP_HARDENING_MODE_FAST, with __builtin_verbose_trap, and with -fsanitize-trap and
// -fno-sanitize-merge. The titles name what the programs' sources do.
func TestVerboseTrap(t *testing.T) {
	for _, c := range []struct {
		frames []string
		cause  bugs.Cause
		title  string
		says   string
	}{
		{[]string{`__clang_trap_msg$libc++$llvm/include/__vector/vector.h:417: libc++ Hardening assertion __n < size() failed: vector[] index out of bounds\n`,
			"std::__1::vector<int, std::__1::allocator<int> >::operator[][abi:fqe220108]", "pick", "main"},
			bugs.Assertion, "libc++: vector[] index out of bounds in pick",
			"libc++ Hardening assertion __n < size() failed"},
		{[]string{"__clang_trap_msg$mylib$n must not be positive", "check", "main"}, bugs.Assertion,
			"mylib: n must not be positive in check", ""},
		{[]string{"__clang_trap_msg$Undefined Behavior Sanitizer$signed integer addition overflow in 'n + 2147483647'",
			"main"}, bugs.Sanitizer,
			"Undefined Behavior Sanitizer: signed integer addition overflow in 'n + 2147483647' in main", ""},
		{[]string{"__clang_trap_msg$libc++$odd failed: ", "std::f"}, bugs.Assertion,
			"libc++: odd failed: in std::f", ""},
		{[]string{"__clang_trap_msg$", "main"}, bugs.None, "", ""},
		{[]string{"__clang_trap_msg$a$b"}, bugs.None, "", ""},
		{[]string{"check", "__clang_trap_msg$a$b", "main"}, bugs.None, "", ""},
	} {
		x := &examination{p: coretest.New(core.AMD64).Process(), s: &Subject{}, stack: &stack.Stack{},
			fault: fault.Fault{Words: []string{"at ud2"}}}
		for _, name := range c.frames {
			x.stack.Frames = append(x.stack.Frames, stack.Frame{Name: name})
		}
		f, ok := x.verboseTrap()
		if ok != (c.cause != bugs.None) || f.cause != c.cause || f.title != c.title ||
			!strings.Contains(strings.Join(f.evidence, "\n"), c.says) {
			t.Errorf("%q: %+v", c.frames, f)
		}
	}
}
