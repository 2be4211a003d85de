package class

import (
	"strings"

	"coredbg/core"
	"coredbg/core/sym"
)

const (
	prefixWords = 2       // of a table: the offset to the whole, and the type_info
	maxOffset   = 1 << 20 // to the whole, in bytes
)

// table returns the class whose virtual functions are at an address; "" if that is no such table.
func (n *Namer) table(a core.Addr) string {
	if name, ok := n.tables[a]; ok {
		return name
	}
	name := n.bySymbol(a)
	if name == "" {
		name = n.byType(a)
	}
	n.tables[a] = name
	return name
}

func (n *Namer) bySymbol(a core.Addr) string {
	if n.symbols == nil {
		return ""
	}
	y, off, ok := n.symbols.Lookup(a)
	if !ok || off < uint64(prefixWords*n.w) || !strings.HasPrefix(y.Name, "_ZTV") {
		return ""
	}
	name, ok := strings.CutPrefix(sym.Demangle(y.Name, false), "vtable for ")
	if !ok {
		return ""
	}
	return name
}

// byType reads the name that the type_info of a table leads to.
func (n *Namer) byType(a core.Addr) string {
	c := n.c
	defer c.Reset()
	up, info, first := int64(c.Word(a-2*n.w)), c.Pointer(a-n.w), c.Pointer(a)
	if n.w == 4 {
		up = int64(int32(up))
	}
	if c.Err() != nil || up > 0 || up < -maxOffset || info%n.w != 0 || !n.inModule(info) ||
		first != 0 && !n.p.Executable(first) {
		return ""
	}
	kind, text := c.Pointer(info), c.Pointer(info+n.w)
	if c.Err() != nil || kind%n.w != 0 || !n.inModule(kind) || !n.inModule(text) {
		return ""
	}
	mangled := strings.TrimPrefix(c.CString(text, maxName), "*")
	if c.Err() != nil || mangled == "" || !strings.ContainsRune("NSZ123456789", rune(mangled[0])) {
		return ""
	}
	name, ok := strings.CutPrefix(sym.Demangle("_ZTS"+mangled, false), "typeinfo name for ")
	if !ok {
		return ""
	}
	return name
}

func (n *Namer) inModule(a core.Addr) bool { return n.near(a) && n.p.Module(a) != nil }
