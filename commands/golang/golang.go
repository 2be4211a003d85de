// Package golang has the commands over Go's runtime: goroutines and their stacks.
//
// Each command is a file of its own. It uses what is listed here first; the table alone names all commands.
//
//	place.go      where code is in the source
//	record.go     a goroutine as a record, and as text
//	lister.go     goroutines with their stacks, all or selected ones
//	golang.go     the table of commands and walkers
package golang

import (
	"context"
	"errors"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes/golang"
)

const module = "go"

// Commands returns the table of commands.
func Commands() []commands.Command { return []commands.Command{goroutinesCommand, goroutineCommand} }

// Walkers returns the table of walkers.
func Walkers() []commands.Walker {
	return []commands.Walker{{Name: "goroutine", Module: module, Summary: "the goroutines that have a stack",
		Walk: walkGoroutines}}
}

var errNone = core.Unknown(errors.New("the process has no runtime of Go, or none that is known"))

// goroutinesOf returns the goroutines of a call's session. If only some are known, it warns with the reason.
func goroutinesOf(c *commands.Call) ([]*golang.Goroutine, error) {
	r, ok := commands.RuntimeOf[*golang.Runtime](c.Session)
	if !ok {
		return nil, errNone
	}
	list, err := r.Goroutines()
	if err != nil && len(list) == 0 {
		return nil, c.Unknown("goroutines are not known: %w", err)
	}
	if err != nil {
		c.Session.Partial = true
		c.Warn("%w", err)
	}
	return list, nil
}

// walkGoroutines yields the addresses of the goroutines that are alive.
func walkGoroutines(_ context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	list, err := goroutinesOf(c)
	for _, g := range list {
		if !g.Dead() && g.Task() != nil && !yield(g.Addr) {
			return nil
		}
	}
	return err
}
