package native

import (
	"bytes"
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
)

var sectionCommands = []commands.Command{{
	Name: "sections", Addr: commands.AddrOptional,
	Options: []commands.Option{
		{Letter: 'c', Help: "compare each with the file's bytes, where the core has its bytes"},
		{Letter: 'r', Arg: "regexp", Help: "only objects whose paths match, and sections whose names match"},
	},
	Summary: "list the sections of the executable and the libraries",
	Detail: `With an address, the section that holds it. Only sections that are loaded are listed, at
their addresses in the process. They are read from the files of the objects; without its
file an object has no sections here.

-c says whether the bytes that the core holds are the file's. Sections that the program may write
are left out: they change. So are sections whose bytes the core lacks. Where bytes differ, the first
one's address is shown: a write over code or constants, a patched function, or another file.`,
	Example: "main::sections",
	SeeAlso: []string{"objects", "mappings", "coverage"},
	Run:     runSections,
}}

// A sectionRecord is a line of ::sections.
type sectionRecord struct {
	_       out.Record `record:"section" cols:"Start End size Prot Name object State"`
	Start   core.Addr  `json:"start" col:"BASE,16,right" dot:"always"`
	End     core.Addr  `json:"end" col:"LIMIT,16,right"`
	Prot    string     `json:"prot" col:"PROT,4"`
	Name    string     `json:"name" col:"SECTION,20"`
	Object  string     `json:"object"`                     // its path
	Zero    bool       `json:"zero,omitempty"`             // the file has no bytes of it
	State   string     `json:"state,omitempty" col:"FILE"` // with -c: same, differs
	Differs *core.Addr `json:"differs,omitempty"`          // with -c: the first byte that does
	size    core.Addr  `col:"SIZE,10,right"`
	object  string     `col:"OBJECT,20"`
}

func newSection(m *core.Module, bias core.Addr, s core.SectionRange) *sectionRecord {
	start := bias + core.Addr(s.Addr)
	prot := []byte("r--")
	if s.Write {
		prot[1] = 'w'
	}
	if s.Exec {
		prot[2] = 'x'
	}
	return &sectionRecord{Start: start, End: start + core.Addr(s.Size), size: core.Addr(s.Size), Prot: string(prot),
		Name: s.Name, Zero: s.Zero, Object: m.Path, object: m.Name()}
}

func runSections(ctx context.Context, c *commands.Call) error {
	p := c.Session.Process
	wanted, err := pattern(c)
	if err != nil {
		return err
	}
	if len(p.Modules) == 0 {
		return c.Unknown(noModules)
	}
	found := false
	for _, m := range p.Modules {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.HasAddr && !m.Contains(c.Dot) {
			continue
		}
		f := m.Facts()
		list, ok := f.Image.(core.SectionLister)
		if !ok || !f.BiasKnown || c.Flag('c') && f.InMemory {
			continue
		}
		all, err := list.SectionRanges()
		if err != nil {
			c.Warn("sections of %s: %w", m.Path, core.Unknown(err))
		}
		for _, s := range all {
			r := newSection(m, f.Bias, s)
			if s.Size == 0 || !wanted(m.Path, s.Name) || c.HasAddr && (c.Dot < r.Start || c.Dot >= r.End) ||
				s.TLS && s.Zero { // it takes no room where it is said to be
				continue
			}
			if c.Flag('c') && !compare(p, f.Image, s, r) {
				continue
			}
			found = true
			if err := c.Emit(r); err != nil {
				return err
			}
		}
	}
	switch {
	case found:
		return nil
	case c.HasAddr:
		return fmt.Errorf("no section holds %v", c.Dot)
	}
	return c.Unknown("no section is known: that takes the files of the objects")
}

// compare says in r whether the bytes of a section that the core holds are the file's. It returns false if there is
// nothing to compare.
func compare(p *core.Process, image core.Image, s core.SectionRange, r *sectionRecord) bool {
	if s.Write || s.Zero {
		return false
	}
	of, err := image.Section(s.Name)
	if err != nil || of.Addr != s.Addr || uint64(len(of.Data)) > s.Size {
		return false
	}
	compared := false
	for _, seg := range p.Space.Segments() {
		if seg.Kind != core.SegCore || seg.End <= r.Start || seg.Start >= r.End {
			continue
		}
		lo, hi := max(seg.Start, r.Start), min(seg.End, r.Start+core.Addr(len(of.Data)))
		if lo >= hi {
			continue
		}
		kept, err := p.Space.Slice(lo, int(hi-lo))
		if err != nil {
			continue
		}
		compared = true
		file := of.Data[lo-r.Start:]
		if bytes.Equal(kept, file[:min(len(file), len(kept))]) {
			continue
		}
		for i := range kept {
			if kept[i] != file[i] {
				at := lo + core.Addr(i)
				r.State, r.Differs = "differs at "+at.String(), &at
				return true
			}
		}
	}
	if compared {
		r.State = "same"
	}
	return compared
}
