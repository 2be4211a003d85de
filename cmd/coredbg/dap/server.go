// Package dap shows a core to an editor by the Debug Adapter Protocol: coredbg dap.
//
//	server.go   the connection: requests in order, cancelling, errors
//	core.go     opening a core; stacks, modules, why the process died
//	threads.go  threads, tasks that no thread runs, calls that wait
//	source.go   sources: files, and texts in the core
//	scopes.go   scopes and variables, lines that are typed
//	values.go   values as trees
//	memory.go   memory and instructions
//
// Upstream: Debug Adapter Protocol 1.65, by the types of github.com/google/go-dap.
//
// LIMITATIONS: nothing runs: requests to go on or to step are errors. Breakpoints are never
// verified. Functions that were given to then are not among the threads, as calls of async functions are.
package dap

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	protocol "github.com/google/go-dap"

	"coredbg/cmd/coredbg/ask"
	"coredbg/commands"
	"coredbg/commands/out"
)

// Launch are the arguments of launch and attach.
type Launch struct {
	Core    string   `json:"core"`
	Program string   `json:"program"` // the executable; "" takes the one that the core names
	Search  []string `json:"search"`
	Source  []string `json:"source"` // folders with source
	Sysroot string   `json:"sysroot"`
	Debug   []string `json:"debugDir"`
	// how many goroutines, waiting calls and the like are listed with the threads; 0 is maxTasks
	Tasks int `json:"tasks"`
}

// Options say what a server may do.
type Options struct {
	Open func(l *Launch) (*commands.Session, error)
}

// A Server is one conversation with an editor.
type Server struct {
	o   Options
	to  io.Writer
	seq int

	mu      sync.Mutex                 // of running
	running map[int]context.CancelFunc // by the seq of a request that waits or is answered
	core    *ask.Core                  // nil before launch
	listed  *threadList                // nil before it is asked for
	tasks   int                        // Launch.Tasks
	stacks  *cache                     // of threads
	nodes   []node                     // values that the editor may open; the index + 1 is its reference
	sources sources                    // that the editor may ask for
}

// New returns a server without a core.
func New(o Options) *Server {
	return &Server{o: o, running: map[int]context.CancelFunc{}, stacks: newCache()}
}

// maxWaiting is how many requests may wait.
const maxWaiting = 1024

// A request is a message with the context of its answer.
type request struct {
	ctx  context.Context
	stop context.CancelFunc
	seq  int
	name string
	page page
	message
}

type message = protocol.Message

