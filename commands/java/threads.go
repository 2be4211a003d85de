package java

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art/frame"
)

var threadCommands = []commands.Command{
	{
		Name: "javathreads", Module: module, Addr: commands.AddrNone,
		Views: []commands.View{{Language: runtimes.LanguageJava, Subject: commands.Threads}},
		Options: []commands.Option{
			{Letter: 'g', Help: "the stacks of virtual threads, equal ones once with how many threads have it, the most first"},
			{Letter: 'v', Help: "show also flags, stacks, and the art::Thread"},
		},
		Summary: "list the threads that are attached to the Android Runtime, or to a Java virtual machine",
		Detail: `ID is the runtime's own id, which monitors name their owners by; TID is the
kernel's. S is the suspend count; PEER the java.lang.Thread. A thread that the
core does not have is marked "-", the current one "*", a daemon "d". On HotSpot ID is
Thread.threadId, "vm" marks the virtual machine's own threads, and -v shows the virtual
machine's words for the state of each thread.

A virtual thread has a "v". It has the TID of its carrier, the thread that runs it; "virtual" says that
no thread runs it, and its stack is in the heap. It has the address of its java.lang.Thread,
which stands for it like a thread's id: ADDR::javastack, ::javathreads | ::javastack.`,
		Example: "::javathreads",
		SeeAlso: []string{"javastack", "threads", "managedstack"},
		Run:     runThreads,
	},
	{
		Name: "managedstack", Module: module, Addr: commands.AddrOptional, Args: "[tid]",
		Summary: "show the fragments of a thread's ManagedStack",
		Detail: `Each fragment is between an entry into managed code and an exit from it. The
first is in the art::Thread; it may be left over from the last exit while a thread
runs managed code.`,
		Example: "::managedstack",
		SeeAlso: []string{"javastack", "shadowframe", "quickframe"},
		Run:     runManagedStack,
	},
	{
		Name: "shadowframe", Module: module, Addr: commands.AddrRequired,
		Summary: "show the ShadowFrame at an address",
		Detail: `A ShadowFrame is what the interpreters of ART in C++ and mterp have for each call:
its method, the dex pc and the registers. ::javaframe shows frames of any kind.`,
		Example: "::walk javaframe | ::shadowframe",
		SeeAlso: []string{"javaframe", "managedstack"},
		Run:     runShadowFrame,
	},
	{
		Name: "quickframe", Module: module, Addr: commands.AddrRequired,
		Options: []commands.Option{{Letter: 'p', Arg: "pc", Help: "where the machine is in the frame"}},
		Summary: "show the quick frame at a stack address",
		Detail: `The address is the frame's lower end, where it holds its ArtMethod. Without
-p the pc is what a walk of the thread finds.`,
		Example: "::walk javaframe | ::quickframe",
		SeeAlso: []string{"javaframe", "managedstack"},
		Run:     runQuickFrame,
	},
}

// threadRecord is a line of ::javathreads.
type threadRecord struct {
	_            out.Record `record:"javathread" cols:"label TID Priority SuspendCount Peer Name State"`
	ID           int        `json:"id"`
	TID          int        `json:"tid" col:"TID,8,right" dot:"always"`
	Name         string     `json:"name" col:"NAME,24"`
	State        string     `json:"state" col:"STATE"`
	Daemon       bool       `json:"daemon,omitempty"`
	Priority     *int64     `json:"priority,omitempty" col:"PRI,3,zero=-"`
	SuspendCount int        `json:"suspend_count" col:"S,2,right"`
	Peer         core.Addr  `json:"peer,omitzero" col:"PEER,10,right"` // the java.lang.Thread
	Addr         core.Addr  `json:"addr"`                              // the art::Thread
	MonitorEnter core.Addr  `json:"waits_to_lock,omitzero"`
	StackBegin   core.Addr  `json:"stack_begin,omitzero"`
	StackSize    uint64     `json:"stack_size,omitempty"`
	Absent       bool       `json:"not_in_core,omitempty"` // the core has no such thread
	Problem      string     `json:"problem,omitempty"`
	label        string     `col:"ID,6,right"`
	thread       *frame.Thread
	current      bool
	verbose      bool
}

func newThreadRecord(t *frame.Thread) *threadRecord {
	return &threadRecord{ID: t.ID, TID: t.TID, Name: t.Name, State: t.State, Daemon: t.Daemon,
		SuspendCount: t.SuspendCount, Peer: t.Peer,
		Addr: t.Addr, MonitorEnter: t.MonitorEnter, StackBegin: t.StackBegin, StackSize: t.StackSize,
		Absent: t.Native == nil, Problem: t.Problem, thread: t}
}

