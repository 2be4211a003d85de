package codeinfo

import (
	"fmt"

	"coredbg/core"
)

// The CodeInfo of Android 8 and 9 (oat 124, 131, 138) begins with numbers of rows, in uleb128, and for each
// table the bit offsets of its columns, a byte each. The tables follow, tables of bytes first. The locations of
// dex registers depend on the method's number of registers, which is not in the CodeInfo, so they are not
// decoded. Source: AOSP art/runtime/stack_map.h (CodeInfoEncoding, StackMapEncoding, InlineInfoEncoding) and
// method_info.h, Android 8.

// Columns of the tables of that form; those named less are stored plus one.
var (
	encodedStackMap = []string{"PackedNativePc", "DexPc", "DexRegisterMapOffset", "InlineInfoIndex",
		"RegisterMaskIndex", "StackMaskIndex"}
	encodedInlineInfo = []string{"IsLast", "MethodIndexIdx", "DexPc", "ExtraData", "DexRegisterMapOffset"}
)

// byte8 reads a byte at the reader's position, which is a whole one.
func (r *bitReader) byte8() uint32 { return r.bits(8) }

// uleb reads a uleb128 of at most five bytes at the reader's position, which is a
// whole one.
func (r *bitReader) uleb() uint32 {
	v, n := r.c.ULEB128(r.base.Add(r.pos>>3), 5)
	r.pos += 8 * int64(n)
	return uint32(v)
}

// decodeEncoded reads the CodeInfo of a method of Android 8 or 9.
func (h MethodHeader) decodeEncoded(mem core.Memory, v Version) (*Info, error) {
	i := &Info{Addr: h.CodeInfo, Version: v, CodeSize: h.CodeSize, r: newBitReader(mem, h.CodeInfo)}
	if f := h.Frame; f != nil {
		i.FrameSize, i.CoreSpillMask, i.FPSpillMask = f.Size, f.CoreSpillMask, f.FPSpillMask
	}
	for t := range i.Tables {
		i.Tables[t].Name = tableNames[t].name
	}
	fail := func(err error) (*Info, error) {
		return nil, fmt.Errorf("codeinfo: at %v: %w", h.CodeInfo, err)
	}
	r := i.r
	r.uleb() // dex register maps, in bytes
	bytes := int64(r.uleb())
	r.uleb() // location catalog
	bytes += int64(r.uleb())
	i.encodedTable(tableStackMap, encodedStackMap, 5, 0, 4, 5)
	i.encodedMask(tableRegisterMask)
	i.encodedMask(tableStackMask)
	invokes, invokeBits := int64(r.uleb()), uint32(0)
	for range 3 {
		invokeBits = r.byte8()
	}
	if i.Tables[tableStackMap].Bits[3] > 0 {
		i.encodedTable(tableInlineInfo, encodedInlineInfo, 3, 0, 1, 3)
	}
	if err := r.c.Err(); err != nil {
		return fail(err)
	}
	pos := r.pos + 8*bytes
	for n := range i.Tables {
		t := &i.Tables[n]
		if n == tableInlineInfo {
			pos += invokes * int64(invokeBits)
		}
		for c, b := range t.Bits {
			if b < 0 || b > 32 && !isMask(n) || b > maxMaskBits {
				return fail(fmt.Errorf("%s.%s has %d bits", t.Name, t.Columns[c], b))
			}
		}
		if t.Rows > maxRows {
			return fail(fmt.Errorf("%s has %d rows", t.Name, t.Rows))
		}
		t.start = pos
		pos += int64(t.Rows) * int64(t.offsets[len(t.Columns)])
	}
	i.Bits = pos
	return i, i.readMethodInfo(h.MethodInfo)
}

// encodedTable reads the number of rows of a table, and where its columns
// begin: the first at 0, of InlineInfo the second at 1; the others, and the
// end, are stored. plain are the columns without the one that is added.
func (i *Info) encodedTable(n int, columns []string, stored int, plain ...int) {
	t := &i.Tables[n]
	t.Columns = columns
	t.Rows = int(i.r.uleb())
	first := len(columns) - stored // columns whose place is not stored
	if first == 2 {
		t.offsets[1] = 1
	}
	for c := first; c <= len(columns); c++ {
		t.offsets[c] = int(i.r.byte8())
	}
	for c := range columns {
		t.Bits = append(t.Bits, t.offsets[c+1]-t.offsets[c])
	}
	for _, c := range plain {
		t.plain[c] = true
	}
}

// encodedMask reads a table of masks: rows, and bits of a row.
func (i *Info) encodedMask(n int) {
	t := &i.Tables[n]
	t.Columns = []string{"Mask"}
	t.Rows = int(i.r.uleb())
	t.offsets[1] = int(i.r.uleb())
	t.Bits = []int{t.offsets[1]}
	t.plain[0] = true
}

// readMethodInfo notes where the indices of inlined methods are: their number,
// and 16 bits for each.
func (i *Info) readMethodInfo(at core.Addr) error {
	if at == 0 {
		return nil
	}
	r := *i.r
	r.base, r.pos = at, 0
	i.methodCount = r.uleb()
	i.methods = at.Add(r.pos / 8)
	if err := r.c.Reset(); err != nil {
		return fmt.Errorf("codeinfo: MethodInfo at %v: %w", at, err)
	}
	return nil
}

// findEncoded is Find for tables that are not sorted.
func (i *Info) findEncoded(pc, align uint32) (StackMap, bool, error) {
	for row := range i.StackMaps() {
		m, err := i.StackMap(row, align)
		if err != nil || m.NativePC == pc {
			return m, err == nil, err
		}
	}
	return StackMap{}, false, nil
}

// inlinedEncoded fills in an inlined method from its row: if the lowest bit of
// the extra data is set, an index; if not, it and the index are the address.
func (i *Info) inlinedEncoded(in *Inlined, v []uint32) error {
	in.DexPC = v[2]
	if v[3]&1 == 0 {
		in.ArtMethod = core.Addr(v[1])<<32 | core.Addr(v[3])
		return nil
	}
	if v[1] >= i.methodCount {
		return fmt.Errorf("codeinfo: at %v: MethodInfo[%d]: it has %d methods", i.Addr, v[1], i.methodCount)
	}
	in.Method = uint32(i.r.c.U16(i.methods + core.Addr(v[1])*2))
	return i.r.c.Reset()
}
