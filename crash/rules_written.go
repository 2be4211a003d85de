package crash

import (
	"fmt"
	"slices"
	"strings"

	"coredbg/crash/bugs"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// messages are what the messages of libraries mean, by a part of their text: glibc
// (debug/fortify_fail.c, malloc/malloc.c, assert/assert.c), bionic (libc/bionic/fortify.cpp,
// __stack_chk_fail.cpp), scudo (report.cpp), ART (runtime/jni/check_jni.cc).
var messages = []struct {
	part  string
	cause bugs.Cause
}{
	{"stack smashing detected", bugs.StackSmash}, {"stack corruption detected", bugs.StackSmash},
	{"buffer overflow detected", bugs.Fortify}, {"FORTIFY:", bugs.Fortify},
	{"bit out of range 0 - FD_SETSIZE on fd_set", bugs.Fortify}, {"%n in writable segment", bugs.Fortify},
	{"invalid %N$ use detected", bugs.Fortify}, {"longjmp causes uninitialized stack frame", bugs.Fortify},
	{"JNI DETECTED ERROR", bugs.JNIAbort},
	{"double free", bugs.DoubleFree},
	{"Scudo ERROR", bugs.HeapCorruption}, {"corrupted", bugs.HeapCorruption}, {"malloc(", bugs.HeapCorruption},
	{"free(", bugs.HeapCorruption},
	{"realloc(", bugs.HeapCorruption}, {"munmap_chunk(", bugs.HeapCorruption},
	{"malloc_consolidate(", bugs.HeapCorruption}, {"invalid chunk", bugs.HeapCorruption},
	{"AddressSanitizer", bugs.Sanitizer}, {"Pure virtual", bugs.PureVirtual}, {"pure virtual", bugs.PureVirtual},
	{"ssertion", bugs.Assertion},
}

// ofGo returns what the words of Go's runtime mean (runtime/proc.go, stack.go, malloc.go).
func ofGo(text string) bugs.Cause {
	switch {
	case strings.HasPrefix(text, "all goroutines are asleep"),
		text == "no goroutines (main called runtime.Goexit) - deadlock!":
		return bugs.Deadlock
	case text == "stack overflow":
		return bugs.StackOverflow
	case strings.HasSuffix(text, "out of memory"), strings.HasSuffix(text, "cannot allocate memory"):
		return bugs.OutOfMemory
	}
	return bugs.GoPanic
}

// ofJVM returns what an error of HotSpot means (share/utilities/debug.cpp).
func ofJVM(c *runtimes.Cause) bugs.Cause {
	switch {
	case strings.Contains(c.Message, "OutOfMemory encountered: "):
		return bugs.JavaOutOfMemory
	case c.Type == "out of memory":
		return bugs.OutOfMemory
	case strings.HasPrefix(c.Message, "assert("), strings.HasPrefix(c.Message, "guarantee("):
		return bugs.Assertion
	}
	return bugs.AbortMessage
}

func ofMessage(text string) bugs.Cause {
	for _, m := range messages {
		if strings.Contains(text, m.part) {
			return m.cause
		}
	}
	return bugs.AbortMessage
}

// A checker is a function that only a failed check calls.
type checker struct {
	name  string // of a function, or with * at the end the beginning of its name
	cause bugs.Cause
	title string
}

// checkers, in order of significance.
var checkers = []checker{
	{"__stack_chk_fail", bugs.StackSmash, "stack smashed"},
	{"__chk_fail", bugs.Fortify, "buffer overflow detected"},
	{"__fortify_fail", bugs.Fortify, "buffer overflow detected"},
	{"malloc_printerr", bugs.HeapCorruption, "heap corrupted"},
	{"__assert_fail", bugs.Assertion, "assertion failed"},
	{"__assert2", bugs.Assertion, "assertion failed"},
	{"__assert_rtn", bugs.Assertion, "assertion failed"},
	{"std::__glibcxx_assert_fail", bugs.Assertion, "assertion failed"}, // _GLIBCXX_ASSERTIONS, since GCC 12
	{"std::__replacement_assert", bugs.Assertion, "assertion failed"},  // and before
	{"v8::internal::V8::FatalProcessOutOfMemory", bugs.JSHeapLimit, "JavaScript heap out of memory"},
	{"v8::Utils::ReportOOMFailure", bugs.JSHeapLimit, "JavaScript heap out of memory"},
	{"node::OOMErrorHandler", bugs.JSHeapLimit, "JavaScript heap out of memory"},
	{"napi_fatal_error", bugs.JSFatal, "fatal error of an addon"},
	{"node::OnFatalError", bugs.JSFatal, "fatal error of V8"},
	{"node::FatalError", bugs.JSFatal, "fatal error of Node"},
	{"V8_Fatal", bugs.JSFatal, "fatal error of V8"},
	{"node::errors::TriggerUncaughtException", bugs.JSUncaught, "uncaught exception"},
	{"node::Assert", bugs.JSFatal, "assertion of Node failed"},
	{"jni_FatalError", bugs.JNIAbort, "FatalError of JNI was called"}, // of HotSpot
	{"art::JavaVMExt::JniAbort*", bugs.JNIAbort, "JNI misused"},
	{"runtime.checkdead", bugs.Deadlock, "all goroutines are asleep"},
	{"runtime.fatalpanic", bugs.GoPanic, "Go panic"},
	{"runtime.gopanic", bugs.GoPanic, "Go panic"},
	{"runtime.throw", bugs.GoPanic, "fatal error of the Go runtime"},
	{"runtime.fatalthrow", bugs.GoPanic, "fatal error of the Go runtime"},
	{"std::alloc::rust_oom", bugs.OutOfMemory, "allocation failed"},
	{"alloc::alloc::handle_alloc_error", bugs.OutOfMemory, "allocation failed"},
	{"xalloc_die", bugs.OutOfMemory, "allocation failed"},
	{"rust_begin_unwind", bugs.RustPanic, "Rust panic"},
	{"std::terminate", bugs.CXXException, "std::terminate called"},
}

// gaveUp finds such functions on the stack.
func (x *examination) gaveUp() (finding, bool) {
	for _, c := range checkers {
		i := x.within(c.name)
		if i < 0 {
			continue
		}
		f := finding{cause: c.cause, title: c.title, sure: bugs.Likely,
			evidence: []string{x.stack.Frames[i].Name + " is on the stack"}, next: []string{"$C", "::stacks"}}
		if p := x.culpritFrom(i + 1); p != nil {
			f.title += " in " + where.Frame(p)
		}
		switch c.cause {
		case bugs.JSHeapLimit:
			x.filled(&f, c.title)
		case bugs.OutOfMemory:
			heapExam{x}.nativeFilling(&f)
		}
		if g := x.fault.Signal; c.cause == bugs.GoPanic && g != nil && len(x.fault.Words) > 0 {
			f.evidence = append(f.evidence, x.fault.Words...)
		}
		return f, true
	}
	return finding{}, false
}

// terminators call std::terminate by their contract ([thread.thread.destr], [thread.thread.assign]).
var terminators = []struct{ name, why string }{
	{"std::thread::~thread", "a std::thread was destroyed while it was joinable: neither join nor detach was called"},
	{"std::thread::operator=", "a std::thread was assigned to while it was joinable: neither join nor detach was called"},
}

// terminatedBy says why std::terminate was called, if the function that called it shows that.
func terminatedBy(s *stack.Stack) []string {
	for _, c := range terminators {
		if s != nil && slices.ContainsFunc(s.Frames,
			func(f stack.Frame) bool { return strings.HasPrefix(f.Name, c.name) }) {
			return []string{c.why}
		}
	}
	return nil
}

// pureVirtual is a call of a virtual function that has no body.
func (x *examination) pureVirtual() (finding, bool) {
	i := max(x.within("__cxa_pure_virtual"), x.within("__cxa_deleted_virtual"))
	if i < 0 {
		return finding{}, false
	}
	f := finding{cause: bugs.PureVirtual, sure: bugs.Certain, title: "pure virtual function called",
		evidence: []string{x.stack.Frames[i].Name + " is on the stack"}, next: []string{"$C"}}
	if p := x.culprit(); p != nil {
		f.title += " in " + where.Frame(p)
	}
	return f, true
}

// sanitizers are the name spaces of their reports, by the tool.
var sanitizers = []string{"__asan::", "__hwasan::", "__msan::", "__tsan::", "__ubsan::", "__lsan::", "__sanitizer::",
	"__asan_report_", "__ubsan_handle_"}

// sanitizer finds the report of a sanitizer on the stack.
func (x *examination) sanitizer() (finding, bool) {
	if x.stack == nil {
		return finding{}, false
	}
	for i := range x.stack.Frames {
		for _, s := range sanitizers {
			if name := x.stack.Frames[i].Name; strings.HasPrefix(name, s) && i < 32 {
				f := finding{cause: bugs.Sanitizer, title: "report of a sanitizer", sure: bugs.Certain,
					evidence: []string{name + " is on the stack"}, next: []string{"$C"}}
				if p := x.culprit(); p != nil {
					f.title += " in " + where.Frame(p)
				}
				return f, true
			}
		}
	}
	return finding{}, false
}

// saysRejection reports whether Node's message is about a promise that was rejected.
func saysRejection(message string) bool {
	return strings.Contains(message, "unhandledRejection") ||
		strings.Contains(message, "This error originated either by throwing inside of an async function") ||
		strings.HasPrefix(message, "a promise was rejected with the reason ")
}

// maxTitleCauses is the maximum number of causes that a title names.
const maxTitleCauses = 4

// causedBy says which causes an exception has, up to the root, or which exceptions are chained to it. It
// leaves out the middle of a long chain.
func causedBy(causes []runtimes.Cause) (words string) {
	n := slices.IndexFunc(causes, func(c runtimes.Cause) bool {
		return c.Kind != runtimes.CausedBy &&
			c.Kind != runtimes.Chained
	})
	if n < 0 {
		n = len(causes)
	}
	for i, c := range causes[:n] {
		switch left := n - maxTitleCauses; {
		case left <= 0 || i < maxTitleCauses-1 || i == n-1:
			c.Note = ""
			words += "; " + c.String()
		case i == n-2:
			words += fmt.Sprintf("; %d more", left)
		}
	}
	return words
}
