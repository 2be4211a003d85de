package crash

import (
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/stack"
)

// sign names a bug of a kind, by the stack of the thread that died.
func (x *examination) sign(cause bugs.Cause) *bugs.Signature {
	if full := x.filling; cause == bugs.JSHeapLimit && full != nil && (!full.known || len(full.suspects) > 0) {
		return x.rules().SignFull(cause, full.suspects, programOf(x.p, x.rules()), full.extent)
	}
	frames := shaped(x.p, x.ran(), &x.threads, x.rules())
	switch cause {
	case bugs.Killed, bugs.Watchdog, bugs.Deadlock, bugs.JavaDeadlock, bugs.ANR:
		frames = waiting{x}.fromOwn(frames)
	}
	if x.signed != nil {
		return x.rules().Sign(cause, x.signed)
	}
	if c, ok := recursion(frames); ok && cause == bugs.StackOverflow {
		frames = c.frames
	}
	if trace := x.causes.trace(cause); trace != nil {
		return x.rules().Sign(cause, trace)
	}
	if trace := x.causes.rejection(cause); trace != nil {
		return x.rules().Sign(cause, trace)
	}
	if cause.Managed() && !slices.ContainsFunc(frames, func(f stack.Frame) bool { return stack.OfProgram(&f) }) {
		frames = x.causes.thrown(frames)
	}
	if words := x.causes.named(x.rules(), cause, frames); len(words) > 0 {
		frames = words
	}
	return x.rules().SignProgram(cause, frames, programOf(x.p, x.rules()))
}

// maxModules is how many images are looked at for an interpreter.
const maxModules = 4096

// programOf returns the process as signatures need it: its name, command line and interpreter.
func programOf(of *core.Process, rules *bugs.Rules) *bugs.Program {
	p := &bugs.Program{Name: core.BaseName(of.Exe)}
	for _, m := range of.Modules[:min(len(of.Modules), maxModules)] {
		if p.Language = rules.Interpreter(m.Path); p.Language != "" {
			break
		}
	}
	if p.Name == "" {
		p.Name = of.Name
	}
	args, err := core.Argv(of)
	if err != nil || len(args) == 0 {
		args = of.Args
	}
	if len(args) == 0 {
		args = strings.Fields(of.PSArgs)
	}
	p.Args = args
	return p
}
