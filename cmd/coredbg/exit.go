package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
)

// The exit codes.
const (
	exitOK      = 0
	exitFatal   = 1
	exitUsage   = 2
	exitPartial = 3
)

// An outcome is an error whose exit code says it: its words have been printed already.
type outcome struct {
	code int
	text string
}

// Error implements error.
func (o *outcome) Error() string { return o.text }

// The outcomes of subcommands.
var (
	errUnread  = &outcome{exitPartial, "some cores could not be read"}
	errPartial = &outcome{exitPartial, "memory or files are missing"}
	errChanged = &outcome{exitFatal, "some cases have changed"}
)

// perform does what a subcommand is for, unless parsing its arguments has failed, until
// that is done or a signal comes. It returns the exit code.
func perform(parsed error, stderr *out.Terminal, do func(ctx context.Context) error) int {
	if parsed != nil {
		return misuse(parsed)
	}
	ctx, stop := untilSignal(stderr)
	defer stop()
	err := do(ctx)
	var said *outcome
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &said):
		return said.code
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "coredbg: interrupted")
	default:
		commands.WriteError(stderr, err)
	}
	return exitFatal
}

// misuse is the exit code after arguments that give nothing to do: help, or a mistake. Both have been printed.
func misuse(parsed error) int {
	if errors.Is(parsed, flag.ErrHelp) {
		return exitOK
	}
	return exitUsage
}
