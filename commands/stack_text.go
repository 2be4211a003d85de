package commands

import (
	"fmt"
	"strconv"
	"strings"

	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// A StackForm says how a stack looks as text.
type StackForm struct {
	// Classic prints one symbol+offset a line and nothing else, as $c does;
	// Pointer puts the frame pointer in front, as $C does.
	Classic, Pointer bool
	// Javacore prints symbol+offset (pc [image+offset]).
	Javacore bool
	// Verbose adds a line of addresses to each frame.
	Verbose bool
	// Fold replaces long runs of recursion by a line that counts them.
	Fold bool
	// Bare leaves out the line that names the thread.
	Bare bool
}

// A FrameRecord is a frame of a stack that is printed alone.
type FrameRecord stack.Frame

func (f *FrameRecord) frame() *stack.Frame { return (*stack.Frame)(f) }

func (f *FrameRecord) managed() bool { return stack.Managed(f.frame()) }

// A ThreadRecord is a thread with its stack.
type ThreadRecord struct {
	*stack.Stack
	Form StackForm // how its text looks
}

// Addr returns the frame pointer of the frame, or its stack pointer.
func (f *FrameRecord) Addr() (core.Addr, bool) {
	if a := f.frame().Pointer(); a != 0 {
		return a, true
	}
	return f.SP, f.SP != 0
}

// Text writes the frame as a line of ::stack.
func (f *FrameRecord) Text(w *out.Writer) {
	w.CutNames(true)
	f.line(w, StackForm{}, 0)
}

// Label is the name column of ::stack.
func (f *FrameRecord) Label() string {
	switch {
	case f.Kind == runtimes.Signal:
		return "<signal handler called>"
	case f.Name == "" && f.Callback != "":
		return f.Callback
	case f.Name == "" && f.managed():
		return "<anonymous>"
	case f.Name == "" && f.Module != "":
		return baseName(f.Module) + "+" + f.ModuleOffset.String()
	case f.Name == "":
		return f.PC.String()
	case f.Async:
		return "async " + f.Name
	case f.HasOffset && !f.managed():
		return f.Name + "+" + hex(f.Offset)
	}
	return f.Name
}

// call is the label with the arguments.
func (f *FrameRecord) call() string {
	if f.Args == "" {
		return f.Label()
	}
	return f.Label() + " (" + f.Args + ")"
}

// Place is the column after it: the source position, else the image.
func (f *FrameRecord) Place() string {
	s := f.frame().Position()
	switch {
	case s == "" && f.Made:
		s = stack.MadeCode
	case s == "" && f.Module != "" && !f.managed():
		s = baseName(f.Module)
	case s == "" && f.Kind == runtimes.Java && f.Tier == "jni":
		s = "Native method"
	case s == "" && f.Kind == runtimes.API && f.Name != "":
		s = f.Callback
	}
	switch {
	case f.Tier != "":
		s += " [" + f.Tier + "]"
	case f.Kind == runtimes.Stub, f.Kind == runtimes.API:
		s += " [" + string(f.Kind) + "]"
	}
	if f.Inlined {
		s += " [inlined]"
	}
	if f.NoCall {
		s += " [no call]"
	}
	if f.Gap {
		s += " [gap]"
	}
	if note := f.frame().Caveat(); note != "" {
		s += " (" + note + ")"
	}
	return strings.TrimSpace(s)
}

func (f *FrameRecord) line(w *out.Writer, form StackForm, width int) {
	mark := f.Trust.Mark()
	if form.Javacore {
		f.javacore(w)
		return
	}
	if form.Classic {
		if form.Pointer {
			w.Paint(out.Addr, "%s", fullWidth(f.frame().Pointer(), f.Arch))
			w.Printf(" ")
			w.Paint(trustInk(mark), "%c", mark)
			w.Printf(" ")
		}
		s := f.frame().Symbolic()
		if f.managed() {
			s = f.Label()
		}
		w.Paint(f.ink(), "%s", s)
		if p := f.Place(); p != "" && (f.managed() || f.File != "" || f.Inlined || f.NoCall) {
			w.Printf(" at ")
			f.paintPlace(w, p)
		}
		w.Printf("\n")
		if form.Verbose {
			f.extra(w)
		}
		return
	}
	w.Printf("%5s ", "#"+strconv.Itoa(f.Index))
	w.Paint(trustInk(mark), "%c", mark)
	w.Printf(" ")
	if p := f.Place(); p != "" {
		w.Cell(f.ink(), width, f.call())
		w.Printf("  ")
		f.paintPlace(w, p)
	} else {
		w.Paint(f.ink(), "%s", f.call())
	}
	w.Printf("\n")
	if form.Verbose {
		w.Printf("        pc %v  sp %v  fp %v  found by %v\n", f.PC, f.SP, f.FP, f.Trust)
	}
	f.extra(w)
}

// extra writes the lines that were added to the frame.
func (f *FrameRecord) extra(w *out.Writer) {
	if f.Detail != nil {
		f.Detail(f.frame())
		f.Detail = nil
	}
	for _, l := range f.ExtraText {
		w.Printf("        ")
		w.Value(sym.Clean(l))
		w.Printf("\n")
	}
}

// Paint writes text, which shows the frame in some manner: the position in it is known from
// the name before it.
func (f *FrameRecord) Paint(w *out.Writer, text string) {
	w.CutNames(true)
	p := f.frame().Position()
	i := strings.LastIndex(text, p)
	if p == "" || i < 0 {
		w.Paint(f.ink(), "%s", text)
		return
	}
	name := strings.TrimRight(text[:i], " (")
	w.Paint(f.ink(), "%s", name)
	w.Printf("%s", text[len(name):i])
	w.Paint(out.Dim, "%s", p)
	w.Printf("%s", text[i+len(p):])
}

// paintPlace writes what place returned: a position, which may be cut, and words.
func (f *FrameRecord) paintPlace(w *out.Writer, place string) {
	p := f.frame().Position()
	rest, ok := strings.CutPrefix(place, p)
	if !ok {
		p, rest = "", place
	}
	w.Paint(out.Dim, "%s", p)
	w.Paint(out.Dim, "%s", rest)
}

// trustInk is the colour for the source of a frame: a frame that was read is quiet, a guess is not.
func trustInk(mark byte) out.Ink {
	switch mark {
	case '?': // scan
		return out.Error
	case 'p', 'f': // prologue, frame pointer
		return out.Addr
	}
	return out.Dim
}

// ink sets the program's own functions off from the machinery below them.
func (f *FrameRecord) ink() out.Ink {
	switch {
	case f.managed():
		return out.Symbol
	case f.Kind == runtimes.Stub:
		return out.Dim
	case f.Name != "":
		return out.Function
	}
	return out.Plain
}

// Addr returns the thread's id, or the address of the task that it stands for.
func (t *ThreadRecord) Addr() (core.Addr, bool) {
	if t.Thread.Task != nil {
		return t.Thread.Task.Addr, true
	}
	return core.Addr(t.Thread.TID), true
}

// Text writes the thread's stack.
func (t *ThreadRecord) Text(w *out.Writer) {
	w.CutNames(true)
	if !t.Form.Bare {
		w.Paint(out.Keyword, "%s", t.Title())
		w.Printf("\n")
	}
	writeFrames(w, t.Stack, t.Form)
	writeStop(w, t.Stop)
}

// Title names the thread, with the signal that hit it.
func (t *ThreadRecord) Title() string {
	s := t.Thread.String()
	if t.Name != "" {
		s += " (" + t.Name + ")"
	}
	if t.State != "" && t.State != "Native" {
		s += " " + t.State
	}
	switch {
	case t.Signal != "":
		s += ": " + t.Signal
	case t.Thread.Crashed:
		s += ": crashed"
	}
	return s
}

// writeStop writes why the walk ended where that is neither the thread's start
// nor the number of frames that was asked for.
func writeStop(w *out.Writer, e *walk.StopError) {
	if e == nil || e.Kind == walk.StopRoot || e.Kind == walk.StopLimit && e.At == 0 && e.Err == nil {
		return
	}
	s := string(e.Kind)
	if e.At != 0 {
		s += " at " + e.At.String()
	}
	if f := core.Fault(e.Err); f != nil {
		s += ", " + f.Gap.String()
		if f.Detail != "" {
			s += " (" + f.Detail + ")"
		}
	} else if e.Err != nil {
		s += ", " + e.Err.Error()
	}
	w.Paint(out.Error, "      (stopped: %s)", s)
	w.Printf("\n")
}

// nameWidth is how many columns a name may take before it pushes the rest.
const nameWidth = 44

func writeFrames(w *out.Writer, s *stack.Stack, form StackForm) {
	frames := s.Frames
	width, most := 0, nameWidth
	if columns := w.Columns(); columns > 0 {
		most = min(most, (columns-8)/2)
	}
	for i := range frames[:min(len(frames), 1000)] {
		if n := out.Width((*FrameRecord)(&frames[i]).call()); n <= most {
			width = max(width, n)
		}
	}
	line := func(f *stack.Frame) { (*FrameRecord)(f).line(w, form, width) }
	if !form.Fold {
		for f := range s.Every() {
			if line(f); w.Err() != nil {
				return
			}
		}
		return
	}
	fold := folder{line: line, more: func(n, period int) {
		w.Printf("      … %d more frames that repeat the %s above (-a shows all)\n", n, plural(period, "frame"))
	}}
	for f := range s.Every() {
		if fold.add(f); w.Err() != nil {
			return
		}
	}
	fold.end()
}

func plural(n int, what string) string {
	if n == 1 {
		return what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func hex(v uint64) string { return "0x" + strconv.FormatUint(v, 16) }

// fullWidth formats an address with all its digits, so that columns align.
func fullWidth(a core.Addr, arch *core.Arch) string {
	if arch != nil && arch.PtrSize == 4 {
		return fmt.Sprintf("%08x", uint64(a))
	}
	return fmt.Sprintf("%016x", uint64(a))
}

func baseName(path string) string { return core.BaseName(path) }
