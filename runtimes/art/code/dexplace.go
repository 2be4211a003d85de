package code

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/art/dex"
)

// WhatIsDex describes the art::DexFile, or the place in a dex file, at an address.
func (ix *DexReader) WhatIsDex(at core.Addr) (string, bool) {
	known, _ := ix.KnownDexFiles()
	for _, d := range known {
		switch {
		case at == d.Addr:
			return "art::DexFile " + d.Name(), true
		case d.File != nil && d.File.Contains(at):
			return d.place(at), true
		case d.File == nil && d.Begin != 0 && uint64(at-d.Begin) < d.Size:
			return fmt.Sprintf("dex file %s+%#x", d.Name(), uint64(at-d.Begin)), true
		}
	}
	return "", false
}

// place describes a place in a dex file: the code of a method, or else its distance from the header.
func (d *DexFile) place(at core.Addr) string {
	where := fmt.Sprintf("dex file %s+%#x", d.Name(), uint64(at-d.Begin))
	row, def, ok := d.codeBefore(at)
	if !ok {
		return where
	}
	m := d.method(row, def)
	if m.Code == nil {
		return where
	}
	pc, ok := m.Code.DexPC(at)
	switch {
	case ok && m.Line(pc) > 0 && m.File != "":
		return fmt.Sprintf("bytecode of %s at dex pc %#x (%s:%d), %s", m, pc, m.File, m.Line(pc), where)
	case ok:
		return fmt.Sprintf("bytecode of %s at dex pc %#x, %s", m, pc, where)
	case at < m.Code.Insns:
		return fmt.Sprintf("code item of %s, %s", m, where)
	}
	return where
}

// codeBefore returns the method whose code item begins last before an address.
func (d *DexFile) codeBefore(at core.Addr) (row uint32, method dex.MethodDef, ok bool) {
	f := d.File
	off := at - f.Data
	for i := range f.ClassDefs.Size {
		def, err := f.ClassDef(i)
		if err != nil {
			break // so do the later ones
		}
		data, _ := f.ClassData(def.ClassData)
		for _, list := range [][]dex.MethodDef{data.DirectMethods, data.VirtualMethods} {
			for _, m := range list {
				if m.Code != 0 && core.Addr(m.Code) <= off && m.Code > method.Code {
					row, method, ok = i, m, true
				}
			}
		}
	}
	return row, method, ok
}
