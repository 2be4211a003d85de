package dwarf

import (
	"bytes"
	"errors"
	"slices"

	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// Why a value of Go is not known whose debugging information lacks parts of it: which ones they are
// is not said.
var errGoParts = errors.New("its debugging information lacks a part of it, which is not known which")

// A goPart is a part of a value that Go's compiler keeps by itself, such as the length of a string.
type goPart struct{ off, size int64 }

// maxGoWords is how large a value may be that is kept in parts (cmd/compile/internal/ssa/value.go, CanSSA).
const maxGoWords = 4

// maxGoParts bounds the parts of one value.
const maxGoParts = 64

// goParts returns the pieces of a location in a list with each at its place. Go's compiler
// (cmd/compile/internal/ssa/debug.go, PutLocationList) writes the known parts one after the other. It
// leaves out the gaps between them and constant parts, and does not mark a single part as a piece.
func (v *Variable) goParts(t *Type, pieces []piece) ([]piece, error) {
	parts, ok := goPartsOf(nil, t, 0, 0)
	if !ok || len(parts) < 2 {
		return pieces, nil
	}
	if len(pieces) == 1 && pieces[0].size < 0 {
		if v.onePart(t) {
			return nil, errGoParts
		}
		return pieces, nil
	}
	if len(pieces) > len(parts) {
		if once := slices.CompactFunc(slices.Clone(pieces), samePiece); len(once) == len(parts) {
			pieces = once // Go before 1.21 writes some of them twice
		}
	}
	if len(pieces) < len(parts) {
		return nil, errGoParts
	}
	if len(pieces) > len(parts) {
		return nil, errParts
	}
	var out []piece
	at := int64(0)
	for i, p := range pieces {
		if p.size != 8*parts[i].size {
			return nil, errGoParts
		}
		if gap := parts[i].off - at; gap > 0 {
			out = append(out, piece{size: 8 * gap, err: ErrNoLocation})
		}
		out = append(out, p)
		at = parts[i].off + parts[i].size
	}
	return out, nil
}

// onePart reports whether the locations of a list, which have one place each, are or may be one part of
// a value alone. A location in a register is a part. Memory holds all of a value that is never in
// registers, but may hold a part of an argument that the caller has put there.
func (v *Variable) onePart(t *Type) bool {
	size, _ := t.Size()
	one := v.Kind == Argument && size <= maxGoWords*int64(v.e.u.w.Addr)
	_ = v.e.u.locations(v.e.attr(format.AtLocation), func(_, _ uint64, expr []byte) bool {
		b := core.Buf{Data: expr, Order: v.e.u.d.order}
		op := b.U8()
		if op == format.OpRegx {
			b.ULEB()
		}
		if op == format.OpRegx || op >= format.OpReg0 && op < format.OpReg0+32 {
			one = !b.More() // if not, all have their pieces
			return false
		}
		return true
	})
	return one
}

// samePiece reports whether two pieces have the same place or the same bytes.
func samePiece(a, b piece) bool {
	if a.err != nil || b.err != nil || a.size != b.size || a.bit != b.bit || a.mem != b.mem {
		return false
	}
	return a.mem && a.addr == b.addr || !a.mem && a.to == b.to && bytes.Equal(a.data, b.data)
}

// goPartsOf adds the parts of a type at an offset; it reports false for one that is not kept in parts.
func goPartsOf(list []goPart, t *Type, off int64, depth int) ([]goPart, bool) {
	t = t.Strip().Complete()
	if t == nil || depth > maxDepth || len(list) > maxGoParts {
		return list, false
	}
	size, known := t.Size()
	switch {
	case t.Kind == Function || t.Kind == Pointer:
		return append(list, goPart{off, int64(t.u.w.Addr)}), true
	case !known:
		return list, false
	case size == 0:
		return list, true
	case t.Kind == Base && t.Encoding == EncComplexFloat:
		return append(list, goPart{off, size / 2}, goPart{off + size/2, size / 2}), true
	case t.Kind == Base:
		return append(list, goPart{off, size}), true
	case t.Kind == Array && t.Len() == 1:
		return goPartsOf(list, t.Elem(), off, depth+1)
	case t.Kind == Struct:
		ok := true
		members := t.Members()
		for i := range members {
			if list, ok = goPartsOf(list, members[i].Type(), off+members[i].Off, depth+1); !ok {
				return list, false
			}
		}
		return list, true
	}
	return list, false
}
