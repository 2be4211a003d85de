package crash

import (
	"strings"

	"coredbg/crash/bugs"
	"coredbg/crash/where"
	"coredbg/stack"
)

// trapMessage is how the names of frames begin that clang puts into debug information for
// __builtin_verbose_trap and for UBSan's traps: "$", a category, "$" and a message follow (clang 19,
// CGDebugInfo.h, ClangTrapPrefix).
const trapMessage = "__clang_trap_msg$"

// verboseTrap is a trap whose frame says why.
func (x *examination) verboseTrap() (finding, bool) {
	frames := x.faulted()
	if len(frames) < 2 {
		return finding{}, false
	}
	said, ok := strings.CutPrefix(frames[0].Name, trapMessage)
	category, message, ok2 := strings.Cut(said, "$")
	if !ok || !ok2 {
		return finding{}, false
	}
	message = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(message), `\n`))
	f := finding{cause: bugs.Assertion, sure: bugs.Certain, title: category + ": " + briefly(message),
		evidence: []string{category + ": " + message}, next: nextOfFault}
	if strings.Contains(category, "Sanitizer") {
		f.cause = bugs.Sanitizer
	}
	f.title += " in " + where.Frame(caller(frames[1:]))
	f.evidence = append(f.evidence, x.fault.Words...)
	return f, true
}

// briefly returns what a message of libc++'s hardening says last: "FILE:LINE: libc++
// Hardening assertion EXPRESSION failed: MESSAGE".
func briefly(message string) string {
	if i := strings.LastIndex(message, " failed: "); i >= 0 && i+len(" failed: ") < len(message) {
		return message[i+len(" failed: "):]
	}
	return message
}

// caller returns the first frame outside the standard library of C++.
func caller(frames []stack.Frame) *stack.Frame {
	for i := range frames {
		if n := frames[i].Name; n != "" && !strings.HasPrefix(n, "std::") && !strings.HasPrefix(n, trapMessage) {
			return &frames[i]
		}
	}
	return &frames[0]
}
