package fit

import (
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
)

// Where neither a constant nor V8's code says the number of an instance type, the roots of
// an isolate may: V8 has their names, and among them are the maps of its own objects. The
// map called promise_reaction_map says what number PROMISE_REACTION_TYPE has.

// symRootNames are pointers to the names of the roots, in their order (roots/roots.h @ 7.4
// to 14.6).
const symRootNames = "_ZN2v88internal10RootsTable11root_names_E"

const (
	// maxRoots is more than the roots of any version, maxReferences than the different
	// references of a sample of memory.
	maxRoots      = 1 << 12
	maxReferences = 1 << 22
	maxRootName   = 96
	// metaMap is the root that is a map of maps.
	metaMap = "meta_map"
)

// otherRoots are roots that are not called as their type is.
var otherRoots = map[string]string{
	"one_pointer_filler_map": "FILLER_TYPE", "the_hole_value": "HOLE_TYPE", "bigint_map": "BIGINT_TYPE",
	"global_property_cell_map": "PROPERTY_CELL_TYPE",
}

// A rootTable is the roots of an isolate, with their names.
type rootTable struct {
	v     *Candidate
	names []string
	roots []layout.Tagged
}

// nameTypes names types by the roots of an isolate, and by the constructors of the
// language, where nothing else does.
func nameTypes(v *Candidate, t runtimes.Target) {
	if v.Image.TypeNames != nil || v.Image.Constants.Table != nil {
		return
	}
	names := rootTypes(v, rootNames(t, v.Image.Module))
	if len(names) == 0 {
		return
	}
	v.NameTypes(names)
	if v.Types.JSProxy >= 0 {
		return
	}
	last := 0
	for n := range names {
		last = max(last, n)
	}
	for name, n := range jsAnchors(v.jsTypes(last)) {
		if v.Types.Names[n] == "" && v.TypeNumber(name+"_TYPE") < 0 {
			names[n] = name + "_TYPE"
		}
	}
	v.NameTypes(names)
}

// rootNames returns the names of the roots in their order; nil if the image does not say.
func rootNames(t runtimes.Target, m *core.Module) []string {
	s, ok := t.Symbols.Exact(m, symRootNames)
	if !ok || s.Size == 0 || s.Size > 8*maxRoots {
		return nil
	}
	c := t.Process.Cursor()
	var names []string
	for i := uint64(0); i < s.Size/8; i++ {
		names = append(names, c.CString(c.Pointer(s.Addr+core.Addr(8*i)), maxRootName))
	}
	if c.Err() != nil {
		return nil
	}
	return names
}

// rootTypes returns the instance types by number that the roots of an isolate show.
func rootTypes(v *Candidate, names []string) map[int]string {
	r := &rootTable{v: v, names: names}
	r.find()
	if r.roots == nil {
		return nil
	}
	out := map[int]string{}
	for i, name := range names {
		typ, other := otherRoots[name]
		object, isMap := strings.CutSuffix(name, "_map")
		n, ok := v.MapInstanceType(r.roots[i])
		switch {
		case !v.IsMap(r.roots[i]):
			n, ok = v.InstanceType(r.roots[i])
			ok = ok && other
		case !isMap:
			continue
		}
		if !ok {
			continue
		}
		if !other {
			if typ = strings.ToUpper(object) + "_TYPE"; out[n] != "" {
				continue // the first of several that have one type
			}
		}
		out[n] = typ
	}
	return out
}

// find finds the roots of an isolate: their table begins where that leaves each map
// that they have by name at its place. There are none if it is not found.
func (r *rootTable) find() {
	meta := slices.Index(r.names, metaMap)
	if meta < 0 {
		return
	}
	self := map[layout.Tagged]bool{}
	r.v.eachReference(func(a core.Addr, w layout.Tagged) bool {
		is, known := self[w]
		if !known {
			m, ok := r.v.MapOf(w)
			is = ok && m == w
			self[w] = is
		}
		if at := core.Addr(8 * meta); is && a >= at {
			r.read(a - at)
		}
		return r.roots == nil && len(self) < maxReferences
	})
}

// read reads the roots if their table begins at a.
func (r *rootTable) read(a core.Addr) {
	data, err := core.ReadBytes(r.v.Space, a, uint64(8*len(r.names)))
	if err != nil {
		return
	}
	roots := make([]layout.Tagged, len(r.names))
	for i := range roots {
		roots[i] = layout.Tagged(r.v.Order.Uint64(data[8*i:]))
	}
	if r.fits(roots) {
		r.roots = roots
	}
}

// fits reports whether nearly all roots named as maps are maps. A few are not: one is called
// empty_ordered_hash_map, and some are not made yet.
func (r *rootTable) fits(roots []layout.Tagged) bool {
	maps, others := 0, 0
	for i, name := range r.names {
		switch {
		case !strings.HasSuffix(name, "_map"):
		case r.v.IsMap(roots[i]):
			maps++
		default:
			if others++; others > len(r.names)/64 {
				return false
			}
		}
	}
	return maps > 8*others
}
