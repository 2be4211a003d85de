package site

import (
	"coredbg/core"
	"coredbg/walk/cfi"
	"coredbg/walk/frame"
)

// atEntry is AT_ENTRY, the type of the auxiliary vector's entry point.
const atEntry = 9

// entryReach is how far after a program's entry point its first call may be.
const entryReach = 64

// FuncStart returns the start of the function that holds a: the nearest of those
// that the image lists and that symbols name, as either may lack some. Without
// both the only one known is the program's entry point.
func (t *Text) FuncStart(a core.Addr) (core.Addr, bool) {
	start, known := t.listedStart(a)
	if t.named != nil {
		if named, ok := t.named(a); ok && named <= a && (!known || named > start) {
			start, known = named, true
		}
	}
	if known {
		return start, true
	}
	return t.entryOf(a)
}

// listedStart returns the last function at or before a in its image's list.
func (t *Text) listedStart(a core.Addr) (core.Addr, bool) {
	m := t.Process.Module(a)
	if m == nil {
		return 0, false
	}
	return t.tables.Of(m).FunctionStart(a, t.Process.Arch.AddrMask())
}

// DescribedStart returns the start of the function part that contains a, from its frame description.
func (t *Text) DescribedStart(a core.Addr) (core.Addr, bool) {
	m := t.Process.Module(a)
	if m == nil {
		return 0, false
	}
	return t.tables.Of(m).DescribedStart(a, t.Process.Arch.AddrMask())
}

// entryOf returns the program's entry point if a is in the function there: near it,
// and where its code can be followed, reached by that.
func (t *Text) entryOf(a core.Addr) (core.Addr, bool) {
	v, ok := t.Process.AuxValue(atEntry)
	entry := core.Addr(v) &^ t.Set.Mode
	if !ok || a < entry || a-entry >= entryReach {
		return 0, false
	}
	r := t.reachedFrom(entry)
	return entry, r == nil || r.has(a-entry)
}

// CalledFromEntry reports whether f returns to the function at the program's entry
// point, which nothing has called.
func (t *Text) CalledFromEntry(f *frame.Frame) bool { return !f.Exact() && t.InEntry(f) }

// InEntry reports whether f belongs to the function at the program's entry point.
func (t *Text) InEntry(f *frame.Frame) bool { return t.inEntry(f.LookupPC()) }

func (t *Text) inEntry(pc core.Addr) bool {
	v, ok := t.Process.AuxValue(atEntry)
	entry := core.Addr(v) &^ t.Set.Mode
	if !ok || pc < entry || pc-entry >= entryReach {
		return false
	}
	start, known := t.FuncStart(pc)
	return known && start&^t.Set.Mode == entry
}

// Row returns the frame description that holds at an instruction; nil if there is none.
func (t *Text) Row(a core.Addr) *cfi.Row {
	m := t.Process.Module(a)
	if m == nil {
		return nil
	}
	row, _, err := t.tables.Of(m).Row(a, t.Process.Arch.AddrMask())
	if err != nil {
		return nil
	}
	return row
}
