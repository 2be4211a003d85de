package builtin

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
)

func evalCommands() []commands.Command {
	return []commands.Command{
		{Name: "echo", Silent: true, Args: "[word ...]", RawArgs: true, Summary: "print words",
			Detail:  "Prints its arguments, with the values of $[expression] in the default radix. In a pipeline the text is an expression.",
			Example: "::echo main is at $[main]", SeeAlso: []string{"::eval", "::cat"},
			Addr: commands.AddrOptional,
			Run:  func(_ context.Context, c *commands.Call) error { return c.Emit(newText(words(c))) }},
		{Name: "eval", Silent: true, Addr: commands.AddrOptional, Args: "statement", RawArgs: true,
			Summary: "evaluate text as statements",
			Detail:  "Evaluates its arguments as a line of input. Dot is what it is outside; a bare expression sets it and runs nothing.",
			Example: "::walk thread t | ::eval '<t=D'", SeeAlso: []string{"::echo", "::map"}, Run: eval},
		{Name: "typed", Silent: true, Options: []commands.Option{{Letter: 'n', Arg: "word",
			Help: "a word that has its own meaning in the line, not its alias's"}},
			Args: "line", Summary: "run a line as if it were typed",
			Detail:  "Runs a line as the prompt does: with aliases and the words of other debuggers.",
			Example: "::typed '::stack 5'", SeeAlso: []string{"::eval", "::alias"}, Run: typed},
		{Name: "alias", Silent: true, Args: "[name[=line]]", RawArgs: true,
			Summary: "make a word stand for a line, or list such words",
			Detail: "Makes a word stand for a line: \"alias top=::stack 5\". The text typed after the word goes to the end of the line, or to the place " +
				"of \"$*\" in it. Without a line shows the word's; without a word shows all. The lines of ~/.coredbgrc may be such. " +
				"In its own line a word has the meaning that it has without the alias.",
			Example: "::alias top='::stack 5'; top", SeeAlso: []string{"::unalias", "::typed"}, Run: alias},
		{Name: "unalias", Silent: true, Args: "name ...", Summary: "take aliases back",
			Detail:  "Takes words back that ::alias has made.",
			Example: "::alias top='::stack 5'; ::unalias top", SeeAlso: []string{"::alias"}, Run: unalias},
		{Name: "cat", Silent: true, Addr: commands.AddrOptional, Args: "file ...", RawArgs: true,
			Summary: "print files",
			Detail:  "Prints files. In a pipeline each line is an expression, so a file can hold a list of addresses.",
			Example: "::cat addresses.txt | ::whatis", SeeAlso: []string{"::echo", "$<"}, Run: cat},
		{Name: "$?", Silent: true, Summary: "show the status and the registers",
			Detail:  "Runs ::status and ::regs. A lone \"$\" is the same.",
			Example: "$?", SeeAlso: []string{"::help"}, Run: func(ctx context.Context, c *commands.Call) error {
				return c.Session.Lang.Eval(ctx, "::status; ::regs", c.Pass)
			}},
	}
}

func eval(ctx context.Context, c *commands.Call) error {
	if len(c.Args) == 0 {
		return c.Usage("it takes a statement")
	}
	return c.Session.Lang.Eval(ctx, words(c), c.Pass)
}

func typed(ctx context.Context, c *commands.Call) error {
	if len(c.Args) == 0 {
		return c.Usage("it takes a line")
	}
	return c.Session.RunWithout(ctx, c.Str('n'), words(c), c.Pass)
}

// An aliasRecord is a word that stands for a line.
type aliasRecord struct {
	_    out.Record `record:"alias"`
	Name string     `json:"name" col:",16" ink:"keyword"`
	Line string     `json:"line" col:",%s"`
}

func alias(_ context.Context, c *commands.Call) error {
	aliases := &c.Session.Aliases
	all := aliases.Words()
	text := strings.TrimSpace(words(c))
	name, line, sets := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	switch {
	case sets && strings.TrimSpace(line) == "":
		return c.Usage("there is no line behind \"=\"; ::unalias takes a word back")
	case sets:
		return aliases.Set(name, strings.TrimSpace(line))
	case text == "" && len(all) == 0:
		return c.Empty("no word stands for a line")
	case text != "" && aliases.Line(name) == "":
		return fmt.Errorf("%s is no alias", name)
	}
	for _, w := range all {
		if text == "" || w == name {
			if err := c.Emit(&aliasRecord{Name: w, Line: aliases.Line(w)}); err != nil {
				return err
			}
		}
	}
	return nil
}

func unalias(_ context.Context, c *commands.Call) error {
	if len(c.Args) == 0 {
		return c.Usage("it takes words")
	}
	for _, a := range c.Args {
		if err := c.Session.Aliases.Set(c.Text(a), ""); err != nil {
			return err
		}
	}
	return nil
}

func cat(ctx context.Context, c *commands.Call) error {
	if len(c.Args) == 0 {
		return c.Usage("it takes the names of files")
	}
	for _, a := range c.Args {
		if err := catFile(ctx, c, c.Text(a)); err != nil {
			return err
		}
	}
	return nil
}

// maxLine bounds a line of a file in bytes.
const maxLine = 1 << 20

func catFile(ctx context.Context, c *commands.Call, name string) error {
	f, err := c.Session.OpenFile(name)
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, maxLine)
	for s.Scan() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.Emit(newText(s.Text())); err != nil {
			return err
		}
	}
	if err := s.Err(); err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
