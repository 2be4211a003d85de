package object

import (
	"errors"
	"fmt"

	"coredbg/runtimes/v8/layout"
)

// textOf returns the script of a JSFunction, 0 if it has none, and the extent of its
// text.
func (r *Functions) textOf(fn layout.Tagged) (script layout.Tagged, start, end int) {
	shared, _ := r.ClosureShared(fn)
	info, ok := r.SharedInfo(shared)
	if !ok || info.Script == 0 {
		return 0, -1, -1
	}
	start, end = r.textExtent(fn, shared)
	return info.Script, start, end
}

// textExtent returns the positions of a function's text as toString gives it:
// from its first token, or those of the whole class (objects/js-function.cc:
// JSFunction::ToString).
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

// tokenStart returns the position of a function's first token, where that of its
// parameters is start: there it is defined, for a reader.
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

// errNoSource says that a function is not written in JavaScript, or that its
// text is not in the core.
var errNoSource = errors.New("v8: the function has no source")

// Source returns the text of the script from one position to another, in
// UTF-16 code units, of at most max of them.
func (r *Functions) Source(script layout.Tagged, start, end, max int) (string, error) {
	src, ok := r.Field(script, r.Layout.Script.Source)
	if !ok || !r.IsString(src) {
		return "", errNoSource
	}
	info, err := r.StringInfo(src)
	if err != nil {
		return "", err
	}
	if start < 0 || start > end || end > int(info.Length) {
		return "", fmt.Errorf("corrupt: source [%d, %d) of a script of %d characters", start, end, info.Length)
	}
	b := &flattener{v: &r.Strings, left: max}
	reason := b.flatten(src, uint32(start), uint32(end))
	text := b.text()
	if reason != "" && b.left > 0 {
		return text, &StringError{Length: uint32(end - start), Got: max - b.left, Reason: reason}
	}
	return text, nil
}

// Lines returns the lines first to last of a script, both from 1, and the
// number of the first one that there is.
func (r *Functions) Lines(script layout.Tagged, first, last int) (lines []string, from int, err error) {
	t := r.lines(script)
	if t == nil {
		return nil, 0, errNoSource
	}
	from = max(first, 1)
	for n := from; n <= min(last, len(t.ends)); n++ {
		start := 0
		if n > 1 {
			start = t.ends[n-2] + 1
		}
		const longest = 1 << 12
		text, err := r.Source(script, start, max(t.ends[n-1], start), longest)
		if err != nil {
			return lines, from, err
		}
		lines = append(lines, text)
	}
	return lines, from, nil
}
