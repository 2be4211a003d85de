package sym

import (
	"bytes"
	"cmp"

	"coredbg/core"
)

// A Symbol is a name with its place in the process.
type Symbol struct {
	// Name is the name as the image spells it, mangled, without a symbol
	// version. It comes from the core or a file: Clean it before it is shown.
	Name string
	// Addr is the symbol's address in the process. For a thread-local symbol (Kind is core.SymTLS) it
	// is the offset in bytes in the thread-local block of its module.
	Addr   core.Addr
	Size   uint64 // bytes; guessed from the next symbol where absent
	Kind   core.SymKind
	Global bool // global or weak, not local
	Module *core.Module
}

// entry is a symbol of an index. The name is lent by the image.
type entry struct {
	addr, size uint64 // link-time address, or offset of a thread-local; bytes
	name       []byte
	kind       core.SymKind
	global     bool
	guessed    bool   // the table has no size for it
	unnamed    bool   // its name was left out of the bundle
	at         uint32 // where the name begins in the string tables of an index that is kept
}

func (e *entry) symbol(m *core.Module, at core.Addr) Symbol {
	return Symbol{Name: string(e.name), Addr: at, Size: e.size, Kind: e.kind, Global: e.global, Module: m}
}

// place returns the symbol at its regular address in the process.
func (e *entry) place(m *core.Module, bias core.Addr) Symbol {
	if e.kind == core.SymTLS {
		bias = 0
	}
	return e.symbol(m, core.Addr(e.addr)+bias)
}

// same reports whether two symbols are one, from two tables.
func (e *entry) same(f *entry) bool {
	return e.addr == f.addr && e.kind == f.kind && bytes.Equal(e.name, f.name)
}

// before reports whether e is found rather than old, of an equal name: of several
// the global one, else the one that comes first.
func (e *entry) before(old *entry) bool { return old == nil || e.global && !old.global }

// maxName bounds the name of a symbol, in bytes. Those of real programs have up to some kilobytes; a longer one is
// cut.
const maxName = 32 << 10

// namesPlace reports whether a symbol names a place in its image, and cuts off its
// version ("memcpy@@GLIBC_2.14").
func namesPlace(s *core.ImageSymbol) bool {
	if !s.Defined || len(s.Name) == 0 && s.NameErr == nil || s.Kind == core.SymFile || s.Kind == core.SymOther {
		return false
	}
	if s.Section == 0 && s.Kind != core.SymTLS {
		return false // an absolute value, such as the name of a version
	}
	if s.Kind == core.SymNone && !s.Global && len(s.Name) > 0 && localLabel(s.Name) {
		return false
	}
	if i := bytes.IndexByte(s.Name, '@'); i > 0 {
		s.Name = s.Name[:i]
	}
	s.Name = s.Name[:min(len(s.Name), maxName)]
	return true
}

// localLabel reports whether name is one that assemblers and compilers make
// for themselves: mapping symbols ($x, $d.12, $xrv64i…), .L labels, annobin's
// marks.
func localLabel(name []byte) bool {
	if name[0] == '$' && len(name) > 1 && bytes.IndexByte([]byte("adtx"), name[1]) >= 0 {
		return len(name) == 2 || name[2] == '.' || name[1] == 'x' && bytes.HasPrefix(name[2:], []byte("rv"))
	}
	return bytes.HasPrefix(name, []byte(".L")) || bytes.HasPrefix(name, []byte(".annobin"))
}

// prefer orders symbols of the same address: the one to show is least.
func prefer(a, b *entry) int {
	if a.unnamed != b.unnamed {
		if b.unnamed {
			return -1
		}
		return 1
	}
	if c := cmp.Compare(typed(b), typed(a)); c != 0 {
		return c
	}
	if a.global != b.global {
		if a.global {
			return -1
		}
		return 1
	}
	if c := cmp.Compare(b.size, a.size); c != 0 {
		return c
	}
	if c := cmp.Compare(underscores(a.name), underscores(b.name)); c != 0 {
		return c
	}
	if c := cmp.Compare(len(a.name), len(b.name)); c != 0 {
		return c
	}
	return bytes.Compare(a.name, b.name)
}

func typed(e *entry) int {
	switch e.kind {
	case core.SymFunc:
		return 2
	case core.SymNone:
		return 0
	}
	return 1
}

// underscores counts the underscores that a name starts with, up to a few.
// Those of a mangled name are not the programmer's.
func underscores(name []byte) int {
	if mangled(name) {
		return 0
	}
	n := 0
	for n < len(name) && n < 4 && name[n] == '_' {
		n++
	}
	return n
}
