package art

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"coredbg/core"
	"coredbg/runtimes/art/hprof"
	"coredbg/runtimes/art/object"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/java"
)

// Graph builds the graph of the Java heap, once. It implements runtimes.Grapher.
func (a *ART) Graph(ctx context.Context) (*graph.Graph, error) {
	return a.graph.Graph(ctx, func(context.Context) (graph.Source, error) {
		if a.Layout == nil {
			return nil, ErrNone
		}
		h, err := a.Heap()
		if err != nil {
			return nil, err
		}
		return h.Source(a.brief), nil
	})
}

// WriteHprof writes the Java heap as Android does. It implements runtimes.HprofWriter.
func (a *ART) WriteHprof(ctx context.Context, w io.Writer) error {
	g, err := a.Graph(ctx)
	if err != nil {
		return err
	}
	return hprof.Write(ctx, w, a.Walker, g)
}

// brief says what the object at an address is: `"text"`, "int[16]",
// "java.util.HashMap of 123", "class demo.Demo".
func (a *ART) brief(at core.Addr) string {
	o, err := a.Object(at)
	if err != nil {
		return "no object"
	}
	switch {
	case o.Class.Flags&object.FlagClass != 0:
		return "class " + a.ClassAt(o.Addr).Name
	case o.Class.Flags&object.FlagString != 0:
		s, _ := a.String(at, maxBrief)
		text := strconv.Quote(s.Value)
		if s.Cut() {
			text += "…"
		}
		return text
	case o.Class.IsArray():
		n, _ := a.ArrayLength(at)
		name := o.Class.Name
		return fmt.Sprintf("%s[%d]%s", baseOf(name), n, name[min(len(name), len(baseOf(name))+2):])
	}
	v := a.Inspect(at, java.Options{MaxString: maxBrief, MaxValues: 1})
	switch v.Kind {
	case java.ValueMap, java.ValueArray:
		return fmt.Sprintf("%s of %d", o.Class.Name, v.Length)
	case java.ValueEnum, java.ValueNumber:
		return o.Class.Name + " " + v.Format(java.FormatOptions{OneLine: true})
	}
	return o.Class.Name
}

// maxBrief is how many characters of a string are shown.
const maxBrief = 60

// baseOf returns the name of an array class without its brackets.
func baseOf(name string) string {
	for len(name) > 2 && name[len(name)-2:] == "[]" {
		name = name[:len(name)-2]
	}
	return name
}
