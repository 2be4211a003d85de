package native

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
)

var mappingCommands = []commands.Command{
	{
		Name: "mappings", Alias: "$m", Addr: commands.AddrOptional,
		Summary: "list the mappings of the address space",
		Detail: `With an address, the mapping that holds it. DUMPED is how many bytes of the
mapping the core file has; what it lacks may still be read from the file that
was mapped, or be known to be zero: see ::coverage.`,
		Example: "main::mappings",
		SeeAlso: []string{"coverage", "objects", "whatis"},
		Run:     runMappings,
	},
	{
		Name: "objects", Addr: commands.AddrOptional,
		Options: []commands.Option{{Letter: 'v', Help: "where each is known from, its build-id, and which file is used"}},
		Summary: "list the executable and the libraries that were loaded",
		Detail: `With an address, the object that holds it. -v opens each object's file, and its
debug file if it has one. An object whose file is missing, or has another
build-id than the process had, is read from the core's memory as far as that
goes, and the reason is shown.`,
		Example: "::objects -v",
		SeeAlso: []string{"mappings", "nm"},
		Run:     runObjects,
	},
}

// A mappingRecord is a line of ::mappings.
type mappingRecord struct {
	core.Mapping
}

// MarshalJSON gives the mapping's object.
func (r *mappingRecord) MarshalJSON() ([]byte, error) {
	return out.Marshal(struct {
		Type   string    `json:"type"`
		Start  core.Addr `json:"start"`
		End    core.Addr `json:"end"`
		Size   uint64    `json:"size"`
		Prot   string    `json:"prot"`
		Dumped uint64    `json:"dumped"`
		Off    core.Addr `json:"offset,omitzero"`
		Path   string    `json:"path,omitempty"`
	}{"mapping", r.Start, r.End, uint64(r.End - r.Start), r.Prot.String(), r.Dumped, core.Addr(r.Off), r.Path})
}

// Addr returns the mapping's start.
func (r *mappingRecord) Addr() (core.Addr, bool) { return r.Start, true }

// The widths of terminals, in columns, below which the table has fewer columns.
const (
	narrow = 110
	tiny   = 70
)

func isNarrow(w *out.Writer, than int) bool { return w.Columns() > 0 && w.Columns() < than }

// Header writes the columns' names.
func (r *mappingRecord) Header(w *out.Writer) {
	if isNarrow(w, tiny) {
		w.Printf("%12s %12s %-4s %s\n", "BASE", "LIMIT", "PROT", "NAME")
		return
	}
	if isNarrow(w, narrow) {
		w.Printf("%12s %12s %9s %9s %-4s %s\n", "BASE", "LIMIT", "SIZE", "DUMPED", "PROT", "NAME")
		return
	}
	w.Printf("%16s %16s %12s %12s %-5s %10s %s\n", "BASE", "LIMIT", "SIZE", "DUMPED", "PROT", "OFFSET", "NAME")
}

// Text writes the mapping's line. That of a narrow terminal has no offset.
func (r *mappingRecord) Text(w *out.Writer) {
	name, off := sym.Clean(r.Path), ""
	if name == "" {
		name = "[ anon ]"
	} else if name[0] != '[' {
		off = strconv.FormatUint(r.Off, 16)
	}
	size, dumped := uint64(r.End-r.Start), strconv.FormatUint(r.Dumped, 16)
	switch {
	case isNarrow(w, tiny):
		w.Printf("%12x %12x %-4v ", uint64(r.Start), uint64(r.End), r.Prot)
	case isNarrow(w, narrow):
		switch r.Dumped {
		case 0:
			dumped = "-"
		case size:
			dumped = "all"
		}
		w.Printf("%12x %12x %9x %9s %-4v ", uint64(r.Start), uint64(r.End), size, dumped, r.Prot)
	default:
		w.Printf("%16x %16x %12x %12s %-5v %10s ", uint64(r.Start), uint64(r.End), size, dumped, r.Prot, off)
	}
	w.Paint(out.Plain, "%s", name)
	w.Printf("\n")
}

