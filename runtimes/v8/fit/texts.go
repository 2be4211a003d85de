package fit

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/text"
)

// External strings have addresses outside of the heap. With the sandbox, one of its tables must lead there.

// maxExternalStrings is how many external strings are tried.
const maxExternalStrings = 16

// externalStrings returns external strings: first names and sources of the functions' scripts, then other
// strings of the heap. In a program that came with a snapshot, all scripts may have internal strings.
func (v *Candidate) externalStrings() (out []layout.Tagged) {
	add := func(s layout.Tagged) {
		info, _ := v.Objects.StringInfo(s)
		if info.Kind == text.ExternalString && len(out) < maxExternalStrings && !slices.Contains(out, s) {
			touch(v.Memory, s.Addr())
			out = append(out, s)
		}
	}
	seen := map[layout.Tagged]bool{}
	for _, fn := range v.sampleFunctions() {
		shared, ok := v.Objects.ClosureShared(fn)
		script, ok1 := v.Field(shared, v.Layout.SharedFunctionInfo.Script)
		if !ok || !ok1 || seen[script] {
			continue
		}
		seen[script] = true
		for _, off := range []int{v.Layout.Script.Name, v.Layout.Script.Source} {
			if text, ok := v.Field(script, off); ok {
				add(text)
			}
		}
	}
	maps := map[layout.Tagged]bool{}
	v.objects().each(func(a core.Addr, m layout.Tagged) bool {
		is, known := maps[m]
		if !known {
			typ, ok := v.MapInstanceType(m)
			is = ok && v.Objects.KeepsAddress(typ) && v.IsMap(m)
			maps[m] = is
		}
		if o := layout.Tag(a); is && v.Objects.RefersOutside(o) {
			add(o)
		}
		return len(out) < maxExternalStrings
	})
	return out
}

// textSample is how many code units of a text are looked at.
const textSample = 32

// isText reports whether the characters at chars may be the string's: names and sources of scripts have no
// control characters except white space.
func isText(v *Candidate, text layout.Tagged, chars core.Addr) bool {
	l := &v.Layout.String
	length, ok := v.U32Field(text, l.Length)
	typ, ok1 := v.InstanceType(text)
	if !ok || !ok1 {
		return false
	}
	width := 2
	if typ&l.OneByteTag != 0 {
		width = 1
	}
	data := make([]byte, width*int(min(length, textSample)))
	if n, _ := embedded.Peek(v.Space, data, chars); n < len(data) || n == 0 {
		return false
	}
	for i := 0; i < len(data); i += width {
		unit := uint16(data[i])
		if width == 2 {
			unit = v.Order.Uint16(data[i:])
		}
		if unit < ' ' && (unit < '\t' || unit > '\r') || unit >= 0x7f && unit < 0xa0 {
			return false
		}
	}
	return true
}
