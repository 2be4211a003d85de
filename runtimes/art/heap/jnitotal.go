package heap

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
)

// A JNITotal is how many references of a table are of a class, as ART sums them up before it
// aborts (runtime/reference_table.cc, DumpSummary): arrays by their length.
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

// JNITotals sums up references by the class of their objects, the most first. The class of weak
// references whose objects are gone is "cleared jweak", that of addresses without an object
// "not an object".
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
				if array = strings.HasSuffix(k.class, "[]"); array {
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
