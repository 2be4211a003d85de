package object

import "coredbg/runtimes/v8/layout"

// textOf returns the script of a JSFunction, or 0 if there is no script, and the extent of its text.
func (r *Functions) textOf(fn layout.Tagged) (script layout.Tagged, start, end int) {
	shared, _ := r.ClosureShared(fn)
	info, ok := r.SharedInfo(shared)
	if !ok || info.Script == 0 {
		return 0, -1, -1
	}
	start, end = r.textExtent(fn, shared)
	return info.Script, start, end
}

// textExtent returns the positions of a function's text as toString gives it: from its first token, or the
// whole class (objects/js-function.cc: JSFunction::ToString).
func (r *Functions) textExtent(o, shared layout.Tagged) (start, end int) {
	r.EachProperty(o, func(p RawProperty) bool {
		if !r.TypeNamed(p.Value, "CLASS_POSITIONS") {
			return true
		}
		a, ok1 := r.SmiField(p.Value, r.Slots(1))
		b, ok2 := r.SmiField(p.Value, r.Slots(2))
		if ok1 && ok2 && a <= b {
			start, end = a, b
		}
		return false
	})
	if end > 0 {
		return start, end
	}
	start, end = r.Extent(shared)
	return r.tokenStart(shared, start), end
}

// tokenStart returns the position of a function's first token, given the position of its parameters. For a
// reader the function is defined there.
func (r *Functions) tokenStart(shared layout.Tagged, start int) int {
	off := r.Layout.ObjectLayout.SharedFunctionInfo.FunctionTokenOffset
	if start < 0 || off == layout.Unknown {
		return start
	}
	// kFunctionTokenOutOfRange says that it is too far away.
	if n, ok := r.U16(shared.Addr().Add(int64(off))); ok && n != 0xffff && int(n) <= start {
		start -= int(n)
	}
	return start
}
