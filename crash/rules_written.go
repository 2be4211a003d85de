package crash

import (
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
)

// messages are what the messages of libraries mean, by a part of their text: glibc
// (debug/fortify_fail.c, malloc/malloc.c, assert/assert.c), bionic (libc/bionic/fortify.cpp,
// __stack_chk_fail.cpp), scudo (report.cpp), ART (runtime/jni/check_jni.cc).
var messages = []struct {
	part  string
	cause Cause
}{
	{"stack smashing detected", StackSmash}, {"stack corruption detected", StackSmash},
	{"buffer overflow detected", Fortify}, {"FORTIFY:", Fortify},
	{"JNI DETECTED ERROR", JNIAbort},
	{"double free", DoubleFree},
	{"Scudo ERROR", HeapCorruption}, {"corrupted", HeapCorruption}, {"malloc(", HeapCorruption}, {"free(", HeapCorruption},
	{"realloc(", HeapCorruption}, {"munmap_chunk(", HeapCorruption}, {"malloc_consolidate(", HeapCorruption}, {"invalid chunk", HeapCorruption},
	{"AddressSanitizer", Sanitizer}, {"Pure virtual", PureVirtual}, {"pure virtual", PureVirtual},
	{"ssertion", Assertion},
}

// causedBy is the kind of a cause that the one before it came of: an exception that another
// one holds.
const causedBy = "caused by"

// written is what runtimes and libraries have written down before they gave up.
func (x *examination) written() (finding, bool) {
	for i := range x.causes {
		c := &x.causes[i]
		said := *c
		said.Note = ""
		ended := false // whose heap was full is not there any more
		f := finding{title: said.String(), evidence: []string{said.String()}, sure: Certain, next: []string{"$C", "::status"}}
		switch c.Kind {
		case "fatal error":
			f.cause, f.next = JSFatal, []string{"::nodefatal", "::jsstack -v"}
			if strings.Contains(c.Message, "out of memory") || strings.Contains(c.Message, "heap limit") || strings.Contains(c.Message, "Allocation failed") {
				f.cause, f.next = JSHeapLimit, []string{"::leaks", "::heapstat -r", "::v8heap", "::jsstack -v"}
			}
		case "uncaught", "uncaught exception":
			f.cause, f.next = JSUncaught, []string{"::jsstack -v", "::jserror"}
			if x.within("processPromiseRejections") >= 0 || strings.Contains(c.Message, "unhandledRejection") || strings.Contains(c.Message, "This error originated either by throwing inside of an async function") {
				f.cause = JSUnhandledRejection
			}
			if ended = strings.HasPrefix(c.Message, workerFull); ended {
				x.workerFull(&f)
			}
		case "uncaught C++ exception", "std::terminate was called without an exception":
			if _, pure := x.pureVirtual(); pure && c.Type == "" {
				continue // that is how the process ended, and not why
			}
			f.cause = CXXException
			if c.Type == "std::bad_alloc" {
				x.noMemory(&f)
			}
		case "panic":
			f.cause = RustPanic
		case "JNI error":
			f.cause, f.next = JNIAbort, []string{"::javastack", "$C"}
		case "Go panic", "fatal error of Go":
			f.cause, f.next = ofGo(c.Message), []string{"$C", "::stacks"}
		case "abort message":
			f.cause = ofMessage(c.Message)
		case "uncaught Java exception", "pending exception":
			if !x.selfAborted() || x.uncaughtJava() < 0 {
				continue // it need not be why native code gave up
			}
			if c.Kind == "pending exception" {
				f.sure = Likely
			}
			f.cause, f.next = JavaUncaught, []string{fmt.Sprintf("%x::javaexception", uint64(c.Addr)), "::javastack"}
			if strings.HasSuffix(c.Type, "OutOfMemoryError") {
				f.cause, f.next = JavaOutOfMemory, []string{"::leaks", "::heapstat -r"}
			}
		default:
			continue
		}
		p := x.culprit()
		if m := x.managed(); m != nil && ofManaged(f.cause) {
			p = m
		}
		if p != nil && c.At == "" {
			f.title += ", in " + where(p)
		}
		for _, below := range x.causes[i+1:] {
			if below.Kind != causedBy {
				break
			}
			below.Note = ""
			f.title += "; " + below.String()
		}
		if c.Owner != "" {
			f.evidence = append(f.evidence, "in "+c.Owner)
		}
		if (f.cause == JSHeapLimit || f.cause == JavaOutOfMemory) && !ended {
			f.evidence = append(f.evidence, x.fillers()...)
		}
		f.evidence = append(f.evidence, others(x.causes, i)...)
		if f.cause == HeapCorruption || f.cause == DoubleFree {
			f.evidence = append(f.evidence, x.heapEvidence()...)
		}
		if c.Note != "" {
			f.sure = Likely
			f.evidence = append(f.evidence, c.Note)
		}
		return f, true
	}
	return finding{}, false
}

