package dap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"

	protocol "github.com/google/go-dap"

	"coredbg/cmd/coredbg/ask"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// launch opens the core that launch or attach names.
func (s *Server) launch(r *request) error {
	var args json.RawMessage
	switch m := r.message.(type) {
	case *protocol.LaunchRequest:
		args = m.Arguments
	case *protocol.AttachRequest:
		args = m.Arguments
	}
	l := &Launch{}
	if err := json.Unmarshal(args, l); err != nil {
		return fmt.Errorf("%s: its arguments: %w", r.name, err)
	}
	switch {
	case l.Core == "":
		return fmt.Errorf("%s: \"core\" names the core file", r.name)
	case s.core != nil:
		return errors.New("a core is open already")
	}
	session, err := s.o.Open(l)
	if err != nil {
		return err
	}
	s.core, s.tasks = ask.New("core", l.Core, session), l.Tasks
	return nil
}

// stopped tells the editor where the process is, which is where it died.
func (s *Server) stopped() error {
	if s.core == nil {
		return nil
	}
	body := &protocol.StoppedEventBody{Reason: "exception", AllThreadsStopped: true}
	err := s.core.Do(context.Background(), func(q *ask.Query) error {
		if t := crashed(q.Session().Process); t != nil {
			body.ThreadId = t.TID
		}
		if v := verdict(q); v != nil {
			body.Description, body.Text = v.Title, fmt.Sprintf("%s, %s", v.Cause, v.Confidence)
		}
		return nil
	})
	return errors.Join(err, s.event("stopped", body))
}

// crashed returns the thread that died, which comes first, or else the core's first thread. It returns nil if
// there is none.
func crashed(p *core.Process) *core.Thread {
	if len(p.Threads) == 0 {
		return nil
	}
	return p.Threads[0]
}

// A said is a verdict as its record says it.
type said struct {
	Cause, Title, Confidence, Signature string
	Evidence                            []string
}

// verdict asks why the process died; nil if it cannot be told.
func verdict(q *ask.Query) *said {
	var v *said
	q.Records("::analyze", func(r commands.Record) error {
		if b, err := out.Marshal(r); err == nil && v == nil {
			var x struct {
				Type string
				said
			}
			if json.Unmarshal(b, &x) == nil && x.Type == "verdict" {
				v = &x.said
			}
		}
		return nil
	})
	return v
}

func exceptionInfo(q *ask.Query, tid int) (*protocol.ExceptionInfoResponseBody, error) {
	v := verdict(q)
	if v == nil {
		return nil, errors.New("why the process died cannot be told")
	}
	body := &protocol.ExceptionInfoResponseBody{ExceptionId: v.Cause, Description: fmt.Sprintf("%s (%s)", v.Title,
		v.Confidence), BreakMode: "always",
		Details: &protocol.ExceptionDetails{Message: v.Title, TypeName: v.Cause}}
	if t := crashed(q.Session().Process); t != nil && t.TID != tid {
		body.Description += fmt.Sprintf("; in thread %d, not in this one", t.TID)
	}
	for _, e := range v.Evidence {
		body.Details.StackTrace += e + "\n"
	}
	return body, nil
}

// A cache holds the stacks that were walked last.
type cache struct {
	order []int
	of    map[int]*stack.Stack
}

// maxStacks is how many stacks are kept.
const maxStacks = 32

func newCache() *cache { return &cache{of: map[int]*stack.Stack{}} }

// stack returns the stack of a thread.
func (s *Server) stack(ctx context.Context, q *ask.Query, tid int) (*stack.Stack, error) {
	if st := s.stacks.of[tid]; st != nil {
		return st, nil
	}
	i, t := s.list(q).find(tid)
	if i < 0 {
		return nil, fmt.Errorf("there is no thread %d", tid)
	}
	st := q.Session().Stacks.Thread(ctx, t, stack.Options{})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	c := s.stacks
	c.of[tid] = st
	if c.order = append(c.order, tid); len(c.order) > maxStacks {
		delete(c.of, c.order[0])
		c.order = c.order[1:]
	}
	return st, nil
}

// frameBits are the low bits of a frame's id, which have its index in the stack plus 1. The others have its
// thread's index.
const frameBits = 24

