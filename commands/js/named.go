package js

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/js/names"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/object"
)

// printNamed prints what a path means in the modules of the program, and reports whether it means anything.
func printNamed(ctx context.Context, c *commands.Call, v *v8.V8, text string,
	show func(label string, x object.Slot) error) (bool, error) {
	file, path := names.Split(text)
	words, err := object.Path(path)
	if err != nil || len(words) == 0 {
		return false, nil
	}
	list, err := names.InModules(ctx, v, file, words)
	if err == nil && len(list) == 0 && file != "" {
		err = c.Unknown("no module %s has a variable, an export, a function or a class called %s that is in the core",
			file, path)
	}
	if err != nil || len(list) == 0 {
		return false, err
	}
	for i := range list {
		label := ""
		if len(list) > 1 {
			label = list[i].Label()
		}
		if err := show(label, list[i].Slot); err != nil {
			return true, err
		}
	}
	return true, nil
}

// emitModules emits the variables of the program's modules; if names are wanted, only those.
func emitModules(ctx context.Context, c *commands.Call, v *v8.V8, wanted map[string]bool) error {
	any := false
	err := names.Variables(ctx, v, func(x names.Named, name string, scope *object.Context) error {
		if len(wanted) > 0 && !wanted[name] {
			return nil
		}
		any = true
		r := listed(v, x.Label(), x.Slot)
		r.context = core.Addr(scope.Word)
		return c.Emit(r)
	})
	if err != nil || any {
		return err
	}
	return c.Empty("no module of the program has a variable that its functions use")
}
