package commands

import (
	"fmt"
	"strings"

	"coredbg/commands/lang"
	"coredbg/core"
	"coredbg/core/sym"
)

// Code returns the code that an argument means: the address of an expression or a function, or the first
// instruction of a line, as FILE:LINE. A name that no symbol has may be the end of a function's name: main
// finds main.main.
func (c *Call) Code(a Arg) (core.Addr, error) {
	at, err := c.Exact(a)
	if err == nil || a.IsNum || c.Session.Symbols == nil {
		return at, err
	}
	list := c.Session.Symbols.Ending(a.Text, maxEnding)
	if len(list) == 0 {
		return 0, err
	}
	first := sym.Demangle(list[0].Name, true)
	if more := len(list) - 1; more > 0 {
		c.Session.note(fmt.Sprintf("%s is %s, the first of %d functions (::lookup %s)", a.Text, first, more+1, a.Text))
	}
	return list[0].Addr, nil
}

// maxEnding bounds the functions that a part of a name is looked for in.
const maxEnding = 16

// Exact is Code for whole names alone.
func (c *Call) Exact(a Arg) (core.Addr, error) {
	file, line, ok := lang.FileLine(c.Text(a))
	if a.IsNum || !ok || file == "" {
		v, err := c.Value(a)
		return core.Addr(v), err
	}
	list := c.Session.Symbols.Places(file, line)
	if len(list) == 0 {
		return 0, c.Unknown("no code of %s:%d is known to debugging information", file, line)
	}
	p := list[0]
	if p.Line != line {
		c.Session.note(fmt.Sprintf("%s:%d has no code; line %d is the next that has", p.File, line, p.Line))
	}
	if files := filesOf(list); len(files) > 1 {
		c.Session.note(fmt.Sprintf("%s is the first of %d files: %s", p.File, len(files), strings.Join(files, " ")))
	}
	return p.Addr, nil
}

// filesOf returns the files of places, each once.
func filesOf(list []sym.Place) (files []string) {
	seen := map[string]bool{}
	for _, p := range list {
		if !seen[p.File] {
			seen[p.File] = true
			files = append(files, p.File)
		}
	}
	return files
}
