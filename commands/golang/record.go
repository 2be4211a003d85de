package golang

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes/golang"
	"coredbg/stack"
)

// A creation is the go statement that made a goroutine.
type creation struct {
	*place
	Goroutine uint64 `json:"goroutine,omitempty"` // that ran it; absent before Go 1.21
}

// A goroutineRecord is a goroutine: a line of ::goroutines.
type goroutineRecord struct {
	_    out.Record `record:"goroutine" cols:"At label Status Reason waited thread where"`
	At   core.Addr  `json:"addr" col:"ADDR,12,right" dot:"always"` // of its g
	GoID uint64     `json:"id"`
	// idle, runnable, running, syscall, waiting, dead, copystack, preempted …
	Status string `json:"status" col:"STATE,9"`
	// the garbage collector is looking at its stack
	Scan bool `json:"scan,omitempty"`
	// in the runtime's own words
	Reason  string    `json:"wait_reason,omitempty" col:"REASON,14,wide=reasonWidth,zero=-"`
	Waits   float64   `json:"wait_seconds,omitempty"` // for how long at least
	Current bool      `json:"current,omitempty"`      // commands are about it
	TID     int       `json:"tid,omitempty"`          // of the thread that runs it
	Locked  int       `json:"locked_tid,omitempty"`   // of the thread that it is bound to
	LockedM core.Addr `json:"locked_m,omitzero"`
	M       core.Addr `json:"m,omitzero"`
	Low     core.Addr `json:"stack_low,omitzero"`
	High    core.Addr `json:"stack_high,omitzero"`
	System  bool      `json:"system,omitempty"` // the runtime's own
	Start   *place    `json:"start,omitempty"`  // the function that it began with
	// the innermost frame outside of the packages that goroutines wait in
	Where     *place          `json:"at,omitempty"`
	CreatedBy *creation       `json:"created_by,omitempty"`
	Panic     core.Addr       `json:"panic,omitzero"` // the innermost runtime._panic
	Labels    []golang.Label  `json:"labels,omitempty"`
	Frames    commands.Frames `json:"frames,omitzero"` // with -v
	Stop      string          `json:"stop,omitempty"`  // why the walk ended; see thread
	Problem   string          `json:"problem,omitempty"`

	label       string `col:"GOID,8,right"`
	waited      string `col:"FOR,7,right"`
	thread      string `col:"THREAD,8,right,zero=-"`
	where       string `col:"WHERE"`
	reasonWidth int

	g     *golang.Goroutine
	stack *stack.Stack // nil without a stack
	form  commands.StackForm
}

// newRecord returns the record of a goroutine with the stack that it has, if it has one.
func (z *gazetteer) newRecord(g *golang.Goroutine, st *stack.Stack) *goroutineRecord {
	r := &goroutineRecord{At: g.Addr, GoID: g.ID, Status: g.Status, Scan: g.Scan, Reason: g.Reason,
		Waits: g.Waited.Seconds(), M: g.M, LockedM: g.LockedM,
		Low: g.Low, High: g.High, Panic: g.Panic, Labels: g.Labels, System: z.system(g), Start: z.placeOf(g.Start),
		g: g, stack: st}
	if g.Thread != nil {
		r.TID = g.Thread.TID
	}
	if g.Locked != nil {
		r.Locked = g.Locked.TID
	}
	if g.Creator != 0 && g.ID != 1 { // the first was made by no go statement
		r.CreatedBy = &creation{z.placeOf(g.Creator - 1), g.Parent}
	}
	if t := g.Task(); t != nil && t == z.session.Thread {
		r.Current = true
	}
	if st != nil {
		if f := outside(st); f != nil {
			r.Where = framePlace(f)
		}
	}
	if g.Err != nil {
		r.Problem = g.Err.Error()
	}
	return r
}

// Prepare implements out.Preparer: "*" marks the current one.
func (r *goroutineRecord) Prepare() {
	if r.label = strconv.FormatUint(r.GoID, 10); r.Current {
		r.label = "*" + r.label
	}
	if r.waited = "-"; r.Waits > 0 {
		r.waited = duration(r.g.Waited)
	}
	if r.TID != 0 {
		r.thread = strconv.Itoa(r.TID)
	}
	switch {
	case r.Where != nil:
		r.where = r.Where.String()
	case r.Start != nil && !r.g.Dead():
		r.where = r.Start.String()
	}
}

