package object

import (
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
	// Cause is nil if there is none; Suppressed are those that
	// try-with-resources put aside.
	Cause      *Throwable
	Suppressed []*Throwable
	// Problem says what of this could not be read; "" if all could.
	Problem string
}

// A TraceElement is a line of a stack trace.
type TraceElement struct {
	Method string // "pkg.Class.name"
	File   string // "" if unknown
	Line   int    // 0 if unknown
	Native bool
	// Addr is the ArtMethod; 0 if the trace was made into StackTraceElements.
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

// Bounds of what an exception may hold.
const (
	maxTrace      = 1 << 16
	maxCauses     = 64
	maxSuppressed = 100
	maxMessage    = 10000
)

// IsThrowable reports whether objects of a class can be thrown.
func (rd *Reader) IsThrowable(c *Class) bool { return rd.IsA(c, "java.lang.Throwable") }

// Throwable returns the throwable at an address with its causes.
func (rd *Reader) Throwable(at core.Addr) (*Throwable, error) {
	return rd.throwable(at, map[core.Addr]bool{})
}

func (rd *Reader) throwable(at core.Addr, seen map[core.Addr]bool) (*Throwable, error) {
	o, err := rd.Object(at)
	if err != nil {
		return nil, err
	}
	if !rd.IsThrowable(o.Class) {
		return nil, fmt.Errorf("art: %v is not a Throwable but a %s", at, o.Class.Name)
	}
	seen[at] = true
	x := &Throwable{Object: o}
	if m, ok := rd.RefField(o, "detailMessage"); ok && m != 0 {
		s, err := rd.String(m, maxMessage)
		x.Message, x.HasMessage = s.Value, err == nil
		if err != nil {
			x.Problem = err.Error()
		}
	}
	rd.readTrace(x)
	if c, ok := rd.cause(o); ok && c != 0 && !seen[c] && len(seen) < maxCauses {
		if x.Cause, err = rd.throwable(c, seen); err != nil && x.Problem == "" {
			x.Problem = "its cause: " + err.Error()
		}
	}
	rd.readSuppressed(x, seen)
	return x, nil
}

// readSuppressed reads the list of suppressed exceptions.
func (rd *Reader) readSuppressed(x *Throwable, seen map[core.Addr]bool) {
	list, ok := rd.RefField(x.Object, "suppressedExceptions")
	o, err := rd.Object(list)
	if !ok || err != nil {
		return
	}
	items, ok1 := rd.RefField(o, "elementData")
	n, ok2 := rd.IntField(o, "size")
	if !ok1 || !ok2 || n <= 0 {
		return
	}
	refs, _ := rd.ArrayRefs(items, int(min(n, maxSuppressed)))
	for _, r := range refs {
		if seen[r] || len(seen) >= maxCauses {
			continue
		}
		if s, err := rd.throwable(r, seen); err == nil {
			x.Suppressed = append(x.Suppressed, s)
		}
	}
}

// readTrace reads the stack trace as getStackTrace has it: from stackTrace, if that is
// not empty, as a program may have set it, else from backtrace, an Object[] whose first
// element is an array of words, the ArtMethods and then their dex pcs
// (Thread::CreateInternalStackTrace, runtime/thread.cc).
func (rd *Reader) readTrace(x *Throwable) {
	if at, ok := rd.RefField(x.Object, "stackTrace"); ok && at != 0 {
		refs, err := rd.ArrayRefs(at, maxTrace)
		if err != nil {
			x.Problem = "its stackTrace: " + err.Error()
		}
		for _, r := range refs {
			if e, ok := rd.stackTraceElement(r); ok {
				x.Trace = append(x.Trace, e)
			}
		}
	}
	at, ok := rd.RefField(x.Object, "backtrace")
	if len(x.Trace) > 0 || !ok || at == 0 {
		return
	}
	parts, err := rd.ArrayRefs(at, 1)
	if err == nil && len(parts) == 1 {
		err = rd.backtrace(x, parts[0])
	}
	if err != nil && x.Problem == "" {
		x.Problem = "its backtrace: " + err.Error()
	}
}

// backtrace reads the array of ArtMethods and dex pcs.
func (rd *Reader) backtrace(x *Throwable, at core.Addr) error {
	r, err := rd.Array(at)
	if err != nil {
		return err
	}
	if r.Class.ElementSize != uint64(rd.PtrSize) || r.Length > 2*maxTrace {
		return fmt.Errorf("art: %v is a %s of %d elements, not methods and dex pcs", at, r.Class.Name, r.Length)
	}
	n := r.Length / 2
	for i := range n {
		method, ok1 := rd.Pointer(r.At(i))
		pc, ok2 := rd.Word(r.At(n + i))
		if !ok1 || !ok2 {
			return fmt.Errorf("art: array at %v: element %d cannot be read", at, i)
		}
		m := rd.Method(method)
		e := TraceElement{Method: m.String(), File: m.File, Addr: method, Native: m.Native()}
		if !e.Native {
			e.Line = m.Line(uint32(pc))
		}
		x.Trace = append(x.Trace, e)
	}
	return nil
}

// stackTraceElement reads a java.lang.StackTraceElement.
func (rd *Reader) stackTraceElement(at core.Addr) (TraceElement, bool) {
	o, err := rd.Object(at)
	if err != nil {
		return TraceElement{}, false
	}
	text := func(field string) string {
		r, ok := rd.RefField(o, field)
		if !ok || r == 0 || !rd.IsString(r) {
			return ""
		}
		s, _ := rd.String(r, maxClassName)
		return s.Value
	}
	line, ok := rd.IntField(o, "lineNumber")
	e := TraceElement{Method: text("declaringClass") + "." + text("methodName"), File: text("fileName")}
	e.Native, e.Line = line == -2, int(max(line, 0))
	return e, ok
}
