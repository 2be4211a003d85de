package java

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/inspect"
	"coredbg/stack"
	"coredbg/walk"
)

const frameHelp = `A frame is printed as ART's own traces print it: class, method, file and line.
Methods that the compiler put into others are frames of their own. What runs a
method is behind it: interpreter (switch and mterp), nterp, jit, aot; jni is
a native method.

With -l variables have the names that the debug info of the dex file gives them;
registers without one are v0, v1 …, and their type is known only of references.
Of compiled code only what is still needed later is kept, and values in floating
point registers are not recovered.
`

var stackCommands = []commands.Command{javastackCommand, javaframeCommand}

var stackWalkers = []commands.Walker{
	{Name: "javathread", Module: module, Summary: "ids of the threads that are attached to the Android Runtime", Walk: walkThreads},
	{Name: "javaframe", Module: module, Addr: commands.AddrOptional, Summary: "addresses of a thread's Java frames, the current one's without a thread id", Walk: walkFrames},
}

var javastackCommand = commands.Command{
	Name: "javastack", Module: module, Addr: commands.AddrOptional,
	Options: []commands.Option{
		{Letter: 'a', Help: "show all frames, native ones too, with their frame pointers"},
		{Letter: 'l', Help: "show the local variables and registers of each frame"},
		{Letter: 'v', Help: "show the kind of code, the method, the dex pc and the place of each frame, and what it has locked"},
	},
	Args:    "[tid]",
	Summary: "show the Java stack of a thread",
	Detail: `The thread is that of the id, or of the address; without one it is the current
thread.

` + frameHelp + `
Native frames in between are counted in parentheses; -a shows them. In JSON only
the frames of Java are there, with -a all of them.`,
	Example: "::walk javathread | ::javastack -v",
	SeeAlso: []string{"javaframe", "javathreads", "stack", "$C"},
	Run:     runStack,
}

// stackRecord is the stack of a thread as ::javastack shows it.
type stackRecord struct {
	*stack.Stack // with all frames
	all          bool
	thread       *frame.Thread // nil if it is not attached
}

func runStack(ctx context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	t, err := threadNamed(c, a)
	if err != nil {
		return err
	}
	rec := &stackRecord{all: c.Has('a'), thread: a.Thread(t)}
	more := &detail{a: a, verbose: c.Has('v'), locals: c.Has('l'), thread: rec.thread}
	rec.Stack = c.Session.Stacks.Thread(ctx, t, stack.Options{ManagedOnly: !rec.all, Each: more.add})
	return c.Emit(rec)
}

// threadNamed is threadOf for a call that may name the thread by an argument,
// the kernel's id.
func threadNamed(c *commands.Call, a *art.ART) (*core.Thread, error) {
	if len(c.Args) == 0 {
		return threadOf(c, a)
	}
	n, err := c.Decimal(c.Args[0])
	if err != nil {
		return nil, err
	}
	if t := c.Session.Process.Thread(n); t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("no thread has the id %d", n)
}

// threadOf is Call.Thread for a dot that may also be the address of an
// art::Thread.
func threadOf(c *commands.Call, a *art.ART) (*core.Thread, error) {
	t, err := c.Thread()
	if err == nil {
		return t, nil
	}
	all, _ := a.Threads()
	for _, x := range all {
		if c.Given && x.Addr == c.Dot && x.Native != nil {
			return x.Native, nil
		}
	}
	return nil, err
}

// Addr returns the thread's id.
func (r *stackRecord) Addr() (core.Addr, bool) { return core.Addr(r.Thread.TID), true }

// JSON implements out.Formed.
func (r *stackRecord) JSON() any {
	if r.all {
		return commands.NewThreadJSON(r.Stack)
	}
	return commands.NewThreadJSON(r.ManagedOnly())
}

// Text writes the thread and its stack in the manner of ART's traces.
func (r *stackRecord) Text(w *out.Writer) {
	if t := r.thread; t != nil {
		w.Printf("%q tid=%d %s sysTid=%d\n", t.Name, t.ID, t.State, t.TID)
	} else {
		w.Printf("%q sysTid=%d not attached to the runtime\n", r.Thread.Name, r.Thread.TID)
	}
	native := 0
	elided := func() {
		if native > 0 {
			w.Printf("  (%s elided)\n", out.Count(native, "native frame"))
		}
		native = 0
	}
	for i := range r.Frames {
		f := &r.Frames[i]
		if !r.all && !stack.Managed(f) {
			native++
			continue
		}
		elided()
		writeFrame(w, f, r.all)
	}
	elided()
	if s := r.Stop; s != nil && s.Kind != walk.StopRoot {
		w.Printf("  (stopped: %v)\n", s)
	}
}

