package view

import (
	"cmp"
	"fmt"
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

// VirtualTables returns the tables of an object, as its own class: its own table, then the tables of its other bases,
// by their places. There is none for an object without virtual functions. An error comes with the tables that
// could be read: a part of the object does not say which table it has.
func VirtualTables(s *commands.Session, v dwarf.Value) (list []VirtualTable, err error) {
	if whole, ok := Dynamic(s, v); ok {
		v = whole
	}
	t := v.Type.Strip().Complete()
	if _, inMemory := v.Addr(); !inMemory || !t.Composite() {
		return nil, nil
	}
	x := tables{s: s, seen: map[core.Addr]bool{}}
	x.add(v.As(t), 0)
	list = x.list
	slices.SortStableFunc(list[min(1, len(list)):], func(a, b VirtualTable) int {
		return int(min(max(a.Object.Sub(b.Object), -1), 1))
	})
	return list, x.err
}

// tables collects the tables of one object.
type tables struct {
	s    *commands.Session
	seen map[core.Addr]bool // the parts of the object that refer to one
	list []VirtualTable
	err  error
}

// add adds the table of a part of an object, and those of its bases.
func (x *tables) add(v dwarf.Value, depth int) {
	at, inMemory := v.Addr()
	if !inMemory || depth > maxBases || len(x.list) >= maxTables {
		return
	}
	t := v.Type
	if m, ok := vtablePointer(t); ok && !x.seen[at] {
		x.seen[at] = true
		switch table, err := v.Member(&m).Pointer(); {
		case err != nil:
			x.err = cmp.Or(x.err, fmt.Errorf("which virtual functions the %s at %v has is not known: %w", t.Qualified(), at, err))
		case table == 0:
			x.err = cmp.Or(x.err, fmt.Errorf("the %s at %v has a null pointer to its virtual functions", t.Qualified(), at))
		default:
			x.list = append(x.list, VirtualTable{t.Qualified(), table, at, virtualFunctions(x.s, v.Frame(), table)})
		}
	}
	members := t.Members()
	for i := range members {
		base := members[i].Type().Strip().Complete()
		if members[i].Inherited && base.Composite() {
			x.add(v.Member(&members[i]).As(base), depth+1)
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
