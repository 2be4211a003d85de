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

// lastWords are the causes that libraries and runtimes wrote down before the process ended.
type lastWords []runtimes.Cause

// except returns all causes except one, as evidence.
func (w lastWords) except(but int) []string {
	var out []string
	for i := range w {
		if i != but {
			out = append(out, w[i].String())
		}
	}
	return out
}

// named returns frames that name a bug by the last words: the place of a panic, the type of an exception with
// its thrower, or the text of an assertion. It returns nil if there are none, or if a function on the stack
// names the bug. In a program without names the innermost frame says little: all of its panics, exceptions or
// assertions end there.
func (w lastWords) named(rules *bugs.Rules, cause bugs.Cause, frames []stack.Frame) []stack.Frame {
	if len(frames) == 0 || slices.ContainsFunc(frames, func(f stack.Frame) bool { return rules.Says(&f) }) {
		return nil
	}
	as := func(words ...string) (list []stack.Frame) {
		for _, name := range words {
			if name != "" {
				list = append(list, stack.Frame{Kind: runtimes.Native, Name: name})
			}
		}
		return list
	}
	for i := range w {
		switch c := &w[i]; {
		case cause == bugs.RustPanic && c.Kind == runtimes.RustPanic:
			return as(c.At)
		case cause == bugs.CXXException && c.Kind == runtimes.UncaughtCXX:
			return as(c.Type, thrower(frames))
		case cause == bugs.DException && c.Kind == runtimes.UncaughtD:
			return as(c.Type, cmp.Or(c.At, thrower(frames)))
		case cause == bugs.Assertion && c.Kind == runtimes.AbortMessage && !c.Garbled:
			return as(c.Message)
		}
	}
	return nil
}

// thrower returns the place of the function that threw in a program without names: the innermost frame
// outside of shared libraries. It returns "" if the libraries have no names either, as in a static program:
// the innermost frame is theirs.
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

// trace returns the place where an uncaught Java exception was thrown. By then the thread's own stack
// shows only the handler, which is the same for every exception.
func (w lastWords) trace(c bugs.Cause) []stack.Frame {
	var out []stack.Frame
	for i := 0; i < len(w) && out == nil && (c == bugs.JavaUncaught || c == bugs.JavaOutOfMemory); i++ {
		out = traceFrames(w[i].Trace)
		if names := w[i].Names; len(names) > 0 {
			out = traceFrames(names)
		}
	}
	return out
}

// rejection returns the async functions that a reason went through. They are nil for an error, whose
// own stack says where it was thrown.
func (w lastWords) rejection(c bugs.Cause) []stack.Frame {
	for i := 0; i < len(w) && c == bugs.JSUnhandledRejection; i++ {
		if t := w[i].Trace; len(t) > 0 && strings.HasPrefix(w[i].At, cmp.Or(t[0].Name, "<anonymous>")+" ("+t[0].File) {
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
func (w lastWords) thrown(frames []stack.Frame) []stack.Frame {
	for i := range w {
		name, file, ok := strings.Cut(strings.TrimSuffix(w[i].At, ")"), " (")
		if !ok { // code outside of functions
			name, file = "", w[i].At
		}
		f := stack.Frame{Kind: runtimes.JS, Name: name,
			File: strings.TrimRight(strings.TrimRight(file, "0123456789:"), ":")}
		if stack.OfProgram(&f) {
			return append([]stack.Frame{f}, frames...)
		}
	}
	return frames
}
