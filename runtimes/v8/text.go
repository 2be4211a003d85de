package v8

import (
	"errors"
	"fmt"
)

// textOf returns the script of a JSFunction, 0 if it has none, and the extent of its
// text.
func (v *V8) textOf(fn Tagged) (script Tagged, start, end int) {
	shared, _ := v.closureShared(fn)
	info, ok := v.function(shared)
	if !ok || info.script == 0 {
		return 0, -1, -1
	}
	start, end = v.textExtent(fn, shared)
	return info.script, start, end
}

// textExtent returns the positions of a function's text as toString gives it:
// from its first token, or those of the whole class (objects/js-function.cc:
// JSFunction::ToString).
func (v *V8) textExtent(o, shared Tagged) (start, end int) {
	v.properties(o, func(p property) bool {
		if !v.typeNamed(p.value, "CLASS_POSITIONS") {
			return true
		}
		a, ok1 := v.smiField(p.value, 8)
		b, ok2 := v.smiField(p.value, 16)
		if ok1 && ok2 && a <= b {
			start, end = a, b
		}
		return false
	})
	if end > 0 {
		return start, end
	}
	start, end = v.extent(shared)
	return v.tokenStart(shared, start), end
}

// tokenStart returns the position of a function's first token, where that of its
// parameters is start: there it is defined, for a reader.
func (v *V8) tokenStart(shared Tagged, start int) int {
	off := v.layout.objectLayout.SharedFunctionInfo.FunctionTokenOffset
	if start < 0 || off == Unknown {
		return start
	}
	// kFunctionTokenOutOfRange says that it is too far away.
	if n, ok := v.u16(shared.Addr().Add(int64(off))); ok && n != 0xffff && int(n) <= start {
		start -= int(n)
	}
	return start
}

// errNoSource says that a function is not written in JavaScript, or that its
// text is not in the core.
var errNoSource = errors.New("v8: the function has no source")

// Source returns the text of the script from one position to another, in
// UTF-16 code units, of at most max of them.
func (v *V8) Source(script Tagged, start, end, max int) (string, error) {
	src, ok := v.field(script, v.layout.Script.Source)
	if !ok || !v.IsString(src) {
		return "", errNoSource
	}
	info, err := v.StringInfo(src)
	if err != nil {
		return "", err
	}
	if start < 0 || start > end || end > int(info.Length) {
		return "", fmt.Errorf("corrupt: source [%d, %d) of a script of %d characters", start, end, info.Length)
	}
	b := &flattener{v: v, left: max}
	reason := b.flatten(src, uint32(start), uint32(end))
	text := b.text()
	if reason != "" && b.left > 0 {
		return text, &StringError{Length: uint32(end - start), Got: max - b.left, Reason: reason}
	}
	return text, nil
}

// Lines returns the lines first to last of a script, both from 1, and the
// number of the first one that there is.
func (v *V8) Lines(script Tagged, first, last int) (lines []string, from int, err error) {
	t := v.lines(script)
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
		text, err := v.Source(script, start, max(t.ends[n-1], start), longest)
		if err != nil {
			return lines, from, err
		}
		lines = append(lines, text)
	}
	return lines, from, nil
}
