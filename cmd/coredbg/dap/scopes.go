package dap

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	protocol "github.com/google/go-dap"

	"coredbg/cmd/coredbg/ask"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
)

// A node is something that the editor can open: a scope, or a value.
type node struct {
	thread *core.Thread
	frame  int
	scope  string // arguments, locals, registers; "" for a value
	value  *tree
	name   string // what evaluates to the value; "" if nothing does
	object string // address of the object that the value stands for; "" if value is there
}

// maxNodes bounds what the editor can have open.
const maxNodes = 1_000_000

// open remembers a node, and returns its reference; 0 if there are too many.
func (s *Server) open(n node) int {
	if len(s.nodes) >= maxNodes {
		return 0
	}
	s.nodes = append(s.nodes, n)
	return len(s.nodes)
}

func (s *Server) scopes(q *ask.Query, id int) (*protocol.ScopesResponseBody, error) {
	t, frame, err := s.frameOf(q, id)
	if err != nil {
		return nil, err
	}
	body := &protocol.ScopesResponseBody{Scopes: []protocol.Scope{}}
	for _, x := range []struct{ name, hint string }{{"Arguments", "arguments"}, {"Locals", "locals"},
		{"Registers", "registers"}} {
		if x.hint == "registers" && (frame > 0 || !registered(q, t)) {
			continue // of the innermost frame alone
		}
		body.Scopes = append(body.Scopes, protocol.Scope{Name: x.name, PresentationHint: x.hint,
			Expensive:          x.hint == "registers",
			VariablesReference: s.open(node{thread: t, frame: frame, scope: x.hint})})
	}
	return body, nil
}

// registered reports whether a thread has registers: a call that waits off the stack has none.
func registered(q *ask.Query, t *core.Thread) bool {
	a := q.Session().Process.Arch
	return a == nil || t.Regs.Has(a.PC)
}

// in has the lines of do run in a thread and a frame.
func in(q *ask.Query, t *core.Thread, frame int, do func() error) error {
	return q.Kept(func() error {
		q.Session().Thread = t
		q.Session().ChooseFrame(t, frame)
		return do()
	})
}

// maxVariables bounds the variables of an answer.
const maxVariables = 10_000

func (s *Server) variables(q *ask.Query, a *protocol.VariablesArguments) (*protocol.VariablesResponseBody, error) {
	i := a.VariablesReference
	if i < 1 || i > len(s.nodes) {
		return nil, fmt.Errorf("there is no value %d", i)
	}
	n := s.nodes[i-1]
	var list []protocol.Variable
	var err error
	switch {
	case n.scope == "registers":
		list, err = registers(q, n.thread)
	case n.scope != "":
		list, err = s.locals(q, &n)
	default:
		list, err = s.members(q, &n)
	}
	if err != nil {
		return nil, err
	}
	from := min(max(a.Start, 0), len(list))
	count := a.Count
	if count <= 0 || count > maxVariables {
		count = maxVariables
	}
	return &protocol.VariablesResponseBody{Variables: append([]protocol.Variable{},
		list[from:min(from+count, len(list))]...)}, nil
}

// registers returns the registers of a thread.
func registers(q *ask.Query, t *core.Thread) (list []protocol.Variable, err error) {
	err = in(q, t, 0, func() error {
		f := q.Records("::regs", func(r commands.Record) error {
			var x struct{ Regs map[string]string }
			b, err := out.Marshal(r)
			if err == nil && json.Unmarshal(b, &x) == nil {
				for _, name := range slices.Sorted(maps.Keys(x.Regs)) {
					list = append(list, protocol.Variable{Name: name, Value: x.Regs[name],
						MemoryReference: x.Regs[name]})
				}
			}
			return err
		})
		return failed(f)
	})
	return list, err
}

func failed(f *commands.Failure) error {
	if f == nil {
		return nil
	}
	return errors.New(f.Message)
}

// locals returns the variables of a frame that are in a scope.
func (s *Server) locals(q *ask.Query, n *node) (list []protocol.Variable, err error) {
	why := ""
	err = in(q, n.thread, n.frame, func() error {
		return failed(q.Records(fmt.Sprintf("::locals -d 4 -f 0t%d", n.frame), func(r commands.Record) error {
			if f, ok := r.(*commands.Failure); ok {
				why = f.Message
				return nil
			}
			b, err := out.Marshal(r)
			if err != nil {
				return err
			}
			var x struct {
				Type, Name, Kind, CType, Addr string
				Value                         json.RawMessage
			}
			if json.Unmarshal(b, &x) != nil || x.Type != "variable" || (x.Kind == "local") != (n.scope == "locals") {
				return nil
			}
			v, err := parse(x.Value)
			if err != nil {
				return err
			}
			list = append(list, s.variable(n, x.Name, x.CType, x.Addr, x.Name, v))
			return nil
		}))
	})
	if len(list) == 0 && n.scope == "locals" && why == "" && err != nil {
		why, err = err.Error(), nil
	}
	if len(list) == 0 && n.scope == "locals" && why != "" {
		list = append(list, protocol.Variable{Name: "…", Value: out.Clean(why, false)})
	}
	if n.scope == "arguments" {
		err = nil // the other scope says why
	}
	return list, err
}

