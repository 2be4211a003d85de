package builtin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
)

func helpCommands() []commands.Command {
	return []commands.Command{{
		Name: "help", Args: "[command | walker | topic]", Summary: "explain the debugger, a command or a topic",
		Detail: "Without an argument introduces the debugger. With the name of a command or walker explains it. " +
			"Topics: " + strings.Join(topicNames(), ", ") + ".",
		Example: "::help walk", SeeAlso: []string{"::dcmds", "::walkers", "::formats"}, RawArgs: true, Run: help,
	}}
}

// A helpRecord is a page of help.
type helpRecord struct {
	_       out.Record `record:"help"`
	Name    string     `json:"name"`
	Content string     `json:"text"` // of the page
	// The parts of the page of a command.
	Summary  string       `json:"summary,omitempty"`
	Synopsis string       `json:"synopsis,omitempty"`
	Options  []helpOption `json:"options,omitempty"`
	Example  string       `json:"example,omitempty"`
	Module   string       `json:"module,omitempty"`
}

type helpOption struct {
	Letter string `json:"letter"`
	Arg    string `json:"arg,omitempty"`
	Help   string `json:"help"`
}

func commandHelp(c *commands.Command) *helpRecord {
	r := &helpRecord{Name: c.Name, Content: page(c), Summary: c.Summary, Synopsis: c.Usage(), Example: c.Example, Module: c.Module}
	for _, o := range c.Options {
		r.Options = append(r.Options, helpOption{string(rune(o.Letter)), o.Arg, o.Help})
	}
	return r
}

// Text writes the page; its headings are lines without a lower-case letter.
func (r *helpRecord) Text(w *out.Writer) {
	for line := range strings.Lines(r.Content) {
		line = strings.TrimSuffix(line, "\n")
		if heading(line) {
			w.Paint(out.Keyword, "%s", line)
			w.Printf("\n")
		} else {
			w.Printf("%s\n", line)
		}
	}
}

// introduce returns the first page: the questions with the commands of this process that answer them, and how a line is read.
func introduce(s *commands.Session) string {
	var b strings.Builder
	b.WriteString("QUESTIONS, AND THE COMMANDS THAT ANSWER THEM\n")
	for _, q := range commands.Asked(s.Questions, found(s)) {
		line := fmt.Sprintf("  %-*s", askWidth, q.Ask)
		for i := range q.Answers {
			if a := "  " + q.Answers[i].Line; out.Width(line)+len(a) <= pageWidth {
				line += a
			}
		}
		b.WriteString(line + "\n")
	}
	b.WriteString(introduction)
	return b.String()
}

// askWidth is the column of answers.
const askWidth = 20

// found returns the names of the runtimes of the process.
func found(s *commands.Session) (names []string) {
	for _, r := range s.Found() {
		names = append(names, r.Name())
	}
	return names
}

func heading(line string) bool {
	return line != "" && line[0] >= 'A' && line[0] <= 'Z' && strings.ToUpper(line) == line
}

func help(_ context.Context, c *commands.Call) error {
	if len(c.Args) == 0 {
		return c.Emit(&helpRecord{Content: introduce(c.Session)})
	}
	if len(c.Args) > 1 {
		return c.Usage("it takes one name")
	}
	name := c.Text(c.Args[0])
	r := c.Session.Commands
	// A topic comes first: the command of the same name is "::formats".
	for _, t := range topics {
		if t.name == name {
			return c.Emit(&helpRecord{Name: name, Content: t.text()})
		}
	}
	if cmd, ok := r.Command(strings.TrimPrefix(name, "::")); ok {
		return c.Emit(commandHelp(cmd))
	}
	if w, ok := r.Walker(name); ok {
		return c.Emit(&helpRecord{Name: w.Name, Content: walkerPage(w), Summary: w.Summary, Module: w.Module})
	}
	return fmt.Errorf("there is no command, walker or topic %q%s", name, r.Suggest(strings.TrimPrefix(name, "::")))
}

// page is the manual page of a command.
func page(c *commands.Command) string {
	var b strings.Builder
	names := strings.TrimPrefix(c.Title(), "::")
	if c.Alias != "" {
		names += ", " + c.Alias
	}
	section(&b, "NAME", names+" - "+c.Summary)
	section(&b, "SYNOPSIS", c.Usage())
	if c.Detail != "" {
		section(&b, "DESCRIPTION", c.Detail)
	}
	var opts []string
	for _, o := range c.Options {
		s := "-" + string(rune(o.Letter))
		if o.Arg != "" {
			s += " " + o.Arg
		}
		if o.Long != "" {
			s += ", -" + o.Long
		}
		opts = append(opts, hang(s, o.Help))
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
// hand and stays.
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
			b.WriteString("  " + line + "\n")
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

// wrap breaks text into lines of at most width columns; at least one.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

func topicNames() []string {
	var all []string
	for _, t := range topics {
		all = append(all, t.name)
	}
	slices.Sort(all)
	return all
}
