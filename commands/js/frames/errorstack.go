package frames

import (
	"strings"

	"coredbg/commands/out"
	"coredbg/runtimes"
	v8 "coredbg/runtimes/v8"
	"coredbg/stack"
)

// An errorStack is the stack of a thread as new Error().stack would have been there.
type errorStack struct {
	_     out.Record `record:"errorstack"`
	TID   int        `json:"tid"`
	Stack string     `json:"stack"` // from "Error" on, without a line end after the last frame
}

// Text writes it as the program would have.
func (r *errorStack) Text(w *out.Writer) { w.Printf("%s\n", r.Stack) }

// newErrorStack returns the text of a stack's frames, at most count of them; 0 for all. It is nil without a
// frame of JavaScript. Awaiting frames come last, and functions of the embedder are left out, as in V8
// (execution/isolate.cc: CaptureSimpleStackTrace, objects/call-site-info.cc: SerializeCallSiteInfo).
func newErrorStack(v *v8.V8, st *stack.Stack, count int) *errorStack {
	list := errorFrames(v, st)
	if count != 0 {
		list = list[:min(count, len(list))]
	}
	if len(list) == 0 {
		return nil
	}
	return &errorStack{TID: st.Thread.TID, Stack: "Error\n    at " + strings.Join(list, "\n    at ")}
}

// ErrorLines are a stack's frames as Error.stack has them, without "at".
func ErrorLines(v *v8.V8, st *stack.Stack) []string {
	if !v.Image.OfDeno() && !v.KeepsMaps() {
		running(st)
	}
	return errorFrames(v, st)
}

func errorFrames(v *v8.V8, st *stack.Stack) (list []string) {
	for _, async := range []bool{false, true} {
		for i := range st.Frames {
			f := &st.Frames[i]
			if f.Async == async && (f.Kind == runtimes.JS || f.Kind == runtimes.Wasm) {
				list = append(list, errorLine(v, f))
			}
		}
	}
	return list
}

// running gives the frames of a stack the names and places of the running code, which a program's own stacks
// have without --enable-source-maps. A loader that compiles a file in memory, such as tsx or ts-node, keeps
// the file's name for its output, and maps places itself: there the place of the source remains, as the file
// has no such line.
func running(st *stack.Stack) {
	for i := range st.Frames {
		f := &st.Frames[i]
		g := f.Generated
		if g == nil {
			continue
		}
		f.Name = g.Name
		if g.File != f.File {
			f.File, f.Line, f.Column = g.File, g.Line, g.Column
		}
	}
}

// errorLine returns a frame as Error.stack has it, after "at".
func errorLine(v *v8.V8, f *stack.Frame) string {
	name, place := f.Name, f.Position()
	if f.Kind == runtimes.Wasm {
		// "wasm-function[INDEX]:0xOFFSET", in V8 8 after the script's name, which is empty, and since 9 after
		// its source URL (8.6: objects/stack-frame-info.cc, SerializeWasmStackFrame).
		place = f.Note
		switch {
		case strings.Contains(f.File, "://") && v.Layout.ErrorStack.WasmURL == 0:
			place = "<anonymous>:" + place
		case strings.Contains(f.File, "://"):
			place = f.File + ":" + place
		}
		if strings.HasPrefix(name, "wasm-function[") {
			name = ""
		}
	}
	if name != "" {
		place = name + " (" + place + ")"
	}
	if f.Async {
		return "async " + place
	}
	return place
}
