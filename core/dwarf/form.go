package dwarf

import (
	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// An Attr is an attribute's value with the unit of its entry, which strings, addresses and references are found
// by. The zero Attr is one that an entry does not have.
type Attr struct {
	u *Unit
	format.Value
}

// read reads the value of an attribute of an entry of the unit.
func (u *Unit) read(b *core.Buf, s format.Spec) Attr {
	a := Attr{u: u}
	a.Read(b, s, &u.w)
	return a
}

// ref returns the entry that the attribute refers to.
func (a Attr) ref() (ref, bool) {
	var d *part
	switch a.Form {
	case format.FormRefAddr:
		d = a.u.d.main
	case format.FormRefSig8:
		return a.u.d.signature(a.Num)
	case format.FormGNURefAlt, format.FormRefSup4, format.FormRefSup8:
		d, _ = a.u.d.supplement()
	default:
		if off, ok := a.unitRef(); ok {
			return ref{a.u.d, off}, true
		}
		return ref{}, false
	}
	if d == nil || d.unitOf(format.Offset(a.Num)) == nil {
		return ref{}, false
	}
	return ref{d, format.Offset(a.Num)}, true
}

// unitRef returns the entry that the attribute refers to by its offset in the same unit.
func (a Attr) unitRef() (format.Offset, bool) {
	switch a.Form {
	case format.FormRef1, format.FormRef2, format.FormRef4, format.FormRef8, format.FormRefUdata:
		off := format.Offset(a.Num) + a.u.Off
		return off, off >= a.u.first && off < a.u.end
	}
	return 0, false
}

// Addr returns an address, by way of .debug_addr if it is an index.
func (a Attr) Addr() (uint64, bool) {
	switch a.Form {
	case format.FormAddr:
		return a.Num, true
	case format.FormAddrx, format.FormAddrx1, format.FormAddrx2, format.FormAddrx3, format.FormAddrx4,
		format.FormGNUAddrIndex:
		return a.u.indexedAddr(a.Num)
	}
	return 0, false
}

// indexedAddr returns an address of the unit's part of .debug_addr.
func (u *Unit) indexedAddr(i uint64) (uint64, bool) {
	if i > uint64(len(u.d.Addr)) {
		return 0, false
	}
	b := core.BufAt(u.d.Addr, u.addrBase+i*uint64(u.w.Addr), u.d.order)
	v := b.Uint(u.w.Addr)
	return v, !b.Bad
}

// Text returns a string; "" if the attribute is not a string.
func (a Attr) Text() string { return string(a.text()) }

// text is Text, lent.
func (a Attr) text() []byte {
	var from []byte
	off := a.Num
	switch a.Form {
	case format.FormString:
		return a.Bytes
	case format.FormStrp:
		from = a.u.d.Str
	case format.FormLineStrp:
		from = a.u.d.LineStr
	case format.FormStrpSup, format.FormGNUStrpAlt:
		if s, _ := a.u.d.supplement(); s != nil {
			from = s.Str
		}
	case format.FormStrx, format.FormStrx1, format.FormStrx2, format.FormStrx3, format.FormStrx4,
		format.FormGNUStrIndex:
		size := uint64(4)
		if a.u.w.DWARF64 {
			size = 8
		}
		if a.Num > uint64(len(a.u.d.StrOffsets)) {
			return nil
		}
		b := core.BufAt(a.u.d.StrOffsets, a.u.strBase+a.Num*size, a.u.d.order)
		off = b.Offset(a.u.w.DWARF64)
		if b.Bad {
			return nil
		}
		from = a.u.d.Str
	default:
		return nil
	}
	b := core.BufAt(from, off, a.u.d.order)
	return b.CString()
}
