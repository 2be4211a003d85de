package builtin

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
)

func listCommands() []commands.Command {
	names := []commands.Option{{Letter: 'n', Help: "match the names only, not the summaries"}}
	return []commands.Command{
		{Name: "dcmds", EmptyText: "no command matches",
			Options: append([]commands.Option{{Letter: 'a', Help: "all commands, by name"}}, names...),
			Args:    "[regexp]", Summary: "list the commands",
			Detail: "Lists the commands that matter in this process by the question that they answer; with -a all commands by name, with a regular " +
				"expression the ones whose name or summary matches it.",
			Example: "::dcmds stack", SeeAlso: []string{"::help", "::walkers"}, Run: dcmds},
		{Name: "walkers", EmptyText: "no walker matches", Options: names, Args: "[regexp]", Summary: "list the walkers",
			Detail:  "Lists the walkers, which enumerate addresses for ::walk, or the ones whose name or summary matches the regular expression.",
			Example: "::walkers", SeeAlso: []string{"::walk", "::dcmds"}, Run: walkers},
		{Name: "formats", Summary: "list the format letters of / ? and =",
			Detail:  "Lists the letters that say how \"/\", \"?\" and \"=\" show data, with their sizes.",
			Example: "::formats", SeeAlso: []string{"::help formats"}, Run: formats},
		{Name: "walk", Addr: commands.AddrOptional, Args: "name [variable]",
			Summary: "enumerate addresses with a walker",
			Detail: "Shows each address that the walker finds, or runs the rest of the pipeline there. A variable, if one is " +
				"named, holds the address while the rest of the pipeline runs.",
			Example: "::walk thread t | ::eval '<t=D'", SeeAlso: []string{"::walkers", "::map"}, Run: walk},
		{Name: "vars", Options: []commands.Option{{Letter: 'n', Help: "only variables that are not zero"}},
			Summary: "list the variables",
			Detail:  "Lists the variables with their values. The registers of the current thread are variables too: \"<rip\".",
			Example: "1000>x; ::vars -n", SeeAlso: []string{"::typeset", "::unset", "$v", "::regs"}, Run: vars},
		{Name: "$v", EmptyText: "every variable is zero", Summary: "list the variables that are not zero",
			Example: "$v", SeeAlso: []string{"::vars"},
			Detail: "Lists the variables whose value is not zero, without the registers.", Run: nonZero},
		{Name: "typeset", Silent: true, Addr: commands.AddrOptional, Args: "name ...", Summary: "make variables",
			Detail:  "Makes each variable that is not there yet, with the value zero. With an address all are set to it.",
			Example: "::typeset total; <total=D", SeeAlso: []string{"::vars", "::unset"}, Run: typeset},
		{Name: "unset", Silent: true, Args: "name ...", Summary: "remove variables",
			Detail:  "Removes variables. Those that MDB always has (0 1 2 9 b d e m t hits) stay.",
			Example: "::typeset total; ::unset total", SeeAlso: []string{"::vars", "::typeset"}, Run: unset},
	}
}

// matcher compiles the regular expression of ::dcmds and ::walkers.
func matcher(c *commands.Call) (func(name, summary string) bool, error) {
	if len(c.Args) == 0 {
		return func(string, string) bool { return true }, nil
	}
	if len(c.Args) > 1 {
		return nil, c.Usage("it takes one regular expression")
	}
	re, err := regexp.Compile(c.Text(c.Args[0]))
	if err != nil {
		return nil, c.Usage("%v", err)
	}
	return func(name, summary string) bool {
		return re.MatchString(name) || !c.Flag('n') && re.MatchString(summary)
	}, nil
}

// A questionRecord is a question above the commands that answer it.
type questionRecord struct {
	_       out.Record `record:"question"`
	Ask     string     `json:"question"`
	Answers []string   `json:"answers"` // the lines

	summaries []string
}

// Text writes the question and its commands.
func (r *questionRecord) Text(w *out.Writer) {
	w.Paint(out.Keyword, "%s?", r.Ask)
	w.Printf("\n")
	for i, a := range r.Answers {
		w.Printf("  %-24s %s\n", a, r.summaries[i])
	}
}

