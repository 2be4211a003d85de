package crash

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/runtimes"
	"coredbg/stack"
)

// sign names a bug of a kind, by the stack of the thread that died.
func (x *examination) sign(cause bugs.Cause) *bugs.Signature {
	if full := x.filling; cause == bugs.JSHeapLimit && full != nil && (!full.known || len(full.suspects) > 0) {
		return x.rules().SignFull(cause, full.suspects, x.program(), full.extent)
	}
	frames := x.shaped(x.ran())
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
	if trace := x.traceOf(cause); trace != nil {
		return x.rules().Sign(cause, trace)
	}
	if trace := x.rejection(cause); trace != nil {
		return x.rules().Sign(cause, trace)
	}
	if cause.Managed() && !slices.ContainsFunc(frames, func(f stack.Frame) bool { return stack.OfProgram(&f) }) {
		frames = x.thrown(frames)
	}
	if words := x.lastWords(cause, frames); len(words) > 0 {
		frames = words
	}
	return x.rules().SignProgram(cause, frames, x.program())
}

// lastWords returns frames for the part of a program's last words that names a bug where no function of the stack has a
// name that does: the innermost frame without a name is then a function that all panics, exceptions or assertions
// of the program end in. It is the panic's place, the exception's type or the assertion; nil if there is none.
func (x *examination) lastWords(cause bugs.Cause, frames []stack.Frame) []stack.Frame {
	if len(frames) == 0 || slices.ContainsFunc(frames, func(f stack.Frame) bool { return x.rules().Says(&f) }) {
		return nil
	}
	as := func(words ...string) (list []stack.Frame) {
		for _, w := range words {
			if w != "" {
				list = append(list, stack.Frame{Kind: runtimes.Native, Name: w})
			}
		}
		return list
	}
	for i := range x.causes {
		switch c := &x.causes[i]; {
		case cause == bugs.RustPanic && c.Kind == runtimes.RustPanic:
			return as(c.At)
		case cause == bugs.CXXException && c.Kind == runtimes.UncaughtCXX:
			return as(c.Type, thrower(frames))
		case cause == bugs.Assertion && c.Kind == runtimes.AbortMessage && !c.Garbled:
			return as(c.Message)
		}
	}
	return nil
}

// thrower returns the place of the innermost frame of a program without names that the libraries that throw are linked to
// dynamically: it is the one that threw. It is "" if not even they have names.
func thrower(frames []stack.Frame) string {
	if frames[0].Name == "" {
		return ""
	}
	library := frames[0].Module
	for i := range frames {
		f := &frames[i]
		if f.Name == "" && f.Module != "" && f.Module != library && !strings.Contains(core.BaseName(f.Module), ".so") {
			return fmt.Sprintf("%s+%#x", core.BaseName(f.Module), uint64(f.ModuleOffset))
		}
	}
	return ""
}

// maxModules is how many images are looked at for an interpreter.
const maxModules = 4096

// program returns the process as signatures need it: its name, command line and interpreter.
func (x *examination) program() *bugs.Program {
	p := &bugs.Program{Name: core.BaseName(x.p.Exe)}
	for _, m := range x.p.Modules[:min(len(x.p.Modules), maxModules)] {
		if p.Language = x.rules().Interpreter(m.Path); p.Language != "" {
			break
		}
	}
	if p.Name == "" {
		p.Name = x.p.Name
	}
	args, err := core.Argv(x.p)
	if err != nil || len(args) == 0 {
		args = strings.Fields(x.p.PSArgs)
	}
	p.Args = args
	return p
}

// traceOf returns the place where an uncaught Java exception was thrown. By then the thread's own stack
// shows only the handler, which is the same for every exception.
func (x *examination) traceOf(c bugs.Cause) []stack.Frame {
	var out []stack.Frame
	for i := 0; i < len(x.causes) && out == nil && (c == bugs.JavaUncaught || c == bugs.JavaOutOfMemory); i++ {
		out = traceFrames(x.causes[i].Trace)
	}
	return out
}

// rejection returns the async functions that a reason went through. They are nil for an error, whose
// own stack says where it was thrown.
func (x *examination) rejection(c bugs.Cause) []stack.Frame {
	for i := 0; i < len(x.causes) && c == bugs.JSUnhandledRejection; i++ {
		if t := x.causes[i].Trace; len(t) > 0 && strings.HasPrefix(x.causes[i].At, cmp.Or(t[0].Name, "<anonymous>")+" ("+t[0].File) {
			return traceFrames(t)
		}
	}
	return nil
}

func traceFrames(t []runtimes.SourceFrame) []stack.Frame {
	var out []stack.Frame
	for i := range t {
		out = append(out, stack.Frame{Kind: t[i].Kind, Name: t[i].Name, File: t[i].File, Line: t[i].Line})
	}
	return out
}

// thrown puts the place where an error was made in front of frames that do not belong to the program:
// the frames of a rejected promise, or of a timer, are gone.
func (x *examination) thrown(frames []stack.Frame) []stack.Frame {
	for i := range x.causes {
		name, file, ok := strings.Cut(strings.TrimSuffix(x.causes[i].At, ")"), " (")
		if !ok { // code outside of functions
			name, file = "", x.causes[i].At
		}
		f := stack.Frame{Kind: runtimes.JS, Name: name, File: strings.TrimRight(strings.TrimRight(file, "0123456789:"), ":")}
		if stack.OfProgram(&f) {
			return append([]stack.Frame{f}, frames...)
		}
	}
	return frames
}
