package java

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/object"
)

// exceptionRecord is a Throwable.
type exceptionRecord struct {
	x      *object.Throwable
	thread *frame.Thread // that is to throw it
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
		return c.Emit(&exceptionRecord{x: x})
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
			c.Warn("pending exception of %s: %w", named(t), err)
			continue
		}
		if err := c.Emit(&exceptionRecord{x, t}); err != nil {
			return err
		}
	}
	if err != nil {
		return c.Unknown("whether all pending exceptions were found is not known: %w", err)
	}
	return nil
}

// Addr returns the Throwable.
func (r *exceptionRecord) Addr() (core.Addr, bool) { return r.x.Object.Addr, true }

// Text writes it as printStackTrace does.
func (r *exceptionRecord) Text(w *out.Writer) {
	if r.thread != nil {
		w.Printf("pending in %s:\n", named(r.thread))
	}
	w.Paint(out.Addr, "%v", r.x.Object.Addr)
	w.Printf(": ")
	writeThrowable(w, r.x, "", "")
}

func writeThrowable(w *out.Writer, x *object.Throwable, indent, caption string) {
	w.Printf("%s%s", indent, caption)
	w.Paint(out.Symbol, "%s", x.Object.Class.Name)
	if x.HasMessage {
		w.Printf(": %s", x.Message)
	}
	w.Printf("\n")
	for _, e := range x.Trace {
		w.Printf("%s    at %s\n", indent, e.String())
	}
	if len(x.Trace) == 0 && x.Problem == "" {
		w.Printf("%s    (no stack trace)\n", indent)
	}
	if x.Problem != "" {
		w.Paint(out.Error, "%s    %s", indent, x.Problem)
		w.Printf("\n")
	}
	for _, s := range x.Suppressed {
		writeThrowable(w, s, indent+"    ", "Suppressed: ")
	}
	if x.Cause != nil {
		writeThrowable(w, x.Cause, indent, "Caused by: ")
	}
}

// throwableJSON is a Throwable in JSON.
type throwableJSON struct {
	Type       string           `json:"type,omitempty" record:"javaexception"` // absent of a cause
	Addr       core.Addr        `json:"addr"`
	Class      string           `json:"class"`
	Message    *string          `json:"message,omitempty"`
	Thread     *threadJSON      `json:"thread,omitempty"`
	Trace      []traceJSON      `json:"trace,omitempty"`
	Cause      *throwableJSON   `json:"cause,omitempty"`
	Suppressed []*throwableJSON `json:"suppressed,omitempty"`
	Problem    string           `json:"problem,omitempty"`
}

type traceJSON struct {
	Name   string    `json:"name"`
	File   string    `json:"file,omitempty"`
	Line   int       `json:"line,omitempty"`
	Native bool      `json:"native,omitempty"`
	Method core.Addr `json:"method,omitzero"`
}

func jsonOf(x *object.Throwable) *throwableJSON {
	j := &throwableJSON{Addr: core.Addr(x.Object.Addr), Class: x.Object.Class.Name, Problem: x.Problem}
	if x.HasMessage {
		j.Message = &x.Message
	}
	for _, e := range x.Trace {
		j.Trace = append(j.Trace, traceJSON{e.Method, e.File, e.Line, e.Native, core.Addr(e.Addr)})
	}
	if x.Cause != nil {
		j.Cause = jsonOf(x.Cause)
	}
	for _, s := range x.Suppressed {
		j.Suppressed = append(j.Suppressed, jsonOf(s))
	}
	return j
}

// MarshalJSON gives {"type":"javaexception",…}.
func (r *exceptionRecord) MarshalJSON() ([]byte, error) {
	j := jsonOf(r.x)
	j.Type = "javaexception"
	if r.thread != nil {
		j.Thread = &threadsJSON(r.thread)[0]
	}
	return out.Marshal(j)
}
