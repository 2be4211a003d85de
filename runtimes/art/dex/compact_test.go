package dex

import (
	"encoding/binary"
	"reflect"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
)

// No tool at hand writes compact dex, which only dex2oat of Android 9 to 14
// did. These tests lay it out from standard files by AOSP's description of it
// (compact_dex_file.h, CodeItem::Create; compact_offset_table.cc, Build); the
// standard file, whose witness is dexdump, then is the witness of the compact.

// compactItem encodes a code item without tries and instructions' end: the
// words before it and its two own.
func compactItem(c *Code, force bool) []uint16 {
	registers, ins, outs, tries, units := c.Registers-c.Ins, c.Ins, c.Outs, c.TryCount, int(c.Units)
	fields := uint16(registers&15)<<12 | uint16(ins&15)<<8 | uint16(outs&15)<<4 | uint16(tries&15)
	flags := uint16(units&0x7ff) << compactFlagBits
	var before []uint16 // the nearest to the item first
	if rest := units &^ 0x7ff; rest != 0 || force {
		flags |= preInsns
		before = append(before, uint16(rest), uint16(rest>>16))
	}
	for _, p := range []struct {
		size int
		flag uint16
	}{{registers, preRegisters}, {ins, preIns}, {outs, preOuts}, {tries, preTries}} {
		if rest := p.size &^ 15; rest != 0 || force {
			flags |= p.flag
			before = append(before, uint16(rest))
		}
	}
	slices.Reverse(before)
	return append(before, fields, flags)
}

func appendUleb(b []byte, v uint32) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func appendWords(b []byte, words []uint16) []byte {
	for _, w := range words {
		b = binary.LittleEndian.AppendUint16(b, w)
	}
	return b
}

// offsetTable encodes offsets as the table of debug info offsets does, and
// returns where in it the index begins, and the least offset.
func offsetTable(offsets []uint32) (table []byte, index, least uint32) {
	least = NoIndex
	for _, o := range offsets {
		if o != 0 {
			least = min(least, o)
		}
	}
	var blocks []uint32
	for chunk := range slices.Chunk(offsets, 16) {
		blocks = append(blocks, uint32(len(table)))
		mask := uint16(0)
		for i, o := range chunk {
			if o != 0 {
				mask |= 1 << i
			}
		}
		table = append(table, byte(mask>>8), byte(mask))
		last := least
		for _, o := range chunk {
			if o != 0 {
				table = appendUleb(table, o-last)
				last = o
			}
		}
	}
	for len(table)%4 != 0 {
		table = append(table, 0)
	}
	index = uint32(len(table))
	for _, b := range blocks {
		table = binary.LittleEndian.AppendUint32(table, b)
	}
	return table, index, least
}

// compact lays a standard file with one class out as compact dex. Its data
// section is a copy of the file, so that offsets stay, with the code items and
// class data that differ after it.
func compact(t *testing.T, b []byte, force bool) []byte {
	t.Helper()
	f := parse(t, b)
	class, err := f.ClassDef(0)
	if err != nil {
		t.Fatal(err)
	}
	data := slices.Clone(b)
	list, err := f.ClassData(class.ClassData)
	if err != nil {
		t.Fatal(err)
	}
	debug := make([]uint32, f.MethodIDs.Size)
	methods := func(defs []MethodDef) (out []byte) {
		last := uint32(0)
		for _, d := range defs {
			code := uint32(0)
			if d.Code != 0 {
				data, code = appendCompact(t, f, data, d, force, debug)
			}
			out = appendUleb(appendUleb(appendUleb(out, d.Index-last), d.AccessFlags), code)
			last = d.Index
		}
		return out
	}
	fields := func(defs []FieldDef) (out []byte) {
		last := uint32(0)
		for _, d := range defs {
			out = appendUleb(appendUleb(out, d.Index-last), d.AccessFlags)
			last = d.Index
		}
		return out
	}
	direct, virtual := methods(list.DirectMethods), methods(list.VirtualMethods)
	classData := uint32(len(data))
	for _, n := range []int{len(list.StaticFields), len(list.InstanceFields), len(list.DirectMethods),
		len(list.VirtualMethods)} {
		data = appendUleb(data, uint32(n))
	}
	data = slices.Concat(data, fields(list.StaticFields), fields(list.InstanceFields), direct, virtual)
	for len(data)%4 != 0 {
		data = append(data, 0)
	}
	table, index, least := offsetTable(debug)
	pos := uint32(len(data))
	data = append(data, table...)
	return compactFile(f, b, data, classData, pos, index, least)
}