// workerFull is how the message begins that Node gives to the error of a worker thread whose
// heap reached its limit (lib/internal/errors.js, ERR_WORKER_OUT_OF_MEMORY): the worker is
// ended, and the process only where nobody handles that error.
const workerFull = "Worker terminated due to reaching memory limit"

// workerFull is such an error that nobody handled.
func (x *examination) workerFull(f *finding) {
	f.cause, f.next = JSHeapLimit, []string{"::jserror", "::isolates", "::jsstack -v"}
	f.title = "the heap of a worker thread reached its limit: " + f.title
	f.evidence = append(f.evidence, "the worker was ended for it, and its heap was given back: what filled it is not in this core",
		"nobody handled the error that the worker's owner got")
}

// littleMemory is what any system has left for a process, in bytes: one that has less and
// gets no more has asked for too much at once.
const littleMemory = 16 << 20

// noMemory distinguishes memory that was used up from a size that nobody can have.
func (x *examination) noMemory(f *finding) {
	var n uint64
	for _, m := range x.p.Mappings {
		if m.Prot&core.Write != 0 && (m.Path == "" || m.Path == "[heap]") {
			n += uint64(m.End - m.Start)
		}
	}
	f.evidence = append(f.evidence, fmt.Sprintf("it had mapped %d KiB of memory for data of its own", n>>10))
	f.next = []string{"$C", "::mappings"}
	if n < littleMemory {
		f.evidence = append(f.evidence, "that is little: what it asked for is too large, it seems")
		return
	}
	f.cause, f.sure = OutOfMemory, Likely
	f.evidence = append(f.evidence, "an allocation that is absurdly large fails in the same way")
}

// uncaughtJava returns the frame that ends a process for an exception that nobody caught,
// or -1 (runtime/thread.cc, java.lang.Thread, com.android.internal.os.RuntimeInit).
func (x *examination) uncaughtJava() int {
	for _, name := range []string{"art::Thread::HandleUncaughtExceptions*", "java.lang.Thread.dispatchUncaughtException", "java.lang.ThreadGroup.uncaughtException"} {
		if i := x.within(name); i >= 0 {
			return i
		}
	}
	return -1
}

// others are the causes but for one, as evidence.
func others(causes []runtimes.Cause, but int) []string {
	var out []string
	for i := range causes {
		if i != but {
			out = append(out, causes[i].String())
		}
	}
	return out
}

// ofGo returns what the words of Go's runtime mean (runtime/proc.go, stack.go, malloc.go).
func ofGo(text string) Cause {
	switch {
	case strings.HasPrefix(text, "all goroutines are asleep"), text == "no goroutines (main called runtime.Goexit) - deadlock!":
		return Deadlock
	case text == "stack overflow":
		return StackOverflow
	case strings.HasSuffix(text, "out of memory"), strings.HasSuffix(text, "cannot allocate memory"):
		return OutOfMemory
	}
	return GoPanic
}

func ofMessage(text string) Cause {
	for _, m := range messages {
		if strings.Contains(text, m.part) {
			return m.cause
		}
	}
	return AbortMessage
}

// A checker is a function that only a failed check calls.
type checker struct {
	name  string // of a function, or with * at the end the beginning of its name
	cause Cause
	title string
}

