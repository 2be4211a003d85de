package dwarf

// An Attr is an attribute's value as its form encodes it. The zero Attr is one that an entry
// does not have.
type Attr struct {
	u    *Unit
	form form
	v    uint64 // a number, an offset, an index
	b    []byte // a block, or a string in place
}

// present reports whether the entry has the attribute.
func (a Attr) present() bool { return a.form != 0 }

// read reads a value of the given form.
func (b *buf) read(u *Unit, s spec) Attr {
	f := s.form
	if f == formIndirect {
		f = form(b.uleb())
	}
	a := Attr{u: u, form: f}
	switch f {
	case formAddr:
		a.v = b.uint(u.addr)
	case formData1, formRef1, formFlag, formStrx1, formAddrx1:
		a.v = uint64(b.u8())
	case formData2, formRef2, formStrx2, formAddrx2:
		a.v = uint64(b.u16())
	case formStrx3, formAddrx3:
		a.v = b.uint(3)
	case formData4, formRef4, formRefSup4, formStrx4, formAddrx4:
		a.v = uint64(b.u32())
	case formData8, formRef8, formRefSig8, formRefSup8:
		a.v = b.uint(8)
	case formData16:
		a.b = b.bytes(16)
	case formSdata:
		a.v = uint64(b.sleb())
	case formUdata, formRefUdata, formStrx, formAddrx, formLoclistx, formRnglistx, formGNUAddrIndex, formGNUStrIndex:
		a.v = b.uleb()
	case formSecOffset, formStrp, formLineStrp, formStrpSup, formGNURefAlt, formGNUStrpAlt:
		a.v = b.offset(u.dwarf64)
	case formRefAddr:
		if u.version == 2 {
			a.v = b.uint(u.addr)
		} else {
			a.v = b.offset(u.dwarf64)
		}
	case formString:
		a.b = b.cstring()
	case formBlock1:
		a.b = b.bytes(uint64(b.u8()))
	case formBlock2:
		a.b = b.bytes(uint64(b.u16()))
	case formBlock4:
		a.b = b.bytes(uint64(b.u32()))
	case formBlock, formExprloc:
		a.b = b.bytes(b.uleb())
	case formFlagPresent:
		a.v = 1
	case formImplicitConst:
		a.v = uint64(s.value)
	default:
		b.bad = true // its length is not known, so neither is what comes after it
	}
	return a
}

// sizes are the bytes of forms that have a number of them.
var sizes = [...]uint8{
	formData1: 1, formRef1: 1, formFlag: 1, formStrx1: 1, formAddrx1: 1, formData2: 2, formRef2: 2,
	formStrx2: 2, formAddrx2: 2,
	formStrx3: 3, formAddrx3: 3, formData4: 4, formRef4: 4, formStrx4: 4, formAddrx4: 4, formData8: 8, formRef8: 8,
	formRefSig8: 8, formData16: 16,
}

// pass moves past a value of the given form.
func (b *buf) pass(u *Unit, s spec) {
	n := 0
	switch s.form {
	case formSecOffset, formStrp, formLineStrp:
		if n = 4; u.dwarf64 {
			n = 8
		}
	case formFlagPresent, formImplicitConst:
		return
	default:
		if int(s.form) < len(sizes) {
			n = int(sizes[s.form])
		}
	}
	switch {
	case n == 0 || b.bad:
		b.read(u, s)
	case n > len(b.data)-b.off:
		b.bad = true
	default:
		b.off += n
	}
}

// Uint returns a constant or an offset of a section.
func (a Attr) Uint() (uint64, bool) {
	switch a.form {
	case formData1, formData2, formData4, formData8, formUdata, formSdata, formImplicitConst, formSecOffset, formFlag,
		formFlagPresent:
		return a.v, true
	}
	return 0, false
}

// Int returns a constant. Only the forms that have a sign yield negative numbers.
func (a Attr) Int() (int64, bool) {
	v, ok := a.Uint()
	return int64(v), ok && a.form != formSecOffset
}

// Flag reports whether the attribute is a flag that is set.
func (a Attr) Flag() bool { return (a.form == formFlag || a.form == formFlagPresent) && a.v != 0 }

// Block returns the bytes of a block, of an expression or of a constant of 16 bytes; lent.
func (a Attr) Block() ([]byte, bool) {
	switch a.form {
	case formBlock, formBlock1, formBlock2, formBlock4, formExprloc, formData16:
		return a.b, true
	}
	return nil, false
}

// ref returns the entry that the attribute refers to.
func (a Attr) ref() (ref, bool) {
	var d *part
	switch a.form {
	case formRefAddr:
		d = a.u.d.main
	case formRefSig8:
		return a.u.d.signature(a.v)
	case formGNURefAlt, formRefSup4, formRefSup8:
		d, _ = a.u.d.supplement()
	default:
		if off, ok := a.unitRef(); ok {
			return ref{a.u.d, off}, true
		}
		return ref{}, false
	}
	if d == nil || d.unitOf(Offset(a.v)) == nil {
		return ref{}, false
	}
	return ref{d, Offset(a.v)}, true
}

// unitRef returns the entry that the attribute refers to by its offset in the same unit.
func (a Attr) unitRef() (Offset, bool) {
	switch a.form {
	case formRef1, formRef2, formRef4, formRef8, formRefUdata:
		off := Offset(a.v) + a.u.Off
		return off, off >= a.u.first && off < a.u.end
	}
	return 0, false
}

// Addr returns an address, by way of .debug_addr if it is an index.
func (a Attr) Addr() (uint64, bool) {
	switch a.form {
	case formAddr:
		return a.v, true
	case formAddrx, formAddrx1, formAddrx2, formAddrx3, formAddrx4, formGNUAddrIndex:
		return a.u.indexedAddr(a.v)
	}
	return 0, false
}

// indexedAddr returns an address of the unit's part of .debug_addr.
func (u *Unit) indexedAddr(i uint64) (uint64, bool) {
	if i > uint64(len(u.d.addr)) {
		return 0, false
	}
	b := at(u.d.addr, u.addrBase+i*uint64(u.addr), u.d.order)
	v := b.uint(u.addr)
	return v, !b.bad
}

// Text returns a string; "" if the attribute is not a string.
func (a Attr) Text() string { return string(a.text()) }

// text is Text, lent.
func (a Attr) text() []byte {
	var from []byte
	off := a.v
	switch a.form {
	case formString:
		return a.b
	case formStrp:
		from = a.u.d.str
	case formLineStrp:
		from = a.u.d.lineStr
	case formStrpSup, formGNUStrpAlt:
		if s, _ := a.u.d.supplement(); s != nil {
			from = s.str
		}
	case formStrx, formStrx1, formStrx2, formStrx3, formStrx4, formGNUStrIndex:
		size := uint64(4)
		if a.u.dwarf64 {
			size = 8
		}
		if a.v > uint64(len(a.u.d.strOffsets)) {
			return nil
		}
		b := at(a.u.d.strOffsets, a.u.strBase+a.v*size, a.u.d.order)
		off = b.offset(a.u.dwarf64)
		if b.bad {
			return nil
		}
		from = a.u.d.str
	default:
		return nil
	}
	b := at(from, off, a.u.d.order)
	return b.cstring()
}
