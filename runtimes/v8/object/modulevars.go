package object

import (
	"coredbg/runtimes/v8/layout"
)

// maxModuleVariables bounds the imports and exports of one module.
const maxModuleVariables = 1 << 12

// A moduleVariable is an import or an export, as a ScopeInfo has it. Its index is above 0 for an export, below for an
// import.
type moduleVariable struct {
	name  layout.Tagged
	index int
}

// moduleVariables reads a module's variables that are not in its context. They come at the end of the ScopeInfo
// (objects/scope-info.tq); before has read the other parts. It returns nil for other scopes.
func (before *scopeReader) moduleVariables(s *ScopeInfo) (list []moduleVariable) {
	copied := *before
	r, l, n := &copied, &before.v.Layout.ScopeInfo, before.counted
	if s.Type != l.ModuleType || r.bad {
		return nil
	}
	switch {
	case l.ModuleCount == 1:
		r.next() // module_info
	case l.ModuleCounted == 1:
		r.next()
		n = r.smi()
	default:
		n = r.smi()
		r.next()
	}
	for range min(n, maxModuleVariables) {
		v := moduleVariable{name: r.next(), index: r.smi()}
		if r.next(); r.bad {
			return nil
		}
		list = append(list, v)
	}
	return list
}

// imported returns the imports and exports of a module that its functions see, with their values. Each is in a cell
// of one of the module's tables (objects/source-text-module.h: GetCell).
func (r *ScopeReader) imported(module layout.Tagged, list []moduleVariable) (out []Variable) {
	exports, imports, ok := r.moduleCells(module)
	if !ok {
		return nil
	}
	for i, v := range list {
		table, at := exports, v.index-1
		if v.index < 0 {
			table, at = imports, -v.index-1
		}
		n, ok := r.FixedLength(table)
		if !ok || at < 0 || at >= n || !r.IsString(v.name) {
			continue
		}
		cell, ok := r.WordAt(table, at)
		if !ok || !r.isCell(cell) {
			continue
		}
		if w, ok := r.Field(cell, r.Layout.Cell.Value); ok {
			const behind = 1 << 20 // the slots of any context
			out = append(out, Variable{Name: r.Text(v.name), Index: behind + i, Slot: Slot{Word: w}})
		}
	}
	return out
}

func (r *ScopeReader) isCell(w layout.Tagged) bool { return w.IsHeap() && r.TypeNamed(w, "CELL_TYPE") }

// moduleCells returns the tables of a module's own exports and imports: the first two neighbours among its fields
// that have cells alone.
func (r *ScopeReader) moduleCells(module layout.Tagged) (exports, imports layout.Tagged, ok bool) {
	if !r.TypeNamed(module, "SOURCE_TEXT_MODULE") {
		return 0, 0, false
	}
	const fields = 20
	first := r.Layout.Module.Namespace
	for i := range fields {
		a, ok1 := r.Field(module, first+r.Slots(i))
		b, ok2 := r.Field(module, first+r.Slots(i+1))
		if !ok1 || !ok2 {
			break
		}
		na, ok1 := r.cells(a)
		nb, ok2 := r.cells(b)
		if ok1 && ok2 && na+nb > 0 {
			return a, b, true
		}
	}
	return 0, 0, false
}

// cells reports whether an object is an array of cells, and how many it has.
func (r *ScopeReader) cells(o layout.Tagged) (n int, ok bool) {
	if !o.IsHeap() || !r.TypeNamed(o, "FIXED_ARRAY_TYPE") {
		return 0, false
	}
	if n, ok = r.FixedLength(o); !ok || n > maxModuleVariables {
		return 0, false
	}
	for i := range n {
		w, ok := r.WordAt(o, i)
		if !ok || !r.isCell(w) && r.OddballKind(w) == "" {
			return 0, false
		}
	}
	return n, true
}
