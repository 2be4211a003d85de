package crash

import (
	"fmt"
	"strings"

	"coredbg/crash/bugs"
	"coredbg/crash/where"
	"coredbg/runtimes"
)

// A statement is a cause that a runtime or a library has written down before the process gave up, and the finding
// that it leads to.
type statement struct {
	*examination
	finding
	of   *runtimes.Cause
	text string // of the cause, with its place
}

// written judges the first statement that can be why the process died.
func (x *examination) written() (finding, bool) {
	for i := range x.causes {
		said := x.causes[i]
		said.Note = ""
		said.At = x.placed(said.At)
		text := said.String()
		s := statement{x, finding{title: text, evidence: []string{text}, sure: bugs.Certain,
			next: []string{"$C", "::status"}}, &x.causes[i], text}
		if s.judge() {
			s.complete(i)
			return s.finding, true
		}
	}
	return finding{}, false
}

// judge sets the cause of the finding. It reports whether the statement can be why the process died.
func (s *statement) judge() bool {
	switch c := s.of; c.Kind {
	case runtimes.FatalError, runtimes.UncaughtError, runtimes.UncaughtUnknown:
		s.ofJS()
	case runtimes.UncaughtCXX, runtimes.Terminated:
		if _, pure := s.pureVirtual(); pure && c.Type == "" {
			return false // that is how the process ended, and not why
		}
		s.cause = bugs.CXXException
		if c.Type == "std::bad_alloc" {
			s.noMemory()
		}
		s.evidence = append(s.evidence, terminatedBy(s.stack)...)
	case runtimes.UncaughtD:
		if s.cause = bugs.DException; c.Type == "core.exception.OutOfMemoryError" {
			s.noMemory()
		}
	case runtimes.RustPanic:
		s.cause = bugs.RustPanic
	case runtimes.JNIError:
		s.cause, s.next = bugs.JNIAbort, []string{"::javastack", "$C"}
	case runtimes.GoPanic, runtimes.FatalErrorOfGo:
		s.cause, s.next = ofGo(c.Message), []string{"$C", "::goroutines -g", "::stacks"}
		if s.cause == bugs.Deadlock {
			s.asleep(&s.finding)
		}
	case runtimes.FatalErrorOfJVM:
		s.cause, s.next = ofJVM(c), []string{"$C", "::stacks"}
		if s.cause == bugs.JavaOutOfMemory {
			s.next = []string{"::leaks", "::heapstat -r", "::javastack"}
		}
	case runtimes.AbortMessage:
		s.cause = ofMessage(c.Message)
		return !c.Garbled
	case runtimes.UncaughtJava, runtimes.PendingJava:
		return s.ofJava()
	default:
		return false
	}
	return true
}

// ofJS judges a fatal error of V8, or an error of JavaScript that nothing handled.
func (s *statement) ofJS() {
	c := s.of
	if c.Kind == runtimes.FatalError {
		s.cause, s.next = bugs.JSFatal, []string{"::nodefatal", "::jsstack -v"}
		if strings.Contains(c.Message, "out of memory") || strings.Contains(c.Message, "heap limit") ||
			strings.Contains(c.Message, "Allocation failed") {
			s.cause, s.next = bugs.JSHeapLimit, []string{"::leaks", "::heapstat -r", "::v8heap", "::jsstack -v"}
		}
		return
	}
	s.cause, s.next = bugs.JSUncaught, []string{"::jsstack -v", "::jserror"}
	if c.Kind == runtimes.UncaughtError && c.Type == "" { // a value that is no error
		s.next[1] = fmt.Sprintf("%x::jsprint", uint64(c.Addr))
	}
	if s.within("processPromiseRejections") >= 0 || saysRejection(c.Message) {
		s.cause = bugs.JSUnhandledRejection
	}
	if s.ofFullWorker() {
		s.cause, s.next = bugs.JSHeapLimit, []string{"::jserror", "::isolates", "::jsstack -v"}
		s.title = "the heap of a worker thread reached its limit: " + s.title
		s.evidence = append(s.evidence, "the worker was ended for it, and its heap was given back: what filled it is not in this core",
			"nobody handled the error that the worker's owner got")
	}
}