// writeFrame writes one frame with what -v and -l added to it.
func writeFrame(w *out.Writer, f *stack.Frame, pointer bool) {
	w.Printf("  ")
	if pointer {
		a, _ := (*commands.FrameRecord)(f).Addr()
		w.Printf("%016x ", uint64(a))
	}
	if stack.Managed(f) {
		w.Printf("at ")
		(*commands.FrameRecord)(f).Paint(w, title(f))
	} else {
		w.Printf("native: ")
		(*commands.FrameRecord)(f).Paint(w, f.Symbolic())
	}
	w.Printf("\n")
	w.CutNames(false)
	for _, l := range f.ExtraText {
		w.Printf("        ")
		w.Value(l)
		w.Printf("\n")
	}
}

// title is a frame as ART prints it, with a word on inlined ones.
func title(f *stack.Frame) string {
	place := "Unknown Source"
	switch {
	case f.Tier == string(frame.JNI):
		place = "Native method"
	case f.File != "" && f.Line > 0:
		place = f.File + ":" + strconv.Itoa(f.Line)
	case f.File != "":
		place = f.File
	}
	s := f.Name + "(" + place + ")"
	if f.Inlined {
		s += " [inlined]"
	}
	if f.Note != "" {
		s += " (" + f.Note + ")"
	}
	return s
}

// detail adds to frames what -v and -l ask for.
type detail struct {
	a               *art.ART
	verbose, locals bool
	thread          *frame.Thread // nil if it is not known

	last  *frame.Activation
	index int // of the frame among those of last
}

// shallow are the limits for values in frames: one level, few members.
var shallow = inspect.Options{Depth: 0, MaxItems: 20, MaxString: 200, MaxValues: 200}

// add adds to a frame of Java; the frames of an activation come one after the
// other.
func (d *detail) add(r *stack.Frame, f *walk.Frame, src *runtimes.SourceFrame) {
	q, ok := f.Record.(*frame.Activation)
	if !ok || src == nil || src.Kind != runtimes.Java {
		return
	}
	if d.last != q {
		d.last, d.index = q, 0
	} else {
		d.index++
	}
	if d.verbose {
		d.facts(r, q)
		d.locks(r, q, &f.Regs)
	}
	if d.locals {
		d.values(r, q, &f.Regs)
	}
}

// facts adds what the frame runs, and where.
func (d *detail) facts(r *stack.Frame, q *frame.Activation) {
	line := func(format string, args ...any) { r.ExtraText = append(r.ExtraText, fmt.Sprintf(format, args...)) }
	key := func(k string, v any) {
		if b, err := out.Marshal(v); err == nil {
			r.Extra = append(r.Extra, stack.Extra{Key: k, Value: b})
		}
	}
	m, pc, known := q.Method, q.DexPC, q.HasDexPC
	if d.index < len(q.Inlined) {
		m, pc, known = q.Inlined[d.index].Method, q.Inlined[d.index].DexPC, true
	}
	line("code:   %s", q.Kind)
	line("method: %v %s", m.Addr, m.Signature)
	if known && !m.Native() {
		line("dex pc: %#x", pc)
		key("dex_pc", pc)
	}
	if m.Dex != nil {
		line("dex:    %s, method %d", m.Dex.Location, m.Index)
	}
	line("frame:  %v", q.At)
	if m.Signature != "" {
		key("signature", m.Signature)
	}
	key("frame", q.At)
}

// values adds the variables and registers; as JSON they are one object, in
// order.
func (d *detail) values(r *stack.Frame, q *frame.Activation, regs *core.Regs) {
	object := []byte{'{'}
	for _, v := range d.a.VRegs(q, d.index, regs, shallow) {
		name := v.Name
		if name == "" {
			name = "v" + strconv.Itoa(v.Register)
		}
		text, value := vreg(&v)
		r.ExtraText = append(r.ExtraText, name+": "+text)
		key, err := out.Marshal(name)
		if err != nil {
			continue
		}
		if len(object) > 1 {
			object = append(object, ',')
		}
		object = append(append(append(object, key...), ':'), value...)
	}
	r.Extra = append(r.Extra, stack.Extra{Key: "locals", Value: append(object, '}')})
}

// vreg gives a register as text and as JSON. One that is not known is an object
// with the reason.
func vreg(v *inspect.VReg) (string, []byte) {
	if v.Value == nil {
		b, _ := out.Marshal(map[string]string{"$": "unknown", "why": v.Missing})
		return "(" + v.Missing + ")", b
	}
	text := v.Value.Format(inspect.FormatOptions{OneLine: true, Addresses: true, Width: 1 << 16})
	if v.Type == "" {
		text += fmt.Sprintf(" (%#x)", uint32(v.Value.Raw))
	}
	return strings.TrimRight(text, "\n"), v.Value.AppendJSON(nil)
}
