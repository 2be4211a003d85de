package java

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/object"
)

var exceptionCommands = []commands.Command{{
	Name: "javaexception", Module: module, Addr: commands.AddrOptional,
	Summary: "show a Throwable with its stack trace, or those that threads are to throw",
	Detail: `Shows the Throwable at the address as printStackTrace would, causes and suppressed
ones included. Without an address it shows the pending exception of each thread.`,
	Nothing: "no thread has a pending exception",
	Example: "::javasearch -i java.lang.Throwable | ::javaexception",
	SeeAlso: []string{"javaprint", "javastack"},
	Run:     runException,
}}

// exceptionRecord is a Throwable.
type exceptionRecord struct {
	Type       string             `json:"type,omitempty" record:"javaexception"` // absent of a cause
	Addr       core.Addr          `json:"addr" dot:"always"`
	Class      string             `json:"class"`
	Message    *string            `json:"message,omitempty"`
	Thread     *threadRef         `json:"thread,omitempty"` // that is to throw it
	Trace      []traceElement     `json:"trace,omitempty"`
	Cause      *exceptionRecord   `json:"cause,omitempty"`
	Suppressed []*exceptionRecord `json:"suppressed,omitempty"`
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

// newException returns the record of a Throwable; t is the thread that is to throw
// it, if there is one.
func newException(x *object.Throwable, t *frame.Thread) *exceptionRecord {
	r := causeOf(x)
	r.Type = "javaexception"
	if t != nil {
		r.Thread = refTo(t)
	}
	return r
}

func causeOf(x *object.Throwable) *exceptionRecord {
	r := &exceptionRecord{Addr: x.Object.Addr, Class: x.Object.Class.Name, Problem: x.Problem}
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

func runException(_ context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	if c.Given {
		x, err := a.Throwable(c.Dot)
		if err != nil {
			return err
		}
		return c.Emit(newException(x, nil))
	}
	threads, err := a.Threads()
	for _, t := range threads {
		at, failed := a.PendingException(t)
		if failed != nil && err == nil {
			err = failed
		}
		if at == 0 {
			continue
		}
		x, err := a.Throwable(at)
		if err != nil {
			c.Warn("pending exception of %v: %w", refTo(t), err)
			continue
		}
		if err := c.Emit(newException(x, t)); err != nil {
			return err
		}
	}
	if err != nil {
		return c.Unknown("whether all pending exceptions were found is not known: %w", err)
	}
	return nil
}

// Text writes it as printStackTrace does.
func (r *exceptionRecord) Text(w *out.Writer) {
	if r.Thread != nil {
		w.Printf("pending in %v:\n", r.Thread)
	}
	w.Paint(out.Addr, "%v", r.Addr)
	w.Printf(": ")
	r.write(w, "", "")
}

func (r *exceptionRecord) write(w *out.Writer, indent, caption string) {
	w.Printf("%s%s", indent, caption)
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
