package macho

import "coredbg/core"

// symbolStubs is the type of a section of stubs (S_SYMBOL_STUBS, mach-o/loader.h).
const symbolStubs = 0x8

// maxStubs bounds the stubs of an image; node has 1,050.
const maxStubs = 1 << 18

// stubSymbols yields a symbol for each stub, a jump to a function of another image: it
// has that one's name with ".stub" after it. It returns false if yield did.
func (f *File) stubSymbols(table []byte, name func(uint32) []byte, yield func(core.ImageSymbol) bool) bool {
	number, total := uint32(0), 0
	var indirect []byte
	for _, seg := range f.segs {
		for _, s := range seg.Sections {
			number++
			if s.Flags&0xff != symbolStubs || s.Stubs.Size == 0 {
				continue
			}
			if indirect == nil {
				indirect = f.fileBytes(uint64(f.indirect.off), uint64(f.indirect.size)*4)
			}
			for i := uint64(0); i < s.Size/uint64(s.Stubs.Size); i++ {
				at := (uint64(s.Stubs.First) + i) * 4
				if total++; at+4 > uint64(len(indirect)) || total > maxStubs {
					break
				}
				// Entries without a name are above any symbol's number.
				entry := uint64(le.Uint32(indirect[at:])) * nlistSize
				if entry+nlistSize > uint64(len(table)) {
					continue
				}
				to := name(le.Uint32(table[entry:]))
				if len(to) == 0 || to[0] != '_' {
					continue
				}
				y := core.ImageSymbol{Name: append(to[1:len(to):len(to)], ".stub"...),
					Value: s.Addr + i*uint64(s.Stubs.Size),
					Size:  uint64(s.Stubs.Size), Kind: core.SymFunc, Defined: true, Section: number}
				if !yield(y) {
					return false
				}
			}
		}
	}
	return true
}
