package codeinfo

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"coredbg/core"
)

// The witness of these tests is AOSP's description of the encoding, which
// encode_test.go follows in the other direction. That the decoder reads what
// real compilers write, the stacks of the JIT cores show (internal/e2e).

const no = NoValue

// method is a method that has inlined two others into each other at its second
// stack map.
func method(v Version) *sample {
	s := &sample{flags: HasInlineInfo | IsDebuggable, codeSize: 571, frame: 4, core: 0x10028, fp: 0xc000, registers: 3}
	s.tables[tableStackMap] = rows{
		// kind, native pc, dex pc, register mask, stack mask, inline info, dex register mask, dex register map
		{no, 8, 0, no, no, no, no, no},
		{no, 73, 3, 0, no, 0, 0, 0},
		{no, 90, 5, no, 0, no, 1, 5},
		{1, 90, 5, no, no, no, no, 0},
		{no, 300, 9, no, no, no, no, 0},
		{0, 12, 20, no, no, no, no, no},
	}
	s.tables[tableRegisterMask] = rows{{5, 3}}
	s.tables[tableStackMask] = rows{{0b1010}}
	info := rows{{0, 7, 0, no, no, 5}, {no, 11, no, 0x1234, 0x89abcdef, 6}}
	s.tables[tableInlineInfo] = info
	s.tables[tableMethodInfo] = rows{{77, 0, 4}}
	if v < oatMethodInfo {
		s.tables[tableMethodInfo] = rows{{77}}
	}
	s.tables[tableDexRegisterMask] = rows{{0b111011}, {0b10}}
	s.tables[tableDexRegisterMap] = rows{{0}, {1}, {2}, {3}, {no}, {4}}
	s.tables[tableDexRegisterInfo] = rows{{0, 6}, {1, 0xfffffff9}, {2, 5}, {4, 13}, {3, 5}}
	return s
}

// versions are one of each form.
var versions = []Version{170, 172, 183, 191, 192, 195, 225, 230, 239, 260}

func decode(t testing.TB, w *bitWriter, at int, v Version) *Info {
	t.Helper()
	// A CodeInfo has no length of its own: what lies after it is readable.
	mem := core.NewSpace([]core.Segment{{Start: 0x1000, End: 0x1000 + core.Addr(len(w.bytes)), Kind: core.SegCore,
		Src: core.Bytes(w.bytes)}}, nil)
	i, err := Decode(mem, 0x1000+core.Addr(at), v)
	if err != nil {
		t.Fatalf("version %d: %v", v, err)
	}
	return i
}

func TestDecode(t *testing.T) {
	for _, v := range versions {
		t.Run(fmt.Sprint(int(v)), func(t *testing.T) {
			var w bitWriter
			s := method(v)
			at, _ := s.encode(&w, v)
			i := decode(t, &w, at, v)
			checkHead(t, i, s)
			if int(i.Bits) != w.pos {
				t.Errorf("%d bits were read, %d written", i.Bits, w.pos)
			}
			checkMaps(t, i)
		})
	}
}

func checkHead(t *testing.T, i *Info, s *sample) {
	t.Helper()
	want := Info{FrameSize: 64, CoreSpillMask: s.core, FPSpillMask: s.fp, DexRegisters: 3}
	if i.Version >= oatFlags {
		want.Flags = s.flags
	}
	if i.Version >= oatCodeSize {
		want.CodeSize = s.codeSize
	}
	got := Info{Flags: i.Flags, CodeSize: i.CodeSize, FrameSize: i.FrameSize, CoreSpillMask: i.CoreSpillMask,
		FPSpillMask: i.FPSpillMask, DexRegisters: i.DexRegisters}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("head %+v, want %+v", got, want)
	}
}

