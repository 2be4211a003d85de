package java

import (
	"cmp"
	"fmt"

	"coredbg/core"
)

// A Throwable is a java.lang.Throwable.
type Throwable struct {
	Object  Object
	Message string // "" with HasMessage false if it is null
	// HasMessage is set if it has a message.
	HasMessage bool
	Trace      []TraceElement
	// Cause is nil if there is none. Suppressed are the exceptions that try-with-resources put aside.
	Cause      *Throwable
	Suppressed []*Throwable
	// Circular is set if the object was read before, as another's cause or suppressed exception: it has no trace and no
	// causes here.
	Circular bool
	before   *Throwable // of a Circular one: the one that was read
	// Problem says which parts could not be read; "" if all could.
	Problem string
}

// A TraceElement is a line of a stack trace.
type TraceElement struct {
	Method string // "pkg.Class.name"
	File   string // "" if unknown
	Line   int    // 0 if unknown
	Native bool
	// Addr is the virtual machine's record of the method; 0 if the trace was made into StackTraceElements.
	Addr core.Addr
}

// String returns the element as Throwable.printStackTrace does.
func (e *TraceElement) String() string {
	switch {
	case e.Native:
		return e.Method + "(Native method)"
	case e.File != "" && e.Line > 0:
		return fmt.Sprintf("%s(%s:%d)", e.Method, e.File, e.Line)
	case e.File != "":
		return fmt.Sprintf("%s(%s)", e.Method, e.File)
	}
	return e.Method + "(Unknown source)"
}

// Bounds of an exception.
const (
	MaxTrace      = 1 << 16
	maxCauses     = 64
	maxSuppressed = 100
	maxMessage    = 10000
	maxName       = 1 << 16
)

// throwable is the class of all that can be thrown.
const throwable = "java.lang.Throwable"

// Throwable returns the throwable at an address with its causes.
func (r Reader) Throwable(at core.Addr) (*Throwable, error) {
	return r.throwable(at, map[core.Addr]*Throwable{})
}

func (r Reader) throwable(at core.Addr, seen map[core.Addr]*Throwable) (*Throwable, error) {
	o, err := r.Object(at)
	if err != nil {
		return nil, err
	}
	if !o.Class.IsA(throwable) {
		return nil, problem("%v is not a Throwable but a %s", at, o.Class.Name)
	}
	x := &Throwable{Object: o, Circular: seen[o.Addr] != nil, before: seen[o.Addr]}
	if m, ok := r.RefField(o, "detailMessage"); ok && m != 0 {
		s, err := r.Text(m, maxMessage)
		x.Message, x.HasMessage = s.Value, err == nil
		if err != nil {
			x.Problem = err.Error()
		}
	}
	if x.Circular {
		return x, nil
	}
	seen[o.Addr] = x
	r.readTrace(x)
	r.readSuppressed(x, seen) // before the cause, as printStackTrace does
	r.readCause(x, seen)
	return x, nil
}

// readCause reads what getCause returns.
func (r Reader) readCause(x *Throwable, seen map[core.Addr]*Throwable) {
	at, known := r.Cause(x.Object)
	if !known {
		note := "its cause cannot be read"
		if field, ok := r.RefField(x.Object, "cause"); ok {
			note = "its getCause is the program's own and was not followed: it may name another cause"
			if field != x.Object.Addr { // else it is not set yet
				at = field
			}
		}
		x.Problem = cmp.Or(x.Problem, note)
	}
	if at == 0 || len(seen) >= maxCauses {
		return
	}
	var err error
	if x.Cause, err = r.throwable(at, seen); err != nil && x.Problem == "" {
		x.Problem = "its cause: " + err.Error()
	}
}

// readSuppressed reads the list of suppressed exceptions.
func (r Reader) readSuppressed(x *Throwable, seen map[core.Addr]*Throwable) {
	list, ok := r.RefField(x.Object, "suppressedExceptions")
	if !ok || list == 0 {
		return
	}
	o, err := r.Object(list)
	if err != nil {
		return
	}
	items, ok1 := r.RefField(o, "elementData")
	n, ok2 := r.IntField(o, "size")
	if !ok1 || !ok2 || n <= 0 {
		return
	}
	refs, _ := r.ArrayRefs(items, int(min(n, maxSuppressed)))
	for _, at := range refs {
		if len(seen) >= maxCauses {
			return
		}
		if s, err := r.throwable(at, seen); err == nil {
			x.Suppressed = append(x.Suppressed, s)
		}
	}
}

// readTrace reads the stack trace as getStackTrace has it: from stackTrace, if that is
// not empty, as a program may have set it, else from backtrace, which is the virtual machine's own.
func (r Reader) readTrace(x *Throwable) {
	if at, ok := r.RefField(x.Object, "stackTrace"); ok && at != 0 {
		refs, err := r.ArrayRefs(at, MaxTrace)
		if err != nil {
			x.Problem = "its stackTrace: " + err.Error()
		}
		for _, e := range refs {
			if e, ok := r.stackTraceElement(e); ok {
				x.Trace = append(x.Trace, e)
			}
		}
	}
	at, ok := r.RefField(x.Object, "backtrace")
	if len(x.Trace) > 0 || !ok || at == 0 {
		return
	}
	var err error
	if x.Trace, err = r.Backtrace(at); err != nil && x.Problem == "" {
		x.Problem = "its backtrace: " + err.Error()
	}
}

// stackTraceElement reads a java.lang.StackTraceElement.
func (r Reader) stackTraceElement(at core.Addr) (TraceElement, bool) {
	o, err := r.Object(at)
	if err != nil {
		return TraceElement{}, false
	}
	text := func(field string) string {
		at, ok := r.RefField(o, field)
		if !ok || at == 0 || !r.IsString(at) {
			return ""
		}
		s, _ := r.Text(at, maxName)
		return s.Value
	}
	line, ok := r.IntField(o, "lineNumber")
	e := TraceElement{Method: text("declaringClass") + "." + text("methodName"), File: text("fileName")}
	e.Native, e.Line = line == -2, int(max(line, 0))
	return e, ok
}