func (s *Server) frameID(q *ask.Query, tid, index int) int {
	i, _ := s.list(q).find(tid)
	return i<<frameBits | index&(1<<frameBits-1) + 1
}

// frameOf returns the thread and the frame's index of an id.
func (s *Server) frameOf(q *ask.Query, id int) (t *core.Thread, index int, err error) {
	i, index := id>>frameBits, id&(1<<frameBits-1)-1
	if list := s.list(q); i >= 0 && i < len(list.all) && index >= 0 {
		st, err := s.stack(q.Context(), q, list.id(i))
		if err != nil {
			return nil, 0, err
		}
		if n := len(st.Frames); n > 0 && index <= st.Frames[n-1].Index {
			return list.all[i], index, nil
		}
	}
	return nil, 0, fmt.Errorf("there is no frame %d", id)
}

// maxLevels bounds the frames of one answer.
const maxLevels = 1000

func (s *Server) stackTrace(ctx context.Context, q *ask.Query,
	a *protocol.StackTraceArguments) (*protocol.StackTraceResponseBody, error) {
	st, err := s.stack(ctx, q, a.ThreadId)
	if err != nil {
		return nil, err
	}
	body := &protocol.StackTraceResponseBody{StackFrames: []protocol.StackFrame{}, TotalFrames: len(st.Frames)}
	from := min(max(a.StartFrame, 0), len(st.Frames))
	n := a.Levels
	if n <= 0 || n > maxLevels {
		n = maxLevels
	}
	for i := range st.Frames[from:min(from+n, len(st.Frames))] {
		f := &st.Frames[from+i]
		x := protocol.StackFrame{Id: s.frameID(q, a.ThreadId, f.Index), Name: out.Clean(frameName(f), false),
			Line: f.Line, Column: f.Column, PresentationHint: hint(f)}
		if f.PC != 0 && f.Kind != runtimes.JS {
			x.InstructionPointerReference = f.PC.String()
		}
		if f.Module != "" {
			x.ModuleId = out.Clean(f.Module, false)
		}
		if f.File != "" && !combines(f) {
			x.Source = s.sourceOf(q, st.Thread, f)
		}
		body.StackFrames = append(body.StackFrames, x)
	}
	return body, nil
}

// frameName is a frame as a list of calls has it.
func frameName(f *stack.Frame) string {
	name := f.Name
	if name == "" {
		name = f.Symbolic()
	}
	switch {
	case combines(f):
		name = fmt.Sprintf("await %s (%s)", name, f.File)
	case f.Async:
		name = "await " + name
	case f.Trust == walk.Scanned:
		name += " (likely)"
	}
	if f.Args != "" {
		name += "(" + f.Args + ")"
	}
	return name
}

// combines reports whether a frame is Promise.all or one of its kin, whose File is an index.
func combines(f *stack.Frame) bool { return f.Async && f.Line == 0 && f.Tier == "builtin" }

// hint says how an editor shows a frame.
func hint(f *stack.Frame) string {
	switch {
	case f.Kind == runtimes.Signal:
		return "label"
	case f.File == "" || f.Trust == walk.Scanned:
		return "subtle"
	}
	return ""
}

func modules(q *ask.Query, a *protocol.ModulesArguments) *protocol.ModulesResponseBody {
	all := q.Session().Process.Modules
	body := &protocol.ModulesResponseBody{Modules: []protocol.Module{}, TotalModules: len(all)}
	from := min(max(a.StartModule, 0), len(all))
	n := a.ModuleCount
	if n <= 0 || n > maxLevels {
		n = maxLevels
	}
	for _, m := range all[from:min(from+n, len(all))] {
		x := protocol.Module{Id: out.Clean(m.Path, false), Name: out.Clean(path.Base(m.Path), false),
			Path: out.Clean(m.Path, false), IsUserCode: m.Exe,
			AddressRange: fmt.Sprintf("%v-%v", m.Start, m.End)}
		facts := m.Facts()
		x.SymbolStatus = "the file is here"
		if facts.Image == nil {
			x.SymbolStatus = "the file is not here"
			if facts.Err != nil {
				x.SymbolStatus = out.Clean(facts.Err.Error(), false)
			}
		}
		if len(facts.BuildID) > 0 {
			x.Version = fmt.Sprintf("build-id %x", facts.BuildID)
		}
		body.Modules = append(body.Modules, x)
	}
	return body
}
