package abort

import (
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
)

// jvmShaped is the note of an error of HotSpot that was found without symbols.
const jvmShaped = "found by its shape: libjvm has no symbols"

// errorReach is how far from its number the other members of an error are, apart from the array of the
// detail, in bytes; stackReach how much of a stack is searched for one.
const (
	errorReach = 0x60
	stackReach = 64 << 10
)

// jvmErrorByShape is jvmError for a library without symbols, or that is not there. From JDK 9 on its data
// have the static members of VMError, which compilers lay out in the order of their declaration or in the
// opposite one; before, the members of a VMError are on the stack of the thread that has aborted
// (share/utilities/vmError.hpp of JDK 8, 11, 17, 21, 25).
func (f jvmFinder) jvmErrorByShape(libjvm *core.Module, c *runtimes.Crash) (runtimes.Cause, bool) {
	for _, g := range f.p.Mappings {
		near := g.Path == libjvm.Path || g.Path == "" && g.Start >= libjvm.Start && g.Start <= libjvm.End
		if !near || g.Prot&core.Write == 0 {
			continue
		}
		if said, ok := f.numbered(g.Start, min(uint64(g.End-g.Start), maxData),
			func(at core.Addr) (vmError, bool) { return f.staticError(libjvm, at) }); ok {
			return said, true
		}
	}
	if len(c.Frames) == 0 {
		return runtimes.Cause{}, false
	}
	return f.numbered(c.Frames[0].SP&^7, stackReach,
		func(at core.Addr) (vmError, bool) { return f.errorOnStack(libjvm, at) })
}

// numbered returns the first error in memory whose number an address has. The search ends at memory that is
// not in the core.
func (f jvmFinder) numbered(start core.Addr, size uint64,
	read func(at core.Addr) (vmError, bool)) (runtimes.Cause, bool) {
	data, _ := core.ReadBytes(f.p.Space, start, size)
	for i := 0; i+4 <= len(data); i += 4 {
		id := f.p.Arch.Order.Uint32(data[i:])
		if id < jvmInternal || id > jvmLast {
			continue
		}
		e, ok := read(start + core.Addr(i))
		if !ok {
			continue
		}
		e.id, e.note = id, jvmShaped
		if said, ok := f.ofVMError(e); ok {
			return said, true
		}
	}
	return runtimes.Cause{}, false
}

// staticError reads the static members of VMError around their number.
func (f jvmFinder) staticError(libjvm *core.Module, id core.Addr) (e vmError, ok bool) {
	w, cur := f.word(), f.p.Cursor()
	if id < maxDetail+errorReach+w {
		return e, false
	}
	from, toLine := id.Align(uint64(w))+w, w
	if e.message = cur.Pointer(id&^(w-1) - w); cur.Reset() == nil && f.isConstant(libjvm, e.message) {
		// In the opposite order: line, file, …, detail, message, number.
		e.detail = id&^(w-1) - w - maxDetail
		from, toLine = e.detail-errorReach, -w
	} else {
		// In order: number, …, file, line, …, message, detail.
		e.message = 0
		for at := from; at < from+errorReach; at += w {
			v := cur.Pointer(at)
			if cur.Reset() != nil || !f.isConstant(libjvm, v) {
				continue
			}
			if !isSource(f.line(v, maxLocation)) {
				e.message, e.detail = v, f.firstText(at+w)
				break
			}
		}
	}
	if f.line(e.message, maxDetail) == "" && len(f.line(e.detail, maxDetail)) < 4 {
		return e, false
	}
	for at := from; at < from+errorReach; at += w {
		if v := cur.Pointer(at); cur.Reset() == nil && f.isConstant(libjvm, v) && isSource(f.line(v, maxLocation)) {
			if n := cur.U32(at + toLine); cur.Reset() == nil && n > 0 && n < 1<<20 {
				e.file, e.line = v, n
			}
		}
	}
	return e, true
}

// firstText returns the address of the first text in the four words from an address on, 0 if there is none.
func (f jvmFinder) firstText(at core.Addr) core.Addr {
	for end := at + 4*f.word(); at < end; at += f.word() {
		if f.line(at, maxDetail) != "" {
			return at
		}
	}
	return 0
}

// errorOnStack reads a VMError of JDK 8: number, message, detail, thread, pc, siginfo, context, file, line.
func (f jvmFinder) errorOnStack(libjvm *core.Module, id core.Addr) (vmError, bool) {
	w, cur := f.word(), f.p.Cursor()
	e := vmError{message: cur.Pointer(id + w), detail: cur.Pointer(id + 2*w), file: cur.Pointer(id + 7*w),
		line: cur.U32(id + 8*w)}
	siginfo, context := cur.Pointer(id+5*w), cur.Pointer(id+6*w)
	ok := cur.Err() == nil && siginfo == 0 && context == 0 && e.line > 0 && e.line < 1<<20 &&
		f.isConstant(libjvm, e.file) &&
		(e.message == 0 || f.isConstant(libjvm, e.message))
	return e, ok
}

// isSource reports whether a text is the path of a file of C++.
func isSource(text string) bool {
	return strings.HasSuffix(text, ".cpp") || strings.HasSuffix(text, ".hpp")
}
