package heap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"coredbg/chart"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/file"
	"coredbg/runtimes"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/heap/heapmap"
	"coredbg/runtimes/heap/pprof"
)

var exportCommands = []commands.Command{{
	Name: "heapsnapshot", Module: module, Addr: commands.AddrNone,
	Options: written("snapshot"),
	Summary: "write the heap of V8 as a snapshot that DevTools opens",
	Detail: `The snapshot has the schema of the version of V8 that the process ran, and all objects
that are reachable: load it in the Memory panel of Chrome's DevTools, or open it again
with coredbg. The id of an object is its address here, tagged; DevTools shows the low
32 bits of it. The file can be read by its owner alone, and appears when it is whole.`,
	Example: "::heapsnapshot -o app.heapsnapshot",
	SeeAlso: []string{"heapstat", "dominators", "gcroot"},
	Run:     runHeapsnapshot,
}, {
	Name: "hprof", Module: module, Addr: commands.AddrNone,
	Options: written("heap dump"),
	Summary: "write the heap of Java as its own tools have it",
	Detail: `The file of the Android Runtime is in format JAVA PROFILE 1.0.3 with Android's heaps (app,
zygote, image) and roots, as dumpHprofData writes it: Android Studio, Eclipse MAT after
hprof-conv, VisualVM and Shark open it. That of HotSpot is in format JAVA PROFILE 1.0.2, as
jcmd GC.heap_dump writes it: Eclipse MAT and VisualVM open it. Garbage that was not
collected yet is included. The id of an object is its
address here. The file can be read by its owner alone, and appears when it is whole.`,
	Example: "::hprof -o app.hprof",
	SeeAlso: []string{"heapstat", "dominators", "javaheap"},
	Run:     runHprof,
}, {
	Name: "heapprof", Module: module, Addr: commands.AddrNone,
	Options: written("profile"),
	Summary: "write the heap as a profile for go tool pprof, by retainers",
	Detail: `A sample is the objects of a class with the classes that dominate them as its stack: the
cumulative bytes of a class are what its objects retain, one by one: what only several of
them keep together, which ::heapstat -r has, is not in it. Look at it with "go tool pprof
-top FILE", or -http=: for a flame graph. The file can be read by its owner alone, and
appears when it is whole.`,
	Example: "::heapprof -o app.pb.gz",
	SeeAlso: []string{"heapstat", "dominators", "heapsnapshot"},
	Run:     runHeapprof,
}, {
	Name: "heapmap", Module: module, Addr: commands.AddrOptional,
	Options: append(written("picture"), commands.Option{Letter: 'g', Help: "draw a flame graph instead"}),
	Summary: "draw what retains the memory of a heap, as an SVG",
	Detail: `The picture is a treemap of all reachable bytes, or of the bytes that the object at the address
retains: a box is the objects of a class, in the box of the objects that dominate them, as large
as what they retain. An object that retains 1 % of all or more has a box of its own. With
-g it is a flame graph of the same, the roots on top; a click on a box zooms.
Point at a box to read what it is, and its address. Objects that retain too little to be seen are
one box with others. Open the file in a browser: it needs nothing else, and follows the
light or dark scheme. It can be read by its owner alone, and appears when it is whole.`,
	Example: "::heapmap -o app.svg",
	SeeAlso: []string{"dominators", "heapstat", "heapprof"},
	Run:     runHeapmap,
}}

// written returns the options of a command that writes something to a file.
func written(what string) []commands.Option {
	return []commands.Option{
		{Letter: 'o', Arg: "file", Help: "write the " + what + " to this file"},
		{Letter: 'f', Help: "replace the file if it is there"},
	}
}

// writtenRecord is a file that was written.
type writtenRecord struct {
	_     out.Record `record:"written" text:"{text}"`
	Path  string     `json:"path"`
	Bytes int64      `json:"bytes"`

	text string
}

func runHeapsnapshot(ctx context.Context, c *commands.Call) error {
	w, ok := commands.RuntimeOf[runtimes.SnapshotWriter](c.Session)
	if !ok {
		return lacking(c.Session, "v8", core.Unknown(errors.New("the process has no V8, or none that is known")))
	}
	return export(ctx, c, w.WriteSnapshot)
}

func runHprof(ctx context.Context, c *commands.Call) error {
	w, ok := commands.RuntimeOf[runtimes.HprofWriter](c.Session)
	if !ok {
		return commands.LacksJava(c.Session, core.Unknown(errors.New("the process has no Android Runtime, or none that is known")))
	}
	return export(ctx, c, w.WriteHprof)
}

func runHeapprof(ctx context.Context, c *commands.Call) error {
	g, err := graphOf(ctx, c)
	if err != nil {
		return err
	}
	return export(ctx, c, func(ctx context.Context, w io.Writer) error { return pprof.Write(ctx, w, g) })
}

func runHeapmap(ctx context.Context, c *commands.Call) error {
	g, err := graphOf(ctx, c)
	if err != nil {
		return err
	}
	below, of := graph.None, "the heap of "+filepath.Base(c.Session.Process.Path)
	if c.HasAddr {
		if below, err = objectAt(c, g); err != nil {
			return err
		}
		if g.Tree().Retained(below) == 0 {
			return errors.New("the object retains nothing: no root leads to it")
		}
		of = fmt.Sprintf("%s at %x, in %s", nameOf(g, below), uint64(g.Source().Shown(g.Addr(below))), of)
	}
	return export(ctx, c, func(ctx context.Context, w io.Writer) error {
		tree, err := heapmap.Tree(ctx, g, below)
		if err != nil {
			return err
		}
		d := chart.Drawing{Title: "What retains " + of, Unit: heapmap.Unit}
		if c.Flag('g') {
			d.Note = "Each box is as wide as what it retains, below what dominates it. Click to zoom."
			_, err := d.Flame(w, tree)
			return err
		}
		d.Note = "Each box is as large as what it retains, in what dominates it."
		_, err = d.Treemap(w, tree)
		return err
	})
}

// export writes the file of -o.
func export(ctx context.Context, c *commands.Call, write func(context.Context, io.Writer) error) error {
	path := c.Str('o')
	if path == "" {
		return c.Usage("-o names the file to write")
	}
	if err := c.Session.MayWrite(); err != nil {
		return err
	}
	if _, err := graphOf(ctx, c); err != nil {
		return err
	}
	f, err := file.Create(ctx, path, c.Flag('f'), c.Session.Process.Path)
	if err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("%w (-f replaces it)", err)
		}
		return err
	}
	defer f.Close()
	n := &counter{w: f}
	if err := write(ctx, n); err != nil {
		return err
	}
	if err := f.Commit(); err != nil {
		return err
	}
	return c.Emit(&writtenRecord{Path: path, Bytes: n.n,
		text: fmt.Sprintf("%s: %d bytes", out.Clean(path, false), n.n)})
}

// A counter counts what is written to a file.
type counter struct {
	w *file.Output
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
