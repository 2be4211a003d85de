package java

import (
	"fmt"
	"strconv"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/java"
	"coredbg/stack"
)

// frameHelp says, in help texts, how frames are shown.
const frameHelp = `A frame is printed as ART's own traces print it: class, method, file and line.
Methods that the compiler put into others are frames of their own. The engine that runs a
method is behind it: interpreter (switch and mterp), nterp, jit, aot; jni is
a native method.

With -l variables have the names that the debug info of the dex file gives them;
registers without one are v0, v1 …, and their type is known only of references.
Compiled code keeps only values that are needed later, and values in floating
point registers are not recovered. On HotSpot names come from javac -g; arguments of other
classes are slot0, slot1 …, and values in registers are not recovered.
`

// writeFrame writes one frame with the parts that -v and -l add.
func writeFrame(w *out.Writer, f *stack.Frame, pointer bool) {
	w.Printf("  ")
	if pointer {
		a, _ := (*commands.FrameRecord)(f).Addr()
		w.Printf("%016x ", uint64(a))
	}
	if stack.Managed(f) {
		w.Printf("at ")
		(*commands.FrameRecord)(f).Paint(w, title(f))
	} else {
		w.Printf("native: ")
		(*commands.FrameRecord)(f).Paint(w, f.Symbolic())
	}
	w.Printf("\n")
	w.CutNames(false)
	for _, l := range f.ExtraText {
		w.Printf("        ")
		w.Value(l)
		w.Printf("\n")
	}
}

// title is a frame as ART prints it, with a word on inlined ones.
func title(f *stack.Frame) string {
	place := "Unknown Source"
	switch {
	case f.Tier == string(frame.JNI), f.Tier == "native":
		place = "Native method"
	case f.File != "" && f.Line > 0:
		place = f.File + ":" + strconv.Itoa(f.Line)
	case f.File != "":
		place = f.File
	}
	s := f.Name + "(" + place + ")"
	if f.Inlined {
		s += " [inlined]"
	}
	if f.Note != "" {
		s += " (" + f.Note + ")"
	}
	return s
}

// brief is an object on a line.
func brief(a *art.ART, o object.Object) string {
	v := a.Inspect(o.Addr, java.Options{Depth: -1, MaxItems: 4, MaxString: 60, MaxValues: 20})
	return v.Format(java.FormatOptions{OneLine: true})
}

// atLine is the place of a dex pc in the source.
func atLine(m *code.Method, pc uint32) string { return place(m.File, m.Line(pc)) }

func place(file string, line int) string {
	if line > 0 && file != "" {
		return fmt.Sprintf(" (%s:%d)", file, line)
	}
	return ""
}
