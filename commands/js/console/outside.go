package console

import (
	"context"
	"strings"

	"coredbg/commands"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/syntax"
)

// outside is the line for an expression over process that has no value though the core has it outside of the heap; ""
// for others.
func outside(ctx context.Context, s *commands.Session, v *v8.V8, list []*syntax.Node) string {
	line := processLine(list)
	if line == "" {
		return ""
	}
	if _, err := New(ctx, s, v).evaluate(list[0], glance); err == nil || unavailable(err) {
		return ""
	}
	return line
}

// processLine is the line that shows what a member of Node's process says, or a part of that, without the
// heap; "" for other expressions.
func processLine(list []*syntax.Node) string {
	if len(list) != 1 {
		return ""
	}
	n, below := list[0], ""
	for n.Kind == syntax.Call {
		n = n.A
	}
	for n.Kind == syntax.Member || n.Kind == syntax.Index {
		if n.Kind == syntax.Member && n.A.Kind == syntax.Identifier && n.A.Text == "process" {
			return processMembers(n.Text, below)
		}
		if below = ""; n.Kind == syntax.Member {
			below = n.Text
		}
		n = n.A
	}
	return ""
}

// processMembers is the line for a member of process. below names the member of it that is asked for, such as
// PATH of process.env.PATH; "" if the whole is.
func processMembers(name, below string) string {
	switch name {
	case "argv", "argv0", "execArgv":
		return "::argv"
	case "env":
		return strings.TrimSpace("::env " + below)
	case "pid", "platform", "arch", "execPath", "title":
		return "::status"
	case "version", "versions", "release":
		return "::v8version"
	}
	return ""
}
