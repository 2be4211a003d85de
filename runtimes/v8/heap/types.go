package heap

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
	"coredbg/runtimes/v8/reference"
)

// A TypeSum is all objects of V8's own that have one instance type.
type TypeSum struct {
	Type  string // "ONE_BYTE_STRING_TYPE"
	Class string // what they are to a program: "(string)"; see TypeClass
	Count int
	Bytes uint64
	First core.Addr // the first of them, tagged
}

// typeClasses are classes of types by a part of their name, the first that fits.
var typeClasses = []struct {
	class string
	parts []string
}{
	{"(context)", []string{"CONTEXT"}},
	{"(number)", []string{"HEAP_NUMBER"}},
	{"(symbol)", []string{"SYMBOL_TYPE"}},
	{"(object shape)", []string{"DESCRIPTOR", "TRANSITION", "PROTOTYPE_INFO", "ENUM_CACHE", "DEPENDENT_CODE"}},
	{"(function info)", []string{"FUNCTION_INFO", "SCOPE_INFO", "UNCOMPILED_DATA", "PREPARSE_DATA",
		"SCRIPT", "TEMPLATE"}},
	{"(feedback)", []string{"FEEDBACK", "ALLOCATION_SITE", "ALLOCATION_MEMENTO"}},
	{"(code)", []string{"CODE", "INSTRUCTION_STREAM", "DEOPTIMIZATION", "BASELINE_DATA", "INTERPRETER_DATA"}},
	{"(array)", []string{"ARRAY", "TABLE", "DICTIONARY", "HASH", "BOILERPLATE", "LIST"}},
}

// TypeClass returns what objects of an instance type are, by its name, its kind of
// size, or one of them.
func (h *Snapshot) TypeClass(typ int, first layout.Tagged) string {
	hs := h.v
	name := hs.Types.Names[typ]
	switch {
	case typ < hs.Layout.String.FirstNonstringType:
		return "(string)"
	case typ == hs.Types.MapType:
		return "(object shape)"
	case typ == hs.Types.BigInt:
		return "(bigint)"
	case name == "" && hs.objects.IsContext(first):
		return "(context)"
	}
	for _, c := range typeClasses {
		if slices.ContainsFunc(c.parts, func(part string) bool { return strings.Contains(name, part) }) {
			return c.class
		}
	}
	if name == "" && h.Maps.IsArray(typ) {
		return "(array)"
	}
	if class := reference.InternalClass(name); class != "" {
		return class
	}
	return "(system)"
}

// Types counts V8's own objects on all pages that keep accepts: strings, arrays, code, maps. Together with the
// objects of JavaScript they are all objects of Stats, except for an object that a collection was moving. The
// result is ordered by bytes. The error is ctx's.
func (h *Snapshot) Types(ctx context.Context, keep func(layout.Tagged) bool) ([]TypeSum, error) {
	found := make([]map[int]*TypeSum, len(h.Pages))
	begin := func() *page.Walker { return page.NewWalker(h.v.Reader, h.Maps, h.Gaps) }
	err := page.EachPage(ctx, len(h.Pages), begin, func(w *page.Walker, i int) {
		if h.Pages[i].FromSpace {
			return
		}
		sums := map[int]*TypeSum{}
		w.Objects(&h.Pages[i], func(a core.Addr, m *page.MapInfo, size int, _ []byte) {
			if m.Receiver || keep != nil && !keep(layout.Tag(a)) {
				return
			}
			s := sums[m.Typ]
			if s == nil {
				s = &TypeSum{First: layout.Tag(a).TaggedAddr()}
				sums[m.Typ] = s
			}
			s.Count++
			s.Bytes += uint64(size)
		})
		found[i] = sums
	})
	if err != nil {
		return nil, err
	}
	all := map[int]*TypeSum{}
	for _, sums := range found {
		for typ, s := range sums {
			old := all[typ]
			if old == nil {
				s.Type, s.Class = h.v.Types.Name(typ), h.TypeClass(typ, layout.Tag(s.First))
				all[typ] = s
				continue
			}
			old.Count, old.Bytes, old.First = old.Count+s.Count, old.Bytes+s.Bytes, min(old.First, s.First)
		}
	}
	out := make([]TypeSum, 0, len(all))
	for _, s := range all {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b TypeSum) int {
		return cmp.Or(cmp.Compare(a.Bytes, b.Bytes), cmp.Compare(a.Type, b.Type))
	})
	return out, nil
}

// A Rest is the memory of pages outside objects.
type Rest struct {
	Name  string // "(free)"
	Bytes uint64
}

// Rests returns the memory of pages outside the objects of JavaScript and of types. The three add up to the
// pages' whole memory.
func (h *Snapshot) Rests(types []TypeSum) []Rest {
	var freed, head, evacuated, objects uint64
	for i := range h.Pages {
		p := &h.Pages[i]
		size := uint64(p.End - p.Start)
		switch {
		case p.Space == FreedPages:
			freed += size
		case p.FromSpace:
			evacuated += size
		default:
			head += size - uint64(p.AreaEnd-p.AreaStart)
		}
	}
	for _, g := range h.Groups() {
		objects += g.Bytes
	}
	for _, t := range types {
		objects += t.Bytes
	}
	s := &h.Stats
	all := []Rest{
		{"(free)", s.Free}, {"(not used yet)", s.Unused}, {"(evacuated)", evacuated}, {"(freed page)", freed},
		{"(page header)", head},
		{"(passed over)", s.Skipped}, {"(being made)", s.Making}, {"(not in the core)", s.Missing},
		{"(being moved)", s.Bytes - min(objects, s.Bytes)},
	}
	return slices.DeleteFunc(all, func(r Rest) bool { return r.Bytes == 0 })
}