// duration writes a time in at most six letters.
func duration(d time.Duration) string {
	switch {
	case d >= 100*time.Hour:
		return fmt.Sprintf("%dd%dh", d/(24*time.Hour), d/time.Hour%24)
	case d >= time.Hour:
		return fmt.Sprintf("%dh%dm", d/time.Hour, d/time.Minute%60)
	case d >= time.Minute:
		return fmt.Sprintf("%dm%ds", d/time.Minute, d/time.Second%60)
	case d >= time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return fmt.Sprintf("%dms", d.Milliseconds())
}

// Details says what is wrong with the goroutine.
func (r *goroutineRecord) Details(w *out.Writer) {
	if r.Problem != "" {
		w.Printf("             ")
		w.Paint(out.Error, "%s", sym.Clean(r.Problem))
		w.Printf("\n")
	}
}

// title is the line above a goroutine's stack, in the manner of Go's own traces.
func (r *goroutineRecord) title() string {
	words := []string{r.g.State()}
	if r.Waits > 0 {
		words = append(words, "for at least "+duration(r.g.Waited))
	}
	if r.TID != 0 {
		words = append(words, fmt.Sprintf("thread %d", r.TID))
	}
	switch {
	case r.Locked != 0:
		words = append(words, fmt.Sprintf("locked to thread %d", r.Locked))
	case r.LockedM != 0:
		words = append(words, "locked to a thread that is not in the core")
	}
	if r.System {
		words = append(words, "the runtime's own")
	}
	for _, l := range r.Labels {
		words = append(words, fmt.Sprintf("%q: %q", l.Key, l.Value))
	}
	return fmt.Sprintf("goroutine %d [%s]", r.GoID, sym.Clean(strings.Join(words, ", ")))
}

// writeStack writes the stack with the go statement that made the goroutine.
func (r *goroutineRecord) writeStack(w *out.Writer) {
	if r.stack != nil {
		form := r.form
		form.Bare = true
		(&commands.ThreadRecord{Stack: r.stack, Form: form}).Text(w)
	}
	r.Details(w)
	if c := r.CreatedBy; c != nil && c.place != nil {
		w.Printf("      created by %v", c.place)
		if c.Goroutine != 0 {
			w.Printf(" in goroutine %d", c.Goroutine)
		}
		w.Printf("\n")
	}
}

// A stackRecord is a goroutine with its stack.
type stackRecord struct{ of *goroutineRecord }

// withStack returns the record with its stack for programs as well.
func withStack(r *goroutineRecord, form commands.StackForm) *stackRecord {
	if r.form = form; r.stack != nil {
		r.Stop = stack.StopText(r.stack.Stop)
	}
	return &stackRecord{r}
}

// deep reports whether the goroutine has a stack with more frames than are kept.
func (r *goroutineRecord) deep() bool { return r.stack != nil && r.stack.Deep() }

// withoutFrames returns the record of a goroutine with an empty list of frames.
func (r *goroutineRecord) withoutFrames() *goroutineRecord {
	head := *r
	head.Frames = commands.Frames{}
	return &head
}

// withFrames returns the record with all frames of its stack.
func (r *goroutineRecord) withFrames() *goroutineRecord {
	if r.stack == nil || len(r.stack.Frames) == 0 {
		return r
	}
	all := *r
	all.Frames = commands.NewThreadJSON(r.stack).Frames
	return &all
}

// Addr returns the address of the g.
func (r *stackRecord) Addr() (core.Addr, bool) { return r.of.At, true }

// JSON implements out.Formed.
func (r *stackRecord) JSON() any { return r.of.withFrames() }

// Long implements out.Long for a stack that is deep.
func (r *stackRecord) Long() (head any, key string, list iter.Seq[any]) {
	if !r.of.deep() {
		return nil, "", nil
	}
	return r.of.withoutFrames(), "frames", commands.LongFrames(r.of.stack)
}

// Text writes the goroutine with its stack.
func (r *stackRecord) Text(w *out.Writer) {
	w.CutNames(true)
	w.Paint(out.Keyword, "%s", r.of.title())
	w.Printf("\n")
	r.of.writeStack(w)
}
