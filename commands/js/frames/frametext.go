package frames

import (
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/runtimes"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/object"
	"coredbg/stack"
)

// frameHelp says, in help texts, how frames are shown.
const frameHelp = `A frame is printed as the program's own Error.stack would print it: function,
file, line and column. Inlined calls are frames of their own; callers that wait
for the running function to settle its promise follow with "async" in front.
A function of WebAssembly is followed by its index and its offset in the module.

Code that was made from other source (by TypeScript, webpack, esbuild, swc …) is shown at the place
and with the name in its source map, if the map is in the script, next to it, below -sysroot, in
a folder of -search or in what Node with --enable-source-maps or Deno keeps; -raw shows what runs, JSON
has both, and -v says which map it is. A frame of generated code without a map says so.

V8 keeps the names of variables that closures share, and no others. Those of one function alone
live in registers of the interpreter: -l shows one by its name where the function's source and its
bytecode prove which it is and that it is in scope there, else as r0, r1 …; registers after them are
what expressions need.
In optimised code some values cannot be known, and say why.
`

// linesAround returns the lines of source on each side of where a frame is shown to be.
func linesAround(v *v8.V8, r *stack.Frame, src *runtimes.SourceFrame, around int) []object.SourceLine {
	at := *src
	if g := src.Generated; g != nil && r.Generated == nil { // without source maps
		at.File, at.Line, at.Generated = g.File, g.Line, nil
	}
	return v.SourceLines(&at, at.Line-around, at.Line+around)
}

// writeFrame writes one frame with the lines of -v and -n.
func writeFrame(w *out.Writer, f *stack.Frame, pointer bool, lines []object.SourceLine) {
	if pointer {
		w.Printf("%016x ", uint64(f.Pointer()))
	}
	switch {
	case f.Kind == runtimes.Stub:
		w.Printf("internal: ")
		w.Paint(out.Dim, "%s [%s]", f.Name, f.Tier)
	case stack.Managed(f):
		w.Printf("%-7s ", string(f.Kind)+":")
		(*commands.FrameRecord)(f).Paint(w, title(f))
	default:
		w.Printf("native: ")
		(*commands.FrameRecord)(f).Paint(w, f.Symbolic())
	}
	w.Printf("\n")
	w.CutNames(false)
	for _, l := range f.ExtraText {
		w.Printf("          ")
		w.Value(l)
		w.Printf("\n")
	}
	for _, l := range lines {
		mark := " "
		if l.Number == f.Line {
			mark = ">"
		}
		w.Printf("        %s %5d  %s\n", mark, l.Number, l.Text)
	}
}

// title is a frame as Error.stack prints it, with a place for the name of an
// anonymous function and a word on inlined ones.
func title(f *stack.Frame) string {
	name := f.Name
	if name == "" {
		name = "<anonymous>"
	}
	if f.Async {
		name = "async " + name
	}
	if f.Callback != "" {
		name += " (" + f.Callback + ")"
	}
	if p := f.Position(); p != "" {
		name += " (" + p + ")"
	}
	if f.Inlined {
		name += " [inlined]"
	}
	if note := f.Caveat(); note != "" {
		name += " (" + note + ")"
	}
	return name
}
