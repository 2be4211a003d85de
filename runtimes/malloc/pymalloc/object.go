package pymalloc

import "coredbg/core"

// Offsets in a PyObject and in a PyTypeObject.
const (
	objectType = 8
	typeName   = 24 // tp_name
	typeBasic  = 32 // tp_basicsize
)

// heads are how many bytes are before an object in its block: none, the head of the collector (PyGC_Head),
// and before that the two words for the attributes of an instance since 3.11.
var heads = []core.Addr{0, 16, 32}

const (
	maxMeta  = 8 // types of types
	maxName  = 200
	maxBasic = 1 << 20

	leastType = 512 // bytes of a type that is made at run time (PyHeapTypeObject): 864 in 3.7, 928 in 3.13
	mostType  = 2048
	maxTypes  = 1 << 20
)

// types has the names of types, by address; "" for an address without a type. It serves one goroutine.
type types struct {
	c     *core.Cursor
	names map[core.Addr]string
}

// TypeOf implements block.Typer: the name of the type of the object in a block, which may be a block of
// another allocator; "" if it holds none.
func (h *Malloc) TypeOf(at core.Addr, size uint64) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, head := range heads {
		if uint64(head+16) > size {
			break
		}
		refs, of := h.types.c.U64(at+head), h.types.c.Pointer(at+head+objectType)
		if h.types.c.Reset() != nil || refs == 0 || refs>>62 != 0 {
			continue
		}
		if name := h.types.name(of); name != "" {
			return name
		}
	}
	return ""
}

// name returns the name of a type; "" if the address is not a type's.
func (t *types) name(at core.Addr) string {
	if at%8 != 0 || at < 1<<16 || at>>addrBits != 0 {
		return ""
	}
	if name, ok := t.names[at]; ok {
		return name
	}
	name := ""
	if t.leads(at) {
		name = t.text(at)
	}
	if len(t.names) < maxTypes {
		t.names[at] = name
	}
	return name
}

// leads reports whether the types of types lead to one that is its own type and is called "type". That name
// is in the interpreter's file, which may be missing: then the size of a type tells.
func (t *types) leads(at core.Addr) bool {
	for range maxMeta {
		of := t.c.Pointer(at + objectType)
		if t.c.Reset() != nil || of%8 != 0 || of < 1<<16 {
			return false
		}
		if of == at {
			basic, name := t.c.U64(at+typeBasic), t.c.Pointer(at+typeName)
			if t.c.Reset() != nil {
				return false
			}
			if t.c.U8(name); t.c.Reset() != nil {
				return basic >= leastType && basic <= mostType
			}
			return t.text(at) == "type"
		}
		at = of
	}
	return false
}

// text reads the name of a type, which has the size of an object of it.
func (t *types) text(at core.Addr) string {
	basic, name := t.c.U64(at+typeBasic), t.c.Pointer(at+typeName)
	if t.c.Reset() != nil || basic < objectType || basic > maxBasic {
		return ""
	}
	s := t.c.CString(name, maxName)
	if t.c.Reset() != nil || s == "" {
		return ""
	}
	for _, b := range []byte(s) {
		if b < ' ' || b == 0x7f {
			return ""
		}
	}
	return s
}
