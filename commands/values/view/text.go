package view

import (
	"fmt"
	"strconv"
	"strings"

	"coredbg/core/sym"
)

// A Form says how a node is written for people.
type Form struct {
	Types bool // before names
	Addrs bool // before members in memory
	// letter is one of gdb's formats for numbers; 0 for the format that fits the type.
	Letter byte
}

// LineWidth is how many columns a line of text should have.
const LineWidth = 78

// Text writes a node: on the line that was begun, or over several, indented.
func (f Form) Text(n *Node, indent int) string {
	if n.opened != nil {
		n = n.opened
	}
	if s := f.Flat(n, LineWidth-indent); s != "" {
		return s
	}
	if n.Kind == Pair {
		return f.Text(n.List[0], indent) + " => " + f.Text(n.List[1], indent)
	}
	pad := strings.Repeat(" ", indent+4)
	var b strings.Builder
	open, end := braces(n)
	b.WriteString(open)
	b.WriteByte('\n')
	if lines := f.wrapped(n, LineWidth-indent-4); lines != nil {
		for _, l := range lines {
			b.WriteString(pad + l + "\n")
		}
		return b.String() + strings.Repeat(" ", indent) + end
	}
	for _, x := range n.List {
		b.WriteString(pad)
		b.WriteString(f.Label(x))
		b.WriteString(f.Text(x, indent+4))
		b.WriteByte('\n')
	}
	if n.More != 0 {
		b.WriteString(pad + more(n) + "\n")
	}
	b.WriteString(strings.Repeat(" ", indent) + end)
	return b.String()
}

// Label is what comes before a node: its address, type and name.
func (f Form) Label(n *Node) string {
	s := ""
	if f.Addrs && n.Addr != 0 {
		s = fmt.Sprintf("%x ", uint64(n.Addr))
	}
	if f.Types && n.Type != "" {
		s += sym.Clean(n.Type) + " "
	}
	if n.Name != "" {
		s += sym.Clean(n.Name) + " = "
	}
	return s
}

func braces(n *Node) (open, end string) {
	open, end = "{", "}"
	if n.Kind == Array {
		open, end = "[", "]"
	}
	switch {
	case n.Tuple:
		open, end = sym.Clean(n.Tag)+"(", ")"
	case n.Tag != "":
		open = sym.Clean(n.Tag) + " {"
	}
	return prefix(n) + open, end
}

func prefix(n *Node) string {
	if n.prefix == "" {
		return ""
	}
	return n.prefix + " "
}

// wrapped writes the elements of an array of short values, several on a line; nil for others.
func (f Form) wrapped(n *Node, width int) []string {
	if n.Kind != Array || f.Addrs {
		return nil
	}
	var lines []string
	line := ""
	for i, x := range n.List {
		if x.Kind != Scalar && x.Kind != Text && x.Kind != Pair {
			return nil
		}
		s := f.Flat(x, width)
		if s == "" || len(s) > width/2 && x.Kind != Text {
			return nil
		}
		if i < len(n.List)-1 || n.More != 0 {
			s += ","
		}
		if line != "" && len(line)+1+len(s) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+s, " ")
	}
	if n.More != 0 {
		line = strings.TrimPrefix(line+" "+more(n), " ")
	}
	return append(lines, line)
}

func more(n *Node) string {
	switch {
	case n.Kind == Object:
		return "…"
	case n.More < 0:
		return "… how many more is not known"
	}
	return fmt.Sprintf("… %d more", n.More)
}

// Flat writes a node in at most width characters; "" if it does not fit. A node without parts always fits.
func (f Form) Flat(n *Node, width int) string {
	if n.opened != nil {
		n = n.opened
	}
	switch n.Kind {
	case Scalar, Unknown, Text:
		return f.Leaf(n)
	case Pair:
		key := f.Flat(n.List[0], width)
		if key == "" {
			return ""
		}
		value := f.Flat(n.List[1], width-len(key)-4)
		if value == "" {
			return ""
		}
		return key + " => " + value
	}
	open, end := braces(n)
	var parts []string
	left := width - len(open) - len(end)
	for _, x := range n.List {
		s := f.Label(x)
		t := f.Flat(x, left-len(s))
		if t == "" {
			return ""
		}
		parts = append(parts, s+t)
		if left -= len(s) + len(t) + 2; left < 0 {
			return ""
		}
	}
	if n.More != 0 {
		parts = append(parts, more(n))
	}
	if len(parts) == 0 {
		if n.Tag != "" {
			return prefix(n) + sym.Clean(n.Tag)
		}
		return open + end
	}
	gap := " "
	if n.Tuple {
		gap = ""
	}
	s := open + gap + strings.Join(parts, ", ") + gap + end
	if len(s) > width {
		return ""
	}
	return s
}

// Leaf writes a node without parts.
func (f Form) Leaf(n *Node) string {
	switch n.Kind {
	case Text:
		s := prefix(n) + strconv.Quote(n.Text)
		if n.More > 0 {
			s += fmt.Sprintf("… (%d more)", n.More)
		}
		return s
	case Unknown:
		return "<" + sym.Clean(n.Text) + ">"
	}
	s := prefix(n) + sym.Clean(n.Text)
	if n.HasStr {
		s += " " + strconv.Quote(n.Str)
		if n.Cut {
			s += "…"
		}
	} else if n.Note != "" {
		s += " (" + sym.Clean(n.Note) + ")"
	}
	return s
}
