package machocore

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"coredbg/core"
	"coredbg/core/macho"
)

// A Listed image is one that a dump lists as loaded.
type Listed struct {
	Path string
	Load core.Addr // of its header
	Size uint64    // bytes from there on; 0 if unknown
	UUID []byte    // nil if unknown
}

// AddImages gives a process that was not made of a Mach-O core the images that its dump
// lists, and the memory of segs, which what is missing is added to. Its Arch is set. The files
// that are opened are closed with the process.
func AddImages(p *core.Process, segs []core.Segment, images []Listed, opt Options) error {
	cputype := macho.CPUType(p.Arch)
	if cputype == 0 {
		return fmt.Errorf("images of %s are not known", p.Machine)
	}
	r := &resolver{cputype: cputype, opt: opt, p: p}
	p.Closers = append(p.Closers, io.Closer(&r.opened))
	masks(p, cputype, 0)
	elsewhere := core.Unmapped
	if p.Space != nil {
		elsewhere = p.Space.Elsewhere
	}
	p.Space = core.NewSpace(segs, nil)
	var ends []core.Addr
	for _, i := range images {
		r.list = append(r.list, listed{path: i.Path, load: i.Load, uuid: i.UUID, from: core.FromModuleList,
			segs: []placed{{"__TEXT", i.Load}}})
		ends = append(ends, i.Load+core.Addr(i.Size))
	}
	starts := append(segmentStarts(r.list), ends...)
	slices.Sort(starts)
	seen := map[core.Addr]bool{}
	var gaps []core.Segment
	for _, i := range r.list {
		if seen[i.load] {
			continue
		}
		seen[i.load] = true
		m, missing := r.module(i, starts)
		p.Modules = append(p.Modules, m)
		for _, g := range missing {
			g.Gap = core.NotInDump
			gaps = append(gaps, g)
		}
	}
	slices.SortStableFunc(p.Modules, func(a, b *core.Module) int { return cmp.Compare(a.Start, b.Start) })
	p.Space = core.NewSpace(append(gaps, segs...), filler{r})
	p.Space.Elsewhere = elsewhere
	r.checkExe()
	return nil
}
