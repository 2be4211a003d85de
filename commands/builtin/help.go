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
		Detail: "Without an argument introduces the debugger. With the name of a command or walker explains it on one screen; " +
			"-a has all of its page. " + "Topics: " + strings.Join(topicNames(), ", ") + ".",
		Options: []commands.Option{{Letter: 'a', Long: "all", Help: "the whole page, however long"}},
		Example: "::help -a walk", SeeAlso: []string{"::dcmds", "::walkers", "::formats"}, Run: help,
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

func commandHelp(c *commands.Command, all bool) *helpRecord {
	content := page(c)
	if !all {
		content = screenful(c, content)
	}
	r := &helpRecord{Name: c.Name, Content: content, Summary: c.Summary, Synopsis: c.Usage(), Example: c.Example,
		Module: c.Module}
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

// introduce returns the first page: the questions with the commands of this process that answer them, and how
// a line is read.
func introduce(s *commands.Session) string {
	var b strings.Builder
	b.WriteString("QUESTIONS, AND THE COMMANDS THAT ANSWER THEM\n")
	for _, q := range commands.Asked(s.Questions, s.RuntimeNames()) {
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
		return c.Emit(commandHelp(cmd, c.Flag('a')))
	}
	if w, ok := r.Walker(name); ok {
		return c.Emit(&helpRecord{Name: w.Name, Content: walkerPage(w), Summary: w.Summary, Module: w.Module})
	}
	return fmt.Errorf("there is no command, walker or topic %q%s", name, r.Suggest(strings.TrimPrefix(name, "::")))
}

func topicNames() []string {
	var all []string
	for _, t := range topics {
		all = append(all, t.name)
	}
	slices.Sort(all)
	return all
}
