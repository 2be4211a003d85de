package v8

import (
	"context"
	"fmt"
	"io"

	"coredbg/core"
	"coredbg/core/find"
	"coredbg/runtimes"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/embedder"
	"coredbg/runtimes/v8/fit"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/original"
	"coredbg/runtimes/v8/source"
	"coredbg/runtimes/v8/text"
	"coredbg/walk"
)

// V8 decodes the isolates of one process. It is safe for concurrent use. Its methods are in its rooms, each
// built on the earlier ones.
type V8 struct {
	*layout.Memory
	Objects *object.Reader
	Heaps   *heap.Walker
	Frames  *frame.Decoder
	Values  *inspect.Inspector
	*original.Maps

	suspender

	fitted    *fit.Candidate
	text      *source.Reader
	embedders []embedder.Embedder // what embeds V8; see EmbedderOf
}

// Probe finds V8 in a process: in the executable, or in a library. It returns a *fit.Undecoded if V8 is there and
// cannot be decoded, and nil, nil if it is not there. The V8 keeps the embedders whose probe accepts the program.
func Probe(ctx context.Context, t runtimes.Target, embedders ...embedder.Probe) (runtimes.Runtime, error) {
	fitted, undecoded, err := fit.Probe(ctx, t)
	switch {
	case fitted != nil:
		return newV8(fitted, t.Files, embedders...), err
	case undecoded != nil:
		return undecoded, err
	}
	return nil, err
}

func newV8(fitted *fit.Candidate, files find.Finder, embedders ...embedder.Probe) *V8 {
	v := &V8{Memory: fitted.Memory, fitted: fitted}
	up := above{v}
	v.Objects = object.New(v.Memory, up)
	v.Heaps = heap.New(v.Objects, up)
	v.Maps = original.New(v.Objects, v.Heaps, files, v.keptMaps)
	v.text = source.New(v.Objects)
	v.Frames = frame.New(v.Objects, v.text, v.Heaps, up)
	v.suspender = suspender{v.Frames}
	if len(embedders) > 0 {
		program := &embedder.Program{Name: v.Embedder(), Objects: v.Objects, Heaps: v.Heaps, Frames: v.Frames}
		v.embedders = embedder.Find(program, embedders)
	}
	functions, _ := EmbedderOf[embedder.Functions](v)
	v.Values = inspect.New(v.Objects, functions)
	return v
}

// SelfTest tries the layout on functions of this core, once.
func (v *V8) SelfTest() fit.SelfTest { return v.fitted.SelfTest() }

// Doubt returns an error if functions of this core do not decode with the layout.
func (v *V8) Doubt() error { return v.fitted.Doubt() }

// DoubtValues returns an error if properties of objects do not decode with the layout, or types that each realm
// has objects of are not known.
func (v *V8) DoubtValues() error { return v.fitted.DoubtValues() }

// above answers the questions of V8's rooms about the rooms above them: object.Above, heap.Frames and frame.Maps.
type above struct{ v *V8 }

// Heaps implements object.Above.
func (a above) Heaps() []core.Addr { return a.v.Heaps.HeapsOfPages() }

// CallPosition implements object.Above.
func (a above) CallPosition(shared layout.Tagged, offset int) (int, bool) {
	return a.v.text.CallPosition(shared, offset)
}

// Original implements object.Above.
func (a above) Original(script layout.Tagged, file string, line, column int) (of string, l, c int) {
	return a.v.Place(script, file, line, column)
}

// Begin implements heap.Frames.
func (a above) Begin(t *core.Thread) walk.Unwinder { return a.v.Frames.Begin(t) }

// Roots implements heap.Frames.
func (a above) Roots(t *core.Thread, visit func(heap.Root)) { a.v.Frames.Roots(t, visit) }

// MapFrame implements frame.Maps.
func (a above) MapFrame(f *runtimes.SourceFrame) { a.v.Maps.MapFrame(f) }

// Begin returns an unwinder for one walk over t's stack.
func (v *V8) Begin(t *core.Thread) walk.Unwinder { return v.Frames.Begin(t) }

// Decode returns the source-level frames that the machine frame f stands for, as the decoder of frames does,
// with places from source maps.
func (v *V8) Decode(f *walk.Frame) ([]runtimes.SourceFrame, error) {
	frames, err := v.Frames.Decode(f)
	v.Map(frames)
	return frames, err
}

// Graph makes the graph of all heaps of the process, once.
func (v *V8) Graph(ctx context.Context) (*graph.Graph, error) {
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return h.Graph(ctx)
}

