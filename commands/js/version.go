package js

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes/v8"
	"coredbg/runtimes/v8/layout"
)

var v8versionCommand = commands.Command{
	Name: "v8version", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'v', Help: "show the image, the embedder, the size of pointers, the sources of the layout, the self-test, and the isolates"},
	},
	Summary: "show the version of V8 and how far its layout can be trusted",
	Detail: `The layout of V8's objects changes with every version. Each number comes from the
image's v8dbg_ symbols, from probing known objects of this core, from the tables of
versions that are built in, or from nowhere; -v counts them. The self-test decodes
functions of this core and checks that names, scopes, bytecodes, positions and extents
fit: a V8 that only says that it is of a version is found out, and a warning says so.

An image without those symbols, such as Deno's, workerd's or Chromium's, is read by the table of the
nearest version. Where that numbers the types of objects otherwise, the maps of the
read-only heap and the constructors of the language show the numbers. It counts only
if the functions of the core decode with it; a warning says how many.

Where the image is not at hand, as for a core that was brought alone from
another machine, a text in memory says which version it is (Node's and Deno's
own, or Chromium's in a user agent), and only the table of that very version
is tried. The builtins are then those that an isolate calls, without names.

With the sandbox, what bytecodes, code, strings outside of the heap and pages are reached by
is found by its look. Of a V8 that cannot be decoded, version and image are shown, and the
reason as an error.

The embedder is said where a fact of the image tells: the version's last part, or its symbols.
With leaptiering, functions have handles of their code, which a table outside the heap keeps.`,
	Example: "::v8version -v",
	SeeAlso: []string{"jsstack", "v8type"},
	Run:     runVersion,
}

// versionRecord is the version with the decoder's account of itself.
type versionRecord struct {
	_        out.Record     `record:"v8version"`
	Version  string         `json:"version"`
	Image    string         `json:"image"`
	Tagged   int            `json:"tagged_size,omitempty"` // bytes of a tagged field: 4 if pointers are compressed; with -v as what follows
	Sandbox  bool           `json:"sandbox,omitempty"`
	Leap     bool           `json:"leaptiering,omitempty"` // functions have handles of their code
	Embedder string         `json:"embedder,omitempty"`
	Packed   string         `json:"packed,omitempty"` // how the program was packed into the executable
	Layout   map[string]int `json:"layout,omitempty"` // numbers by what supplies them
	SelfTest *selfTest      `json:"self_test,omitempty"`
	Isolates []isolateOf    `json:"isolates,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`
	test     v8.SelfTest
	verbose  bool
}

type selfTest struct {
	Functions int    `json:"functions"`
	Sound     int    `json:"sound"`
	Problem   string `json:"problem,omitempty"`
}

type isolateOf struct {
	Addr core.Addr `json:"addr"`
	TID  int       `json:"tid"`
}

var suppliers = []layout.Supplier{layout.FromSymbol, layout.FromProbe, layout.FromTable, layout.FromNowhere}

func runVersion(ctx context.Context, c *commands.Call) error {
	if u, ok := commands.RuntimeOf[*v8.Undecoded](c.Session); ok {
		r := &versionRecord{Version: u.Version(), verbose: true}
		if m := u.Module(); m != nil {
			r.Image = m.Path
		}
		if err := c.Emit(r); err != nil {
			return err
		}
		_, err := v8Of(c)
		return err
	}
	v, err := v8Of(c)
	if err != nil {
		return err
	}
	r := &versionRecord{Version: v.Version(), Image: v.Module().Path, verbose: c.Has('v')}
	for _, x := range v.Warnings() {
		r.Warnings = append(r.Warnings, x.Text)
	}
	if r.verbose {
		r.Tagged, r.Sandbox = v.Layout.Variant.TaggedSize, v.Layout.Variant.Sandbox
		r.Leap, r.Embedder = v.Layout.JSFunction.DispatchHandle != layout.Unknown, v.Embedder()
		r.Packed = v.Packed(ctx)
		r.Layout = map[string]int{}
		for _, s := range suppliers {
			r.Layout[string(s)] = 0
		}
		for _, f := range v.Layout.Facts() {
			r.Layout[string(f.Supplier)]++
		}
		r.test = v.SelfTest()
		r.SelfTest = &selfTest{r.test.Functions, r.test.Sound, r.test.Problem}
		for _, t := range c.Session.Process.Threads {
			if a, ok := v.Objects.Isolate(t); ok {
				r.Isolates = append(r.Isolates, isolateOf{a, t.TID})
			}
		}
	}
	return c.Emit(r)
}

// pointers says what is done to tagged pointers.
func (r *versionRecord) pointers() string {
	switch {
	case r.Sandbox:
		return ", compressed, in a sandbox"
	case r.Tagged < 8:
		return ", compressed"
	}
	return ""
}

// Text writes the version and what was asked for.
func (r *versionRecord) Text(w *out.Writer) {
	w.Printf("V8 version: %s\n", r.Version)
	if r.verbose && r.Image != "" {
		w.Printf("image:      %s\n", r.Image)
	}
	if r.Embedder != "" {
		w.Printf("embedder:   %s\n", r.Embedder)
	}
	if r.Packed != "" {
		w.Printf("packed:     %s\n", sym.Clean(r.Packed))
	}
	if r.Tagged > 0 {
		w.Printf("pointers:   of %d bytes%s\n", r.Tagged, r.pointers())
	}
	if r.Leap {
		w.Printf("code:       by handles of functions (leaptiering)\n")
	}
	if r.verbose && len(r.Layout) > 0 {
		w.Printf("layout:     ")
		for i, s := range suppliers {
			if i > 0 {
				w.Printf(", ")
			}
			w.Printf("%d from %s", r.Layout[string(s)], s)
		}
		w.Printf("\nself-test:  %v\n", r.test)
		for _, i := range r.Isolates {
			w.Printf("isolate:    %v, entered by thread %d\n", i.Addr, i.TID)
		}
	}
	for _, x := range r.Warnings {
		w.Printf("warning:    %s\n", x)
	}
}
