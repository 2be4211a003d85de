package values

import (
	"fmt"
	"strconv"
	"strings"

	"coredbg/core/sym"
)

// A textForm says how a node is written for people.
type textForm struct {
	types bool // before names
	addrs bool // before members in memory
	// letter is one of gdb's formats for numbers; 0 for the format that fits the type.
	letter byte
}

const lineWidth = 78

// text writes a node: on the line that was begun, or over several, indented.
func (f textForm) text(n *node, indent int) string {
	if n.opened != nil {
		n = n.opened
	}
	if s := f.flat(n, lineWidth-indent); s != "" {
		return s
	}
	if n.kind == pair {
		return f.text(n.list[0], indent) + " => " + f.text(n.list[1], indent)
	}
	pad := strings.Repeat(" ", indent+4)
	var b strings.Builder
	open, end := braces(n)
	b.WriteString(open)
	b.WriteByte('\n')
	if lines := f.wrapped(n, lineWidth-indent-4); lines != nil {
		for _, l := range lines {
			b.WriteString(pad + l + "\n")
		}
		return b.String() + strings.Repeat(" ", indent) + end
	}
	for _, x := range n.list {
		b.WriteString(pad)
		b.WriteString(f.label(x))
		b.WriteString(f.text(x, indent+4))
		b.WriteByte('\n')
	}
	if n.more != 0 {
		b.WriteString(pad + more(n) + "\n")
	}
	b.WriteString(strings.Repeat(" ", indent) + end)
	return b.String()
}

// label is what comes before a node: its address, type and name.
func (f textForm) label(n *node) string {
	s := ""
	if f.addrs && n.addr != 0 {
		s = fmt.Sprintf("%x ", uint64(n.addr))
	}
	if f.types && n.typ != "" {
		s += sym.Clean(n.typ) + " "
	}
	if n.name != "" {
		s += sym.Clean(n.name) + " = "
	}
	return s
}

func braces(n *node) (open, end string) {
	open, end = "{", "}"
	if n.kind == array {
		open, end = "[", "]"
	}
	switch {
	case n.tuple:
		open, end = sym.Clean(n.tag)+"(", ")"
	case n.tag != "":
		open = sym.Clean(n.tag) + " {"
	}
	return prefix(n) + open, end
}

func prefix(n *node) string {
	if n.prefix == "" {
		return ""
	}
	return n.prefix + " "
}

// wrapped writes the elements of an array of short values, several on a line; nil for others.
func (f textForm) wrapped(n *node, width int) []string {
	if n.kind != array || f.addrs {
		return nil
	}
	var lines []string
	line := ""
	for i, x := range n.list {
		if x.kind != scalar && x.kind != text && x.kind != pair {
			return nil
		}
		s := f.flat(x, width)
		if s == "" || len(s) > width/2 && x.kind != text {
			return nil
		}
		if i < len(n.list)-1 || n.more != 0 {
			s += ","
		}
		if line != "" && len(line)+1+len(s) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+s, " ")
	}
	if n.more != 0 {
		line = strings.TrimPrefix(line+" "+more(n), " ")
	}
	return append(lines, line)
}

func more(n *node) string {
	switch {
	case n.kind == object:
		return "…"
	case n.more < 0:
		return "… how many more is not known"
	}
	return fmt.Sprintf("… %d more", n.more)
}

// flat writes a node in at most width characters; "" if it does not fit. A node without parts always fits.
func (f textForm) flat(n *node, width int) string {
	if n.opened != nil {
		n = n.opened
	}
	switch n.kind {
	case scalar, unknown, text:
		return f.leaf(n)
	case pair:
		key := f.flat(n.list[0], width)
		if key == "" {
			return ""
		}
		value := f.flat(n.list[1], width-len(key)-4)
		if value == "" {
			return ""
		}
		return key + " => " + value
	}
	open, end := braces(n)
	var parts []string
	left := width - len(open) - len(end)
	for _, x := range n.list {
		s := f.label(x)
		t := f.flat(x, left-len(s))
		if t == "" {
			return ""
		}
		parts = append(parts, s+t)
		if left -= len(s) + len(t) + 2; left < 0 {
			return ""
		}
	}
	if n.more != 0 {
		parts = append(parts, more(n))
	}
	if len(parts) == 0 {
		if n.tag != "" {
			return prefix(n) + sym.Clean(n.tag)
		}
		return open + end
	}
	gap := " "
	if n.tuple {
		gap = ""
	}
	s := open + gap + strings.Join(parts, ", ") + gap + end
	if len(s) > width {
		return ""
	}
	return s
}

// leaf writes a node without parts.
func (f textForm) leaf(n *node) string {
	switch n.kind {
	case text:
		s := prefix(n) + strconv.Quote(n.text)
		if n.more > 0 {
			s += fmt.Sprintf("… (%d more)", n.more)
		}
		return s
	case unknown:
		return "<" + sym.Clean(n.text) + ">"
	}
	s := prefix(n) + sym.Clean(n.text)
	if n.has {
		s += " " + strconv.Quote(n.str)
		if n.cut {
			s += "…"
		}
	} else if n.note != "" {
		s += " (" + sym.Clean(n.note) + ")"
	}
	return s
}
