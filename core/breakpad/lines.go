package breakpad

import "sort"

// A Line is a place in the source. File is a path as the compiler had it.
type Line struct {
	Func, File string
	Line       int
	Inlined    bool // into the next one
}

// Lines returns the source places of the code at a link-time address, the innermost inlined
// function first; nil if there is no line information.
func (f *Image) Lines(link uint64) []Line {
	a, t := link-f.base, f.t
	i := sort.Search(len(t.funcs), func(i int) bool { return t.funcs[i].addr > a }) - 1
	if i < 0 || a-t.funcs[i].addr >= t.funcs[i].size {
		return nil
	}
	fn := &t.funcs[i]
	at, ok := Line{}, false
	for _, l := range t.lines[fn.lines[0]:fn.lines[1]] {
		if a-l.addr < uint64(l.size) {
			at.File, at.Line, ok = t.file(l.file), int(l.line), true
			break
		}
	}
	// The deepest comes first.
	var calls []inline
	for _, x := range t.inlines[fn.inlines[0]:fn.inlines[1]] {
		if a-x.addr < x.size && int(x.depth) == len(calls) {
			calls = append(calls, x)
		}
	}
	if !ok && len(calls) == 0 {
		return nil
	}
	var out []Line
	for n := len(calls) - 1; n >= 0; n-- {
		x := &calls[n]
		at.Func, at.Inlined = string(t.origins[x.origin]), true
		out = append(out, at)
		at = Line{File: t.file(x.file), Line: int(x.line)}
	}
	at.Func = string(fn.name)
	return append(out, at)
}

func (t *table) file(n uint32) string { return string(t.files[n]) }
