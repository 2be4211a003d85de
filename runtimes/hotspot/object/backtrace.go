package object

import (
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// Elements of Throwable.backtrace, an Object[] (share/classfile/javaClasses.hpp, class java_lang_Throwable:
// JDK 8 to 25). The first four are arrays with an element for each frame: the number of a method in its
// class, its bytecode over 16 bits of a version, its class, and the name of the method, before JDK 9 its
// index in the constant pool. The next chunk is at 4, from JDK 19 on at 5: it has as many elements.
const (
	traceMethods = 0
	traceBCIs    = 1
	traceMirrors = 2
	traceNames   = 3
	traceMore    = 4
	maxTraceSize = 16 // JDK 8 has 5 elements, 25 has 7
	bciShift     = 16
)

var errBacktrace = errors.New("its parts are not what a backtrace has")

// backtrace reads what Throwable.backtrace leads to: chunks that are linked, the innermost frames first. With
// an error come the frames that could be read.
func (r *Reader) backtrace(at core.Addr) (trace []java.TraceElement, err error) {
	seen := map[core.Addr]bool{}
	for at != 0 && !seen[at] && len(trace) < java.MaxTrace {
		seen[at] = true
		parts, err := r.ArrayRefs(at, maxTraceSize)
		if err != nil {
			return trace, err
		}
		if len(parts) <= traceMore {
			return trace, fmt.Errorf("hotspot: backtrace %v: %w", at, errBacktrace)
		}
		more, err := r.traceChunk(parts)
		if trace = append(trace, more...); err != nil {
			return trace, fmt.Errorf("hotspot: backtrace %v: %w", at, err)
		}
		at = r.nextChunk(parts)
	}
	return trace, nil
}

// nextChunk returns the chunk that follows one, 0 if it is the last: the array of objects with as many elements.
func (r *Reader) nextChunk(parts []core.Addr) core.Addr {
	for _, at := range parts[traceMore:] {
		if a, err := r.Array(at); err == nil && a.Element == java.NotPrimitive && a.Length == uint64(len(parts)) {
			return at
		}
	}
	return 0
}

// traceChunk reads the frames of a chunk. It ends at the first one without a class.
func (r *Reader) traceChunk(parts []core.Addr) (trace []java.TraceElement, err error) {
	var arrays [4]Array
	for i := range arrays {
		if arrays[i], err = r.Array(parts[i]); err != nil {
			return nil, err
		}
	}
	numbers, bcis, mirrors, names := &arrays[traceMethods], &arrays[traceBCIs], &arrays[traceMirrors],
		&arrays[traceNames]
	n := mirrors.Length
	if numbers.Element != java.Short || bcis.Element != java.Int || mirrors.Element != java.NotPrimitive ||
		numbers.Length < n || bcis.Length < n {
		return nil, errBacktrace
	}
	for i := range min(n, java.MaxTrace) {
		mirror, ok := r.Ref(mirrors.At(i))
		if !ok || mirror == 0 {
			break
		}
		number, ok1 := r.PrimitiveAt(numbers.At(i), java.Short)
		bci, ok2 := r.PrimitiveAt(bcis.At(i), java.Int)
		holder := r.mirroredAt(mirror)
		if !ok1 || !ok2 || holder == nil {
			return trace, errBacktrace
		}
		name := ""
		if names.Element == java.Long && i < names.Length {
			symbol, _ := r.PrimitiveAt(names.At(i), java.Long)
			name, _ = r.Symbol(core.Addr(symbol))
		}
		trace = append(trace, r.traceElement(holder, uint16(number), int(uint32(bci)>>bciShift), name))
	}
	return trace, nil
}

// mirroredAt returns the class of a java.lang.Class; nil if it is none.
func (r *Reader) mirroredAt(at core.Addr) *Class {
	o, err := r.Object(at)
	if err != nil {
		return nil
	}
	k, _, _ := r.Mirrored(o)
	return k
}

// traceElement returns a frame. A method whose number in its class is not what it was, as after it was
// redefined, has its name.
func (r *Reader) traceElement(holder *Class, number uint16, bci int, name string) java.TraceElement {
	e := java.TraceElement{Method: holder.Name + "." + name}
	m := r.numbered(holder, number)
	if m == nil || name != "" && m.Name != name {
		if name == "" {
			e.Method = holder.Name + "." + "<method " + fmt.Sprint(number) + ">"
		}
		return e
	}
	e.Method, e.File, e.Addr, e.Native = m.String(), m.File, m.Addr, m.Native
	if !m.Native {
		e.Line = m.Line(bci)
	}
	return e
}

// numbered returns the method of a class with a number (ConstMethod::_method_idnum): that at this index, if
// it has the number, else the one that has it.
func (r *Reader) numbered(c *Class, number uint16) *Method {
	if r.h.methodNumber < 0 {
		return nil
	}
	all, _ := r.Methods(c)
	cu := r.Process.Cursor()
	for _, m := range all {
		n := cu.U16(cu.Pointer(m.Addr.Add(r.o.constMethod)).Add(r.h.methodNumber))
		if cu.Reset() == nil && n == number {
			return m
		}
	}
	return nil
}
