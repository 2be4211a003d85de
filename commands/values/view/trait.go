package view

import (
	"coredbg/commands"
	"coredbg/commands/values/program"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// behind returns the target of a trait object of Rust, as its own type. The object is a pointer to the target
// and one to a table. Debugging information has the table as a variable whose type names the target's type
// (rustc, compiler/rustc_codegen_llvm/src/debuginfo/metadata.rs). The target comes after skip bytes, aligned as
// the third word of the table says (compiler/rustc_middle/src/ty/vtable.rs).
func behind(s *commands.Session, v dwarf.Value, skip int64) (dwarf.Value, bool) {
	t := v.Type.Strip().Complete()
	if s == nil || !t.Composite() || t.Lang() != dwarf.LangRust || len(t.Members()) != 2 {
		return v, false
	}
	to, ok1 := followOne(v, []string{"pointer"})
	table, ok2 := followOne(v, []string{"vtable"})
	if !ok1 || !ok2 {
		return v, false
	}
	at, err1 := to.Pointer()
	link, err2 := table.Pointer()
	m := program.ModuleOf(s.Process, link)
	if err1 != nil || err2 != nil || m == nil {
		return v, false
	}
	d, err := s.Symbols.Data(m)
	if err != nil {
		return v, false
	}
	f := program.ImageFrame(s, m, d)
	c := core.NewCursor(f.Mem, f.Arch.Order, f.Arch.PtrSize)
	own := d.TableOf(uint64(link-m.Facts().Bias), near(c, m, link))
	if own == nil {
		return v, false
	}
	if skip > 0 {
		align := c.Pointer(link + 2*core.Addr(f.Arch.PtrSize))
		if c.Err() != nil || align == 0 || align > maxAlign {
			return v, false
		}
		at += core.Addr(AlignUp(skip, int64(align)))
	}
	return f.At(own, at), true
}

// near returns the link-time addresses of the functions that a table begins with, its second and third word
// being numbers.
func near(c *core.Cursor, m *core.Module, table core.Addr) (out []uint64) {
	for i := range core.Addr(maxVirtual) {
		code := c.Pointer(table + i*core.Addr(c.PtrSize()))
		if c.Reset() != nil || i > 2 && !m.Contains(code) {
			break
		}
		if m.Contains(code) {
			out = append(out, uint64(code-m.Facts().Bias))
		}
	}
	return out
}

// maxAlign bounds the alignment of a type, in bytes (Rust reference, type layout).
const maxAlign = 1 << 29
