package java

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/java"
)

var exceptionCommands = []commands.Command{{
	Name: "javaexception", Module: module, Addr: commands.AddrOptional,
	Summary: "show a Throwable with its stack trace, or the exceptions of threads",
	Detail: `Shows the Throwable at the address as printStackTrace would, causes and suppressed
ones included. Without an address it shows the exception that ended the process,
as ::status names it, and the pending exception of each thread.`,
	EmptyText: "no exception ended the process, and no thread has a pending one",
	Example:   "::javasearch -i java.lang.Throwable | ::javaexception",
	SeeAlso:   []string{"javaprint", "javastack"},
	Run:       runException,
}}

// exceptionRecord is a Throwable.
type exceptionRecord struct {
	Type       string             `json:"type,omitempty" record:"javaexception"` // absent of a cause
	Addr       core.Addr          `json:"addr" dot:"always"`
	Class      string             `json:"class"`
	Message    *string            `json:"message,omitempty"`
	Thread     *threadRef         `json:"thread,omitempty"`   // that throws it
	Uncaught   bool               `json:"uncaught,omitempty"` // it ended the process
	Trace      []traceElement     `json:"trace,omitempty"`
	Cause      *exceptionRecord   `json:"cause,omitempty"`
	Suppressed []*exceptionRecord `json:"suppressed,omitempty"`
	Circular   bool               `json:"circular,omitempty"` // it was shown before
	Problem    string             `json:"problem,omitempty"`
}

// A traceElement is a line of a stack trace.
type traceElement struct {
	Name   string    `json:"name"`
	File   string    `json:"file,omitempty"`
	Line   int       `json:"line,omitempty"`
	Native bool      `json:"native,omitempty"`
	Method core.Addr `json:"method,omitzero"`
	text   string
}

// newException returns the record of a Throwable; t is the thread that throws it, if there is
// one.
func newException(x *java.Throwable, t *threadRef) *exceptionRecord {
	r := causeOf(x)
	r.Type, r.Thread = "javaexception", t
	return r
}

func causeOf(x *java.Throwable) *exceptionRecord {
	r := &exceptionRecord{Addr: x.Object.Addr, Class: x.Object.Class.Name, Problem: x.Problem, Circular: x.Circular}
	if x.HasMessage {
		r.Message = &x.Message
	}
	for _, e := range x.Trace {
		r.Trace = append(r.Trace, traceElement{e.Method, e.File, e.Line, e.Native, e.Addr, e.String()})
	}
	if x.Cause != nil {
		r.Cause = causeOf(x.Cause)
	}
	for _, s := range x.Suppressed {
		r.Suppressed = append(r.Suppressed, causeOf(s))
	}
	return r
}

func runException(ctx context.Context, c *commands.Call) error {
	m, err := objectsOf(c)
	if err != nil {
		return err
	}
	reader := java.Reader{Heap: m.JavaHeap()}
	if c.HasAddr {
		x, err := reader.Throwable(c.Dot)
		if err != nil {
			return err
		}
		return c.Emit(newException(x, nil))
	}
	pending, failed := m.PendingExceptions()
	uncaught, err := emitUncaught(ctx, c, m)
	if err != nil {
		return err
	}
	err = failed
	for _, p := range pending {
		if p.Exception == uncaught {
			continue
		}
		x, err := reader.Throwable(p.Exception)
		if err != nil {
			c.Warn("pending exception of %v: %w", refOf(p.Thread), err)
			continue
		}
		if err := c.Emit(newException(x, refOf(p.Thread))); err != nil {
			return err
		}
	}
	if err != nil {
		return c.Unknown("whether all pending exceptions were found is not known: %w", err)
	}
	return nil
}

// emitUncaught emits the exception that ended the process, if one did, and returns its address.
func emitUncaught(ctx context.Context, c *commands.Call, m java.Objects) (core.Addr, error) {
	for _, cause := range c.Session.Causes(ctx) {
		if cause.Kind != runtimes.UncaughtJava || cause.Addr == 0 {
			continue
		}
		x, err := java.Reader{Heap: m.JavaHeap()}.Throwable(cause.Addr)
		if err != nil {
			c.Warn("the exception that ended the process: %w", err)
			return 0, nil
		}
		r := newException(x, refOf(m.JavaThread(c.Session.Process.Thread(cause.TID))))
		r.Uncaught = true
		return cause.Addr, c.Emit(r)
	}
	return 0, nil
}

// Text writes it as printStackTrace does.
func (r *exceptionRecord) Text(w *out.Writer) {
	switch {
	case r.Uncaught && r.Thread != nil:
		w.Printf("uncaught in %v:\n", r.Thread)
	case r.Thread != nil:
		w.Printf("pending in %v:\n", r.Thread)
	}
	w.Paint(out.Addr, "%v", r.Addr)
	w.Printf(": ")
	r.write(w, "", "")
}

func (r *exceptionRecord) write(w *out.Writer, indent, caption string) {
	w.Printf("%s%s", indent, caption)
	if r.Circular {
		w.Printf("[circular reference: %s]\n", r.Class)
		return
	}
	w.Paint(out.Symbol, "%s", r.Class)
	if r.Message != nil {
		w.Printf(": %s", *r.Message)
	}
	w.Printf("\n")
	for _, e := range r.Trace {
		w.Printf("%s    at %s\n", indent, e.text)
	}
	if len(r.Trace) == 0 && r.Problem == "" {
		w.Printf("%s    (no stack trace)\n", indent)
	}
	if r.Problem != "" {
		w.Paint(out.Error, "%s    %s", indent, r.Problem)
		w.Printf("\n")
	}
	for _, s := range r.Suppressed {
		s.write(w, indent+"    ", "Suppressed: ")
	}
	if r.Cause != nil {
		r.Cause.write(w, indent, "Caused by: ")
	}
}