func checkMaps(t *testing.T, i *Info) {
	t.Helper()
	if i.StackMaps() != 6 {
		t.Fatalf("%d stack maps", i.StackMaps())
	}
	m, ok, err := i.Find(73, 1)
	if !ok || err != nil || m.Row != 1 || m.DexPC != 3 || m.Kind != Default {
		t.Fatalf("Find(73) = %+v, %v, %v", m, ok, err)
	}
	in, err := i.Inlined(m)
	want := []Inlined{
		{Row: 0, DexPC: 7, Method: 77, DexFile: 4, BootClassPath: true, DexRegisters: 5},
		{Row: 1, DexPC: 11, Method: no, DexFile: no, ArtMethod: 0x123489abcdef, DexRegisters: 6},
	}
	if i.Version < oatMethodInfo {
		want[0].DexFile, want[0].BootClassPath = no, false
	}
	if err != nil || !reflect.DeepEqual(in, want) {
		t.Fatalf("Inlined = %+v, %v; want %+v", in, err, want)
	}
	check := func(what, want string, regs []Location, err error) {
		t.Helper()
		if got := fmt.Sprint(regs); got != want || err != nil {
			t.Errorf("%s = %s, %v; want %s", what, got, err, want)
		}
	}
	regs, err := i.Registers(m)
	check("registers", "[sp+24 #-7 none]", regs, err)
	regs, err = i.InlinedRegisters(m, in, 0)
	check("registers of the inlined", "[r5 f13]", regs, err)
	regs, err = i.InlinedRegisters(m, in, 1)
	check("registers of the innermost", "[none]", regs, err)
	if mask, err := i.RegisterRoots(m); mask != 5<<3 || err != nil {
		t.Errorf("RegisterRoots = %#x, %v", mask, err)
	}
	next, _, _ := i.Find(90, 1)
	regs, err = i.Registers(next)
	check("registers after a change", "[sp+24 r5/hi none]", regs, err)
	if slots, err := i.StackRoots(next); fmt.Sprint(slots) != "[false true false true]" || err != nil {
		t.Errorf("StackRoots = %v, %v", slots, err)
	}
	last, _, _ := i.Find(300, 1)
	regs, err = i.Registers(last)
	check("registers that did not change", "[sp+24 r5/hi none]", regs, err)
}

func TestFind(t *testing.T) {
	var w bitWriter
	at, _ := method(230).encode(&w, 230)
	i := decode(t, &w, at, 230)
	for _, tt := range []struct {
		pc, align uint32
		row       int // -1: none
	}{{8, 1, 0}, {73, 1, 1}, {74, 1, -1}, {90, 1, 2}, {300, 1, 4}, {12, 1, -1}, {0, 1, -1}, {1 << 31, 1, -1},
		{32, 4, 0}, {292, 4, 1}, {8, 4, -1}, {16, 2, 0}} {
		m, ok, err := i.Find(tt.pc, tt.align)
		if err != nil || ok != (tt.row >= 0) || ok && m.Row != tt.row {
			t.Errorf("Find(%d, %d) = row %d, %v, %v; want %d", tt.pc, tt.align, m.Row, ok, err, tt.row)
		}
	}
	for arch, want := range map[string]uint32{"amd64": 1, "386": 1, "arm64": 4, "arm": 2, "riscv64": 2} {
		if got := Alignment(arch); got != want {
			t.Errorf("Alignment(%q) = %d, want %d", arch, got, want)
		}
	}
}

// TestShared has a second CodeInfo take tables from the first.
func TestShared(t *testing.T) {
	for _, v := range versions {
		var w bitWriter
		first := method(v)
		firstAt, positions := first.encode(&w, v)
		second := method(v)
		second.shared = map[int]int{}
		for _, n := range []int{tableStackMap, tableInlineInfo, tableDexRegisterInfo} {
			second.shared[n] = positions[n]
		}
		at, _ := second.encode(&w, v)
		decode(t, &w, firstAt, v)
		i := decode(t, &w, at, v)
		if !i.Tables[tableStackMap].Shared || i.Tables[tableMethodInfo].Shared {
			t.Errorf("version %d: shared tables are not told apart", v)
		}
		checkHead(t, i, second)
		checkMaps(t, i)
	}
}

