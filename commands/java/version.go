package java

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/layout"
)

var versionCommands = []commands.Command{
	{
		Name: "artversion", Module: module, Addr: commands.AddrNone,
		Options: []commands.Option{{Letter: 'v',
			Help: "show the self-test, and each number that decoding depends on with where it is from"}},
		Summary: "show the version of the Android Runtime and how far its layout can be trusted",
		Detail: `Nothing in a core gives the version for certain: the layouts of all versions that
are known are checked against the Runtime, its threads and the methods on their
stacks, and the one that fits is taken. With -v each number shows whether a
symbol, a probe of this core or the table of versions supplied it.`,
		Example: "::artversion -v",
		SeeAlso: []string{"artload", "javathreads"},
		Run:     runVersion,
	},
	{
		Name: "artload", Module: module, Silent: true, Addr: commands.AddrNone, Args: "sdk",
		Summary: "decode as another version of the Android Runtime would have laid things out",
		Detail: `For a core whose version is not recognised right: the number is Android's API level, 26
to 37; 0 takes the version that fits best again. ::artversion -v says how well it
fits. The flag -sdk does the same from the start.`,
		Example: "::artload 30",
		SeeAlso: []string{"artversion"},
		Run:     runLoad,
	},
}

func runLoad(_ context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	if len(c.Args) != 1 {
		return c.Usage("an API level is needed")
	}
	sdk, err := c.Decimal(c.Args[0])
	if err != nil {
		return err
	}
	if err := a.SetSDK(sdk); err != nil {
		return fmt.Errorf("::artload: %w", err)
	}
	if t := a.SelfTest(); t.Sure() != "sure" && t.Sure() != "likely" {
		c.Warn("this version does not fit the core: %v", t)
	}
	return nil
}

// versionRecord is the version with the decoder's account of itself.
type versionRecord struct {
	_        out.Record `record:"artversion"`
	Version  string     `json:"version"`
	SDK      int        `json:"sdk"`
	Library  string     `json:"library"` // the C++ library whose strings and maps it has
	Sure     string     `json:"sure"`    // sure, likely, doubtful, unknown
	Image    string     `json:"image,omitempty"`
	Runtime  core.Addr  `json:"runtime,omitzero" dot:"nonzero"` // the art::Runtime
	FoundBy  string     `json:"found_by,omitempty"`
	Points   int        `json:"points"`  // that the self-test looked at
	Hold     int        `json:"hold"`    // of them hold
	Methods  int        `json:"methods"` // on stacks
	Decode   int        `json:"decode"`  // of them decode
	Others   []int      `json:"other_sdks,omitempty"`
	Problem  string     `json:"problem,omitempty"`
	Warnings []string   `json:"warnings,omitempty"`
	Layout   []fact     `json:"layout,omitempty"` // with -v
	layout   *layout.Layout
	test     art.SelfTest
	threads  int
	verbose  bool
}

// A fact is a number that decoding depends on.
type fact struct {
	Name     string `json:"name"`
	Value    *int   `json:"value,omitempty"` // absent: not known
	Supplier string `json:"supplier"`
	Source   string `json:"source,omitempty"`
}

func runVersion(_ context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	t := a.SelfTest()
	r := &versionRecord{Version: a.Version(), SDK: a.SDK(), Library: string(a.Layout.Library), Sure: t.Sure(),
		Runtime: a.Runtime, FoundBy: a.FoundBy(),
		Points: t.Points, Hold: t.Sound, Methods: t.Methods, Decode: t.Decode, Others: t.Others, Problem: t.Problem,
		layout: a.Layout, test: t, verbose: c.Flag('v')}
	if m := a.Module; m != nil {
		r.Image = m.Path
	}
	for _, x := range a.Warnings() {
		r.Warnings = append(r.Warnings, x.Text)
	}
	all, _ := a.Threads()
	r.threads = len(all)
	if !r.verbose {
		return c.Emit(r)
	}
	for _, f := range a.Layout.Facts() {
		x := fact{Name: f.Name, Supplier: string(f.Supplier), Source: f.Source}
		if f.Value != layout.Unknown {
			x.Value = &f.Value
		}
		r.Layout = append(r.Layout, x)
	}
	return c.Emit(r)
}

// Text writes the version and the requested parts.
func (r *versionRecord) Text(w *out.Writer) {
	w.Printf("ART version: %s, %s\n", r.Version, r.Sure)
	if r.verbose {
		w.Printf("image:       %s\n", r.Image)
		w.Printf("runtime:     %v, found by %s\n", r.Runtime, r.FoundBy)
		w.Printf("threads:     %d\n", r.threads)
		w.Printf("layout:      %v\n", r.layout)
		w.Printf("self-test:   %v\n", r.test)
	}
	for _, x := range r.Warnings {
		w.Printf("warning:     %s\n", x)
	}
	for _, f := range r.Layout {
		if f.Value == nil {
			w.Printf("  %-66s %8s  %s\n", f.Name, "-", f.Supplier)
			continue
		}
		w.Printf("  %-66s %8d  %s: %s\n", f.Name, *f.Value, f.Supplier, f.Source)
	}
}
