package android

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/art/sync"
	"coredbg/stack"
	"coredbg/walk"
)

var traceCommands = []commands.Command{{
	Name: "arttrace", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{{Letter: 'c', Long: "compat",
		Help: "compatible: as ART itself prints it, native frames before all frames of Java"}},
	Summary: "print all threads as /data/anr/traces would have had them",
	Detail: `Native and Java frames come in their true order, each once; so traces printed
inside a living process cannot have them. With -c they come in ART's own: native
frames only of threads in native code, before the frames of Java, and
more than three equal frames of Java in a row are counted. Tools that read such traces
read that.

Facts that only the kernel knows (schedstat, utm, nice, cgrp, the time) are not in a core
and left out. A lock is named by its object's hash code, as ART does, and by its
address if the object has no hash yet. Threads that are not attached to the runtime
come last.`,
	Example: "::arttrace -c ! tail -40",
	SeeAlso: []string{"javastack", "javathreads", "javamonitors", "tombstone"},
	Run:     runTrace,
}}

// traceHead is what comes before the threads.
type traceHead struct {
	_       out.Record `record:"arttrace"`
	PID     int        `json:"pid"`
	CmdLine string     `json:"cmdline,omitempty"`
	ABI     string     `json:"abi,omitempty"`
	Threads int        `json:"threads"`
}

// Text writes the lines before the threads.
func (r *traceHead) Text(w *out.Writer) {
	w.Printf("\n----- pid %d at (the core does not say) -----\n", r.PID)
	if r.CmdLine != "" {
		w.Printf("Cmd line: %s\n", sym.Clean(r.CmdLine))
	}
	if r.ABI != "" {
		w.Printf("ABI: '%s'\n", r.ABI)
	}
	w.Printf("\nDALVIK THREADS (%d):\n", r.Threads)
}

// traceEnd is the last line.
type traceEnd struct {
	_   out.Record `record:"arttrace_end" text:"----- end {pid} -----"`
	PID int        `json:"pid"`
}

// traceThread is a thread of a trace.
type traceThread struct {
	*stack.Stack
	thread     *frame.Thread // nil if it is not attached
	compatible bool
	ptr        int
	priority   string
	group      string
	hasGroup   bool
	handle     core.Addr
	// locks are the lines on locks after each frame, pcs the dex pcs of frames
	// without a line, where ART prints these; by the frame's index.
	locks map[int][]string
	pcs   map[int]uint32
	// proxies are the places that ART prints for methods of proxies.
	proxies map[int]string
}

func runTrace(ctx context.Context, c *commands.Call) error {
	a, ok := commands.RuntimeOf[*art.ART](c.Session)
	if !ok {
		return art.ErrNone
	}
	all, err := a.Threads()
	if err != nil {
		c.Warn("::arttrace: %w", err)
	}
	p := c.Session.Process
	head := &traceHead{PID: p.PID, CmdLine: cmdLine(p), ABI: p.Arch.Android, Threads: len(all)}
	if err := c.Emit(head); err != nil {
		return err
	}
	attached := map[*core.Thread]bool{}
	for _, t := range all {
		attached[t.Native] = true
		if err := emitTrace(ctx, c, a, t, t.Native); err != nil {
			return err
		}
	}
	for _, t := range p.Threads {
		if !attached[t] {
			if err := emitTrace(ctx, c, a, nil, t); err != nil {
				return err
			}
		}
	}
	return c.Emit(&traceEnd{PID: p.PID})
}

// cmdLine returns the command line as /proc/PID/cmdline has it, with blanks.
func cmdLine(p *core.Process) string {
	argv, _, err := core.StartVectors(p)
	var args []string
	for _, at := range argv {
		s, err := core.CString(p.Space, at, 4<<10)
		if err != nil {
			break
		}
		args = append(args, s)
	}
	if err != nil || len(args) == 0 {
		return strings.TrimSpace(p.PSArgs)
	}
	return strings.Join(args, " ")
}

