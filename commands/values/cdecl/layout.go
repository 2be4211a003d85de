package cdecl

import (
	"fmt"
	"strings"

	"coredbg/core/dwarf"
)

// Layout returns the declaration of a structure or a union with the offset and the size of each member, of members'
// members and of bit-fields, and with the holes between them, as gdb's "ptype/o" shows it (GDB manual, "Symbols"). ok
// is false for another type, and for one with variants.
func Layout(t *dwarf.Type) (text string, ok bool) {
	if t == nil {
		return "", false
	}
	if t = laid(t.Strip()); t == nil {
		return "", false
	}
	l := &layout{}
	l.out.WriteString("/* offset      |    size */  type = ")
	l.structure(t, 0, 0, 0)
	return l.out.String(), true
}

// laid returns the structure that a type is, apart from its qualifiers; nil for another type.
func laid(t *dwarf.Type) *dwarf.Type {
	for range 8 {
		switch {
		case t == nil:
			return nil
		case t.Kind == dwarf.Const, t.Kind == dwarf.Volatile:
			t = t.Elem()
			continue
		case t.Kind == dwarf.Struct, t.Kind == dwarf.Class, t.Kind == dwarf.Union:
			if t = t.Complete(); !t.Declared && len(t.VariantParts()) == 0 {
				return t
			}
		}
		return nil
	}
	return nil
}

// A layout is a declaration in the making.
type layout struct {
	out strings.Builder
	d   declarer
}

// margin is the width of the offset and the size before each line.
const margin = 27

func (l *layout) pad(n int) { l.out.WriteString(strings.Repeat(" ", n)) }

// structure writes a structure that begins at a bit of the outermost one. level is its indent.
func (l *layout) structure(t *dwarf.Type, at int64, level, depth int) {
	head := keywordOf(t)
	if t.Own() != "" {
		head += " " + t.Qualified()
	}
	l.out.WriteString(head + basesOf(t) + " {\n")
	end := int64(0) // of the member before, in bits of this structure
	members := t.Members()
	for i := range members {
		m := &members[i]
		if m.Inherited || m.Artificial && strings.HasPrefix(m.Name, "_vptr") {
			continue
		}
		if l.d.lines++; l.d.lines > maxDeclared {
			l.pad(margin + level + 4)
			l.out.WriteString("…\n")
			break
		}
		end = l.place(t, m, at, end)
		l.pad(level + 4)
		inner := laid(m.Type())
		if inner == nil || depth > 64 {
			text := l.d.member(t, m, 1, level+4)
			l.out.WriteString(strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", margin)) + "\n")
			continue
		}
		for q := m.Type(); q != nil && (q.Kind == dwarf.Const || q.Kind == dwarf.Volatile); q = q.Elem() {
			l.out.WriteString(map[dwarf.Kind]string{dwarf.Const: "const ", dwarf.Volatile: "volatile "}[q.Kind])
		}
		l.structure(inner, at+8*m.Off, level+4, depth+1)
		l.out.WriteString(strings.TrimSuffix(" "+m.Name, " ") + ";\n")
	}
	size, _ := t.Size()
	if t.Kind != dwarf.Union {
		l.hole(end, 8*size, "padding")
	}
	l.out.WriteString("\n")
	l.pad(margin + level + 4)
	fmt.Fprintf(&l.out, "/* total size (bytes): %4d */\n", size)
	if level == 0 {
		l.pad(2)
	}
	l.pad(margin + level)
	l.out.WriteString("}")
}

// place writes where a member is, after the hole before it, and returns where it ends.
func (l *layout) place(of *dwarf.Type, m *dwarf.Member, at, end int64) int64 {
	size, _ := m.Type().Size()
	if of.Kind == dwarf.Union {
		fmt.Fprintf(&l.out, "/*                %6d */", size)
		return end
	}
	from, bits := 8*m.Off+m.BitOff, 8*size
	l.hole(end, from, "hole")
	if m.BitSize > 0 {
		bits = m.BitSize
		fmt.Fprintf(&l.out, "/* %6d:%2d  ", (at+from)/8, (at+from)%8)
	} else {
		fmt.Fprintf(&l.out, "/* %6d     ", (at+from)/8)
	}
	fmt.Fprintf(&l.out, " |  %6d */", size)
	return from + bits
}

// hole writes the number of unused bits and bytes between two places. Those before the first member are the bases'.
func (l *layout) hole(from, to int64, what string) {
	if from <= 0 || from >= to {
		return
	}
	if n := (to - from) % 8; n > 0 {
		fmt.Fprintf(&l.out, "/* XXX %2d-bit %-7s    */\n", n, what)
	}
	if n := (to - from) / 8; n > 0 {
		fmt.Fprintf(&l.out, "/* XXX %2d-byte %-7s   */\n", n, what)
	}
}