// Prepare implements out.Preparer: "*" marks the current thread, "-" one that the
// core does not have, "d" a daemon.
func (r *threadRecord) Prepare() {
	r.label = fmt.Sprintf("%s%4d", marks(r.current, r.Absent, r.Daemon), r.ID)
}

// marks are what a line of ::javathreads begins with.
func marks(current, absent, daemon bool) string {
	mark := []byte("  ")
	switch {
	case current:
		mark[0] = '*'
	case absent:
		mark[0] = '-'
	}
	if daemon {
		mark[1] = 'd'
	}
	return string(mark)
}

// Details writes the parts that -v adds, and the problems of the thread.
func (r *threadRecord) Details(w *out.Writer) {
	if r.Problem != "" {
		w.Printf("         %s\n", r.Problem)
	}
	if r.verbose {
		w.Printf("         art::Thread %v, flags %#x, stack %v-%v (%d KB), guard below %v\n", r.Addr, r.thread.Flags,
			r.StackBegin, r.StackBegin+core.Addr(r.StackSize), r.StackSize>>10, r.thread.StackEnd)
		if r.MonitorEnter != 0 {
			w.Printf("         waits to lock %v\n", r.MonitorEnter)
		}
	}
}

func runThreads(ctx context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		if r, ok := commands.RuntimeOf[runtimes.JavaThreader](c.Session); ok {
			return runOtherThreads(ctx, c, r)
		}
		return commands.LacksJava(c.Session, errNoJava)
	}
	all, err := a.Threads()
	if err != nil {
		c.Warn("::javathreads: %w", err)
	}
	for _, t := range all {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r := newThreadRecord(t)
		r.verbose, r.current = c.Flag('v'), t.Native != nil && t.Native == c.Session.Thread
		if priority, ok := a.Priority(t); ok {
			r.Priority = &priority
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

var threadWalkers = []commands.Walker{
	{Name: "javathread", Module: module, Summary: "ids of the threads that are attached to the Android Runtime",
		Walk: walkThreads},
}

// walkThreads yields the ids of the attached threads that the core has.
func walkThreads(_ context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	a, err := artOf(c)
	if err != nil {
		if r, ok := commands.RuntimeOf[runtimes.JavaThreader](c.Session); ok {
			return walkOtherThreads(r, yield)
		}
		return commands.LacksJava(c.Session, errNoJava)
	}
	all, err := a.Threads()
	for _, t := range all {
		if t.Native != nil && !yield(core.Addr(t.TID)) {
			return nil
		}
	}
	return err
}

// fragmentRecord is a line of ::managedstack.
type fragmentRecord struct {
	_           out.Record `record:"managedstack" text:"{addr:%016x} {frames}{then}"`
	Addr        core.Addr  `json:"addr"`
	TID         int        `json:"tid"`
	QuickFrame  core.Addr  `json:"quick_frame,omitzero"`
	Tag         string     `json:"tag,omitempty"` // of the quick frame: generic jni, jit jni
	ShadowFrame core.Addr  `json:"shadow_frame,omitzero"`
	Link        core.Addr  `json:"link,omitzero"`
	frames      string
	then        string
	top         core.Addr `dot:"always"` // the top frame, or the fragment
}

func newFragment(f *frame.Fragment, tid int) *fragmentRecord {
	r := &fragmentRecord{Addr: f.Addr, TID: tid, QuickFrame: f.QuickFrame, Tag: tags(f),
		ShadowFrame: f.ShadowFrame, Link: f.Link}
	switch {
	case f.QuickFrame != 0:
		r.top, r.frames = f.QuickFrame, fmt.Sprintf("quick frames from %x", uint64(f.QuickFrame))
		if r.Tag != "" {
			r.frames += " [" + r.Tag + "]"
		}
	case f.ShadowFrame != 0:
		r.top, r.frames = f.ShadowFrame, fmt.Sprintf("shadow frames from %x", uint64(f.ShadowFrame))
	default:
		r.top, r.frames = f.Addr, "no frames"
	}
	if f.Link != 0 {
		r.then = fmt.Sprintf(", then %x", uint64(f.Link))
	}
	return r
}

// tags names the tags of a quick frame.
func tags(f *frame.Fragment) string {
	var t []string
	if f.GenericJNI {
		t = append(t, "generic jni")
	}
	if f.JITJNI {
		t = append(t, "jit jni")
	}
	return strings.Join(t, ", ")
}

func runManagedStack(_ context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	t, err := threadNamed(c, a)
	if err != nil {
		return err
	}
	x := a.Thread(t)
	if x == nil {
		if _, err := a.Threads(); err != nil {
			return c.Unknown("whether thread %d is attached to the runtime is not known: %w", t.TID, err)
		}
		return fmt.Errorf("thread %d is not attached to the runtime", t.TID)
	}
	fragments, err := a.Fragments(x)
	for _, f := range fragments {
		if err := c.Emit(newFragment(&f, t.TID)); err != nil {
			return err
		}
	}
	return err
}

// shadowRecord is a ShadowFrame.
type shadowRecord struct {
	_      out.Record `record:"shadowframe" text:"{addr:%016x} {name}{place}\n    link {link}, method {method}, dex pc {dex_pc:%#x}, {count}"`
	Addr   core.Addr  `json:"addr" dot:"always"`
	Link   core.Addr  `json:"link,omitzero"`
	Method core.Addr  `json:"method"` // the ArtMethod
	Name   string     `json:"name"`
	File   string     `json:"file,omitempty"`
	Line   int        `json:"line,omitempty"`
	DexPC  uint32     `json:"dex_pc"`
	VRegs  uint32     `json:"registers"`
	place  string
	count  string
}

func runShadowFrame(_ context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	f, err := a.ShadowFrame(c.Dot)
	if err != nil {
		return fmt.Errorf("::shadowframe: %w", err)
	}
	m := a.Method(f.Method)
	switch {
	case !m.Sound() || m.Runtime || m.Native():
		return fmt.Errorf("%v: no ShadowFrame: its method %v is none that is interpreted", c.Dot, f.Method)
	case m.Code != nil && int(f.VRegs) != m.Code.Registers, m.Code == nil && m.Dex.File != nil, f.Link != 0 &&
		f.Link <= c.Dot:
		return fmt.Errorf("%v: no ShadowFrame: it has %d registers, and %v as its method", c.Dot, f.VRegs, m)
	}
	return c.Emit(&shadowRecord{Addr: f.Addr, Link: f.Link, Method: f.Method, Name: m.String(), File: m.File,
		Line:  m.Line(f.DexPC),
		DexPC: f.DexPC, VRegs: f.VRegs, place: atLine(m, f.DexPC), count: out.Count(f.VRegs, "register")})
}

// quickRecord is a quick frame.
type quickRecord struct {
	_        out.Record `record:"quickframe" text:"{addr:%016x} {name} [{kind}]"`
	Addr     core.Addr  `json:"addr" dot:"always"` // its lower end
	Method   core.Addr  `json:"method"`            // the ArtMethod
	Name     string     `json:"name"`
	Kind     string     `json:"kind"`
	PC       core.Addr  `json:"pc,omitzero"`
	DexPC    *uint32    `json:"dex_pc,omitempty"`
	Inlined  []string   `json:"inlined,omitempty"`
	Size     uint64     `json:"size,omitempty"`
	ReturnPC core.Addr  `json:"return_pc,omitzero"`
	Note     string     `json:"note,omitempty"`
	frame    *frame.Activation
}

func newQuick(q *frame.Activation) *quickRecord {
	r := &quickRecord{Addr: q.At, Method: q.Method.Addr, Name: q.Method.String(), Kind: string(q.Kind), PC: q.PC,
		Size: q.Size, ReturnPC: q.ReturnPC, Note: q.Note, frame: q}
	if q.HasDexPC {
		r.DexPC = &q.DexPC
	}
	for _, in := range q.Inlined {
		r.Inlined = append(r.Inlined, in.Method.String())
	}
	return r
}

// Details writes the facts about the frame.
func (r *quickRecord) Details(w *out.Writer) {
	if r.PC != 0 {
		w.Printf("    pc %x\n", uint64(r.PC))
	}
	if r.DexPC != nil {
		w.Printf("    dex pc %#x%s\n", *r.DexPC, atLine(r.frame.Method, *r.DexPC))
	}
	for _, in := range r.frame.Inlined {
		w.Printf("    inlined: %v, dex pc %#x%s\n", in.Method, in.DexPC, atLine(in.Method, in.DexPC))
	}
	if r.Size != 0 {
		w.Printf("    frame of %s, returns to %x\n", out.Count(r.Size, "byte"), uint64(r.ReturnPC))
	}
	if r.Note != "" {
		w.Printf("    note: %s\n", r.Note)
	}
}

func runQuickFrame(ctx context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	var q *frame.Activation
	if pc, ok := c.Opt('p'); ok {
		v, err := c.Value(pc)
		if err != nil {
			return err
		}
		q, _ = a.QuickFrame(c.Dot, core.Addr(v))
	} else if q = frameAt(ctx, c, a); q == nil {
		q, _ = a.QuickFrame(c.Dot, 0)
	}
	if q == nil || q.Kind == frame.Interpreted {
		return fmt.Errorf("%v: no quick frame is there", c.Dot)
	}
	return c.Emit(newQuick(q))
}