// appendCompact appends a method's code in compact form and notes its debug
// info.
func appendCompact(t *testing.T, f *File, data []byte, d MethodDef, force bool, debug []uint32) ([]byte, uint32) {
	t.Helper()
	c, err := f.CodeAt(d.Code, d.Index)
	if err != nil {
		t.Fatal(err)
	}
	units, err := f.Instructions(c)
	if err != nil {
		t.Fatal(err)
	}
	debug[d.Index] = c.DebugInfo
	head := compactItem(c, force)
	if len(data)%2 != 0 {
		data = append(data, 0)
	}
	data = appendWords(data, head)
	at := uint32(len(data) - 4)
	data = appendWords(data, units)
	for len(data)%4 != 0 {
		data = append(data, 0)
	}
	// Tries and handlers are as in the standard file, where they end before
	// the next item; more than they need does no harm.
	from := (c.Insns + 2*core.Addr(c.Units)).Align(4)
	end := min(from+core.Addr(c.TryCount)*64, core.Addr(f.FileSize))
	tries, err := core.ReadBytes(f.mem, from, uint64(end-from))
	if err != nil {
		t.Fatal(err)
	}
	return append(data, tries...), at
}

// compactFile puts the header and the tables before the data.
func compactFile(f *File, b, data []byte, classData, pos, index, least uint32) []byte {
	out := slices.Clone(b[:compactHeaderSize])
	copy(out, "cdex001\x00")
	for i, row := range []uint32{4, 4, 12, 8, 8, 32} {
		at := 56 + 8*i
		size, off := binary.LittleEndian.Uint32(out[at:]), binary.LittleEndian.Uint32(b[at+4:])
		binary.LittleEndian.PutUint32(out[at+4:], uint32(len(out)))
		out = append(out, b[off:off+size*row]...)
	}
	// Call sites and method handles are found through the map_list, and count
	// from the header too (DexFile::GetSection).
	for at := f.MapOff + 4; at < f.MapOff+4+12*binary.LittleEndian.Uint32(b[f.MapOff:]); at += 12 {
		item := data[at:]
		if row := map[uint16]uint32{mapCallSiteIDs: 4,
			mapMethodHandles: 8}[binary.LittleEndian.Uint16(item)]; row != 0 {
			off := binary.LittleEndian.Uint32(item[8:])
			binary.LittleEndian.PutUint32(item[8:], uint32(len(out)))
			out = append(out, b[off:off+row*binary.LittleEndian.Uint32(item[4:])]...)
		}
	}
	defs := binary.LittleEndian.Uint32(out[100:])
	binary.LittleEndian.PutUint32(out[defs+24:], classData)
	for _, w := range []struct {
		at int
		v  uint32
	}{
		{32, uint32(len(out))}, {36, compactHeaderSize}, {104, uint32(len(data))}, {108, uint32(len(out))},
		{112, 1}, {116, pos}, {120, index}, {124, least}, {128, 0}, {132, uint32(len(data))},
	} {
		binary.LittleEndian.PutUint32(out[w.at:], w.v)
	}
	return append(out, data...)
}

func TestCompact(t *testing.T) {
	for _, name := range []string{"debug.dex", "opcodes.dex"} {
		for _, force := range []bool{false, true} {
			b := load(t, name)
			standard, f := parse(t, b), parse(t, compact(t, b, force))
			if !f.Compact || f.VersionString() != "cdex 001" || f.FeatureFlags != 1 {
				t.Errorf("%s: version %s, features %#x", name, f.VersionString(), f.FeatureFlags)
			}
			class, _ := standard.ClassDef(0)
			data, _ := standard.ClassData(class.ClassData)
			for _, d := range append(data.DirectMethods, data.VirtualMethods...) {
				m, _ := standard.Method(d.Index)
				got, _ := method(t, f, m.Name)
				if (got.Code == 0) != (d.Code == 0) || got.AccessFlags != d.AccessFlags {
					t.Errorf("%s: %s is %+v, in the standard file %+v", name, m.Name, got, d)
				}
				if d.Code != 0 {
					_, a := dump(t, standard, d)
					_, b := dump(t, f, got)
					compareMethod(t, b, a)
				}
			}
		}
	}
}

// TestCompactSizes checks the sizes of a method of more than 2047 units, which
// no file here has.
func TestCompactSizes(t *testing.T) {
	b := load(t, "debug.dex")
	f := parse(t, compact(t, b, false))
	want := &Code{Registers: 300, Ins: 20, Outs: 17, TryCount: 33, Units: 500}
	for _, units := range []uint32{500, 2048, 0x12345} {
		want.Units = units
		item := appendWords(nil, compactItem(want, false))
		mem := append(slices.Clone(b), item...)
		g := *f
		g.mem, g.DataLimit = Image(mem), 1<<20
		g.MethodIDs.Size, g.DebugInfoOffsetsPos = 0, 0
		if _, err := g.Code(core.Addr(len(mem)-4), 0); err == nil || !strings.Contains(err.Error(), "method_ids[0]") {
			t.Errorf("method without a row: %v", err)
		}
		code, err := g.compactSizes(core.Addr(len(mem) - 4))
		if err != nil {
			t.Fatal(err)
		}
		want.Addr, want.Insns = code.Addr, code.Addr+4
		if !reflect.DeepEqual(code, want) {
			t.Errorf("sizes %+v, want %+v", code, want)
		}
	}
}
