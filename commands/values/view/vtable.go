package view

import (
	"slices"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// A VirtualTable is a table of virtual functions that an object of C++ refers to.
type VirtualTable struct {
	Class     string    // the object's own, or the base's whose table it is
	At        core.Addr // the first function's place
	Object    core.Addr // the part of the object that refers to it
	Functions []core.Addr
}

// maxTables bounds the tables of one object.
const maxTables = 256

// VirtualTables returns the tables of an object, as its own class: its own one, then those of bases that have other
// ones, by their places. There is none for an object without virtual functions.
func VirtualTables(s *commands.Session, v dwarf.Value) (list []VirtualTable) {
	if whole, ok := Dynamic(s, v); ok {
		v = whole
	}
	t := v.Type.Strip().Complete()
	if _, inMemory := v.Addr(); !inMemory || !t.Composite() {
		return nil
	}
	seen := map[core.Addr]bool{}
	addTables(s, v.As(t), seen, &list, 0)
	slices.SortStableFunc(list[min(1, len(list)):], func(a, b VirtualTable) int {
		return int(min(max(a.Object.Sub(b.Object), -1), 1))
	})
	return list
}

// addTables adds the table of a part of an object, and those of its bases.
func addTables(s *commands.Session, v dwarf.Value, seen map[core.Addr]bool, list *[]VirtualTable, depth int) {
	at, inMemory := v.Addr()
	if !inMemory || depth > maxBases || len(*list) >= maxTables {
		return
	}
	t := v.Type
	if m, ok := vtablePointer(t); ok && !seen[at] {
		seen[at] = true
		if table, err := v.Member(&m).Pointer(); err == nil && table != 0 {
			*list = append(*list, VirtualTable{t.Qualified(), table, at, virtualFunctions(s, v.Frame(), table)})
		}
	}
	members := t.Members()
	for i := range members {
		base := members[i].Type().Strip().Complete()
		if members[i].Inherited && base.Composite() {
			addTables(s, v.Member(&members[i]).As(base), seen, list, depth+1)
		}
	}
}

// virtualFunctions returns the functions of a table: the words that lead to code. The next table of a class begins with
// an offset, and a symbol ends with the last one.
func virtualFunctions(s *commands.Session, f *dwarf.Frame, table core.Addr) (list []core.Addr) {
	c := core.NewCursor(f.Mem, f.Arch.Order, f.Arch.PtrSize)
	word := core.Addr(f.Arch.PtrSize)
	left := core.Addr(maxFunctions)
	if y, off, ok := s.Symbols.Lookup(table); ok && y.Size > off {
		left = min(left, core.Addr(y.Size-off)/word)
	}
	for i := range left {
		code := c.Pointer(table + i*word)
		if c.Reset() != nil {
			break
		}
		if m, ok := s.Process.Mapping(s.Process.StripCode(code)); !ok || m.Prot&core.Exec == 0 {
			break
		}
		list = append(list, code)
	}
	return list
}

// maxFunctions bounds the functions of a table.
const maxFunctions = 4096