// variable returns a value by a name, below a node.
func (s *Server) variable(of *node, name, kind, addr, evaluates string, v *tree) protocol.Variable {
	x := protocol.Variable{Name: out.Clean(name, false), Value: v.summary(), Type: out.Clean(kind, false),
		EvaluateName: evaluates, MemoryReference: addr}
	if x.MemoryReference == "" {
		x.MemoryReference = v.addr()
	}
	switch {
	case v.get("$") == "ref" && v.addr() != "":
		x.VariablesReference = s.open(node{thread: of.thread, frame: of.frame, name: evaluates, object: v.addr()})
	case v.opens():
		x.VariablesReference = s.open(node{thread: of.thread, frame: of.frame, value: v, name: evaluates})
		names, _ := v.members()
		if v.kind == '[' {
			x.IndexedVariables = len(names)
		} else {
			x.NamedVariables = len(names)
		}
	}
	return x
}

// printer returns the command that shows objects of the core's runtime; it fails if there is none.
func printer(q *ask.Query) (string, error) {
	lines := q.Session().Views(commands.Values)
	if len(lines) == 0 {
		return "", errors.New("the process runs no language whose objects are shown")
	}
	return lines[0], nil
}

// members returns the members of a value.
func (s *Server) members(q *ask.Query, n *node) (list []protocol.Variable, err error) {
	v := n.value
	if n.object != "" {
		command, err := printer(q)
		if err != nil {
			return nil, err
		}
		if v, err = one(q, n.object+command+" -d 2"); err != nil {
			return nil, err
		}
	}
	names, items := v.members()
	for i, x := range items {
		evaluates := ""
		switch {
		case n.name == "":
		case v.kind == '[':
			evaluates = fmt.Sprintf("%s[%d]", n.name, i)
		case identifier(names[i]):
			evaluates = n.name + "." + names[i]
		}
		list = append(list, s.variable(n, names[i], "", "", evaluates, x))
	}
	return list, nil
}

// identifier reports whether a name can follow a dot.
func identifier(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && r != '$' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// one returns the value of the first record of a line.
func one(q *ask.Query, line string) (v *tree, err error) {
	f := q.Records(line, func(r commands.Record) error {
		if v != nil {
			return nil
		}
		b, err := out.Marshal(r)
		if err != nil {
			return err
		}
		var x struct {
			Type    string
			Value   json.RawMessage
			Message string
		}
		if json.Unmarshal(b, &x) != nil {
			return nil
		}
		if x.Type == "warning" {
			return errors.New(x.Message)
		}
		if len(x.Value) > 0 {
			v, err = parse(x.Value)
		}
		return err
	})
	if v == nil && f == nil {
		return nil, errors.New("nothing is there")
	}
	if v == nil {
		return nil, failed(f)
	}
	return v, nil
}

// maxResult bounds the text of an evaluated line, in bytes.
const maxResult = 256 << 10

// evaluate runs a command line, or shows the value of a variable where the editor asks for one.
func (s *Server) evaluate(q *ask.Query, a *protocol.EvaluateArguments) (*protocol.EvaluateResponseBody, error) {
	t, frame := crashed(q.Session().Process), -1
	if a.FrameId != 0 {
		var err error
		if t, frame, err = s.frameOf(q, a.FrameId); err != nil {
			return nil, err
		}
	}
	if a.Context == "hover" || a.Context == "watch" || a.Context == "variables" || a.Context == "clipboard" {
		return s.value(q, t, frame, a.Expression)
	}
	var b strings.Builder
	run := func() error {
		q.Run("%s", a.Expression)
		return nil
	}
	var err error
	if frame >= 0 {
		err = in(q, t, frame, run)
	} else {
		err = run()
	}
	for _, e := range q.Entries {
		if b.Len()+len(e.Text) > maxResult {
			b.WriteString("… the answer goes on\n")
			break
		}
		b.WriteString(e.Text)
	}
	for _, n := range q.Notes {
		b.WriteString("coredbg: " + n + "\n")
	}
	if q.Failed != nil && b.Len() == 0 {
		return nil, failed(q.Failed)
	}
	if q.Failed != nil {
		b.WriteString("coredbg: " + out.Clean(q.Failed.Message, false) + "\n")
	}
	return &protocol.EvaluateResponseBody{Result: strings.TrimSuffix(b.String(), "\n")}, err
}

// value shows the value of a variable with its members.
func (s *Server) value(q *ask.Query, t *core.Thread, frame int,
	name string) (body *protocol.EvaluateResponseBody, err error) {
	if strings.ContainsAny(name, "|!;\n\r") || strings.TrimSpace(name) == "" {
		return nil, fmt.Errorf("%q is not the name of a variable with members", name)
	}
	tries := []string{"::print -d 4 " + name}
	if _, ok := commands.RuntimeOf[runtimes.Grapher](q.Session()); ok {
		tries = append(tries, "::jsprint -d 4 "+name)
	}
	get := func() error {
		var first error
		for _, line := range tries {
			v, e := one(q, line)
			if e == nil {
				x := s.variable(&node{thread: t, frame: frame}, name, "", "", name, v)
				body = &protocol.EvaluateResponseBody{Result: x.Value, VariablesReference: x.VariablesReference,
					NamedVariables:   x.NamedVariables,
					IndexedVariables: x.IndexedVariables, MemoryReference: x.MemoryReference}
				return nil
			}
			if first == nil {
				first = e
			}
		}
		return first
	}
	if frame >= 0 {
		return body, in(q, t, frame, get)
	}
	err = get()
	return body, err
}