func runMappings(ctx context.Context, c *commands.Call) error {
	p := c.Session.Process
	if c.Given {
		m, ok := p.Mapping(c.Dot)
		if !ok {
			return fmt.Errorf("%v is %s", c.Dot, near(p, c.Dot))
		}
		return c.Emit(&mappingRecord{m})
	}
	for _, m := range p.Mappings {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.Emit(&mappingRecord{m}); err != nil {
			return err
		}
	}
	return nil
}

// An objectRecord is a line of ::objects.
type objectRecord struct {
	m       *core.Module
	facts   core.ModuleFacts
	lines   string // where lines come from, if not from the image
	verbose bool
}

// status says in a word where the object's bytes come from.
func (r *objectRecord) status() string {
	switch {
	case r.facts.Image == nil:
		return "missing"
	case r.facts.InMemory:
		return "core"
	}
	return "file"
}

// MarshalJSON gives the object's object.
func (r *objectRecord) MarshalJSON() ([]byte, error) {
	j := struct {
		Type    string     `json:"type"`
		Base    core.Addr  `json:"base"`
		Limit   core.Addr  `json:"limit"`
		Path    string     `json:"path"`
		Exe     bool       `json:"exe,omitempty"`
		Origin  string     `json:"origin"`
		BuildID string     `json:"build_id,omitempty"`
		Bias    *core.Addr `json:"bias,omitempty"`
		Image   string     `json:"image,omitempty"`
		File    string     `json:"file,omitempty"`
		Lines   string     `json:"lines,omitempty"`
		Error   string     `json:"error,omitempty"`
	}{Type: "object", Base: r.m.Start, Limit: r.m.End, Path: r.m.Path, Exe: r.m.Exe, Origin: r.m.Origin.String()}
	if r.verbose {
		j.BuildID, j.Image, j.Lines = core.BuildIDString(r.facts.BuildID), r.status(), r.lines
		if r.facts.BiasKnown {
			j.Bias = &r.facts.Bias
		}
		if r.facts.Image != nil {
			j.File = r.facts.Image.Path()
		}
		if r.facts.Err != nil {
			j.Error = r.facts.Err.Error()
		}
	}
	return out.Marshal(j)
}

// Addr returns the object's base.
func (r *objectRecord) Addr() (core.Addr, bool) { return r.m.Start, true }

// Header writes the columns' names, which are MDB's.
func (r *objectRecord) Header(w *out.Writer) {
	w.Printf("%16s %16s %10s %s\n", "BASE", "LIMIT", "SIZE", "NAME")
}

// Text writes the object's line and, if it is verbose, its facts below.
func (r *objectRecord) Text(w *out.Writer) {
	w.Printf("%16x %16x %10x ", uint64(r.m.Start), uint64(r.m.End), uint64(r.m.End-r.m.Start))
	w.Paint(out.Plain, "%s", sym.Clean(r.m.Path))
	w.Printf("\n")
	if !r.verbose {
		return
	}
	id := "unknown"
	if len(r.facts.BuildID) > 0 {
		id = core.BuildIDString(r.facts.BuildID)
	}
	w.Printf("%17sbuild-id %s, known from %v\n", "", id, r.m.Origin)
	switch r.status() {
	case "missing":
		w.Printf("%17sno image: no symbols, no unwind information\n", "")
	case "core":
		w.Printf("%17sread from the core's memory\n", "")
	default:
		if path := r.facts.Image.Path(); path != r.m.Path {
			w.Printf("%17sread from %s\n", "", sym.Clean(path))
		}
	}
	if r.lines != "" {
		w.Printf("%17ssource lines are in %s\n", "", sym.Clean(r.lines))
	}
	if r.facts.Err != nil {
		for line := range strings.SplitSeq(r.facts.Err.Error(), "\n") {
			w.Printf("%17s%s\n", "", sym.Clean(line))
		}
	}
}

func runObjects(ctx context.Context, c *commands.Call) error {
	p := c.Session.Process
	mods := p.Modules
	if c.Given {
		m := p.Module(c.Dot)
		if m == nil {
			return fmt.Errorf("%v lies in no object", c.Dot)
		}
		mods = []*core.Module{m}
	}
	for _, m := range mods {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := &objectRecord{m: m, verbose: c.Has('v')}
		if r.verbose {
			r.facts, r.lines = m.Facts(), c.Session.Symbols.LinesFrom(m)
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}