// checkers, in order of what they tell.
var checkers = []checker{
	{"__stack_chk_fail", StackSmash, "stack smashed"},
	{"__chk_fail", Fortify, "buffer overflow detected"},
	{"__fortify_fail", Fortify, "buffer overflow detected"},
	{"malloc_printerr", HeapCorruption, "heap corrupted"},
	{"__assert_fail", Assertion, "assertion failed"},
	{"__assert2", Assertion, "assertion failed"},
	{"__assert_rtn", Assertion, "assertion failed"},
	{"v8::internal::V8::FatalProcessOutOfMemory", JSHeapLimit, "JavaScript heap out of memory"},
	{"v8::Utils::ReportOOMFailure", JSHeapLimit, "JavaScript heap out of memory"},
	{"node::OOMErrorHandler", JSHeapLimit, "JavaScript heap out of memory"},
	{"napi_fatal_error", JSFatal, "fatal error of an addon"},
	{"node::OnFatalError", JSFatal, "fatal error of V8"},
	{"node::FatalError", JSFatal, "fatal error of Node"},
	{"V8_Fatal", JSFatal, "fatal error of V8"},
	{"node::errors::TriggerUncaughtException", JSUncaught, "uncaught exception"},
	{"node::Assert", JSFatal, "assertion of Node failed"},
	{"art::JavaVMExt::JniAbort*", JNIAbort, "JNI misused"},
	{"runtime.checkdead", Deadlock, "all goroutines are asleep"},
	{"runtime.fatalpanic", GoPanic, "Go panic"},
	{"runtime.gopanic", GoPanic, "Go panic"},
	{"runtime.throw", GoPanic, "fatal error of the Go runtime"},
	{"runtime.fatalthrow", GoPanic, "fatal error of the Go runtime"},
	{"std::alloc::rust_oom", OutOfMemory, "allocation failed"},
	{"alloc::alloc::handle_alloc_error", OutOfMemory, "allocation failed"},
	{"xalloc_die", OutOfMemory, "allocation failed"},
	{"rust_begin_unwind", RustPanic, "Rust panic"},
	{"std::terminate", CXXException, "std::terminate called"},
}

// gaveUp finds such functions on the stack.
func (x *examination) gaveUp() (finding, bool) {
	for _, c := range checkers {
		i := x.within(c.name)
		if i < 0 {
			continue
		}
		f := finding{cause: c.cause, title: c.title, sure: Likely, evidence: []string{x.stack.Frames[i].Name + " is on the stack"}, next: []string{"$C", "::stacks"}}
		if p := x.culprit(); p != nil {
			f.title += " in " + where(p)
		}
		if g := x.fault.Signal; c.cause == GoPanic && g != nil && len(x.fault.Words) > 0 {
			f.evidence = append(f.evidence, x.fault.Words...)
		}
		return f, true
	}
	return finding{}, false
}

// pureVirtual is a call of a virtual function that has no body.
func (x *examination) pureVirtual() (finding, bool) {
	i := max(x.within("__cxa_pure_virtual"), x.within("__cxa_deleted_virtual"))
	if i < 0 {
		return finding{}, false
	}
	f := finding{cause: PureVirtual, sure: Certain, title: "pure virtual function called", evidence: []string{x.stack.Frames[i].Name + " is on the stack"}, next: []string{"$C"}}
	if p := x.culprit(); p != nil {
		f.title += " in " + where(p)
	}
	return f, true
}

// sanitizers are the name spaces of their reports, by the tool.
var sanitizers = []string{"__asan::", "__hwasan::", "__msan::", "__tsan::", "__ubsan::", "__lsan::", "__sanitizer::", "__asan_report_", "__ubsan_handle_"}

// sanitizer finds the report of a sanitizer on the stack.
func (x *examination) sanitizer() (finding, bool) {
	if x.stack == nil {
		return finding{}, false
	}
	for i := range x.stack.Frames {
		for _, s := range sanitizers {
			if name := x.stack.Frames[i].Name; strings.HasPrefix(name, s) && i < 32 {
				f := finding{cause: Sanitizer, title: "report of a sanitizer", sure: Certain, evidence: []string{name + " is on the stack"}, next: []string{"$C"}}
				if p := x.culprit(); p != nil {
					f.title += " in " + where(p)
				}
				return f, true
			}
		}
	}
	return finding{}, false
}

// within returns the innermost frame of a function, or -1. A name that ends in * is the
// beginning of one.
func (x *examination) within(name string) int {
	if x.stack == nil {
		return -1
	}
	prefix, open := strings.CutSuffix(name, "*")
	for i := range x.stack.Frames {
		if n := x.stack.Frames[i].Name; n == name || open && strings.HasPrefix(n, prefix) {
			return i
		}
	}
	return -1
}

// culprit returns the first frame that names the bug: neither the machinery of giving up
// nor an allocator or a copy that it called.
func (x *examination) culprit() *stack.Frame {
	frames := x.faulted()
	for i := range frames {
		f := &frames[i]
		if f.Name == "" || x.noise(f) {
			continue
		}
		if kind, _ := x.rules().match(f.Name); kind == "" || kind == "sentinel" {
			return f
		}
	}
	return nil
}
