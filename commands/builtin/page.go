package builtin

import (
	"fmt"
	"regexp"
	"strings"

	"coredbg/commands"
)

// page is the manual page of a command.
func page(c *commands.Command) string {
	var b strings.Builder
	section(&b, "NAME", nameLine(c))
	section(&b, "SYNOPSIS", c.Usage())
	if c.Detail != "" {
		section(&b, "DESCRIPTION", c.Detail)
	}
	var opts []string
	for _, o := range c.Options {
		opts = append(opts, hang(term(&o), o.Help))
	}
	if len(opts) > 0 {
		b.WriteString("OPTIONS\n" + strings.Join(opts, "") + "\n")
	}
	if c.Example != "" {
		b.WriteString("EXAMPLE\n")
		for line := range strings.Lines(c.Example) {
			b.WriteString("  " + strings.TrimSuffix(line, "\n") + "\n")
		}
		b.WriteString("\n")
	}
	if len(c.SeeAlso) > 0 {
		section(&b, "SEE ALSO", strings.Join(c.SeeAlso, ", "))
	}
	b.WriteString("ATTRIBUTES\n")
	b.WriteString("  address: " + [...]string{"not accepted", "optional", "required; dot by default"}[c.Addr] + "\n")
	if c.Module != "" {
		b.WriteString("  module:  " + c.Module + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// nameLine is a command's names and its summary.
func nameLine(c *commands.Command) string {
	names := strings.TrimPrefix(c.Title(), "::")
	if c.Alias != "" {
		names += ", " + c.Alias
	}
	return names + " - " + c.Summary
}

// term is an option as it is typed: "-n count".
func term(o *commands.Option) string {
	s := "-" + string(rune(o.Letter))
	if o.Arg != "" {
		s += " " + o.Arg
	}
	if o.Long != "" {
		s += ", -" + o.Long
	}
	return s
}

func walkerPage(w *commands.Walker) string {
	var b strings.Builder
	section(&b, "NAME", w.Name+" - "+w.Summary)
	addr := ""
	switch w.Addr {
	case commands.AddrOptional:
		addr = "[ addr ] "
	case commands.AddrRequired:
		addr = "addr "
	}
	section(&b, "SYNOPSIS", addr+"::walk "+w.Name+" [variable]")
	section(&b, "SEE ALSO", "::walk, ::walkers")
	return strings.TrimRight(b.String(), "\n")
}

const (
	pageWidth = 78
	hangAt    = 18 // column of an option's explanation
)

// section writes a heading and text. Lines are joined to paragraphs, which end
// at an empty line, and wrapped; a line that starts with a blank was laid out by
// hand and stays, as far as it fits.
func section(b *strings.Builder, name, text string) {
	b.WriteString(name + "\n")
	paragraph := ""
	flush := func() {
		if paragraph == "" {
			return
		}
		for _, l := range wrap(paragraph, pageWidth-2) {
			b.WriteString("  " + l + "\n")
		}
		paragraph = ""
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		switch {
		case line == "":
			flush()
			b.WriteString("\n")
		case line[0] == ' ':
			flush()
			for _, l := range laidOut(line, pageWidth-2) {
				b.WriteString("  " + l + "\n")
			}
		default:
			paragraph += " " + line
		}
	}
	flush()
	b.WriteString("\n")
}

// hang returns a term with its explanation in a column of its own.
func hang(term, text string) string {
	lines := wrap(text, pageWidth-hangAt)
	s := fmt.Sprintf("  %-*s%s\n", hangAt-2, term, lines[0])
	if len(term) > hangAt-3 {
		s = "  " + term + "\n" + strings.Repeat(" ", hangAt) + lines[0] + "\n"
	}
	for _, l := range lines[1:] {
		s += strings.Repeat(" ", hangAt) + l + "\n"
	}
	return s
}

// gap is what separates a term from its explanation in a line that was laid out by hand.
var gap = regexp.MustCompile(`\S {2,}`)

// laidOut breaks a line that was laid out by hand, where it is too wide: further lines begin below its last column.
func laidOut(line string, width int) []string {
	if len([]rune(line)) <= width {
		return []string{line}
	}
	column := len(line) - len(strings.TrimLeft(line, " "))
	at := column
	if all := gap.FindAllStringIndex(line, -1); all != nil && all[len(all)-1][1] < width {
		at = all[len(all)-1][1]
		column = len([]rune(line[:at]))
	}
	lines := wrap(line[at:], width-column)
	for i := range lines {
		lines[i] = strings.Repeat(" ", column) + lines[i]
	}
	lines[0] = line[:at] + lines[0][column:]
	return lines
}

// wrap breaks text into lines of at most width columns; at least one. It breaks a longer word behind its commas.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	add := func(word, blank string) {
		if line != "" && len([]rune(line+blank+word)) > width {
			lines, line, blank = append(lines, line), "", ""
		}
		if line != "" {
			line += blank
		}
		line += word
	}
	for _, word := range strings.Fields(text) {
		if len([]rune(word)) <= width {
			add(word, " ")
			continue
		}
		blank := " "
		for _, part := range strings.SplitAfter(word, ",") {
			add(part, blank)
			blank = ""
		}
	}
	return append(lines, line)
}
