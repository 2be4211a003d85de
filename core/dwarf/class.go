package dwarf

import (
	"sort"

	"coredbg/core/dwarf/format"
	"coredbg/core/dwarf/index"
)

// ClassAt returns the class of the member function that begins at the link-time address pc. It returns
// nil if no member function begins there, or if functions of several classes do: linkers merge
// functions with the same code.
func (d *Data) ClassAt(pc uint64) *Type {
	u, fn, _ := d.functionOf(pc)
	if fn == nil {
		return nil
	}
	var class *Type
	list := u.funcs.list
	for i := sort.Search(len(list), func(i int) bool { return list[i].low >= pc }); i < len(list) &&
		list[i].low == pc; i++ {
		t := u.classOf(u.d.entry(list[i].off))
		if t == nil || class != nil && class != t {
			return nil
		}
		class = t
	}
	return class
}

// classOf returns the class that has a function as its member. The member may be the declaration that
// the function completes. It returns nil if there is no class.
func (u *Unit) classOf(fn *Entry) (class *Type) {
	fn.origin(func(e *Entry) bool {
		list := e.u.namedScopes()
		i := sort.Search(len(list), func(i int) bool { return list[i].start >= e.Off }) - 1
		for i >= 0 && e.Off >= list[i].end {
			i = list[i].parent
		}
		if i >= 0 {
			class = e.u.d.typeAt(list[i].start) // nil of a namespace
		}
		return class != nil
	})
	return class
}

// TableOf returns the class whose table of functions is at a link-time address, as the type of the
// variable there says. It returns nil if no variable says so, or if several variables differ. It
// searches the units of the code near, which the table leads to, then all units, unless reading them
// would make a person wait.
func (d *Data) TableOf(addr uint64, near []uint64) (t *Type) {
	seen := map[*Unit]bool{}
	for _, pc := range near {
		u := d.UnitAt(pc)
		if u == nil || seen[u] {
			continue
		}
		seen[u] = true
		if all, err := u.whole(); err == nil {
			if t, ok := all.tableAt(addr); ok {
				return t
			}
		}
	}
	if !d.full.Load() && len(d.own.Info.Data) > maxWaited {
		return nil
	}
	x := d.index()
	tried, same := 0, true
	x.names.Before(addr, func(p index.Place) bool {
		if tried++; p.Addr != addr || tried > maxSharing {
			same = same && p.Addr != addr
			return false
		}
		of := tableType(x.ref(p.Ref).entry())
		same = of != nil && (t == nil || t == of)
		t = of
		return same
	})
	if !same {
		return nil
	}
	return t
}

// maxWaited is how many bytes of .debug_info are read for the type of one table.
const maxWaited = 64 << 20

// tableAt returns the type whose functions the unit's table at a link-time address has, nil if several do; ok
// is false if it has no variable there.
func (u *Unit) tableAt(addr uint64) (t *Type, ok bool) {
	same := true
	u.d.children(u.first, func(_ *reader, e *Entry) bool {
		if e.Tag != format.TagVariable {
			return true
		}
		if at, fixed := u.fixedAddr(e.attr(format.AtLocation)); fixed && at == addr {
			of := tableType(e.clone())
			same = same && of != nil && (t == nil || t == of)
			t, ok = of, true
		}
		return same
	})
	if !same {
		return nil, ok
	}
	return t, ok
}

// tableType returns the class whose table a variable is, by the variable's type.
func tableType(e *Entry) *Type {
	if e == nil {
		return nil
	}
	table := global(e).Type().Strip()
	if table == nil {
		return nil
	}
	return table.holder.typ()
}

// maxSharing bounds the variables that are at one address.
const maxSharing = 16

// Constant returns the value of a static member that is a constant, of the type or else of the bases of it.
func (t *Type) Constant(name string) (n int64, ok bool) {
	for class := range t.Bases(IsBase) {
		class.d.children(class.Off, func(_ *reader, e *Entry) bool {
			if (e.Tag == format.TagMember || e.Tag == format.TagVariable) && e.attr(format.AtName).Text() == name {
				n, ok = e.attr(format.AtConstValue).Int()
			}
			return !ok
		})
		if ok {
			break
		}
	}
	return n, ok
}

// DataSize returns how many bytes of a type another that has it as a base keeps for it: what is after the last
// member may have other members in it, unless the type is plain data as in C++ 2003 (Itanium C++ ABI, section 2.4).
func (t *Type) DataSize() (n int64, ok bool) {
	t = t.Strip().Complete()
	n, ok = t.Size()
	if !ok || !t.composite() {
		return n, ok
	}
	plain, end := true, int64(0)
	for _, m := range t.Members() {
		size, known := m.Type().Size()
		if m.Virtual || m.BitSize != 0 || !known {
			return n, true
		}
		plain = plain && !m.Inherited
		end = max(end, m.Off+size)
	}
	if plain || end > n {
		return n, true
	}
	return end, true
}