// byQuestion lists the commands that matter in a process.
func byQuestion(c *commands.Call) error {
	for _, q := range commands.Asked(c.Session.Questions, c.Session.RuntimeNames()) {
		r := &questionRecord{Ask: q.Ask}
		for i := range q.Answers {
			summary := ""
			if cmd, ok := c.Session.Commands.Command(q.Answers[i].Name()); ok {
				summary = "- " + cmd.Summary
			}
			r.Answers, r.summaries = append(r.Answers, q.Answers[i].Line), append(r.summaries, summary)
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

func dcmds(_ context.Context, c *commands.Call) error {
	if len(c.Args) == 0 && !c.Flag('a') && !c.Flag('n') && len(c.Session.Questions) > 0 {
		return byQuestion(c)
	}
	match, err := matcher(c)
	if err != nil {
		return err
	}
	for _, cmd := range c.Session.Commands.Commands() {
		for _, name := range []string{cmd.Name, cmd.Alias} {
			if name == "" || !match(name, cmd.Summary) {
				continue
			}
			if err := c.Emit(&listRecord{Type: "command", Name: name, Module: cmd.Module,
				Summary: cmd.Summary}); err != nil {
				return err
			}
		}
	}
	return nil
}

func walkers(_ context.Context, c *commands.Call) error {
	match, err := matcher(c)
	if err != nil {
		return err
	}
	for _, w := range c.Session.Commands.Walkers() {
		if !match(w.Name, w.Summary) {
			continue
		}
		if err := c.Emit(&listRecord{Type: "walker", Name: w.Name, Module: w.Module, Summary: w.Summary}); err != nil {
			return err
		}
	}
	return nil
}

func formats(_ context.Context, c *commands.Call) error {
	for _, l := range lang.Letters() {
		size := l.Size
		if size < 0 {
			size = 8
			if a := c.Session.Process.Arch; a != nil {
				size = a.PtrSize
			}
		}
		r := &formatRecord{Name: string(rune(l.Letter)), Summary: l.Summary, Size: size}
		switch {
		case size == 1:
			r.Summary += " (1 byte)"
		case size > 1:
			r.Summary += fmt.Sprintf(" (%d bytes)", size)
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

func walk(ctx context.Context, c *commands.Call) error {
	if len(c.Args) == 0 || len(c.Args) > 2 {
		return c.Usage("it takes the name of a walker (::walkers lists them)")
	}
	w, ok := c.Session.Commands.Walker(c.Text(c.Args[0]))
	if !ok {
		name, hint := c.Text(c.Args[0]), ""
		if near := c.Session.Commands.NearWalker(name); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return c.Usage("there is no walker %q%s (::walkers lists them)", name, hint)
	}
	if w.Addr == commands.AddrNone && c.HasAddr && !c.Piped {
		return c.Usage("the walker %s takes no address", w.Name)
	}
	variable := ""
	if len(c.Args) > 1 {
		variable = c.Text(c.Args[1])
	}
	var stop error
	err := w.Walk(ctx, c, func(a core.Addr) bool {
		if variable != "" {
			c.Session.Lang.Vars.Set(variable, uint64(a))
		}
		if stop = ctx.Err(); stop == nil {
			stop = c.Pass(c.Session.Lang.NewValue(uint64(a)))
		}
		return stop == nil
	})
	if stop != nil {
		return stop
	}
	return err
}

// A varRecord is a variable with its value.
type varRecord struct {
	_        out.Record `record:"variable" text:"{name} = {shown}"`
	Name     string     `json:"name" ink:"symbol"`
	Value    core.Addr  `json:"value" dot:"always"`
	Register bool       `json:"register,omitempty"`
	shown    string     `ink:"addr"` // the value in the default radix
}

func vars(_ context.Context, c *commands.Call) error { return listVars(c, c.Flag('n'), true) }

func nonZero(_ context.Context, c *commands.Call) error { return listVars(c, true, false) }

func listVars(c *commands.Call, nonZero, registers bool) error {
	l := c.Session.Lang
	emit := func(name string, v uint64, reg bool) error {
		if nonZero && v == 0 {
			return nil
		}
		return c.Emit(&varRecord{Name: name, Value: core.Addr(v), Register: reg, shown: l.Format(v)})
	}
	for _, name := range l.Vars.Names() {
		v, _ := l.Vars.Get(name)
		if err := emit(name, v, false); err != nil {
			return err
		}
	}
	t, arch := c.Session.Thread, c.Session.Process.Arch
	if !registers || t == nil || arch == nil {
		return nil
	}
	for i, name := range arch.RegNames {
		if v, ok := t.Regs.Get(i); ok && name != "" {
			if err := emit(name, v, true); err != nil {
				return err
			}
		}
	}
	return emit("thread", uint64(t.TID), true)
}

func typeset(_ context.Context, c *commands.Call) error {
	if len(c.Args) == 0 {
		return listVars(c, false, false)
	}
	l := c.Session.Lang
	for _, a := range c.Args {
		name := c.Text(a)
		if strings.ContainsFunc(name, func(r rune) bool { return r > '~' || r <= ' ' }) {
			return c.Usage("%q is not a name", name)
		}
		switch {
		case c.HasAddr:
			l.Vars.Set(name, uint64(c.Dot))
		case !slices.Contains(l.Vars.Names(), name):
			l.Vars.Set(name, 0)
		}
	}
	return nil
}

func unset(_ context.Context, c *commands.Call) error {
	if len(c.Args) == 0 {
		return c.Usage("it takes the names of variables")
	}
	for _, a := range c.Args {
		if err := c.Session.Lang.Vars.Unset(c.Text(a)); err != nil {
			return err
		}
	}
	return nil
}
