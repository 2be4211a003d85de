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
		Options: []commands.Option{{Letter: 'v', Help: "show the self-test, and each number that decoding depends on with where it is from"}},
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
		Name: "artload", Module: module, Acts: true, Addr: commands.AddrNone, Args: "sdk",
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
	version  string
	sdk      int
	image    string
	layout   *layout.Layout
	runtime  core.Addr
	how      string
	test     art.SelfTest
	threads  int
	warnings []core.Warning
	verbose  bool
}

func runVersion(_ context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	r := &versionRecord{version: a.Version(), sdk: a.SDK(), layout: a.Layout, verbose: c.Has('v'), warnings: a.Warnings()}
	r.runtime, r.how = a.Runtime, a.FoundBy()
	if m := a.Module; m != nil {
		r.image = m.Path
	}
	r.test = a.SelfTest()
	all, _ := a.Threads()
	r.threads = len(all)
	return c.Emit(r)
}

// Addr returns the address of art::Runtime.
func (r *versionRecord) Addr() (core.Addr, bool) { return r.runtime, r.runtime != 0 }

// Text writes the version and what was asked for.
func (r *versionRecord) Text(w *out.Writer) {
	w.Printf("ART version: %s, %s\n", r.version, r.test.Sure())
	if r.verbose {
		w.Printf("image:       %s\n", r.image)
		w.Printf("runtime:     %v, found by %s\n", r.runtime, r.how)
		w.Printf("threads:     %d\n", r.threads)
		w.Printf("layout:      %v\n", r.layout)
		w.Printf("self-test:   %v\n", r.test)
	}
	for _, x := range r.warnings {
		w.Printf("warning:     %s\n", x.Text)
	}
	if !r.verbose {
		return
	}
	for _, f := range r.layout.Facts() {
		if f.Value == layout.Unknown {
			w.Printf("  %-66s %8s  %s\n", f.Name, "-", f.Supplier)
			continue
		}
		w.Printf("  %-66s %8d  %s: %s\n", f.Name, f.Value, f.Supplier, f.Source)
	}
}

// MarshalJSON gives the record's object.
func (r *versionRecord) MarshalJSON() ([]byte, error) {
	type fact struct {
		Name     string `json:"name"`
		Value    *int   `json:"value,omitempty"`
		Supplier string `json:"supplier"`
		Source   string `json:"source,omitempty"`
	}
	rec := struct {
		_        out.Record `record:"artversion"`
		Version  string     `json:"version"`
		SDK      int        `json:"sdk"`
		Library  string     `json:"library"`
		Sure     string     `json:"sure"`
		Image    string     `json:"image,omitempty"`
		Runtime  core.Addr  `json:"runtime,omitzero"`
		FoundBy  string     `json:"found_by,omitempty"`
		Points   int        `json:"points"`
		Hold     int        `json:"hold"`
		Methods  int        `json:"methods"`
		Decode   int        `json:"decode"`
		Others   []int      `json:"other_sdks,omitempty"`
		Problem  string     `json:"problem,omitempty"`
		Warnings []string   `json:"warnings,omitempty"`
		Layout   []fact     `json:"layout,omitempty"`
	}{Version: r.version, SDK: r.sdk, Library: string(r.layout.Library), Sure: r.test.Sure(), Image: r.image,
		Runtime: r.runtime, FoundBy: r.how, Points: r.test.Points, Hold: r.test.Sound, Methods: r.test.Methods,
		Decode: r.test.Decode, Others: r.test.Others, Problem: r.test.Problem}
	for _, x := range r.warnings {
		rec.Warnings = append(rec.Warnings, x.Text)
	}
	if r.verbose {
		for _, f := range r.layout.Facts() {
			x := fact{Name: f.Name, Supplier: string(f.Supplier), Source: f.Source}
			if f.Value != layout.Unknown {
				x.Value = &f.Value
			}
			rec.Layout = append(rec.Layout, x)
		}
	}
	return out.Marshal(rec)
}
