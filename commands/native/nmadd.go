package native

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/sym"
)

func runNMAdd(_ context.Context, c *commands.Call) error {
	if len(c.Args) != 1 || c.Args[0].Text == "" {
		return c.Usage("one name, please")
	}
	s := sym.Symbol{Name: c.Args[0].Text, Addr: c.Dot, Global: true}
	switch {
	case c.Flag('f'):
		s.Kind = core.SymFunc
	case c.Flag('o'):
		s.Kind = core.SymObject
	}
	if a, ok := c.Opt('e'); ok {
		end, err := c.Value(a)
		if err != nil {
			return err
		}
		if core.Addr(end) < c.Dot {
			return fmt.Errorf("it would end at %v, before it begins", core.Addr(end))
		}
		s.Size = end - uint64(c.Dot)
	}
	if a, ok := c.Opt('s'); ok {
		size, err := c.Value(a)
		if err != nil {
			return err
		}
		s.Size = size
	}
	return c.Session.Symbols.Add(s)
}

func runNMDel(_ context.Context, c *commands.Call) error {
	if len(c.Args) != 1 {
		return c.Usage("one name, please")
	}
	if !c.Session.Symbols.Remove(c.Args[0].Text) {
		return fmt.Errorf("no symbol of your own is called %q", c.Args[0].Text)
	}
	return nil
}

// nmPrivate lists the symbols that ::nmadd has made.
func nmPrivate(c *commands.Call, form *nmForm, keep func(*symbolRecord) bool) error {
	for _, s := range c.Session.Symbols.Private() {
		r := newSymbol(s).in(form)
		if !keep(r) {
			continue
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}
