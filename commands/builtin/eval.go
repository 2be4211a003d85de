package builtin

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"coredbg/commands"
)

func evalCommands() []commands.Command {
	return []commands.Command{
		{Name: "echo", Acts: true, Args: "[word ...]", RawArgs: true, Summary: "print words",
			Detail:  "Prints its arguments, with the values of $[expression] in the default radix. In a pipeline the text is an expression.",
			Example: "::echo main is at $[main]", SeeAlso: []string{"::eval", "::cat"},
			Addr: commands.AddrOptional,
			Run:  func(_ context.Context, c *commands.Call) error { return c.Emit(newText(words(c))) }},
		{Name: "eval", Acts: true, Addr: commands.AddrOptional, Args: "statement", RawArgs: true, Summary: "evaluate text as statements",
			Detail:  "Evaluates its arguments as a line of input. Dot is what it is outside; a bare expression sets it and runs nothing.",
			Example: "::walk thread t | ::eval '<t=D'", SeeAlso: []string{"::echo", "::map"}, Run: eval},
		{Name: "cat", Acts: true, Addr: commands.AddrOptional, Args: "file ...", RawArgs: true, Summary: "print files",
			Detail:  "Prints files. In a pipeline each line is an expression, so a file can hold a list of addresses.",
			Example: "::cat addresses.txt | ::whatis", SeeAlso: []string{"::echo", "$<"}, Run: cat},
		{Name: "$?", Acts: true, Summary: "show the status and the registers", Detail: "Runs ::status and ::regs. A lone \"$\" is the same.",
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