func TestReadHeader(t *testing.T) {
	const code = 0x2000
	words := func(a, b uint32) core.Memory {
		var m []byte
		for _, v := range []uint32{a, b} {
			m = append(m, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
		}
		return core.NewSpace([]core.Segment{{Start: code - 8, End: code, Kind: core.SegCore, Src: core.Bytes(m)}}, nil)
	}
	tests := []struct {
		v      Version
		a, b   uint32
		info   core.Addr
		size   uint32
		deopt  bool
		failed bool
	}{
		{170, 0x100, 0x90, code - 0x100, 0x90, false, false},
		{183, 0x100, 0x80000090, code - 0x100, 0x90, true, false},
		{191, 0x100, 0x90, code - 0x100, 0x90, false, false},
		{183, 0, 0x90, 0, 0x90, false, false}, // a stub of the compiler
		{183, 0x100, 0, 0, 0, false, false},   // no code
		{192, 0x100, 0x40000090, code - 0x90, 0, false, false},
		{230, 0, 0x40000100, code - 0x100, 0, false, false},
		{230, 0, 0xc0000100, code - 0x100, 0, true, false}, // debuggable, or with guards on the class hierarchy
		{230, 0, 0x90, 0, 0x90, false, false},              // code without CodeInfo
		{238, 0, 0x80000100, code - 0x100, 0, false, false},
		{239, 0, 0x100, code - 0x100, 0, false, false},
		{239, 0, 0, 0, 0, false, false},
		// The form is recognized by its flags if the version is not ART's.
		{225, 0, 0x80000090, code - 0x90, 0, false, false},
		{260, 0, 0x40000090, code - 0x90, 0, false, false},
		{0, 0, 0x100, 0, 0, false, true},
		{138, 0, 0x100, 0, 0, false, true},
		{183, 0xffffffff, 0xffffffff, 0, 0, false, true}, // assembly
		{239, 0, 0xffffffff, 0, 0, false, true},
		{183, 1 << 30, 0x90, 0, 0, false, true}, // too far away
		{183, code + 1, 0x90, 0, 0, false, true},
		{230, 0, 0x40000000 | (code + 1), 0, 0, false, true},
		{239, 0, code + 1, 0, 0, false, true},
		{170, 0x100, 0x7fffffff, 0, 0, false, true}, // larger than any code
	}
	for _, tt := range tests {
		h, err := ReadHeader(words(tt.a, tt.b), code, tt.v)
		if tt.failed {
			if err == nil {
				t.Errorf("version %d: %#x %#x is taken for a header: %+v", tt.v, tt.a, tt.b, h)
			}
			continue
		}
		if err != nil || h.CodeInfo != tt.info || h.CodeSize != tt.size || h.ShouldDeoptimize != tt.deopt {
			t.Errorf("version %d: ReadHeader(%#x %#x) = %+v, %v", tt.v, tt.a, tt.b, h, err)
		}
	}
	if _, err := ReadHeader(words(0, 0xffffffff), code, 239); !errors.Is(err, ErrNoHeader) {
		t.Errorf("error %v is not ErrNoHeader", err)
	}
	if _, err := ReadHeader(words(0, 0), code-6, 239); core.Fault(err) == nil {
		t.Errorf("header that is not there: %v", err)
	}
}

func TestBadInfo(t *testing.T) {
	var w bitWriter
	at, _ := method(230).encode(&w, 230)
	mem := func(b []byte) core.Memory {
		return core.NewSpace([]core.Segment{{End: core.Addr(len(b)), Kind: core.SegCore, Src: core.Bytes(b)}}, nil)
	}
	errOf := func(_ any, err error) error { return err }
	// Headers of tables that are too wide and too long.
	var wide, long bitWriter
	wide.varints(true, 0, 0, 0, 0, 0, 0, 1)
	wide.varints(true, 1, 33, 0, 0, 0, 0, 0, 0, 0)
	long.varints(true, 0, 0, 0, 0, 0, 0, 1)
	long.varints(true, maxRows+1, 1, 0, 0, 0, 0, 0, 0, 0)
	for _, tt := range []struct {
		name, want string
		err        error
	}{
		{"version", "oat version 138 is not known", errOf(Decode(mem(w.bytes), 0, 138))},
		{"nothing", "not mapped", errOf(Decode(mem(nil), 0, 230))},
		{"cut", "header of", errOf(Decode(mem(w.bytes[at:at+13]), 0, 230))},
		{"wide", "StackMap.Kind has 33 bits", errOf(Decode(mem(append(wide.bytes, make([]byte, 8)...)), 0, 230))},
		{"long", "StackMap has 1048577 rows", errOf(Decode(mem(append(long.bytes, make([]byte, 8)...)), 0, 230))},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, tt.err, tt.want)
		}
	}
	i := decode(t, &w, at, 230)
	for _, tt := range []struct {
		name, want string
		err        error
	}{
		{"stack map", "StackMap[6]: the table has 6 rows", errOf(i.StackMap(6, 1))},
		{"inline info", "InlineInfo[2]: the table has 2 rows", errOf(i.Inlined(StackMap{InlineInfo: 2}))},
		{"stack mask", "StackMask[9]: the table has 1 rows", errOf(i.StackRoots(StackMap{StackMask: 9}))},
		{"registers", "has dex registers 3 to 2",
			errOf(i.InlinedRegisters(StackMap{}, []Inlined{{DexRegisters: 2}}, 0))},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, tt.err, tt.want)
		}
	}
}

