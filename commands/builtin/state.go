package builtin

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
)

func stateCommands() []commands.Command {
	quit := func(context.Context, *commands.Call) error { return lang.ErrQuit }
	return []commands.Command{
		{Name: "quit", Alias: "$q", Summary: "leave the debugger", Detail: "Leaves the debugger.", Example: "$q", Run: quit},
		{Name: "version", Summary: "print the debugger's version", Detail: "Prints the version that this debugger was built as.",
			Example: "::version", Run: version},
		{Name: "$d", Addr: commands.AddrOptional, Args: "[radix]", Summary: "show or set the default radix",
			Detail: "Without an address or argument shows the default radix, in which numbers are read and printed. " +
				"With one it sets it. The argument is decimal; an address is an expression, so \"a$d\" sets ten.",
			Example: "0t10$d", SeeAlso: []string{"::set"}, Run: radix},
		{Name: "$P", Args: "[text]", Summary: "show or set the prompt", Detail: "Shows the prompt, or sets it.",
			Example: "$P 'crash> '", SeeAlso: []string{"::set"}, Run: prompt},
		{Name: "set", Options: []commands.Option{
			{Letter: 'o', Arg: "option", Plus: true, Help: "turn an option on; +o turns it off. repeatlast: an empty line runs the last command at the next location"},
			{Letter: 'I', Arg: "path", Help: "look for scripts in these folders, separated by colons"},
			{Letter: 'P', Arg: "prompt", Help: "set the prompt"},
		}, Summary: "show or set options of the debugger", Detail: "Without options shows what is set.",
			Example: "::set -o repeatlast", SeeAlso: []string{"$d", "$P"}, Run: set},
		{Name: "log", Options: []commands.Option{
			{Letter: 'e', Arg: "file", Help: "append all output to a file"}, {Letter: 'd', Help: "end the log"}},
			Summary: "copy the session to a file", Detail: "Appends what is printed from now on to a file as well, without colours. Without options says whether there is a log.",
			Example: "::log -e crash.log", SeeAlso: []string{"$>"}, Run: log},
		{Name: "$>", Args: "[file]", Summary: "copy the session to a file", Detail: "\"$>file\" is ::log -e file; \"$>\" alone is ::log -d.",
			Example: "$>crash.log", SeeAlso: []string{"::log"}, Run: dollarLog},
	}
}

func version(_ context.Context, c *commands.Call) error {
	v := "(devel)"
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		v = b.Main.Version
	}
	return c.Emit(newText("coredbg " + v))
}

func radix(_ context.Context, c *commands.Call) error {
	l := c.Session.Lang
	n := uint64(c.Dot)
	switch {
	case len(c.Args) > 1:
		return c.Usage("it takes one radix")
	case len(c.Args) == 1:
		r, err := c.Decimal(c.Args[0])
		if err != nil {
			return err
		}
		n = uint64(r)
	case !c.Given:
		return c.Emit(newText(fmt.Sprintf("radix = %d base ten", l.Radix())))
	}
	if n > 16 {
		return c.Usage("radix %d (base ten) is not in 2..16", n)
	}
	return l.SetRadix(int(n))
}

func prompt(_ context.Context, c *commands.Call) error {
	if len(c.Args) == 0 {
		return c.Emit(newText(c.Session.Prompt))
	}
	// The line editor takes no control characters.
	c.Session.Prompt = out.Clean(words(c), false)
	return nil
}

func set(_ context.Context, c *commands.Call) error {
	s := c.Session
	on, given := c.Opt('o')
	off, taken := c.OffArg('o')
	for _, o := range []struct {
		arg   commands.Arg
		given bool
	}{{on, given}, {off, taken}} {
		if o.given && o.arg.Text != "repeatlast" {
			return c.Usage("there is no option %q; there is repeatlast", o.arg.Text)
		}
	}
	if given || taken {
		s.Lang.RepeatLast = given
	}
	if c.Has('I') {
		s.Lang.Include = strings.Split(c.Str('I'), ":")
	}
	if c.Has('P') {
		s.Prompt = out.Clean(c.Str('P'), false)
	}
	if given || taken || c.Has('I') || c.Has('P') {
		return nil
	}
	state := "off"
	if s.Lang.RepeatLast {
		state = "on"
	}
	return c.Emit(newText(fmt.Sprintf("repeatlast: %s\nradix: %d\nscript path: %s\nprompt: %q",
		state, s.Lang.Radix(), strings.Join(s.Lang.Include, ":"), s.Prompt)))
}

func log(_ context.Context, c *commands.Call) error {
	switch {
	case c.Has('e') && c.Has('d'):
		return c.Usage("-e and -d exclude each other")
	case c.Has('d'):
		return endLog(c)
	case c.Has('e'):
		return startLog(c, c.Str('e'))
	}
	if name := c.Session.LogName(); name != "" {
		return c.Emit(newText("logging to " + name))
	}
	return c.Emit(newText("not logging"))
}

func dollarLog(_ context.Context, c *commands.Call) error {
	if len(c.Args) == 0 {
		return endLog(c)
	}
	return startLog(c, c.Text(c.Args[0]))
}

func startLog(c *commands.Call, name string) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	return c.Session.SetLog(f, name)
}

func endLog(c *commands.Call) error {
	if c.Session.LogName() == "" {
		return fmt.Errorf("there is no log")
	}
	return c.Session.SetLog(nil, "")
}
