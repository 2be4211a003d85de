package object

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// IsThrowable reports whether objects of a class can be thrown.
func (rd *Reader) IsThrowable(c *Class) bool { return rd.IsA(c, "java.lang.Throwable") }

// backtrace reads Throwable.backtrace, an Object[] whose first element is an array of words, the ArtMethods
// and then their dex pcs (Thread::CreateInternalStackTrace, runtime/thread.cc).
func (rd *Reader) backtrace(at core.Addr) (trace []java.TraceElement, err error) {
	parts, err := rd.ArrayRefs(at, 1)
	if err != nil || len(parts) == 0 {
		return nil, err
	}
	at = parts[0]
	r, err := rd.Array(at)
	if err != nil {
		return nil, err
	}
	if r.Class.ElementSize != uint64(rd.PtrSize) || r.Length > 2*java.MaxTrace {
		return trace, fmt.Errorf("art: %v is a %s of %d elements, not methods and dex pcs", at, r.Class.Name, r.Length)
	}
	n := r.Length / 2
	for i := range n {
		method, ok1 := rd.Pointer(r.At(i))
		pc, ok2 := rd.Word(r.At(n + i))
		if !ok1 || !ok2 {
			return trace, fmt.Errorf("art: array at %v: element %d cannot be read", at, i)
		}
		m := rd.Method(method)
		e := java.TraceElement{Method: m.String(), File: m.File, Addr: method, Native: m.Native()}
		if !e.Native {
			e.Line = m.Line(uint32(pc))
		}
		trace = append(trace, e)
	}
	return trace, nil
}
