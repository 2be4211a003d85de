package abort

import (
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
)

// Error numbers of HotSpot that are no signals; two are for memory that it did not get
// (share/utilities/vmError.hpp and debug.hpp, VMErrorType, JDK 11 to 25).
const (
	jvmInternal  = 0xe0000000
	jvmNoMalloc  = 0xe0000001
	jvmNoMapping = 0xe0000002
	maxDetail    = 1024 // bytes of VMError::_detail_msg
)

// jvmError returns the error that HotSpot ended the process for, as its report has it: an internal
// error, memory that it did not get, an exhausted Java heap with CrashOnOutOfMemoryError. It follows
// the static members of VMError. Find returns the address of a symbol.
func (f finder) jvmError(find func(name string) (core.Addr, bool)) (runtimes.Cause, bool) {
	member := func(name string) (core.Addr, bool) { return find(fmt.Sprintf("_ZN7VMError%d%sE", len(name), name)) }
	idAt, ok1 := member("_id")
	messageAt, ok2 := member("_message")
	detailAt, ok3 := member("_detail_msg")
	if !ok1 || !ok2 || !ok3 {
		return runtimes.Cause{}, false
	}
	cur := f.p.Cursor()
	id := cur.U32(idAt)
	if cur.Err() != nil || id < jvmInternal {
		return runtimes.Cause{}, false // none, or a signal
	}
	var said []string
	for _, at := range []core.Addr{cur.Pointer(messageAt), detailAt} {
		if at == 0 || cur.Reset() != nil {
			continue
		}
		if text := strings.TrimSpace(cur.CString(at, maxDetail)); cur.Reset() == nil && text != "" && isText(text) {
			said = append(said, text)
		}
	}
	cause := runtimes.Cause{Kind: runtimes.FatalErrorOfJVM, Message: strings.Join(said, ": ")}
	switch id {
	case jvmNoMalloc, jvmNoMapping:
		cause.Type = "out of memory"
	}
	fileAt, ok1 := member("_filename")
	lineAt, ok2 := member("_lineno")
	if file := cur.CString(cur.Pointer(fileAt), maxLocation); ok1 && ok2 && cur.Err() == nil && file != "" && isText(file) {
		cause.At = fmt.Sprintf("%s:%d", core.BaseName(file), cur.U32(lineAt))
	}
	return cause, len(said) > 0
}

// ofJVM is jvmError for the process' own JVM.
func (f finder) ofJVM() (runtimes.Cause, bool) {
	for _, m := range f.p.Modules {
		if !strings.HasPrefix(m.Name(), "libjvm.") {
			continue
		}
		return f.jvmError(func(name string) (core.Addr, bool) {
			y, ok := f.symbols.Find(m.Name(), name)
			return y.Addr, ok
		})
	}
	return runtimes.Cause{}, false
}
