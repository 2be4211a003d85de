package dex

import (
	"fmt"
	"strconv"
	"strings"
)

// maxShownString bounds the characters of a string constant in a
// disassembly.
const maxShownString = 200

// Operands returns an instruction's operands as text, with the name of the item at its index, much as dexdump
// writes them:
//
//	{v0, v1}, Ldemo/Worker;.begin:(Ljava/lang/String;I)V // method@008f
//
// A name that cannot be read is "<method?>" and its like, with the index.
// Branches are the dex pcs they lead to.
func (f *File) Operands(in Instruction) string {
	var parts []string
	switch op := &opcodes[in.Op]; {
	case in.Payload != nil:
		return in.Payload.describe()
	case op.format == f35c || op.format == f45cc:
		parts = append(parts, "{"+registerList(in.Registers)+"}")
	case op.format == f3rc || op.format == f4rcc:
		parts = append(parts, "{"+in.rangeText()+"}")
	case len(in.Registers) > 0:
		parts = append(parts, registerList(in.Registers))
	}
	comment := ""
	switch {
	case in.HasLiteral:
		parts = append(parts, fmt.Sprintf("#%d", in.Literal))
		comment = in.literalHex()
	case in.HasTarget:
		parts = append(parts, fmt.Sprintf("%04x", in.Target))
	case in.Ref != NoRef:
		text, place := f.Reference(in)
		parts = append(parts, text)
		comment = place
	}
	s := strings.Join(parts, ", ")
	if comment != "" {
		s += " // " + comment
	}
	return s
}

func registerList(regs []uint16) string {
	s := make([]string, len(regs))
	for i, r := range regs {
		s[i] = "v" + strconv.Itoa(int(r))
	}
	return strings.Join(s, ", ")
}

func (in Instruction) rangeText() string {
	if len(in.Registers) != 2 {
		return ""
	}
	return fmt.Sprintf("v%d .. v%d", in.Registers[0], in.Registers[1])
}

// literalHex returns a literal in hexadecimal, in as many digits as its
// instruction writes; "" if it is a small number that needs no help.
func (in Instruction) literalHex() string {
	if in.Literal > -10 && in.Literal < 10 {
		return ""
	}
	if v := in.Literal; v >= -1<<31 && v < 1<<31 && in.Op != 0x18 && in.Op != 0x19 {
		return fmt.Sprintf("%#x", uint32(v))
	}
	return fmt.Sprintf("%#x", uint64(in.Literal))
}

// Reference returns the name of the item at an instruction's index, and the item's place in the file:
// "string@04a1".
func (f *File) Reference(in Instruction) (text, place string) {
	at := func(kind string, i uint32) string { return fmt.Sprintf("%s@%04x", kind, i) }
	or := func(s string, err error, unread string) string {
		if err != nil && s == "" {
			return unread
		}
		return s
	}
	switch in.Ref {
	case StringRef:
		s, err := f.String(in.Index)
		if err != nil && s == "" {
			return "<string?>", at("string", in.Index)
		}
		return quote(s), at("string", in.Index)
	case TypeRef:
		s, err := f.Type(in.Index)
		return or(s, err, "<type?>"), at("type", in.Index)
	case FieldRef:
		d, err := f.Field(in.Index)
		return or(d.descriptor(), err, "<field?>"), at("field", in.Index)
	case MethodRef:
		m, err := f.Method(in.Index)
		return or(m.descriptor(), err, "<method?>"), at("method", in.Index)
	case ProtoRef:
		p, err := f.Proto(in.Index)
		return or(p.known(), err, "<proto?>"), at("proto", in.Index)
	case MethodProtoRef:
		m, mErr := f.Method(in.Index)
		p, pErr := f.Proto(in.Index2)
		return or(m.descriptor(), mErr, "<method?>") + ", " + or(p.known(), pErr, "<proto?>"),
			at("method", in.Index) + ", " + at("proto", in.Index2)
	case CallSiteRef:
		s, err := f.CallSite(in.Index)
		return or(s, err, "<call site?>"), at("call_site", in.Index)
	case MethodHandleRef:
		h, err := f.MethodHandle(in.Index)
		return or(h, err, "<method handle?>"), at("method_handle", in.Index)
	case FieldOffset:
		return fmt.Sprintf("[obj+%#x]", in.Index), ""
	case VtableIndex:
		return fmt.Sprintf("vtable[%d]", in.Index), ""
	}
	return "", ""
}

// quote returns a string constant with everything escaped that does not print,
// and cut if it is long.
func quote(s string) string {
	n := 0
	for i := range s {
		if n == maxShownString {
			return strconv.Quote(s[:i]) + "..."
		}
		n++
	}
	return strconv.Quote(s)
}

// descriptor returns the method in descriptors: "LDemo;.first:(I)I".
func (m Method) descriptor() string {
	if m.Class == "" && m.Name == "" {
		return ""
	}
	return m.Class + "." + m.Name + ":" + m.Proto.Signature()
}

func (d Field) descriptor() string {
	if d.Class == "" && d.Name == "" {
		return ""
	}
	return d.Class + "." + d.Name + ":" + d.Type
}

// known returns the signature; "" if nothing was read.
func (p Proto) known() string {
	if p.Return == "" {
		return ""
	}
	return p.Signature()
}

// maxShownElements bounds the elements of an array in a disassembly.
const maxShownElements = 16

// describe returns a payload's size, and of an array its first elements.
func (p *Payload) describe() string {
	if p.Width == 0 && p.Data == nil {
		return fmt.Sprintf("(%d cases)", len(p.Cases))
	}
	s := fmt.Sprintf("(%d elements of %d bytes)", p.Count, p.Width)
	for _, v := range p.Elements(maxShownElements) {
		s += fmt.Sprintf(" %d", v)
	}
	if p.Count > maxShownElements {
		s += " ..."
	}
	return s
}
