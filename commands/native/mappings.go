package native

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/crash/where"
)

var mappingCommands = []commands.Command{
	{
		Name: "mappings", Alias: "$m", Addr: commands.AddrOptional,
		Summary: "list the mappings of the address space",
		Detail: `With an address, the mapping that holds it. DUMPED is how many bytes of the
mapping the core file has; what it lacks may still be read from the file that
was mapped, or be known to be zero: see ::coverage. A t after the protection
means that the memory has allocation tags: see ::memtag.`,
		Example: "main::mappings",
		SeeAlso: []string{"coverage", "objects", "whatis"},
		Run:     runMappings,
	},
	{
		Name: "objects", Addr: commands.AddrOptional,
		Options: []commands.Option{
			{Letter: 'v', Help: "where each is known from, its build-id, and which file is used"},
			{Letter: 'r', Arg: "regexp", Help: "only objects whose paths match"},
		},
		Summary: "list the executable and the libraries that were loaded",
		Detail: `With an address, the object that holds it. -v opens each object's file, and its
debug file if it has one. Where debuginfod servers are asked, it says what they
were asked for, their answers, and the next step. An object whose file is missing, or has another
build-id than the process had, is read from the core's memory as far as that
goes, and the reason is shown. Minidumps of Windows also list images that were unloaded
before: they come last. -v also lists code that the process made at run time, as far as it was
registered for debuggers or a perf map names it.`,
		Example: "::objects -v",
		SeeAlso: []string{"mappings", "nm"},
		Run:     runObjects,
	},
}

// A mappingRecord is a line of ::mappings.
type mappingRecord struct {
	_      out.Record `record:"mapping" cols:"Start End Size Dumped brief prot offset Path"`
	Start  core.Addr  `json:"start" col:"BASE,16/12,right" dot:"always"`
	End    core.Addr  `json:"end" col:"LIMIT,16/12,right"`
	Size   uint64     `json:"size" col:"SIZE,12/9,right,%x,min=70"` // bytes
	Prot   string     `json:"prot"`
	Tagged bool       `json:"tagged,omitempty"`                        // it has allocation tags: see ::memtag
	Dumped uint64     `json:"dumped" col:"DUMPED,12,right,%x,min=110"` // bytes that the core file has
	Offset core.Addr  `json:"offset,omitzero"`                         // in the file
	Path   string     `json:"path,omitempty" col:"NAME,zero=[ anon ]"`
	prot   string     `col:"PROT,5/4"`
	brief  string     `col:"DUMPED,9,right,min=70,max=109"`
	offset string     `col:"OFFSET,10,right,min=110"`
}

func newMapping(p *core.Process, m core.Mapping) *mappingRecord {
	r := &mappingRecord{Start: m.Start, End: m.End, Size: uint64(m.End - m.Start), Prot: m.Prot.String(),
		Dumped: m.Dumped,
		Offset: core.Addr(m.Off), Path: m.Path, brief: strconv.FormatUint(m.Dumped, 16)}
	if _, r.Tagged = p.TagRun(m.Start); r.Tagged {
		r.prot = r.Prot + "t"
	} else {
		r.prot = r.Prot
	}
	switch m.Dumped {
	case 0:
		r.brief = "-"
	case r.Size:
		r.brief = "all"
	}
	if m.Path != "" && m.Path[0] != '[' {
		r.offset = strconv.FormatUint(m.Off, 16)
	}
	return r
}

func runMappings(ctx context.Context, c *commands.Call) error {
	p := c.Session.Process
	if c.HasAddr {
		m, ok := p.Mapping(c.Dot)
		if !ok {
			return fmt.Errorf("%v is %s", c.Dot, where.Near(p, c.Dot))
		}
		return c.Emit(newMapping(p, m))
	}
	for _, m := range p.Mappings {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.Emit(newMapping(p, m)); err != nil {
			return err
		}
	}
	return nil
}

// An objectRecord is a line of ::objects. The fields after Origin are set with -v.
type objectRecord struct {
	_       out.Record     `record:"object" cols:"Base Limit size name"`
	Base    core.Addr      `json:"base" col:"BASE,16,right" dot:"always"`
	Limit   core.Addr      `json:"limit" col:"LIMIT,16,right"`
	Path    string         `json:"path"`
	Exe     bool           `json:"exe,omitempty"`
	Past    bool           `json:"unloaded,omitempty"` // it was unloaded before the process died
	Origin  string         `json:"origin"`             // what it is known from
	BuildID string         `json:"build_id,omitempty"`
	Package *objectPackage `json:"package,omitempty"`  // that the image says it belongs to
	Bias    *core.Addr     `json:"bias,omitempty"`     // what to add to the file's addresses in memory
	Image   string         `json:"image,omitempty"`    // where its bytes come from: file, core, missing
	File    string         `json:"file,omitempty"`     // that was read
	Lines   string         `json:"lines,omitempty"`    // where source lines come from, if not from the image
	LeftOut []string       `json:"left_out,omitempty"` // what a lean bundle lacks of it, and why
	// requests to debuginfod servers, their answers, and the next step
	Servers []string  `json:"servers,omitempty"`
	Error   string    `json:"error,omitempty"`
	size    core.Addr `col:"SIZE,10,right"`
	name    string    `col:"NAME"`
}

