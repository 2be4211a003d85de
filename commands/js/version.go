package js

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes/v8/fit"
	"coredbg/runtimes/v8/layout"
)

var v8versionCommand = commands.Command{
	Name: "v8version", Module: target.Module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'v', Help: "show the image, the embedder, the size of pointers, the self-test, the isolates, and each number of the layout with its supplier"},
	},
	Summary: "show the version of V8 and how far its layout can be trusted",
	Detail: `The layout of V8's objects changes with every version. Each number has one supplier,
the first of these that has it:

    hand     ::v8field has set it
    symbol   a v8dbg_ constant of the image
    probe    known objects of this core show it
    table    V8's sources, of the version or of the nearest one
    row      the rows by version that are built in
    unknown  no supplier has it

-v counts them, and prints each number with its value, its supplier, and the constant or the file
of V8 that has it. If two suppliers have different values, a warning says both.

The self-test decodes functions of this core and checks that names, scopes, bytecodes, positions
and extents fit. A V8 whose version is not the one that it states fails, and a warning says so.

An image without those symbols, such as Deno's, workerd's or Chromium's, is read by the table of the
nearest version. Where that numbers the types of objects otherwise, the maps of the
read-only heap and the constructors of the language show the numbers. It counts only
if the functions of the core decode with it; a warning says how many.

Where the image is not at hand, as for a core that was brought alone from
another machine, a text in memory says which version it is (Node's and Deno's
own, or Chromium's in a user agent), and only the table of that very version
is tried. The builtins are then the ones that an isolate calls, without names.

With the sandbox, the tables that lead to bytecodes, code, pages and strings outside of the heap are
found by their look. If V8 cannot be decoded, its version and image are shown, and the reason as an error.

The embedder is shown if the version's last part or the image's symbols tell it.
With leaptiering, functions have handles of their code, which a table outside the heap keeps.`,
	Example: "::v8version -v",
	SeeAlso: []string{"jsstack", "v8type"},
	Run:     runVersion,
}

// versionRecord is the version with the decoder's account of itself.
type versionRecord struct {
	_       out.Record `record:"v8version"`
	Version string     `json:"version"`
	Image   string     `json:"image"`
	// bytes of a tagged field: 4 if pointers are compressed; with -v as what follows
	Tagged   int            `json:"tagged_size,omitempty"`
	Sandbox  bool           `json:"sandbox,omitempty"`
	Leap     bool           `json:"leaptiering,omitempty"` // functions have handles of their code
	Embedder string         `json:"embedder,omitempty"`
	Packed   string         `json:"packed,omitempty"` // how the program was packed into the executable
	Layout   map[string]int `json:"layout,omitempty"` // how many numbers each supplier gave
	SelfTest *selfTest      `json:"self_test,omitempty"`
	Isolates []isolateOf    `json:"isolates,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`
	test     fit.SelfTest
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

// factRecord is a number of the layout.
type factRecord struct {
	_        out.Record `record:"v8fact"`
	Name     string     `json:"name"`            // class and field
	Value    *int       `json:"value,omitempty"` // offsets are in bytes; none if it is unknown
	Supplier string     `json:"supplier"`
	// the constant, or the file of V8 and the version since which it holds
	Source string `json:"source,omitempty"`
}

// Text writes the number on a line.
func (r *factRecord) Text(w *out.Writer) {
	value := "-"
	if r.Value != nil {
		value = layout.ValueText(*r.Value)
	}
	w.Printf("%s\n", strings.TrimRight(fmt.Sprintf("%-40s %10s  %-7s %s", r.Name, value, r.Supplier, r.Source), " "))
}

// emitFacts emits the conflicts of suppliers and all numbers.
func emitFacts(c *commands.Call, l *layout.Layout) error {
	if err := emitConflicts(c, l); err != nil {
		return err
	}
	for _, f := range l.Facts() {
		r := &factRecord{Name: f.Class + "." + f.Field, Supplier: string(f.Supplier), Source: f.Source}
		if f.Value != layout.Unknown {
			r.Value = &f.Value
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// emitConflicts emits a warning for each number with different values from two suppliers.
func emitConflicts(c *commands.Call, l *layout.Layout) error {
	for _, x := range l.Conflicts() {
		if err := c.Emit(&warningRecord{Place: "v8", Says: x.String()}); err != nil {
			return err
		}
	}
	return nil
}

func runVersion(ctx context.Context, c *commands.Call) error {
	if u, ok := commands.RuntimeOf[*fit.Undecoded](c.Session); ok {
		r := &versionRecord{Version: u.Version(), verbose: true}
		if m := u.Module(); m != nil {
			r.Image = m.Path
		}
		if err := c.Emit(r); err != nil {
			return err
		}
		_, err := target.V8(c)
		return err
	}
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	r := &versionRecord{Version: v.Version(), Image: v.Module().Path, verbose: c.Flag('v')}
	for _, x := range v.Warnings() {
		r.Warnings = append(r.Warnings, x.Text)
	}
	if r.verbose {
		r.Tagged, r.Sandbox = v.Layout.Variant.TaggedSize, v.Layout.Variant.Sandbox
		r.Leap, r.Embedder = v.Layout.JSFunction.DispatchHandle != layout.Unknown, v.Embedder()
		r.Packed = v.Packed(ctx)
		r.Layout = map[string]int{}
		for _, s := range layout.Suppliers() {
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
	if err := c.Emit(r); err != nil || !r.verbose {
		return err
	}
	return emitFacts(c, v.Layout)
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

// Text writes the version, and the details if they were asked for.
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
		for i, s := range layout.Suppliers() {
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
