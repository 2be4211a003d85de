package format

import "coredbg/core"

// A Value is an attribute's value as its form encodes it.
type Value struct {
	Form  Form
	Num   uint64 // a number, an offset, an index
	Bytes []byte // a block, or a string in place; lent
}

// Widths are what the sizes of some forms depend on.
type Widths struct {
	Addr    int // bytes of an address
	DWARF64 bool
	Version int // of DWARF
}

// Read reads a value of the given form.
func (x *Value) Read(b *core.Buf, s Spec, w *Widths) {
	f := s.Form
	if f == formIndirect {
		f = Form(b.ULEB())
	}
	*x = Value{Form: f}
	switch f {
	case FormAddr:
		x.Num = b.Uint(w.Addr)
	case FormData1, FormRef1, FormFlag, FormStrx1, FormAddrx1:
		x.Num = uint64(b.U8())
	case FormData2, FormRef2, FormStrx2, FormAddrx2:
		x.Num = uint64(b.U16())
	case FormStrx3, FormAddrx3:
		x.Num = b.Uint(3)
	case FormData4, FormRef4, FormRefSup4, FormStrx4, FormAddrx4:
		x.Num = uint64(b.U32())
	case FormData8, FormRef8, FormRefSig8, FormRefSup8:
		x.Num = b.Uint(8)
	case FormData16:
		x.Bytes = b.Bytes(16)
	case FormSdata:
		x.Num = uint64(b.SLEB())
	case FormUdata, FormRefUdata, FormStrx, FormAddrx, FormLoclistx, FormRnglistx, FormGNUAddrIndex, FormGNUStrIndex:
		x.Num = b.ULEB()
	case FormSecOffset, FormStrp, FormLineStrp, FormStrpSup, FormGNURefAlt, FormGNUStrpAlt:
		x.Num = b.Offset(w.DWARF64)
	case FormRefAddr:
		if w.Version == 2 {
			x.Num = b.Uint(w.Addr)
		} else {
			x.Num = b.Offset(w.DWARF64)
		}
	case FormString:
		x.Bytes = b.CString()
	case FormBlock1:
		x.Bytes = b.Bytes(uint64(b.U8()))
	case FormBlock2:
		x.Bytes = b.Bytes(uint64(b.U16()))
	case FormBlock4:
		x.Bytes = b.Bytes(uint64(b.U32()))
	case FormBlock, FormExprloc:
		x.Bytes = b.Bytes(b.ULEB())
	case FormFlagPresent:
		x.Num = 1
	case FormImplicitConst:
		x.Num = uint64(s.Value)
	default:
		b.Bad = true // its length is not known, so neither is what comes after it
	}
}

// Pass moves past a value of the given form.
func Pass(b *core.Buf, s Spec, w *Widths) {
	n := 0
	switch s.Form {
	case FormSecOffset, FormStrp, FormLineStrp:
		if n = 4; w.DWARF64 {
			n = 8
		}
	case FormFlagPresent, FormImplicitConst:
		return
	default:
		if int(s.Form) < len(sizes) {
			n = int(sizes[s.Form])
		}
	}
	switch {
	case n == 0 || b.Bad:
		new(Value).Read(b, s, w)
	case n > len(b.Data)-b.Off:
		b.Bad = true
	default:
		b.Off += n
	}
}

// sizes are the bytes of forms that have a number of them.
var sizes = [...]uint8{
	FormData1: 1, FormRef1: 1, FormFlag: 1, FormStrx1: 1, FormAddrx1: 1, FormData2: 2, FormRef2: 2,
	FormStrx2: 2, FormAddrx2: 2,
	FormStrx3: 3, FormAddrx3: 3, FormData4: 4, FormRef4: 4, FormStrx4: 4, FormAddrx4: 4, FormData8: 8, FormRef8: 8,
	FormRefSig8: 8, FormData16: 16,
}

// Present reports whether an entry has the attribute: the zero Value is one that it does not have.
func (x Value) Present() bool { return x.Form != 0 }

// Uint returns a constant or an offset of a section.
func (x Value) Uint() (uint64, bool) {
	switch x.Form {
	case FormData1, FormData2, FormData4, FormData8, FormUdata, FormSdata, FormImplicitConst, FormSecOffset, FormFlag,
		FormFlagPresent:
		return x.Num, true
	}
	return 0, false
}

// Int returns a constant. Only the forms that have a sign yield negative numbers.
func (x Value) Int() (int64, bool) {
	v, ok := x.Uint()
	return int64(v), ok && x.Form != FormSecOffset
}

// Flag reports whether the attribute is a flag that is set.
func (x Value) Flag() bool {
	return (x.Form == FormFlag || x.Form == FormFlagPresent) && x.Num != 0
}

// Block returns the bytes of a block, of an expression or of a constant of 16 bytes; lent.
func (x Value) Block() ([]byte, bool) {
	switch x.Form {
	case FormBlock, FormBlock1, FormBlock2, FormBlock4, FormExprloc, FormData16:
		return x.Bytes, true
	}
	return nil, false
}