// An objectPackage is the package that an image says it belongs to.
type objectPackage struct {
	Name         string `json:"name"`
	Version      string `json:"version,omitempty"`
	Type         string `json:"type,omitempty"`
	OS           string `json:"os,omitempty"`
	Architecture string `json:"architecture,omitempty"`
	DebugInfoURL string `json:"debuginfo_url,omitempty"`
}

// newPackage returns the record of a package; nil for nil.
func newPackage(p *core.Package) *objectPackage {
	if p == nil {
		return nil
	}
	return &objectPackage{Name: p.Name, Version: p.Version, Type: p.Type,
		OS:           strings.TrimSpace(p.OS + " " + p.OSVersion),
		Architecture: p.Architecture, DebugInfoURL: p.DebugInfoURL}
}

// String returns the package as one line: "systemd 252.38-1 (deb, Debian)".
func (p *objectPackage) String() string {
	var from []string
	for _, s := range []string{p.Type, p.OS} {
		if s != "" {
			from = append(from, s)
		}
	}
	name := strings.TrimSpace(p.Name + " " + p.Version)
	if len(from) == 0 {
		return name
	}
	return name + " (" + strings.Join(from, ", ") + ")"
}

func newObject(m *core.Module) *objectRecord {
	return &objectRecord{Base: m.Start, Limit: m.End, Path: m.Path, Exe: m.Exe, Origin: m.Origin.String(),
		size: m.End - m.Start, name: m.Path}
}

func newUnloaded(u core.Unloaded) *objectRecord {
	return &objectRecord{Base: u.Start, Limit: u.End, Path: u.Path, Past: true, Origin: core.FromModuleList.String(),
		size: u.End - u.Start,
		name: u.Path + " (unloaded)"}
}

// open adds what the object's file says.
func (r *objectRecord) open(f core.ModuleFacts, lines string) {
	r.BuildID, r.Image, r.Lines = core.BuildIDString(f.BuildID), "file", lines
	if f.BiasKnown {
		r.Bias = &f.Bias
	}
	switch {
	case f.Image == nil:
		r.Image = "missing"
	case f.InMemory:
		r.Image = "core"
	}
	if f.Image != nil {
		r.File = f.Image.Path()
	}
	if of, ok := f.Image.(core.Packaged); ok {
		r.Package = newPackage(of.Package())
	}
	if f.Err != nil {
		r.Error = strings.Join(out.ErrorLines(f.Err), "\n")
	}
}

// Details writes what -v adds.
func (r *objectRecord) Details(w *out.Writer) {
	if r.Image == "" {
		return
	}
	w.Printf("%17sbuild-id %s, known from %s\n", "", cmp.Or(r.BuildID, "unknown"), r.Origin)
	switch {
	case r.Image == "missing":
		w.Printf("%17sno image: no symbols, no unwind information\n", "")
	case r.Image == "core":
		w.Printf("%17sread from the core's memory\n", "")
	case r.File != r.Path:
		w.Printf("%17sread from %s\n", "", sym.Clean(r.File))
	}
	if r.Package != nil {
		w.Printf("%17sof package %s\n", "", sym.Clean(r.Package.String()))
	}
	if r.Lines != "" {
		w.Printf("%17ssource lines are in %s\n", "", sym.Clean(r.Lines))
	}
	for _, line := range r.LeftOut {
		w.Printf("%17s%s\n", "", sym.Clean(line))
	}
	for _, line := range r.Servers {
		w.Printf("%17s%s\n", "", sym.Clean(line))
	}
	if r.Error != "" {
		for line := range strings.SplitSeq(r.Error, "\n") {
			w.Printf("%17s%s\n", "", sym.Clean(line))
		}
	}
}

func runObjects(ctx context.Context, c *commands.Call) error {
	p := c.Session.Process
	mods := p.Modules
	wanted, err := pattern(c)
	if err != nil {
		return err
	}
	if len(mods) == 0 {
		return c.Unknown(noModules)
	}
	if c.HasAddr {
		m := p.Module(c.Dot)
		if u, ok := p.UnloadedAt(c.Dot); ok && m == nil {
			return c.Emit(newUnloaded(u))
		}
		if m == nil {
			return fmt.Errorf("%v is not in any object", c.Dot)
		}
		mods = []*core.Module{m}
	} else if c.Flag('v') && p.Made != nil {
		mods = slices.Concat(mods, p.Made.Modules())
	}
	found := false
	for _, m := range mods {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := newObject(m)
		if !wanted(r.Path) {
			continue
		}
		found = true
		if c.Flag('v') {
			r.open(m.Facts(), c.Session.Symbols.LinesFrom(m))
			if err := c.Session.Symbols.LeftOut(m); err != nil {
				r.LeftOut = out.ErrorLines(err)
			}
			r.Servers = served(c.Session, m)
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	if c.HasAddr {
		return nil
	}
	for _, u := range p.Unloaded {
		if !wanted(u.Path) {
			continue
		}
		found = true
		if err := c.Emit(newUnloaded(u)); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("no object matches %q", c.Str('r'))
	}
	return nil
}

// pattern returns what -r lets through: one of the texts matches. Without -r it is everything.
func pattern(c *commands.Call) (func(texts ...string) bool, error) {
	if !c.Flag('r') {
		return func(...string) bool { return true }, nil
	}
	re, err := regexp.Compile(c.Str('r'))
	if err != nil {
		return nil, c.Usage("-r: %v", err)
	}
	return func(texts ...string) bool { return slices.ContainsFunc(texts, re.MatchString) }, nil
}