// ofJava judges an exception of Java that nothing handled. It reports whether that is why native code gave up.
func (s *statement) ofJava() bool {
	if !s.selfAborted() || s.uncaughtJava() < 0 {
		return false
	}
	if s.of.Kind == runtimes.PendingJava {
		s.sure = bugs.Likely
	}
	s.cause, s.next = bugs.JavaUncaught, []string{fmt.Sprintf("%x::javaexception", uint64(s.of.Addr)), "::javastack"}
	if strings.HasSuffix(s.of.Type, "OutOfMemoryError") {
		s.cause, s.next = bugs.JavaOutOfMemory, []string{"::leaks", "::heapstat -r"}
	}
	return true
}

// uncaughtJava returns the frame that ends a process for an uncaught exception, or -1
// (runtime/thread.cc, java.lang.Thread, com.android.internal.os.RuntimeInit).
func (x *examination) uncaughtJava() int {
	for _, name := range []string{"art::Thread::HandleUncaughtExceptions*",
		"java.lang.Thread.dispatchUncaughtException", "java.lang.ThreadGroup.uncaughtException"} {
		if i := x.within(name); i >= 0 {
			return i
		}
	}
	return -1
}

// complete adds the place, the filling of a full heap, and the other causes. The statement is cause i.
func (s *statement) complete(i int) {
	c := s.of
	p := s.culprit()
	if m := s.managed(); m != nil && s.cause.Managed() {
		p = m
	}
	if p != nil && c.At == "" && c.Kind != runtimes.UncaughtJava { // there the thread is in the handler
		s.title += ", in " + where.Frame(p)
	}
	s.fullStack(&s.finding, c)
	s.title += causedBy(s.causes[i+1:])
	s.evidence = append(s.evidence, c.Details...)
	if c.Owner != "" {
		s.evidence = append(s.evidence, "in "+c.Owner)
	}
	if s.cause.FullHeap() && !s.ofFullWorker() {
		s.filled(&s.finding, s.text)
	}
	s.evidence = append(s.evidence, s.causes.except(i)...)
	if s.cause == bugs.HeapCorruption || s.cause == bugs.DoubleFree {
		heapExam{s.examination}.allocatorBlock(&s.finding, c.Message)
	}
	if c.Note != "" {
		s.sure = bugs.Likely
		s.evidence = append(s.evidence, c.Note)
	}
}

// placed adds its file and line to the place of a cause, if that is a function on the stack.
func (x *examination) placed(at string) string {
	if i := x.within(at); at != "" && i >= 0 && x.stack.Frames[i].Name == at {
		return where.Frame(&x.stack.Frames[i])
	}
	return at
}

// workerFull begins Node's message for the error of a worker thread whose heap reached its limit
// (lib/internal/errors.js, ERR_WORKER_OUT_OF_MEMORY): the worker is ended, and, if the error is not
// handled, the process.
const workerFull = "Worker terminated due to reaching memory limit"

// ofFullWorker reports whether the error is a worker's that was ended for its heap, which is not there any more.
func (s *statement) ofFullWorker() bool {
	return (s.of.Kind == runtimes.UncaughtError || s.of.Kind == runtimes.UncaughtUnknown) &&
		strings.HasPrefix(s.of.Message, workerFull)
}

// littleMemory is the memory, in bytes, that any system has left for a process: one that has less and
// gets no more has asked for too much at once.
const littleMemory = 16 << 20

// noMemory distinguishes memory that was used up from an impossible size.
func (s *statement) noMemory() {
	n := ownMemory(s.p)
	s.evidence = append(s.evidence, fmt.Sprintf("it had mapped %d KiB of memory for data of its own", n>>10))
	s.next = []string{"$C", "::mappings"}
	if n < littleMemory {
		s.evidence = append(s.evidence, "that is little: what it asked for is too large, it seems")
		return
	}
	s.cause, s.sure = bugs.OutOfMemory, bugs.Likely
	s.evidence = append(s.evidence, "an allocation that is absurdly large fails in the same way")
	heapExam{s.examination}.nativeFilling(&s.finding)
}
