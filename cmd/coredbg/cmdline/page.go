package cmdline

import (
	"coredbg/commands/out"
	"flag"
	"fmt"
	"slices"
	"strings"
)

// A Page is the help of a command.
type Page struct {
	Synopsis string // a line for each form, the first one after "usage: "
	About    string // paragraphs and, indented, lines that stay as they are
	// The short page: its text, without it the synopsis and the first paragraph of About; lines to be typed,
	// indented; and the names of the flags that are used most, in their order.
	Brief   string
	Example string
	Often   []string
}

// The widths of help, in columns: a line's, and the column where a flag's explanation begins.
const (
	width      = out.PageColumns
	flagColumn = 27
)

// Help are the flags that ask for help. With one of All they ask for the whole page.
var (
	Help = []string{"-h", "-help", "--help"}
	All  = []string{"-a", "-all", "--all"}
)

// asksAll reports whether the arguments ask for the whole page.
func asksAll(set *flag.FlagSet, args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	has := func(list []string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(list, a) })
	}
	return has(Help) && has(All) && set.Lookup("a") == nil && set.Lookup("all") == nil
}

// whole returns the page with all flags.
func (p *Page) whole(set *flag.FlagSet) string {
	text := p.Synopsis + "\n" + filled(p.About)
	if p.Example != "" {
		text += "\n" + p.Example
	}
	if table := flagTable(set, nil); table != "" {
		text += "\nFlags, each with one dash or two:\n" + table
	}
	return text
}

// screenful returns the whole page if it fits a terminal, else the short one.
func (p *Page) screenful(set *flag.FlagSet) string {
	whole := p.whole(set)
	if out.FitsScreen(whole) {
		return whole
	}
	text := p.Brief
	if text == "" {
		first, _, _ := strings.Cut(p.About, "\n\n")
		text = p.Synopsis + "\n" + filled(strings.TrimRight(first, "\n")+"\n")
	}
	if p.Example != "" {
		text += "\n" + p.Example
	}
	if len(p.Often) > 0 {
		text += "\nFlags, each with one dash or two:\n" + flagTable(set, p.Often)
	}
	return text + fmt.Sprintf("\n\"%s --help --all\" has all %d flags.\n", set.Name(), count(set))
}

// count returns the number of flags of a set, without other spellings.
func count(set *flag.FlagSet) (n int) {
	set.VisitAll(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Usage, aliasOf) {
			n++
		}
	})
	return n
}

// flagTable explains flags of a set: the named ones in that order, or all if names is nil. All spellings of a
// flag share a line.
func flagTable(set *flag.FlagSet, names []string) string {
	spellings := map[string][]string{}
	var flags []*flag.Flag
	set.VisitAll(func(f *flag.Flag) {
		name, alias := strings.CutPrefix(f.Usage, aliasOf)
		if !alias {
			name = f.Name
			flags = append(flags, f)
		}
		dashes := "--"
		if len(f.Name) == 1 {
			dashes = "-"
		}
		spellings[name] = append(spellings[name], dashes+f.Name)
	})
	if names != nil {
		flags = flags[:0]
		for _, name := range names {
			flags = append(flags, set.Lookup(name))
		}
	}
	var b strings.Builder
	for _, f := range flags {
		arg, text := flag.UnquoteUsage(f)
		all := spellings[f.Name]
		slices.SortFunc(all, func(a, b string) int { return len(a) - len(b) })
		writeFlag(&b, strings.Join(all, ", "), arg, text)
	}
	return b.String()
}

// writeFlag writes a flag's spellings, its argument and its explanation.
func writeFlag(b *strings.Builder, names, arg, text string) {
	if arg != "" {
		names += " " + strings.ToUpper(arg)
	}
	lines := wrap(text, width-flagColumn)
	if len(names) > flagColumn-3 {
		lines = append([]string{""}, lines...)
	}
	for i, line := range lines {
		if i > 0 {
			names = ""
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf("  %-*s %s", flagColumn-3, names, line), " ") + "\n")
	}
}

// filled breaks the lines of a text anew. Lines that begin with a blank and empty ones stay as they are.
func filled(text string) string {
	var b, paragraph strings.Builder
	end := func() {
		if paragraph.Len() > 0 {
			b.WriteString(strings.Join(wrap(paragraph.String(), width), "\n") + "\n")
		}
		paragraph.Reset()
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); line == "" || line[0] == ' ' {
			end()
			b.WriteString(line + "\n")
			continue
		}
		paragraph.WriteString(line + " ")
	}
	end()
	return b.String()
}

// wrap breaks a text at blanks into lines of at most n columns; a longer word has a line of its own.
func wrap(text string, n int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) > n:
			lines, line = append(lines, line), word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
