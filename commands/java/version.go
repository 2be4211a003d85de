package java

import (
	"context"
	"encoding/json"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art"
)

var versionCommands = []commands.Command{{
	Name: "artversion", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{{Letter: 'v', Help: "show each number that decoding depends on, and where it is from"}},
	Summary: "show the version of the Android Runtime and how far its layout can be trusted",
	Example: "::artversion -v",
	Run:     runVersion,
}}

// versionRecord is the version with the decoder's account of itself.
type versionRecord struct {
	version string
	image   string
	layout  *art.Layout
	verbose bool
}

func runVersion(_ context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	r := &versionRecord{version: a.Version(), layout: a.Layout(), verbose: c.Has('v')}
	if m := a.Module(); m != nil {
		r.image = m.Path
	}
	return c.Emit(r)
}

// Addr returns nothing: a version has no address.
func (r *versionRecord) Addr() (core.Addr, bool) { return 0, false }

// Text writes the version and what was asked for.
func (r *versionRecord) Text(w *out.Writer) {
	w.Printf("ART version: %s\n", r.version)
	if !r.verbose {
		return
	}
	w.Printf("image:       %s\nlayout:      %v\n", r.image, r.layout)
	for _, f := range r.layout.Facts() {
		if f.Supplier == art.FromNowhere {
			w.Printf("  %-66s %8s  %s\n", f.Name, "-", f.Supplier)
			continue
		}
		w.Printf("  %-66s %8d  %s: %s\n", f.Name, f.Value, f.Supplier, f.Source)
	}
}

// MarshalJSON gives the record's object.
func (r *versionRecord) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type    string `json:"type"`
		Version string `json:"version"`
		Image   string `json:"image,omitempty"`
	}{"artversion", r.version, r.image})
}
