package heap

import (
	"cmp"
	"fmt"
	"slices"

	"coredbg/core"
)

// A JNITotal counts the references of a table to objects of one class, as ART does before it
// aborts (runtime/reference_table.cc, DumpSummary). Arrays of each length are counted apart.
type JNITotal struct {
	Class    string
	Array    bool
	Elements uint64 // of each of the arrays
	Count    int    // references
	Unique   int    // objects that they refer to
}

// String writes a total as ART does.
func (t *JNITotal) String() string {
	of := t.Class
	if t.Array {
		of += fmt.Sprintf(" (%d elements)", t.Elements)
	}
	if t.Count > 1 {
		of += fmt.Sprintf(" (%d unique instances)", t.Unique)
	}
	return fmt.Sprintf("%d of %s", t.Count, of)
}

// JNITotals sums up references by the class of their objects, the most first. Weak references whose
// objects are gone count as class "cleared jweak", addresses without an object as "not an object".
func (w *Walker) JNITotals(refs []JNIRef) []JNITotal {
	type key struct {
		class    string
		elements uint64
	}
	totals := map[key]*JNITotal{}
	seen := map[core.Addr]bool{}
	for i := range refs {
		r := &refs[i]
		k, array := key{class: "cleared jweak"}, false
		if !r.Cleared {
			o, err := w.Object(r.Object)
			if k.class = "not an object"; err == nil {
				k.class = o.Class.Name
				if array = o.Class.IsArray(); array {
					k.elements, _ = w.ArrayLength(r.Object)
				}
			}
		}
		t := totals[k]
		if t == nil {
			t = &JNITotal{Class: k.class, Array: array, Elements: k.elements}
			totals[k] = t
		}
		if t.Count++; !seen[r.Object] {
			seen[r.Object] = true
			t.Unique++
		}
	}
	out := make([]JNITotal, 0, len(totals))
	for _, t := range totals {
		out = append(out, *t)
	}
	slices.SortFunc(out, func(x, y JNITotal) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Class, y.Class), cmp.Compare(x.Elements, y.Elements))
	})
	return out
}
