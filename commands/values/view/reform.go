package view

import (
	"fmt"
	"math"
	"strconv"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// Reform writes a number as gdb's letter for a format says (GDB manual, "Output Formats"). Other values stay
// as they are.
func (w *Viewer) Reform(n *Node, v dwarf.Value, letter byte) {
	t := v.Type.Strip()
	if t == nil || n.HasStr && t.Kind != dwarf.Pointer {
		return
	}
	if t.Kind == dwarf.Array || t.Composite() {
		w.reformParts(n, v, t, letter)
		return
	}
	if n.Kind != Scalar {
		return
	}
	size, ok := t.Size()
	if !ok || size == 0 || size > 8 {
		return
	}
	switch t.Kind {
	case dwarf.Base, dwarf.Enum, dwarf.Pointer:
	default:
		return
	}
	u, err := v.Uint()
	if t.Kind == dwarf.Pointer {
		a, e := v.Pointer()
		u, err = uint64(a), e
	}
	if err != nil {
		return
	}
	if letter == 's' {
		return
	}
	n.Text = reformed(u, int(8*size), letter, n.Text)
	n.Note, n.opened, n.HasStr = "", nil, false
	if letter == 'a' {
		n.Note = w.Leaf.symbol(core.Addr(u), false)
	}
}

// IsFloat reports whether values of a type are numbers with a fraction.
func IsFloat(t *dwarf.Type) bool {
	s := t.Strip()
	return s != nil && s.Kind == dwarf.Base && s.Encoding == dwarf.EncFloat
}

// reformParts writes the elements of an array and the members of a structure as reform does. A text becomes its
// characters.
func (w *Viewer) reformParts(n *Node, v dwarf.Value, t *dwarf.Type, letter byte) {
	if n.Kind == Text && t.Kind == dwarf.Array && letter != 's' {
		*n = *w.elements(&Node{Name: n.Name, Type: n.Type, Addr: n.Addr}, v.Len(), 0, v.Index)
	}
	for i, x := range n.List {
		switch {
		case n.Kind == Array && t.Kind == dwarf.Array:
			if e, err := v.Index(int64(i)); err == nil {
				w.Reform(x, e, letter)
			}
		case n.Kind == Object:
			if m, ok := t.Complete().Find(x.Name); ok {
				w.Reform(x, v.As(t.Complete()).Member(&m), letter)
			}
		}
	}
}

// reformed returns the text of a number of some bits, or was for other letters.
func reformed(u uint64, bits int, letter byte, was string) string {
	signed := int64(u<<(64-bits)) >> (64 - bits)
	switch letter {
	case 'z':
		return fmt.Sprintf("0x%0*x", bits/4, u)
	case 'x', 'a':
		return "0x" + strconv.FormatUint(u, 16)
	case 'd':
		return strconv.FormatInt(signed, 10)
	case 'u':
		return strconv.FormatUint(u, 10)
	case 'o':
		return "0" + strconv.FormatUint(u, 8)
	case 't':
		return strconv.FormatUint(u, 2)
	case 'c':
		if c := u & 0xff; c < 0x20 || c >= 0x7f {
			return fmt.Sprintf(`%d '\%03o'`, int8(u), c)
		}
		return strconv.FormatInt(int64(int8(u)), 10) + " " + strconv.QuoteRune(rune(u&0xff))
	case 'f':
		switch bits {
		case 32:
			return strconv.FormatFloat(float64(math.Float32frombits(uint32(u))), 'g', -1, 32)
		case 64:
			return strconv.FormatFloat(math.Float64frombits(u), 'g', -1, 64)
		}
	}
	return was
}
