package cfi

import (
	"sort"

	"coredbg/core"
)

// A searchTable is the binary search table of .eh_frame_hdr (LSB 5.0, section
// 10.6.2): pairs of a function's first address and its FDE's, sorted.
type searchTable struct {
	data  []byte // the pairs
	base  uint64 // address of .eh_frame_hdr, which the pairs are relative to
	count int
	arch  *core.Arch
}

// newSearchTable returns the table of .eh_frame_hdr, or nil if there is none
// of the one encoding that can be searched.
func newSearchTable(s core.Section, arch *core.Arch) *searchTable {
	r := reader{core.Buf{Data: s.Data, Order: arch.Order}}
	b := bases{section: s.Addr, data: s.Addr, ptr: arch.PtrSize}
	version, ptrEnc, countEnc, tableEnc := r.U8(), r.U8(), r.U8(), r.U8()
	if r.Bad || version != 1 || countEnc == encOmit || tableEnc != encDataRel|encSData4 {
		return nil
	}
	if ptrEnc != encOmit {
		r.value(ptrEnc, arch.PtrSize)
	}
	count := r.pointer(countEnc, &b)
	if r.Bad || count == 0 || count > uint64(len(s.Data)-r.Off)/8 {
		return nil
	}
	return &searchTable{data: s.Data[r.Off:], base: s.Addr, count: int(count), arch: arch}
}

func (t *searchTable) word(i int) uint64 {
	v := t.base + uint64(int64(int32(t.arch.Order.Uint32(t.data[4*i:]))))
	if t.arch.PtrSize == 4 {
		v = uint64(uint32(v))
	}
	return v
}

// lookup returns the last entry that begins at or before pc: the function's
// first address and the address of its FDE.
func (t *searchTable) lookup(pc uint64) (begin, at uint64, ok bool) {
	i := sort.Search(t.count, func(i int) bool { return t.word(2*i) > pc }) - 1
	if i < 0 {
		return 0, 0, false
	}
	return t.word(2 * i), t.word(2*i + 1), true
}

// EHFrame returns the address of .eh_frame that the .eh_frame_hdr in s names,
// for images that have lost their section headers.
func EHFrame(s core.Section, arch *core.Arch) (addr uint64, ok bool) {
	r := reader{core.Buf{Data: s.Data, Order: arch.Order}}
	b := bases{section: s.Addr, data: s.Addr, ptr: arch.PtrSize}
	version, enc := r.U8(), r.U8()
	r.U16()
	if version != 1 || enc == encOmit {
		return 0, false
	}
	addr = r.pointer(enc, &b)
	return addr, !r.Bad
}
