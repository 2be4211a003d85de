// Package js has the commands over V8: stacks, frames, strings, types, and how
// far the decoder can be trusted. They follow mdb_v8's in names and manner.
//
// Each command has a file of its own, or shares one with similar commands; the table alone (js.go) names all commands.
// Several commands share the packages below: target has the V8 and the heap of a call's session, names has what a name
// means, console evaluates expressions, realm has the realms of functions. frames has the commands over stacks.
//
//	print.go     the record of a value, and what a path leads to
//	complete.go  words to complete names with
package js

import (
	"coredbg/commands"
	"coredbg/commands/js/frames"
	"coredbg/commands/js/target"
)

// Commands returns the table of commands.
func Commands() []commands.Command {
	return append(frames.Commands(), []commands.Command{
		// values, and V8's own objects
		jsprintCommand, jsglobalCommand, jsconstructorCommand, jsarrayCommand, nodebufferCommand,
		jsfunctionCommand, jssourceCommand, jsclosureCommand, jscontextCommand, jserrorCommand,
		v8printCommand, v8arrayCommand, v8contextCommand, v8functionCommand, v8scopeinfoCommand,
		v8internalCommand, v8typesCommand, v8classesCommand, v8fieldCommand, v8frametypesCommand, v8warningsCommand,
		// the heap as a whole
		findjsobjectsCommand, jsfindrefsCommand, v8whatisCommand, v8spacesCommand, v8heapCommand, v8verifyCommand,
		// functions as code, and scripts
		v8bytecodeCommand, jsfunctionsCommand, jsscriptsCommand, v8codeCommand, v8loadCommand,
		// running code and its waits
		promisesCommand, asyncstackCommand, isolatesCommand, realmsCommand,
		v8typeCommand, v8strCommand, v8versionCommand,
	}...)
}

// Walkers returns the table of walkers.
func Walkers() []commands.Walker {
	return []commands.Walker{
		{Name: "jsobject", Module: target.Module, Addr: commands.AddrNone,
			Summary: "all objects of JavaScript", Walk: walkObjects},
		{Name: "isolate", Module: target.Module, Addr: commands.AddrNone,
			Summary: "the isolates of V8", Walk: walkIsolates},
		{Name: "jsfunction", Module: target.Module, Addr: commands.AddrNone,
			Summary: "all functions, as closures", Walk: walkFunctions},
		{Name: "jsscript", Module: target.Module, Addr: commands.AddrNone,
			Summary: "the scripts that V8 has compiled", Walk: walkScripts},
		promiseWalker,
		frames.Walker,
		{Name: "jselement", Module: target.Module, Addr: commands.AddrRequired,
			Summary: "the elements of a JavaScript array", Walk: walkElements},
		{Name: "jsprop", Module: target.Module, Addr: commands.AddrRequired,
			Summary: "the values of the properties of a JavaScript object", Walk: walkProperties},
	}
}
