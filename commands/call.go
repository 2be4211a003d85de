package commands

import (
	"fmt"
	"strconv"
	"strings"

	"coredbg/commands/lang"
	"coredbg/core"
)

// An Arg is an operand or an option's argument. A $[expr] is a number without
// text.
type Arg = lang.Arg

// A Call is one invocation of a command: one value of a pipeline, or one turn
// of a repeat.
type Call struct {
	Session *Session
	Command *Command
	Dot     core.Addr
	HasAddr bool // dot came from an explicit address or a pipe
	Piped   bool // dot came from a pipe
	First   bool // the first of a run: print the header
	Feeds   bool // its records are the input of another command
	Count   uint64
	Args    []Arg
	// Input is the record that dot comes from, if Piped.
	Input lang.Record
	emit  func(lang.Record) error
	opts  map[byte]Arg
	off   map[byte]Arg
	said  bool // a record was emitted, or that there is none
}

// Emit hands a record on: to the output, or to the next stage. If it returns an error, no more records are
// wanted: return the error at once.
func (c *Call) Emit(r Record) error { return c.Pass(recordOf(r)) }

// EmitAll emits records until one cannot be.
func EmitAll[T Record](c *Call, all []T) error {
	for _, r := range all {
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// Pass passes on a record that came from elsewhere: from the pipe, or from
// evaluated text.
func (c *Call) Pass(r lang.Record) error {
	c.said = true
	return c.emit(r)
}

// Usage returns a UsageError for this call.
func (c *Call) Usage(format string, args ...any) error {
	return &UsageError{Title: c.Command.Title(), Usage: c.Command.Usage(), Msg: fmt.Sprintf(format, args...)}
}

// Flag reports whether the option was given.
func (c *Call) Flag(letter byte) bool { _, ok := c.opts[letter]; return ok }

// Off reports whether the option was turned off with "+letter".
func (c *Call) Off(letter byte) bool { _, ok := c.off[letter]; return ok }

// OffArg returns the argument of "+letter argument".
func (c *Call) OffArg(letter byte) (Arg, bool) { a, ok := c.off[letter]; return a, ok }

// Str returns the text of an option's argument, or "".
func (c *Call) Str(letter byte) string { return c.opts[letter].Text }

// Opt returns an option's argument.
func (c *Call) Opt(letter byte) (Arg, bool) { a, ok := c.opts[letter]; return a, ok }

// Int returns an option's argument as a count, which is decimal whatever the
// default radix, or def if the option was not given. It never is negative.
func (c *Call) Int(letter byte, def int) (int, error) {
	a, ok := c.opts[letter]
	if !ok {
		return def, nil
	}
	return c.Decimal(a)
}

// Decimal returns an argument as a count; see Int.
func (c *Call) Decimal(a Arg) (int, error) {
	v := a.Num
	if !a.IsNum {
		var err error
		if v, err = lang.ParseNumber(a.Text, 10); err != nil {
			return 0, c.Usage("%q is not a count%s", a.Text, redirection(a.Text))
		}
	}
	if v > 1<<31-1 {
		return 0, c.Usage("count %d is too large", v)
	}
	return int(v), nil
}

// redirection adds to an error about an argument what it is here if it is the shell's
// word for writing to a file.
func redirection(arg string) string {
	if strings.HasPrefix(arg, ">") {
		return "; ! cat >FILE after a command writes to a file"
	}
	return ""
}

// Value returns an argument as the value of an expression, in the default
// radix.
func (c *Call) Value(a Arg) (uint64, error) {
	if a.IsNum {
		return a.Num, nil
	}
	v, err := c.Session.Lang.Expr(a.Text)
	if err != nil && strings.Contains(a.Text, "::") { // a name that an expression has in quotes
		if at, ok, failed := (langHost{c.Session}).Symbol(a.Text); ok {
			return uint64(at), failed
		}
	}
	if err != nil {
		return 0, fmt.Errorf("%s: argument %q: %w", c.Command.Title(), a.Text, err)
	}
	return v, nil
}

// Text returns an argument as text; a number is in the default radix.
func (c *Call) Text(a Arg) string {
	if a.IsNum {
		return c.Session.Lang.Format(a.Num)
	}
	return a.Text
}

// Warn reports a failure that costs only a part of the result, such as an
// address that could not be read.
func (c *Call) Warn(format string, args ...any) {
	c.said = true
	c.Session.Warn(&commandError{c.Command.Title(), fmt.Errorf(format, args...)})
}

// Empty says, where it does not get in the way of data, that there is nothing to
// show; that is not a failure. Where memory is missing that may have it, it is an answer
// that cannot be known. A command returns what it returns.
func (c *Call) Empty(format string, args ...any) error {
	c.said = true
	text := fmt.Sprintf(format, args...)
	if lost := c.Session.lost(); lost != "" && c.Command.Module != "" {
		return c.Unknown("%s, in what the core holds: %s", text, lost)
	}
	c.Session.note(text)
	return nil
}

// Unknown returns an error that says that the answer cannot be known, and why:
// what could not be read. A batch goes on, and ends with the code for partial
// results.
func (c *Call) Unknown(format string, args ...any) error {
	return core.Unknown(fmt.Errorf(format, args...))
}

// parse takes the options out of the arguments, by the rules of getopt: letters
// may be clustered ("-av"), an argument may follow its letter directly ("-n5"),
// and the first word that is not an option, or "--", ends them.
func (c *Call) parse(args []Arg) error {
	for len(args) > 0 && !args[0].IsNum {
		text := args[0].Text
		if len(text) < 2 || text[0] != '-' && !(text[0] == '+' && c.plus(text[1:])) {
			break
		}
		args = args[1:]
		if text == "--" {
			break
		}
		into := c.opts
		if text[0] == '+' {
			into = c.off
		}
		var err error
		if args, err = c.cluster(text[1:], args, into); err != nil {
			return err
		}
	}
	c.Args = args
	return nil
}

// cluster reads the letters after one "-" or "+" and returns the arguments
// that are left.
func (c *Call) cluster(letters string, args []Arg, into map[byte]Arg) ([]Arg, error) {
	if o := c.Command.long(strings.TrimPrefix(letters, "-")); o != nil {
		into[o.Letter] = Arg{}
		return args, nil
	}
	if o := c.Command.digits(letters); o != nil {
		into[o.Letter] = Arg{Text: letters}
		return args, nil
	}
	for i := 0; i < len(letters); i++ {
		o := c.Command.option(letters[i])
		if o == nil {
			return nil, c.Usage("unknown option -%s", strings.Trim(strconv.Quote(letters[i:i+1]), `"`))
		}
		switch {
		case o.Arg == "":
			into[o.Letter] = Arg{}
			continue
		case i+1 < len(letters):
			into[o.Letter] = Arg{Text: letters[i+1:]}
		case len(args) > 0:
			into[o.Letter] = args[0]
			args = args[1:]
		default:
			return nil, c.Usage("option -%c needs its argument: %s", o.Letter, o.Arg)
		}
		break
	}
	return args, nil
}

func (c *Call) plus(letters string) bool {
	for i := range len(letters) {
		if o := c.Command.option(letters[i]); o == nil || !o.Plus {
			return false
		}
	}
	return true
}

// wide is the option of each command that has not got another one of its letter.
var wide = Option{Letter: 'w', Help: "whole lines on a terminal: no name is cut"}

// wide reports whether the user asked for whole lines.
func (c *Call) wide() bool { return c.Command.option(wide.Letter) == &wide && c.Flag(wide.Letter) }

// digits returns the option that a bare number is short for.
func (c *Command) digits(text string) *Option {
	if strings.Trim(text, "0123456789") != "" {
		return nil
	}
	for i := range c.Options {
		if c.Options[i].Digits {
			return &c.Options[i]
		}
	}
	return nil
}

// long returns the option without an argument that a word spells.
func (c *Command) long(word string) *Option {
	for i := range c.Options {
		if o := &c.Options[i]; o.Long != "" && o.Long == word && o.Arg == "" {
			return o
		}
	}
	return nil
}

func (c *Command) option(letter byte) *Option {
	for i := range c.Options {
		if c.Options[i].Letter == letter {
			return &c.Options[i]
		}
	}
	if letter == wide.Letter {
		return &wide
	}
	return nil
}