func FuzzCodeInfo(f *testing.F) {
	for _, v := range versions {
		var w bitWriter
		method(v).encode(&w, v)
		f.Add(w.bytes, int(v))
	}
	f.Fuzz(func(t *testing.T, b []byte, v int) {
		mem := core.NewSpace([]core.Segment{{Start: 64, End: 64 + core.Addr(len(b)), Kind: core.SegCore,
			Src: core.Bytes(b)}}, nil)
		i, err := Decode(mem, 64, Version(v))
		if err != nil {
			return
		}
		for _, pc := range []uint32{0, 8, 90, 1 << 20} {
			i.Find(pc, 4)
		}
		for row := range min(i.StackMaps(), 20) {
			m, err := i.StackMap(row, 1)
			if err != nil {
				return
			}
			i.Registers(m)
			i.RegisterRoots(m)
			i.StackRoots(m)
			in, _ := i.Inlined(m)
			for n := range min(len(in), 4) {
				i.InlinedRegisters(m, in, n)
			}
		}
	})
}

// FuzzBitTable reads a table of each kind from arbitrary bits.
func FuzzBitTable(f *testing.F) {
	for n := range numTables {
		var w bitWriter
		w.table(230, isMask(n), method(230).tables[n])
		f.Add(w.bytes, n, true)
	}
	f.Fuzz(func(t *testing.T, b []byte, n int, interleaved bool) {
		if n < 0 || n >= numTables {
			return
		}
		v := Version(230)
		if !interleaved {
			v = 170
		}
		i := &Info{r: newBitReader(core.NewSpace([]core.Segment{{End: core.Addr(len(b)), Kind: core.SegCore,
			Src: core.Bytes(b)}}, nil), 0)}
		table := &i.Tables[n]
		table.Name, table.Columns = tableNames[n].name, tableNames[n].columns
		if err := table.read(i.r, n, v); err != nil {
			return
		}
		for row := range min(table.Rows, 50) {
			i.Row(n, row)
			i.Mask(n, row)
		}
	})
}
