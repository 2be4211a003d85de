package fault

import (
	"coredbg/crash/bugs"
)

// An exception is a kind of bug that the code of an exception of Windows names alone.
type exception struct {
	cause bugs.Cause
	sure  bugs.Confidence
	title string // "" if the cause says enough
}

// exceptions are in ntstatus.h, 0xe06d7363 in ehdata.h of Microsoft's C++.
var exceptions = map[int]exception{
	0xc0000094: {bugs.DivideByZero, bugs.Certain, ""},
	0xc0000095: {bugs.DivideByZero, bugs.Certain, "quotient too large"},
	0xc000008e: {bugs.DivideByZero, bugs.Certain, "floating-point division by zero"},
	0xc0000374: {bugs.HeapCorruption, bugs.Certain, ""},
	0xc0000420: {bugs.Assertion, bugs.Certain, "assertion failed"},
	0xe06d7363: {bugs.CXXException, bugs.Certain, "uncaught C++ exception"},
}

// fastFails are the codes of STATUS_STACK_BUFFER_OVERRUN (winnt.h, FAST_FAIL).
var fastFails = map[int]exception{
	0: {bugs.StackSmash, bugs.Certain, "stack cookie overwritten"},
	2: {bugs.StackSmash, bugs.Certain, "stack cookie overwritten"},
	3: {bugs.HeapCorruption, bugs.Likely, "links of a list overwritten"},
	7: {bugs.Abort, bugs.Likely, "abort was called"},
}

const stackBufferOverrun = 0xc0000409

// exception explains a signal that is an exception of Windows.
func (e *explainer) exception() {
	if e.p.OS != "windows" {
		return
	}
	x, ok := exceptions[e.g.Number]
	if e.g.Number == stackBufferOverrun && e.g.HasCode {
		x, ok = fastFails[e.g.Code]
	}
	if !ok {
		return
	}
	e.is(x.cause, x.sure)
	if x.title != "" {
		e.titled(x.cause, x.title)
	}
	switch {
	case e.g.CodeText != "":
		e.say("%s", e.g.CodeText)
	case e.g.Unix() != "SIGFPE":
		e.say("%s", e.g.Text)
	}
}
