package native

import (
	"context"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/runtimes"
)

var whyCommand = commands.Command{
	Name: "why", Args: "command", RawArgs: true,
	Summary: "say why a command has no answer here, and how to get one",
	Detail: `Runs the command without its output, and says how it went: what it lacks in this core, which runtime it is about if
that is not in the process, and how to get the missing parts. A command that writes a file is not run.`,
	Example: "::why jsstack",
	SeeAlso: []string{"::help", "coverage"},
	Words: func(s *commands.Session, _ string) (words []string) {
		for _, c := range s.Commands.Commands() {
			words = append(words, c.Name)
		}
		return words
	},
	Run: runWhy,
}

// A whyRecord says how a command went.
type whyRecord struct {
	_       out.Record `record:"why"`
	Command string     `json:"command"`
	Answer  string     `json:"answer"`             // how it went
	Lacks   []string   `json:"lacks,omitempty"`    // what is missing
	Remedy  []string   `json:"remedies,omitempty"` // what would help
}

// Text writes the answer, and the missing parts below it.
func (r *whyRecord) Text(w *out.Writer) {
	w.Paint(out.Keyword, "%s", r.Command)
	w.Printf(": %s\n", r.Answer)
	for _, l := range r.Lacks {
		w.Printf("    lacks: %s\n", l)
	}
	for _, l := range r.Remedy {
		w.Printf("    helps: %s\n", l)
	}
}

func runWhy(ctx context.Context, c *commands.Call) error {
	if len(c.Args) == 0 {
		return c.Usage("it takes a command")
	}
	var words []string
	for _, a := range c.Args {
		words = append(words, c.Text(a))
	}
	line := strings.Join(words, " ")
	_, name, scoped := strings.Cut(line, "::")
	if !scoped {
		name, line = line, "::"+line
	}
	name, _, _ = strings.Cut(name, " ")
	cmd, ok := c.Session.Commands.Command(name)
	if !ok {
		return c.Usage("there is no command ::%s%s", name, c.Session.Commands.Suggest(name))
	}
	r := &whyRecord{Command: "::" + name}
	if why := absent(c.Session, cmd.Module); why != "" {
		r.Answer = why
		return c.Emit(r)
	}
	if cmd.Addr == commands.AddrRequired && strings.HasPrefix(line, "::") {
		r.Answer = "it needs an address in front, as in " + cmd.Example
		return c.Emit(r)
	}
	r.try(ctx, c.Session, line)
	if len(r.Lacks) > 0 {
		survey, err := newSurvey(ctx, c.Session.Process)
		if err != nil {
			return err
		}
		survey.truncated = c.Session.Process.Truncated
		for _, a := range survey.advice() {
			r.Lacks, r.Remedy = append(r.Lacks, a.Lost), append(r.Remedy, a.Remedy)
		}
	}
	return c.Emit(r)
}

// absent names the runtime of a module of commands if the process does not run it; "" for other modules.
func absent(s *commands.Session, module string) string {
	probed := slices.Contains(s.Probed, module)
	for _, r := range s.Found() {
		if u, ok := r.(runtimes.Undecoded); ok && r.Name() == module {
			return r.Name() + " is in the process, and is not decoded: " + u.Undecoded()
		}
		if r.Name() == module {
			return ""
		}
	}
	if !probed || !onlyOf(s, module) {
		return ""
	}
	return module + " is not in this process, and the command is about nothing else"
}

// onlyOf reports whether no runtime of the process shares the commands of a module: a language may have
// several machines.
func onlyOf(s *commands.Session, module string) bool {
	for _, q := range s.Questions {
		for _, a := range q.Answers {
			cmd, ok := s.Commands.Command(a.Name())
			if !ok || cmd.Module != module {
				continue
			}
			for _, name := range a.Runtimes {
				for _, r := range s.Found() {
					if r.Name() == name {
						return false
					}
				}
			}
		}
	}
	return true
}

// try runs the line, and takes what it lacked from its warnings and its error.
func (r *whyRecord) try(ctx context.Context, s *commands.Session, line string) {
	confined, json, partial := s.Confined, s.JSON, s.Partial
	s.Confined, s.JSON = true, false
	records := 0
	said, err := s.Collect(ctx, line, func(lang.Record) error { records++; return ctx.Err() })
	s.Confined, s.JSON, s.Partial = confined, json, partial
	for i := range said {
		for _, l := range said[i].Lines() {
			if l = strings.TrimSpace(l); l != "" && len(r.Lacks) < maxLacks {
				r.Lacks = append(r.Lacks, l)
			}
		}
	}
	switch {
	case err != nil:
		r.Answer = "it cannot answer: " + strings.ReplaceAll(err.Error(), "\n", "; ")
		if len(r.Lacks) == 0 {
			r.Lacks = []string{"what the answer rests on"}
		}
	case records == 0 && len(r.Lacks) > 0:
		r.Answer, r.Lacks = r.Lacks[0], r.Lacks[1:]
	case records == 0:
		r.Answer = "it works here, and finds nothing"
	case len(r.Lacks) > 0:
		r.Answer = "it answers in part, with " + out.Count(records, "record")
	default:
		r.Answer = "it works here: " + out.Count(records, "record")
	}
}

// maxLacks bounds the warnings that are repeated.
const maxLacks = 8