// HeapSize returns the size of all pages of all heaps, and the classes of objects on some of them.
func (v *V8) HeapSize(ctx context.Context) (bytes uint64,
	sample func(context.Context) ([]graph.Class, error), err error) {
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return 0, nil, err
	}
	for i := range h.Pages {
		bytes += uint64(h.Pages[i].AreaEnd - h.Pages[i].AreaStart)
	}
	return bytes, func(ctx context.Context) ([]graph.Class, error) { return heap.Sample(ctx, h) }, nil
}

// WriteSnapshot writes all heaps of the process as a heap snapshot.
func (v *V8) WriteSnapshot(ctx context.Context, w io.Writer) error {
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return err
	}
	return h.WriteSnapshot(ctx, w)
}

// Name returns "v8".
func (v *V8) Name() string { return "v8" }

// Language implements runtimes.Speaker.
func (v *V8) Language() runtimes.Language { return runtimes.LanguageJavaScript }

// Version returns V8's version as V8 prints it, or "unknown".
func (v *V8) Version() string {
	return v.Image.VersionText()
}

// Module returns the image that contains V8.
func (v *V8) Module() *core.Module { return v.Image.Module }

// Warnings says how far the decoder can be trusted.
func (v *V8) Warnings() []core.Warning {
	var out []core.Warning
	warn := func(format string, args ...any) {
		out = append(out, core.Warning{Place: "v8", Text: fmt.Sprintf(format, args...)})
	}
	ver := v.Image.Version
	table := v.Image.Constants.Table
	switch {
	case table != nil:
		t := v.SelfTest()
		if v.Image.Unread {
			warn("%s could not be read; a text in memory says that it is V8 %v, and the table of %d.%d is used: %d of %d functions decode with it",
				v.Image.Module.Path, ver, table.Version.Major, table.Version.Minor, t.Sound, t.Functions)
			break
		}
		warn("%s has no v8dbg_ constants; the table of V8 %d.%d is used for %v: %d of %d functions decode with it",
			v.Image.Module.Path, table.Version.Major, table.Version.Minor, ver, t.Sound, t.Functions)
	case ver == layout.Version{}:
		warn("its version is unknown; the numbers of %d.%d are assumed", layout.NewestKnown.Major,
			layout.NewestKnown.Minor)
	case ver.Outside() < 0:
		warn("%v is older than %d.%d, the oldest version known; frames may be wrong", ver, layout.OldestKnown.Major,
			layout.OldestKnown.Minor)
	case ver.Outside() > 0:
		warn("%v is newer than %d.%d, the newest version known; what follows rests on its symbols and on guesses", ver,
			layout.NewestKnown.Major, layout.NewestKnown.Minor)
	}
	if err := v.Doubt(); err != nil {
		out = append(out, core.Warning{Place: "v8", Text: err.Error()})
	}
	if table != nil {
		if err := v.DoubtValues(); err != nil {
			warn("%v", err)
		}
	}
	if v.Image.Err != nil {
		warn("%v", v.Image.Err)
	}
	if len(v.Image.Constants.Values) == 0 {
		warn("%s has no v8dbg_ constants; the table of versions is used alone", v.Image.Module.Path)
	}
	return out
}

// WhatIs returns the kind of object at a, which may be tagged.
func (v *V8) WhatIs(a core.Addr) (string, bool) {
	t := layout.Tag(a &^ 3)
	typ, ok := v.InstanceType(t)
	if !ok {
		if s, ok := v.Frames.CodeAround(a); ok {
			return s, true
		}
		return v.Heaps.Inside(a)
	}
	name := v.Types.Name(typ)
	switch {
	case v.Objects.IsString(t):
		return fmt.Sprintf("%s: %q", name, text.Clip(v.Objects.Text(t), 60)), true
	case v.IsSharedFunctionInfo(t):
		return fmt.Sprintf("%s: %s", name, v.Objects.SharedName(t)), true
	case v.IsFunction(t):
		return fmt.Sprintf("%s: %s", name, v.Objects.ClosureName(t)), true
	}
	return name, true
}

// Prefetch computes the statistics of each isolate for the memory this reads: V8's own code, which would be
// missing in a core without the heap's memory. See runtimes.Prefetcher.
func (v *V8) Prefetch(ctx context.Context) {
	seen := map[core.Addr]bool{}
	for _, t := range v.Process.Threads {
		if a, ok := v.Objects.Isolate(t); ok && !seen[a] && ctx.Err() == nil {
			seen[a] = true
			_, _ = v.Heaps.HeapStatistics(a)
		}
	}
}
