package abort

import (
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
)

// Error numbers of HotSpot that are no signals; three are for memory that it did not get
// (share/utilities/vmError.hpp and debug.hpp, VMErrorType, JDK 8 to 25). The last is for others to come.
const (
	jvmInternal  = 0xe0000000
	jvmNoMalloc  = 0xe0000001
	jvmNoMapping = 0xe0000002
	jvmNoProtect = 0xe0000003
	jvmLast      = 0xe000000f
	maxDetail    = 1024 // bytes of VMError::_detail_msg
)

// A vmError is where HotSpot keeps the error that it ended the process for.
type vmError struct {
	id            uint32
	message, file core.Addr // of texts; 0 if they are not known
	detail        core.Addr // of a text
	line          uint32
	note          string
}

// A jvmFinder finds errors of the JVM.
type jvmFinder struct{ reader }

// jvmError returns the error that HotSpot ended the process for, as its report has it: an internal
// error, memory that it did not get, an exhausted Java heap with CrashOnOutOfMemoryError. It follows
// the static members of VMError. Find returns the address of a symbol.
func (f jvmFinder) jvmError(find func(name string) (core.Addr, bool)) (runtimes.Cause, bool) {
	member := func(name string) (core.Addr, bool) { return find(fmt.Sprintf("_ZN7VMError%d%sE", len(name), name)) }
	idAt, ok1 := member("_id")
	messageAt, ok2 := member("_message")
	detailAt, ok3 := member("_detail_msg")
	if !ok1 || !ok2 || !ok3 {
		return runtimes.Cause{}, false
	}
	cur := f.p.Cursor()
	e := vmError{id: cur.U32(idAt), message: cur.Pointer(messageAt), detail: detailAt}
	if cur.Err() != nil {
		return runtimes.Cause{}, false
	}
	fileAt, ok1 := member("_filename")
	lineAt, ok2 := member("_lineno")
	if file, line := cur.Pointer(fileAt), cur.U32(lineAt); ok1 && ok2 && cur.Err() == nil {
		e.file, e.line = file, line
	}
	return f.ofVMError(e)
}

// ofVMError returns an error as a cause, false if it is none or a signal, or has no words.
func (f jvmFinder) ofVMError(e vmError) (runtimes.Cause, bool) {
	if e.id < jvmInternal {
		return runtimes.Cause{}, false
	}
	var said []string
	for _, at := range []core.Addr{e.message, e.detail} {
		if text := f.line(at, maxDetail); text != "" {
			said = append(said, text)
		}
	}
	cause := runtimes.Cause{Kind: runtimes.FatalErrorOfJVM, Message: strings.Join(said, ": "), Note: e.note}
	switch e.id {
	case jvmNoMalloc, jvmNoMapping, jvmNoProtect:
		cause.Type = "out of memory"
	}
	if file := f.line(e.file, maxLocation); file != "" {
		cause.At = fmt.Sprintf("%s:%d", core.BaseName(file), e.line)
	}
	return cause, len(said) > 0
}

// ofJVM is the error of the process' own JVM: by its symbols, and without these by its shape.
func (f jvmFinder) ofJVM(c *runtimes.Crash) (runtimes.Cause, bool) {
	for _, m := range f.p.Modules {
		if !strings.HasPrefix(m.Name(), "libjvm.") {
			continue
		}
		find := func(name string) (core.Addr, bool) {
			y, ok := f.symbols.Find(m.Name(), name)
			return y.Addr, ok
		}
		if _, ok := find("_ZN7VMError3_idE"); ok {
			return f.jvmError(find)
		}
		return f.jvmErrorByShape(m, c)
	}
	return runtimes.Cause{}, false
}
