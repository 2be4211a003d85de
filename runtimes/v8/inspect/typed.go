package inspect

import (
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// maxPrinted bounds the calls of console that one text may make.
const maxPrinted = 10_000

// A Printed is a call of a method of console: its values, as they were then.
type Printed struct {
	Method string // "log", "table" and the like
	Values []*Value
}

// An Evaluated is the result of an expression or of statements.
type Evaluated struct {
	Value *Value
	// Printed are the calls of console until the value was there. Later are the calls after it, as promises make them.
	Printed, Later []Printed
	// Omitted are the classes of the embedder whose C++ did not run for objects of them that were made.
	Omitted []string
}

// Evaluate evaluates an expression that the program does not have, or runs statements. The error says why it has no
// value: it throws, or the core lacks a part; what it printed before that is there. last, if it is not nil, is given
// the value for later.
func (r *Inspector) Evaluate(at eval.Place, n *syntax.Node, o InspectOptions, last func(v ecma.Value)) (*Evaluated,
	error) {
	if o.Depth < 0 || o.Depth > maxDepth {
		o.Depth = maxDepth
	}
	b, e := &tree{v: r, o: o, left: max(o.MaxValues, 1), steps: maxSteps}, &Evaluated{}
	decode := func(m *ecma.Machine, v ecma.Value, o InspectOptions) *Value {
		if t, ok := v.(ecma.Heap); ok && m.Changed(layout.Tagged(t)) == nil {
			return r.InspectSlot(object.Slot{Word: layout.Tagged(t)}, o)
		}
		inner := *b
		inner.o = o
		inner.machine, inner.typed, inner.left = m, true, max(o.MaxValues, 1)
		return inner.evaluated(m, v, 0)
	}
	print := func(m *ecma.Machine, method string, args []ecma.Value) {
		p := Printed{Method: method}
		o := o
		if method == "dir" && len(args) > 1 {
			o.Depth, args = depthOf(m, args[1], o.Depth), args[:1]
		}
		for _, v := range args {
			p.Values = append(p.Values, decode(m, v, o))
		}
		if e.Printed = append(e.Printed, p); len(e.Printed) > maxPrinted {
			m.Fail("it prints too much")
		}
	}
	done, before := false, 0
	_, err := r.engine.Typed(&host{r, &b.steps}, &b.steps, func(m *ecma.Machine) ecma.Value {
		m.OnPrint(func(method string, args []ecma.Value) { print(m, method, args) })
		m.OnRemark(at.Remark)
		v := eval.Evaluate(m, at, n)
		if e.Value = decode(m, v, o); last != nil {
			last(v)
		}
		done, before, e.Omitted = true, len(e.Printed), m.Omitted()
		m.RunJobs()
		return nil
	})
	if done { // what runs later has no value
		err = nil
		e.Printed, e.Later = e.Printed[:before], e.Printed[before:]
	}
	return e, err
}

// depthOf is the depth that options of console.dir ask for; otherwise, if they do not.
func depthOf(m *ecma.Machine, options ecma.Value, otherwise int) int {
	if !m.IsObject(options) {
		return otherwise
	}
	switch x := m.Get(options, ecma.Key{Name: "depth"}).(type) {
	case ecma.Null:
		return maxDepth
	case float64:
		if x >= 0 {
			return int(min(x, maxDepth))
		}
	}
	return otherwise
}
