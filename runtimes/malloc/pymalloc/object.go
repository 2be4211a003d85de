package pymalloc

import (
	"sync"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// A layout is the offsets in a PyObject and in a PyTypeObject.
type layout struct {
	refs, of core.Addr // ob_refcnt or ob_ref_local, and ob_type
	name     core.Addr // tp_name; tp_basicsize follows it
	heads    []core.Addr
}

var (
	// The head of the collector (PyGC_Head) may be before an object in its block, and before that the two words
	// for the attributes of an instance since 3.11.
	locked = layout{refs: 0, of: 8, name: 24, heads: []core.Addr{0, 16, 32}}
	// A thread and locks are first in an object (ob_tid to ob_gc_bits), and the collector has no head.
	freeThreaded = layout{refs: 12, of: 24, name: 40, heads: []core.Addr{0, 16}}
)

const (
	maxMeta  = 8 // types of types
	maxName  = 200
	maxBasic = 1 << 20

	leastType = 512 // bytes of a type that is made at run time (PyHeapTypeObject): 864 in 3.7, 928 in 3.13
	mostType  = 2048
	maxTypes  = 1 << 20
)

// types has the names of types, by address; "" for an address without a type.
type types struct {
	layout

	mu    sync.Mutex
	c     *core.Cursor
	names map[core.Addr]string
}

func newTypes(p *core.Process, of layout) *types {
	return &types{layout: of, c: p.Cursor(), names: map[core.Addr]string{}}
}

// TypeOf implements block.Typer: the name of the type of the object in a block, which may be a block of
// another allocator; "" if it holds none.
func (t *types) TypeOf(at core.Addr, size uint64) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, head := range t.heads {
		if uint64(head+t.of+8) > size {
			break
		}
		if of := t.c.Pointer(at + head + t.of); t.c.Reset() != nil || !t.counted(at+head) {
			continue
		} else if name := t.nameOf(of); name != "" {
			return name
		}
	}
	return ""
}

// counted reports whether an object has references. A free-threaded build has two counts: one for the thread that
// made the object, one for all other threads with flags in its lowest bits.
func (t *types) counted(at core.Addr) bool {
	if t.refs == 0 {
		n := t.c.U64(at)
		return t.c.Reset() == nil && n != 0 && n>>62 == 0
	}
	local, shared := t.c.U32(at+t.refs), t.c.U64(at+t.refs+4)
	return t.c.Reset() == nil && (local != 0 || shared>>2 != 0)
}

// nameOf returns the name of a type; "" if the address is not a type's.
func (t *types) nameOf(at core.Addr) string {
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
		of := t.c.Pointer(at + t.of)
		if t.c.Reset() != nil || of%8 != 0 || of < 1<<16 {
			return false
		}
		if of == at {
			basic, name := t.c.U64(at+t.name+8), t.c.Pointer(at+t.name)
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
	basic, name := t.c.U64(at+t.name+8), t.c.Pointer(at+t.name)
	if t.c.Reset() != nil || basic < uint64(t.of) || basic > maxBasic {
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

// Objects is an allocator whose blocks are the objects of a free-threaded interpreter.
type Objects struct {
	block.Allocator
	*types
}

// ObjectsOf returns an allocator as the one for a free-threaded interpreter's objects.
func ObjectsOf(p *core.Process, a block.Allocator) *Objects {
	return &Objects{a, newTypes(p, freeThreaded)}
}
