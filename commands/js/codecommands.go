package js

import (
	"context"

	"coredbg/commands"
	"coredbg/core"
)

// codeCommands are the commands over functions as code: bytecode, machine
// code, and scripts.
func codeCommands() []commands.Command {
	return []commands.Command{v8bytecodeCommand, jsfunctionsCommand, jsscriptsCommand, v8codeCommand, v8loadCommand}
}

// codeWalkers are the walkers over functions and scripts.
func codeWalkers() []commands.Walker {
	return []commands.Walker{
		{Name: "jsfunction", Module: module, Addr: commands.AddrNone, Summary: "all functions, as closures", Walk: walkFunctions},
		{Name: "jsscript", Module: module, Addr: commands.AddrNone, Summary: "the scripts that V8 has compiled", Walk: walkScripts},
	}
}

func walkFunctions(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	_, h, err := heapOf(ctx, c)
	if err != nil {
		return err
	}
	list, err := h.Functions(ctx)
	for i := range list {
		for _, a := range list[i].Closures {
			if !yield(a) {
				return nil
			}
		}
	}
	return err
}

func walkScripts(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	_, h, err := heapOf(ctx, c)
	if err != nil {
		return err
	}
	list, err := h.Scripts(ctx)
	for i := range list {
		if !yield(core.Addr(list[i].Word)) {
			return nil
		}
	}
	return err
}