func emitTrace(ctx context.Context, c *commands.Call, a *art.ART, t *frame.Thread, native *core.Thread) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := &traceThread{thread: t, compatible: c.Flag('c'), ptr: a.PtrSize, locks: map[int][]string{},
		pcs: map[int]uint32{}, proxies: map[int]string{}}
	if t != nil {
		r.describe(a)
	}
	if native == nil {
		r.Stack = &stack.Stack{Thread: &core.Thread{TID: t.TID, Name: t.Name}, Name: t.Name, State: t.State}
		return c.Emit(r)
	}
	last, index := (*frame.Activation)(nil), 0
	each := func(rec *stack.Frame, f *walk.Frame, src *runtimes.SourceFrame) {
		q, ok := f.Record.(*frame.Activation)
		if !ok || src == nil || src.Kind != runtimes.Java {
			return
		}
		var lines []string
		if last == nil && t != nil {
			lines = append(lines, waitLines(a, t)...)
		}
		if index++; q != last {
			last, index = q, 0
		}
		if q.Method.Proxy && q.Method.InterfaceFile != "" {
			r.proxies[rec.Index] = q.Method.InterfaceFile + ":-2"
		}
		if pc, known := dexPC(q, index); known && src.Line <= 0 && a.SDK() >= sdkPrintsPC {
			r.pcs[rec.Index] = pc
		}
		for _, h := range a.Locks(q, index, &f.Regs) {
			lines = append(lines, "- locked "+lockName(a, h))
		}
		if len(lines) > 0 {
			r.locks[rec.Index] = lines
			if b, err := out.Marshal(lines); err == nil {
				rec.Extra = append(rec.Extra, stack.Extra{Key: "locks", Value: b})
			}
		}
	}
	r.Stack = c.Session.Stacks.Thread(ctx, native, stack.Options{Each: each})
	return c.Emit(r)
}

// sdkPrintsPC is the first version known to print the dex pc of a method without
// lines in the place of the line.
const sdkPrintsPC = 34

// dexPC returns the dex pc of frame n of an activation.
func dexPC(q *frame.Activation, n int) (uint32, bool) {
	if n < len(q.Inlined) {
		return q.Inlined[n].DexPC, true
	}
	return q.DexPC, q.HasDexPC
}

// describe reads what is on the first lines of an attached thread.
func (r *traceThread) describe(a *art.ART) {
	r.priority = "?"
	if r.compatible {
		r.priority = "5" // the usual one; only a peer knows
	}
	if n, ok := a.Priority(r.thread); ok {
		r.priority = fmt.Sprint(n)
	}
	r.group, r.hasGroup = a.Group(r.thread)
	r.handle, _ = a.Handle(r.thread)
}

// waitLines says what a thread waits for, in ART's words (runtime/monitor.cc,
// runtime/thread.cc).
func waitLines(a *art.ART, t *frame.Thread) []string {
	x, ok := a.WaitOf(t)
	if (!ok || x.Kind == "park") && (t.State == "Waiting" || t.State == "TimedWaiting") {
		return []string{"- waiting on an unknown object"} // it is parked: no monitor
	}
	if !ok {
		return nil
	}
	what := map[string]string{"lock": "waiting to lock", "wait": "waiting on", "sleep": "sleeping on"}[x.Kind]
	if what == "" {
		return nil
	}
	line := "- " + what + " " + objectName(a, x.Object)
	if x.Kind == "lock" && x.Owner != nil {
		line += fmt.Sprintf(" held by thread %d", x.Owner.ID)
	}
	return []string{line}
}

// lockName names a held lock.
func lockName(a *art.ART, h sync.HeldLock) string {
	if h.Object == 0 {
		return "<unknown> (" + h.Missing + ")"
	}
	o, err := a.Object(h.Object)
	if err != nil {
		return fmt.Sprintf("<@addr=%v>", h.Object)
	}
	return objectName(a, o)
}

// objectName returns an object's name in ART's traces: by its hash code, or by its address if it has no hash
// code.
func objectName(a *art.ART, o object.Object) string {
	if m, err := a.Monitor(o.Addr); err == nil && m.Hash != 0 {
		return fmt.Sprintf("<0x%08x> (a %s)", m.Hash, a.TypeOf(o))
	}
	return fmt.Sprintf("<@addr=%v> (a %s)", o.Addr, a.TypeOf(o))
}
