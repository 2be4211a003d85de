package values

import (
	"context"
	"encoding/json"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
	"coredbg/stack"
)

// Arguments returns what adds the arguments of native frames to a stack: a line of text each, and
// in JSON an object with their names as keys.
func Arguments(s *commands.Session) func(ctx context.Context, t *core.Thread, st *stack.Stack) {
	return func(ctx context.Context, t *core.Thread, st *stack.Stack) {
		all, _ := activations(ctx, s, t)
		byIndex := make(map[int]*activation, len(all))
		for _, a := range all {
			byIndex[a.Index] = a
		}
		for i := range st.Frames {
			f := &st.Frames[i]
			if a := byIndex[f.Index]; a != nil && a.scope != nil && a.PC == f.PC {
				addArguments(s, f, a)
			}
		}
	}
}

func addArguments(s *commands.Session, f *stack.Frame, a *activation) {
	w := newViewer(s)
	w.depth, w.limit = 2, 8
	var list []*node
	for _, v := range a.scope.Vars {
		if v.Kind != dwarf.Argument || v.Name == "" {
			continue
		}
		n := w.view(v.Name, v.Value(a.frame), 0)
		list = append(list, n)
		line := (textForm{}).flat(n, lineWidth)
		if line == "" {
			line = "{ … }" // too much for a line of a stack
		}
		f.ExtraText = append(f.ExtraText, sym.Clean(n.name)+" = "+line)
	}
	if len(list) == 0 {
		return
	}
	if text, err := json.Marshal(&node{kind: object, list: list}); err == nil {
		f.Extra = append(f.Extra, stack.Extra{Key: "arguments", Value: text})
	}
}
