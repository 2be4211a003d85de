package golang

import (
	"errors"

	"coredbg/core"
)

// The layout of Go's type descriptors, in words and bytes (internal/abi/type.go of Go 1.26: Type,
// StructType, StructField, PtrType, Name; runtime/type.go before Go 1.21). A descriptor has the type's
// size and the place of its kind. A struct's has a path and then a slice of fields, a pointer's has its
// target. A field has a name, a type and an offset, which Go 1.18 and before have a bit further left. A
// name is a byte of flags, its length, of two bytes before Go 1.17, and its text.
const (
	kindStruct  = 25
	kindPointer = 22
	kindMask    = 0x1f
	maxFields   = 256
	maxName     = 64
	maxStruct   = 1 << 16 // bytes
)

// A field is where a field is in its struct, in bytes, and the descriptor of its type.
type field struct {
	off core.Addr
	typ core.Addr
}

// A structure is the fields of a struct by name.
type structure map[string]field

var errNoTypes = errors.New("its type descriptors of the scheduler's structs were not found")

// A descriptors reads type descriptors.
type descriptors struct {
	c     *core.Cursor
	word  core.Addr // bytes of a pointer
	shift uint      // of the offsets of fields
}

// header is the size of the common start of all descriptors: six fields of a word, and twelve bytes.
func (d *descriptors) header() core.Addr {
	if d.word == 8 {
		return 48
	}
	return 32
}

// kind returns the kind of a type.
func (d *descriptors) kind(typ core.Addr) uint8 { return d.c.U8(typ+2*d.word+7) & kindMask }

// elem returns what a pointer type points to, 0 if it is none.
func (d *descriptors) elem(typ core.Addr) core.Addr {
	if typ == 0 || d.kind(typ) != kindPointer {
		return 0
	}
	return d.c.Pointer(typ + d.header())
}

// fieldsOf returns the fields of a struct, or of the struct that a pointer type points to; nil for
// other types.
func (d *descriptors) fieldsOf(typ core.Addr) structure {
	if to := d.elem(typ); to != 0 {
		typ = to
	}
	defer d.c.Reset()
	if typ == 0 || d.kind(typ) != kindStruct {
		return nil
	}
	list := typ + d.header() + d.word
	return d.fields(d.c.Pointer(list), d.c.Word(list+d.word))
}

// fields returns up to n fields from an address on, as long as they look like fields of one struct.
func (d *descriptors) fields(at core.Addr, n uint64) structure {
	out, last := structure{}, core.Addr(0)
	for i := range min(n, maxFields) {
		f := at + 3*d.word*core.Addr(i)
		name, ok := d.name(d.c.Pointer(f))
		off := d.c.Pointer(f+2*d.word) >> d.shift
		if !ok || off < last || off > maxStruct || d.c.Err() != nil {
			break
		}
		out[name], last = field{off, d.c.Pointer(f + d.word)}, off
	}
	d.c.Reset()
	return out
}

// name returns the text of a name.
func (d *descriptors) name(at core.Addr) (string, bool) {
	n, text := core.Addr(d.c.U8(at+1)), at+2
	if n == 0 {
		n, text = core.Addr(d.c.U8(at+2)), at+3
	}
	if d.c.Err() != nil || n == 0 || n > maxName {
		return "", false
	}
	b := make([]byte, n)
	d.c.Bytes(b, text)
	for _, c := range b {
		if c <= ' ' || c >= 0x7f {
			return "", false
		}
	}
	return string(b), d.c.Err() == nil
}

// structOfG finds the descriptor of runtime.g, by the name of its second field.
func (p process) structOfG() (*descriptors, structure, error) {
	const second, mark = "stackguard0", "goid"
	d := &descriptors{c: p.t.Process.Cursor(), word: core.Addr(p.t.Process.Arch.PtrSize)}
	var names []core.Addr
	for _, text := range p.texts(string(rune(len(second))) + second)[0] {
		names = append(names, text-1, text-2) // the flags before one byte of length, or two
	}
	var g structure
	p.references(names, func(at, name core.Addr) {
		if s, ok := d.name(name); g != nil || !ok || s != second {
			d.c.Reset()
			return
		}
		off := d.c.Pointer(at + 2*d.word)
		if d.shift = 0; off == 4*d.word {
			d.shift = 1
		}
		if s := d.fields(at-3*d.word, maxFields); off>>d.shift == 2*d.word &&
			s.has("stack", "m", "sched", "atomicstatus", mark) {
			g = s
		}
	})
	if g == nil {
		return nil, nil, errNoTypes
	}
	return d, g, nil
}

// has reports whether a struct has all of some fields.
func (s structure) has(names ...string) bool {
	for _, n := range names {
		if _, ok := s[n]; !ok {
			return false
		}
	}
	return true
}

// size returns where the last field of a struct ends, in bytes.
func (s structure) size(c *core.Cursor) (n core.Addr) {
	for _, f := range s {
		if size := c.Pointer(f.typ); c.Reset() == nil && size <= maxStruct { // what a descriptor begins with
			n = max(n, f.off+size)
		}
	}
	return n
}
