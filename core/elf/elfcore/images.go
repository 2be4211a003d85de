package elfcore

import (
	stdelf "debug/elf"
	"io"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/elf/format"
)

// Images finds the files of ELF images of a process that was not made of an ELF core,
// but of a dump that lists its modules. It is safe for concurrent use.
type Images struct{ r *resolver }

// NewImages returns the images of a process, whose Arch is set; nil if ELF has no machine for
// that. The files that are opened are closed with the process.
func NewImages(p *core.Process, opt Options) *Images {
	machines := map[*core.Arch]stdelf.Machine{core.AMD64: stdelf.EM_X86_64, core.I386: stdelf.EM_386,
		core.ARM64: stdelf.EM_AARCH64,
		core.ARM:   stdelf.EM_ARM, core.RISCV64: stdelf.EM_RISCV}
	machine, ok := machines[p.Arch]
	if !ok {
		return nil
	}
	if opt.Files == nil {
		opt.Files = elf.Disk{}
	}
	r := &resolver{Class: format.Class{Order: p.Arch.Order, Wide: p.Arch.PtrSize == 8}, machine: machine,
		opt: opt, p: p}
	p.Closers = append(p.Closers, io.Closer(&r.opened))
	return &Images{r}
}

// Module returns a module of the process, whose image begins at m.Start, with the build-id
// id; one of 16 bytes may be the start of a longer one. Nil stands for one that is not known.
func (x *Images) Module(m core.Module, id []byte) *core.Module {
	f := &found{path: m.Path, parts: m.Parts, base: m.Start, hasBase: true, id: id}
	if len(f.parts) == 0 {
		// The start of the file is all that is known to be mapped.
		f.parts = []core.ModulePart{{Start: m.Start, End: m.Start + 1}}
	}
	return core.NewModule(m, func(m *core.Module) core.ModuleFacts { return x.r.resolve(m, f) })
}

// Fill fills a gap at an address from the file of its module's image, if the image is not writable
// there. If the gap's protection is not known, it takes the image's.
func (x *Images) Fill(gap core.Segment, a core.Addr) core.Segment {
	m := x.r.p.MappedModule(a)
	if m == nil {
		return gap
	}
	facts := m.Facts()
	img, _ := facts.Image.(*elf.File)
	link, ok := m.LinkAddr(a)
	if img == nil || !ok {
		return missing(gap, m, facts)
	}
	for _, p := range img.Segments() {
		if link < p.Addr&^0xfff || link >= p.Addr+max(p.MemSize, p.FileSize) {
			continue
		}
		start := a - core.Addr(link-p.Addr)
		gap.Start, gap.End = max(gap.Start, start&^0xfff), min(gap.End, start+core.Addr(max(p.MemSize, p.FileSize)))
		if gap.ProtUnknown {
			gap.Prot, gap.ProtUnknown = p.Prot, false
		}
		switch {
		case img.Source() == nil:
			return missing(gap, m, facts)
		case p.Prot&core.Write != 0:
			gap.Detail = "it may have been written to"
			return gap
		}
		return fillFrom(img.Source(), gap, core.ModulePart{Start: gap.Start, End: gap.End,
			Off: p.Off - uint64(start-gap.Start)})
	}
	return gap
}

// missing marks a gap in a module as one that its file would have filled.
func missing(gap core.Segment, m *core.Module, facts core.ModuleFacts) core.Segment {
	if gap.ProtUnknown {
		gap.Prot = core.Read | core.Exec // it may be code
	}
	return withoutFile(gap, m, facts)
}
