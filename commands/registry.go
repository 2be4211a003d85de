// Package commands says what a command is: a dcmd with its usage as data, the
// records that it emits, and the session that it runs in. The commands
// themselves live in the packages below; the language that calls them is
// commands/lang.
package commands

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands/lang"
	"coredbg/core"
)

// AddrUse says what a command does with an address before it.
type AddrUse uint8

// The uses, with the letters of MDB's usage strings.
const (
	AddrNone     AddrUse = iota // it takes none
	AddrOptional                // "?": it does something else with one
	AddrRequired                // ":": it needs one, and takes dot, once there is one, by default
)

// An Option is one letter of a command's options.
type Option struct {
	Letter byte
	Arg    string // name of its argument in usage, "" if it takes none
	Help   string
	Plus   bool // "+o" turns it off
	Digits bool // "-5" is short for it with its argument 5
	// Long is another spelling, for one or two dashes: "compat". It wins over a
	// cluster of letters.
	Long string
	// Words returns the possible arguments, for completion: all words, or the words that begin with prefix. It
	// may be nil.
	Words func(s *Session, prefix string) []string
}

// RawOption is the option of commands that show frames of code with a source map.
var RawOption = Option{Letter: 'R', Long: "raw", Help: "names and positions of the running code, without source maps"}

// A Command is a dcmd. It carries its own usage, so that help, completion and
// documentation come from one place.
type Command struct {
	Name    string // without "::"; "$c" style names with their "$"
	Module  string // whose it is, for "::module`name": "native", "v8", "art"; "mdb" for the language's own
	Alias   string // another name for the same: "$C" for ::stack -f
	Addr    AddrUse
	Options []Option
	Often   string // letters of the options that are used most, for ::help on one screen; without it the first ones
	Args    string // operands after the options: "[function]"
	Summary string // one line, no full stop
	Detail  string // paragraphs
	Example string // a line as typed, with its output
	SeeAlso []string
	// Views are the subjects that it shows for programs of a language.
	Views []View
	// EmptyText is what is said if there is nothing to show: "no timer is set". If it
	// is "", it is said that nothing was found.
	EmptyText string
	// Silent is set for a command that may have nothing to show, because it does
	// something instead. Then nothing is said.
	Silent bool
	// RawArgs leaves the arguments alone: nothing in them is an option.
	RawArgs bool
	// Words returns the possible operands, for completion: all words, or the words that begin with prefix. If
	// it is nil operands are symbols.
	Words func(s *Session, prefix string) []string
	// TakesCount is set for a command that reads Call.Count itself; others run
	// that often.
	TakesCount bool
	Run        func(ctx context.Context, c *Call) error
	// Filter, instead of Run, is for commands that work on all records
	// of a pipe: it is called once, and the Sink gets the records.
	Filter func(ctx context.Context, c *Call) (lang.Sink, error)
}

// A Walker is a named way to enumerate addresses, for ::walk.
type Walker struct {
	Name    string
	Module  string
	Addr    AddrUse
	Summary string
	Walk    func(ctx context.Context, c *Call, yield func(core.Addr) bool) error
}

// A Registry holds commands and walkers by name.
type Registry struct {
	commands map[string][]*Command
	walkers  map[string]*Walker
}

// NewRegistry returns a registry of the given tables. Where a name occurs more
// than once, the last one wins, and the others are found as "module`name".
func NewRegistry(tables ...[]Command) *Registry {
	r := &Registry{commands: map[string][]*Command{}, walkers: map[string]*Walker{}}
	for _, t := range tables {
		r.Add(t...)
	}
	return r
}

// Add adds commands.
func (r *Registry) Add(commands ...Command) {
	for i := range commands {
		c := &commands[i]
		for _, name := range []string{c.Name, c.Alias} {
			if name != "" {
				r.commands[name] = append(r.commands[name], c)
			}
		}
	}
}

// AddWalkers adds walkers.
func (r *Registry) AddWalkers(walkers ...Walker) {
	for i := range walkers {
		r.walkers[walkers[i].Name] = &walkers[i]
	}
}

// Command returns a command by its name: "status", "$c", "v8`jsstack".
func (r *Registry) Command(name string) (*Command, bool) {
	module := ""
	if i := strings.LastIndexByte(name, '`'); i >= 0 {
		module, name = name[:i], name[i+1:]
	}
	list := r.commands[name]
	for i := len(list) - 1; i >= 0; i-- {
		if module == "" || list[i].Module == module {
			return list[i], true
		}
	}
	return nil, false
}

// Walker returns a walker by its name, which may have a module.
func (r *Registry) Walker(name string) (*Walker, bool) {
	module, base, ok := strings.Cut(name, "`")
	if !ok {
		module, base = "", name
	}
	w, ok := r.walkers[base]
	if !ok || module != "" && w.Module != module {
		return nil, false
	}
	return w, true
}

// Commands returns all commands sorted by name; an alias is not an entry of its
// own.
func (r *Registry) Commands() []*Command {
	var all []*Command
	for _, list := range r.commands {
		all = append(all, list...)
	}
	slices.SortFunc(all, func(a, b *Command) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Module, b.Module))
	})
	return slices.Compact(all)
}

// Walkers returns all walkers sorted by name.
func (r *Registry) Walkers() []*Walker {
	var all []*Walker
	for _, w := range r.walkers {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b *Walker) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Title returns the command's name as it is typed: "::status", "$c".
func (c *Command) Title() string { return title(c.Name) }

func title(name string) string {
	if strings.HasPrefix(name, "$") || strings.HasPrefix(name, ":") {
		return name
	}
	return "::" + name
}

// Usage returns the command's synopsis: "[ addr ] ::walk name [var]".
func (c *Command) Usage() string {
	var b strings.Builder
	switch c.Addr {
	case AddrOptional:
		b.WriteString("[ addr ] ")
	case AddrRequired:
		b.WriteString("addr ")
	}
	b.WriteString(c.Title())
	var flags, plus []byte
	for _, o := range c.Options {
		if o.Arg == "" {
			flags = append(flags, o.Letter)
		}
		if o.Plus && o.Arg == "" {
			plus = append(plus, o.Letter)
		}
	}
	if len(flags) > 0 {
		fmt.Fprintf(&b, " [-%s]", flags)
	}
	if len(plus) > 0 {
		fmt.Fprintf(&b, " [+%s]", plus)
	}
	for _, o := range c.Options {
		if o.Arg != "" {
			fmt.Fprintf(&b, " [-%c %s]", o.Letter, o.Arg)
			if o.Plus {
				fmt.Fprintf(&b, " [+%c %s]", o.Letter, o.Arg)
			}
		}
	}
	if c.Args != "" {
		b.WriteString(" " + c.Args)
	}
	return b.String()
}
