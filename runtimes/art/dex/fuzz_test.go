package dex

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
)

// ask asks a file everything it can answer, of the first items of each kind.
func ask(f *File) {
	const most = 40
	for i := range min(f.StringIDs.Size, most) {
		f.String(i)
	}
	for i := range min(f.MethodIDs.Size, most) {
		if m, err := f.Method(i); err == nil {
			m.Pretty()
		}
	}
	for i := range min(f.FieldIDs.Size, most) {
		f.Field(i)
	}
	for i := range uint32(4) {
		f.MethodHandle(i)
		f.CallSite(i)
	}
	for i := range min(f.ClassDefs.Size, most) {
		c, err := f.ClassDef(i)
		if err != nil {
			continue
		}
		f.SourceFile(i)
		f.TypeList(c.Interfaces)
		data, _ := f.ClassData(c.ClassData)
		for n, d := range append(data.DirectMethods, data.VirtualMethods...) {
			if n < most && d.Code != 0 {
				askCode(f, d)
			}
		}
	}
}

func askCode(f *File, d MethodDef) {
	code, err := f.CodeAt(d.Code, d.Index)
	if err != nil {
		return
	}
	f.Lines(code)
	f.Line(code, 3)
	f.Tries(code)
	f.Locals(code, d.Index, d.AccessFlags&AccStatic != 0)
	units, _ := f.Instructions(code)
	list, _ := Disassemble(units)
	for i := range min(len(list), 200) {
		f.Operands(list[i])
	}
}

func FuzzDex(f *testing.F) {
	debug := load(f, "debug.dex")
	f.Add(debug)
	f.Add(load(f, "opcodes.dex"))
	f.Add(put(debug, map[int]uint32{4: 0x00313430, 36: headerSize41}))
	f.Add(put(debug, map[int]uint32{0: 0x78656463, 4: 0x00313030, 36: compactHeaderSize}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if file, err := Parse(b); err == nil {
			ask(file)
		}
	})
}

// FuzzDebugInfo runs a program in the place of a method's own.
func FuzzDebugInfo(f *testing.F) {
	b := load(f, "debug.dex")
	file := parse(f, b)
	d, _ := method(f, file, "mixed")
	code, err := file.CodeAt(d.Code, d.Index)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b[code.DebugInfo:])
	f.Add([]byte("\x01\x00\x01\xff\xff\xff\xff\x7f\x02\x80\x80\x80\x80\x78\x00"))
	f.Add([]byte("\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, program []byte) {
		all := append(append([]byte{}, b...), program...)
		g := parse(t, put(all, map[int]uint32{32: uint32(len(all))}))
		c := *code
		c.DebugInfo = uint32(len(b))
		lines, err := g.Lines(&c)
		if err == nil && len(lines) > len(program) {
			t.Fatalf("%d bytes gave %d lines", len(program), len(lines))
		}
		for _, l := range lines {
			if _, err := g.Line(&c, l.PC); err != nil {
				break
			}
		}
		locals, _ := g.Locals(&c, d.Index, false)
		for _, l := range locals {
			if l.Start >= l.End || l.Register >= uint32(c.Registers) {
				t.Fatalf("range %+v", l)
			}
		}
	})
}

func FuzzInstructions(f *testing.F) {
	b := load(f, "opcodes.dex")
	file := parse(f, b)
	d, _ := method(f, file, "every")
	code, err := file.CodeAt(d.Code, d.Index)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b[code.Insns : code.Insns+core.Addr(code.Units)*2])
	f.Add([]byte("\x00\x03\x08\x00\xff\xff\xff\xff\x00\x00"))
	f.Add([]byte("\x00\x01\xff\xff\x00\x02\xff\xff\x3e\x00\xe3\x21\x08\x00"))
	f.Fuzz(func(t *testing.T, code []byte) {
		units := make([]uint16, len(code)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(code[2*i:])
		}
		list, _ := Disassemble(units)
		at := 0
		for _, in := range list {
			if int(in.PC) != at || in.Size < 1 {
				t.Fatalf("instruction at %#x has size %d, want it at %#x", in.PC, in.Size, at)
			}
			at += in.Size
			file.Operands(in)
		}
		if at != len(units) {
			t.Fatalf("the list ends at %#x of %#x", at, len(units))
		}
	})
}
