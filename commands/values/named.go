package values

import (
	"context"
	"slices"

	"coredbg/commands"
	"coredbg/commands/values/program"
	"coredbg/commands/values/view"
	"coredbg/core/dwarf"
)

// named returns the value of a name: a variable of the current frame, or else one outside functions.
func named(ctx context.Context, s *commands.Session, name string) (dwarf.Value, error) {
	if v, ok := local(ctx, s, name); ok {
		return v, nil
	}
	v, err := program.Global(s, name)
	if err == nil || name == "this" {
		return v, err
	}
	if this, ok := local(ctx, s, "this"); ok {
		if x, e := (view.Step{Kind: '.', Name: name}).Take(s, this, 0); e == nil {
			return x, nil
		}
	}
	return v, err
}

// local returns a variable of the current frame: the innermost block's, if several have the name.
func local(ctx context.Context, s *commands.Session, name string) (dwarf.Value, bool) {
	if s.Thread == nil {
		return dwarf.Value{}, false
	}
	a, err := current(ctx, s, s.Thread)
	if err != nil || a.scope() == nil {
		return dwarf.Value{}, false
	}
	for _, v := range slices.Backward(a.scope().Vars) {
		if v.Name == name {
			return a.value(v), true
		}
	}
	return dwarf.Value{}, false
}
