package js

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/v8"
	"coredbg/runtimes/v8/layout"
)

var v8versionCommand = commands.Command{
	Name: "v8version", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'v', Help: "show the image, the sources of the layout, the self-test, and the isolates"},
	},
	Summary: "show the version of V8 and how far its layout can be trusted",
	Detail: `The layout of V8's objects changes with every version. Each number comes from the
image's v8dbg_ symbols, from probing known objects of this core, from the table of
versions that is built in, or from nowhere; -v counts them. The self-test decodes
functions of this core and checks that names, scopes, bytecodes, positions and extents
fit: a V8 that only says that it is of a version is found out, and a warning says so.

Of a V8 that cannot be decoded, such as one without v8dbg_ symbols or with compressed
pointers, version and image are shown, and the reason as an error.`,
	Example: "::v8version -v",
	SeeAlso: []string{"jsstack", "v8type"},
	Run:     runVersion,
}

// versionRecord is the version with the decoder's account of itself.
type versionRecord struct {
	version  string
	image    string
	facts    map[layout.Supplier]int
	test     v8.SelfTest
	warnings []core.Warning
	isolates []isolateOf
	verbose  bool
}

type isolateOf struct {
	tid  int
	addr core.Addr
}

var suppliers = []layout.Supplier{layout.FromSymbol, layout.FromProbe, layout.FromTable, layout.FromNowhere}

func runVersion(_ context.Context, c *commands.Call) error {
	if u, ok := commands.RuntimeOf[*v8.Undecoded](c.Session); ok {
		r := &versionRecord{version: u.Version(), verbose: true}
		if m := u.Module(); m != nil {
			r.image = m.Path
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
	r := &versionRecord{version: v.Version(), image: v.Module().Path, facts: map[layout.Supplier]int{},
		warnings: v.Warnings(), verbose: c.Has('v')}
	if r.verbose {
		for _, f := range v.Layout.Facts() {
			r.facts[f.Supplier]++
		}
		r.test = v.SelfTest()
		for _, t := range c.Session.Process.Threads {
			if a, ok := v.Objects.Isolate(t); ok {
				r.isolates = append(r.isolates, isolateOf{t.TID, a})
			}
		}
	}
	return c.Emit(r)
}

// Text writes the version and what was asked for.
func (r *versionRecord) Text(w *out.Writer) {
	w.Printf("V8 version: %s\n", r.version)
	if r.verbose && r.image != "" {
		w.Printf("image:      %s\n", r.image)
	}
	if r.verbose && len(r.facts) > 0 {
		w.Printf("layout:     ")
		for i, s := range suppliers {
			if i > 0 {
				w.Printf(", ")
			}
			w.Printf("%d from %s", r.facts[s], s)
		}
		w.Printf("\nself-test:  %v\n", r.test)
		for _, i := range r.isolates {
			w.Printf("isolate:    %v, entered by thread %d\n", i.addr, i.tid)
		}
	}
	for _, x := range r.warnings {
		w.Printf("warning:    %s\n", x.Text)
	}
}

// MarshalJSON gives the record's object.
func (r *versionRecord) MarshalJSON() ([]byte, error) {
	type isolate struct {
		Addr string `json:"addr"`
		TID  int    `json:"tid"`
	}
	type selfTest struct {
		Functions int    `json:"functions"`
		Sound     int    `json:"sound"`
		Problem   string `json:"problem,omitempty"`
	}
	rec := struct {
		_        out.Record     `record:"v8version"`
		Version  string         `json:"version"`
		Image    string         `json:"image"`
		Facts    map[string]int `json:"layout,omitempty"`
		SelfTest *selfTest      `json:"self_test,omitempty"`
		Isolates []isolate      `json:"isolates,omitempty"`
		Warnings []string       `json:"warnings,omitempty"`
	}{Version: r.version, Image: r.image}
	if r.verbose && len(r.facts) > 0 {
		rec.Facts = map[string]int{}
		for _, s := range suppliers {
			rec.Facts[string(s)] = r.facts[s]
		}
		rec.SelfTest = &selfTest{r.test.Functions, r.test.Sound, r.test.Problem}
		for _, i := range r.isolates {
			rec.Isolates = append(rec.Isolates, isolate{hex(i.addr), i.tid})
		}
	}
	for _, x := range r.warnings {
		rec.Warnings = append(rec.Warnings, x.Text)
	}
	return out.Marshal(rec)
}
