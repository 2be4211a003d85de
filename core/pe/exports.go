package pe

import (
	"bytes"
	"cmp"
	"slices"

	"coredbg/core"
)

// maxExports bounds the names of an image. A large one has some 50,000.
const maxExports = 1 << 20

// Symbols calls yield for each export that has a name and is not forwarded.
func (f *File) Symbols(dynamic bool, yield func(core.ImageSymbol) bool) error {
	dir := f.dirs[dirExport]
	d := f.bytes(dir[0], 40)
	if !dynamic || len(d) < 40 {
		return nil
	}
	count := min(le.Uint32(d[24:]), maxExports)
	funcs := f.bytes(le.Uint32(d[28:]), 4*min(le.Uint32(d[20:]), maxExports))
	names := f.bytes(le.Uint32(d[32:]), 4*count)
	ordinals := f.bytes(le.Uint32(d[36:]), 2*count)
	described := f.functions()
	for i := 0; 4*i+4 <= len(names) && 2*i+2 <= len(ordinals); i++ {
		n := int(le.Uint16(ordinals[2*i:]))
		if 4*n+4 > len(funcs) {
			continue
		}
		rva := le.Uint32(funcs[4*n:])
		if rva >= dir[0] && rva-dir[0] < dir[1] {
			continue // it names a function of another image
		}
		name := f.bytes(le.Uint32(names[4*i:]), 1<<12)
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		kind := core.SymObject
		for j := range f.sections {
			if s := &f.sections[j]; rva >= s.rva && rva-s.rva < s.size && s.flags&flagExec != 0 {
				kind = core.SymFunc
			}
		}
		size := uint64(0)
		if at, ok := slices.BinarySearchFunc(described, rva,
			func(r runtimeFunction, a uint32) int { return cmp.Compare(r.begin, a) }); ok {
			size = uint64(described[at].end - rva)
		}
		if !yield(core.ImageSymbol{Name: name, Value: uint64(rva), Size: size, Kind: kind, Global: true,
			Defined: true, Section: 1}) {
			return nil
		}
	}
	return nil
}