// Serve answers requests in their order until the editor disconnects, closes the connection, or ctx ends.
func (s *Server) Serve(ctx context.Context, in io.Reader, to io.Writer) error {
	s.to = to
	defer func() {
		if s.core != nil {
			s.core.Close()
		}
	}()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	work, failed := make(chan *request, maxWaiting), make(chan error, 1)
	go func() {
		defer close(work)
		failed <- s.read(ctx, bufio.NewReader(in), work)
	}()
	for {
		select {
		case r, ok := <-work:
			if !ok {
				if err := <-failed; !errors.Is(err, io.EOF) {
					return err
				}
				return nil
			}
			if done, err := s.answer(r); err != nil || done {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// read reads requests until the connection ends. A request to cancel another one takes effect at once.
func (s *Server) read(ctx context.Context, in *bufio.Reader, work chan<- *request) error {
	for {
		b, err := protocol.ReadBaseMessage(in)
		if err != nil {
			return err
		}
		var head protocol.Request
		if err := json.Unmarshal(b, &head); err != nil || head.Type != "request" {
			continue // no request can be answered
		}
		r := &request{seq: head.Seq, name: head.Command}
		r.ctx, r.stop = context.WithCancel(ctx)
		r.message, err = protocol.DecodeProtocolMessage(b)
		if err != nil {
			r.message = nil // known by its head alone
		}
		if head.Command == "threads" {
			var x struct{ Arguments page }
			if json.Unmarshal(b, &x) == nil {
				r.page = x.Arguments
			}
		}
		if c, ok := r.message.(*protocol.CancelRequest); ok && c.Arguments != nil {
			s.cancel(c.Arguments.RequestId)
		}
		s.mu.Lock()
		s.running[r.seq] = r.stop
		s.mu.Unlock()
		select {
		case work <- r:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *Server) cancel(seq int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stop := s.running[seq]; stop != nil {
		stop()
	}
}

// answer answers a request. Done says that the conversation is over.
func (s *Server) answer(r *request) (done bool, err error) {
	defer func() {
		s.mu.Lock()
		delete(s.running, r.seq)
		s.mu.Unlock()
		r.stop()
	}()
	body, failed := s.handle(r)
	if r.ctx.Err() != nil {
		failed = errors.New("cancelled")
	}
	reply := &response{Response: protocol.Response{RequestSeq: r.seq, Success: failed == nil, Command: r.name},
		Body: body}
	if failed != nil {
		text := out.Clean(failed.Error(), true)
		reply.Message = text
		reply.Body = protocol.ErrorResponseBody{Error: &protocol.ErrorMessage{Id: 1, Format: "{text}",
			Variables: map[string]string{"text": text}, ShowUser: true}}
	}
	if err := s.send("response", reply); err != nil {
		return true, err
	}
	if failed == nil {
		err = s.after(r)
	}
	return r.name == "disconnect" || r.name == "terminate", err
}

// A response is a protocol.Response with any body.
type response struct {
	protocol.Response
	Body any `json:"body,omitempty"`
}

// An event is a protocol.Event with any body.
type event struct {
	protocol.Event
	Body any `json:"body,omitempty"`
}

// send numbers a message and writes it.
func (s *Server) send(kind string, m message) error {
	s.seq++
	switch m := m.(type) {
	case *response:
		m.Seq, m.Type = s.seq, kind
	case *event:
		m.Seq, m.Type = s.seq, kind
	}
	b, err := out.Marshal(m)
	if err != nil {
		return fmt.Errorf("a message has no JSON: %w", err)
	}
	return protocol.WriteBaseMessage(s.to, b)
}

func (s *Server) event(name string, body any) error {
	return s.send("event", &event{Event: protocol.Event{Event: name}, Body: body})
}

// GetSeq makes a response a protocol.Message.
func (r *response) GetSeq() int { return r.Seq }

// GetSeq makes an event a protocol.Message.
func (e *event) GetSeq() int { return e.Seq }

// errStill is the error of requests that would let the process run.
var errStill = errors.New("nothing runs in a core: the process is dead, and stays where it is")

// handle returns the body of a request's answer. A panic is an error of the request.
func (s *Server) handle(r *request) (body any, err error) {
	defer func() {
		if p := recover(); p != nil {
			body, err = nil, fmt.Errorf("internal error, please report: %v", p)
		}
	}()
	switch r.name {
	case "initialize":
		return capabilities(), nil
	case "launch", "attach":
		return nil, s.launch(r)
	case "setExceptionBreakpoints", "setFunctionBreakpoints", "configurationDone", "disconnect", "terminate", "cancel":
		return nil, nil
	case "setBreakpoints":
		return unverified(r), nil
	case "continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue", "pause", "goto", "restart",
		"setVariable", "setExpression", "writeMemory":
		return nil, errStill
	}
	if s.core == nil {
		return nil, fmt.Errorf("%s: no core is open: launch with \"core\" comes first", r.name)
	}
	return s.ask(r)
}

// ask answers the requests about an open core.
func (s *Server) ask(r *request) (body any, err error) {
	err = s.core.Do(r.ctx, func(q *ask.Query) (err error) {
		switch m := r.message.(type) {
		case *protocol.ThreadsRequest:
			body, err = s.threads(r.ctx, q, r.page)
		case *protocol.StackTraceRequest:
			body, err = s.stackTrace(r.ctx, q, &m.Arguments)
		case *protocol.ScopesRequest:
			body, err = s.scopes(q, m.Arguments.FrameId)
		case *protocol.VariablesRequest:
			body, err = s.variables(q, &m.Arguments)
		case *protocol.EvaluateRequest:
			body, err = s.evaluate(q, &m.Arguments)
		case *protocol.SourceRequest:
			body, err = s.source(q, m)
		case *protocol.ReadMemoryRequest:
			body, err = readMemory(q, &m.Arguments)
		case *protocol.DisassembleRequest:
			body, err = disassemble(q, &m.Arguments)
		case *protocol.ModulesRequest:
			body = modules(q, &m.Arguments)
		case *protocol.ExceptionInfoRequest:
			body, err = exceptionInfo(q, m.Arguments.ThreadId)
		default:
			err = fmt.Errorf("%s: the request is not known, or its arguments are wrong", r.name)
		}
		return err
	})
	return body, err
}

// after sends the events that follow an answer.
func (s *Server) after(r *request) error {
	switch r.name {
	case "launch", "attach":
		return s.event("initialized", nil)
	case "configurationDone":
		return s.stopped()
	case "disconnect", "terminate":
		return s.event("terminated", nil)
	}
	return nil
}

func capabilities() *protocol.Capabilities {
	return &protocol.Capabilities{SupportsConfigurationDoneRequest: true, SupportsEvaluateForHovers: true,
		SupportsModulesRequest:       true,
		SupportsExceptionInfoRequest: true, SupportsDelayedStackTraceLoading: true, SupportsReadMemoryRequest: true,
		SupportsDisassembleRequest: true, SupportsCancelRequest: true, SupportsTerminateRequest: true}
}

// unverified answers setBreakpoints: a breakpoint each, where nothing will stop.
func unverified(r *request) *protocol.SetBreakpointsResponseBody {
	body := &protocol.SetBreakpointsResponseBody{Breakpoints: []protocol.Breakpoint{}}
	if m, ok := r.message.(*protocol.SetBreakpointsRequest); ok {
		for _, b := range m.Arguments.Breakpoints {
			body.Breakpoints = append(body.Breakpoints, protocol.Breakpoint{Line: b.Line, Message: errStill.Error()})
		}
	}
	return body
}
