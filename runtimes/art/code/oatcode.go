package code

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/dex"
)

// oatCode returns where an oat file has the code of a method, for methods whose
// entry point leads elsewhere: to the interpreter, or to code that the JIT made
// later. With a pc it is the file that holds it; 0 if there is none.
func (ix *Index) oatCode(m *Method, pc core.Addr) core.Addr {
	if m.Dex == nil || m.Dex.File == nil {
		return 0
	}
	row, ok := ix.U32(m.DeclaringClass.Add(int64(ix.Layout.Class.ClassDefIdx)))
	if !ok {
		return 0
	}
	files, _ := ix.OatFiles()
	for _, f := range files {
		if pc != 0 && !f.Contains(pc) {
			continue
		}
		dexes, _ := f.File.DexFiles()
		for _, d := range dexes {
			if d.Checksum != m.Dex.Checksum || d.Location != m.Dex.Location && len(dexes) > 1 && !sameEntry(d.Location,
				m.Dex.Location) {
				continue
			}
			class, err := f.File.Class(d, row&0xffff)
			if err != nil {
				continue
			}
			i, ok := place(m.Dex.File, row&0xffff, m.Index)
			if !ok {
				continue
			}
			if off, err := class.Code(i); err == nil && off != 0 {
				return ix.CodeAddr(f.File.Begin + core.Addr(off))
			}
		}
	}
	return 0
}

// sameEntry reports whether two locations of dex files end alike: an oat file
// may name its archive by another path.
func sameEntry(a, b string) bool {
	return a[lastSlash(a):] == b[lastSlash(b):]
}

func lastSlash(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '/' {
			return i + 1
		}
	}
	return 0
}

// place returns the place of a method in its class' data, direct methods first.
func place(f *dex.File, row, method uint32) (uint32, bool) {
	def, err := f.ClassDef(row)
	if err != nil {
		return 0, false
	}
	data, _ := f.ClassData(def.ClassData)
	all := append(slices.Clone(data.DirectMethods), data.VirtualMethods...)
	i := slices.IndexFunc(all, func(d dex.MethodDef) bool { return d.Index == method })
	return uint32(i), i >= 0
}
