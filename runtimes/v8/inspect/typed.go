package inspect

import (
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// Evaluate evaluates an expression that the program does not have. The error says why it has no value: it
// throws, or the core lacks a part.
func (r *Inspector) Evaluate(at eval.Place, n *syntax.Node, o InspectOptions) (x *Value, err error) {
	if o.Depth < 0 || o.Depth > maxDepth {
		o.Depth = maxDepth
	}
	b := &tree{v: r, o: o, left: max(o.MaxValues, 1), steps: maxSteps}
	_, err = r.engine.Call(&host{r, &b.steps}, &b.steps, func(m *eval.Machine) eval.Value {
		v := m.Evaluate(at, n)
		if t, ok := v.(eval.Heap); ok && m.Changed(layout.Tagged(t)) == nil {
			x = r.InspectSlot(object.Slot{Word: layout.Tagged(t)}, o)
			return nil
		}
		inner := *b
		inner.machine, inner.typed = m, true
		x = inner.evaluated(m, v, 0)
		return nil
	})
	return x, err
}
