package elf

import (
	stdelf "debug/elf"
	"errors"
	"io"

	"coredbg/core"
)

// Images finds the files of ELF images of a process that was not made of an ELF core,
// but of a dump that lists its modules. It is safe for concurrent use.
type Images struct{ l *loader }

// NewImages returns the images of a process, whose Arch is set; nil if ELF has no machine for
// that. The files that are opened are closed with the process.
func NewImages(p *core.Process, opt Options) *Images {
	machines := map[*core.Arch]stdelf.Machine{core.AMD64: stdelf.EM_X86_64, core.I386: stdelf.EM_386, core.ARM64: stdelf.EM_AARCH64,
		core.ARM: stdelf.EM_ARM, core.RISCV64: stdelf.EM_RISCV}
	machine, ok := machines[p.Arch]
	if !ok {
		return nil
	}
	if opt.Files == nil {
		opt.Files = Disk{}
	}
	l := &loader{path: p.Path, opt: opt, p: p}
	l.class, l.machine = class{p.Arch.Order, p.Arch.PtrSize == 8}, machine
	p.Closers = append(p.Closers, io.Closer(&l.opened))
	return &Images{l}
}

// Module returns a module of the process, whose image begins at m.Start, with the build-id
// id; one of 16 bytes may be the start of a longer one. Nil stands for one that is not known.
func (x *Images) Module(m core.Module, id []byte) *core.Module {
	f := &found{path: m.Path, parts: m.Parts, base: m.Start, hasBase: true, id: id}
	if len(f.parts) == 0 {
		// The start of the file is all that is known to be mapped.
		f.parts = []core.ModulePart{{Start: m.Start, End: m.Start + 1}}
	}
	return core.NewModule(m, func(m *core.Module) core.ModuleFacts { return x.l.resolve(m, f) })
}

// Fill fills a gap at an address from the file of its module's image: where that cannot be
// written to. Of a gap whose protection is not known it tells that of the image.
func (x *Images) Fill(gap core.Segment, a core.Addr) core.Segment {
	m := x.l.p.MappedModule(a)
	if m == nil {
		return gap
	}
	facts := m.Facts()
	img, _ := facts.Image.(*File)
	link, ok := m.LinkAddr(a)
	if img == nil || !ok {
		return missing(gap, m, facts)
	}
	for _, p := range img.progs {
		if p.typ != stdelf.PT_LOAD || link < p.vaddr&^0xfff || link >= p.vaddr+max(p.memsz, p.filesz) {
			continue
		}
		start := a - core.Addr(link-p.vaddr)
		gap.Start, gap.End = max(gap.Start, start&^0xfff), min(gap.End, start+core.Addr(max(p.memsz, p.filesz)))
		if gap.ProtUnknown {
			gap.Prot, gap.ProtUnknown = core.Prot(p.flags&7), false
		}
		switch {
		case img.src == nil:
			return missing(gap, m, facts)
		case p.flags&uint32(core.Write) != 0:
			gap.Detail = "it may have been written to"
			return gap
		}
		return img.fill(gap, core.ModulePart{Start: gap.Start, End: gap.End, Off: p.off - uint64(start-gap.Start)})
	}
	return gap
}

// missing says of a gap in a module that its file would have filled it.
func missing(gap core.Segment, m *core.Module, facts core.ModuleFacts) core.Segment {
	if gap.ProtUnknown {
		gap.Prot = core.Read | core.Exec // it may be code
	}
	gap.Gap, gap.Detail = core.FileMissing, m.Path
	var mismatch *MismatchError
	if errors.As(facts.Err, &mismatch) {
		gap.Gap, gap.Detail = core.FileMismatch, mismatch.Path
	}
	return gap
}

// NewSignal names a signal of Linux with its si_code, as processors have them that number
// signals as x86 does. The address counts for signals that have one.
func NewSignal(number, code int, a core.Addr) *core.Signal {
	s := newSignal(number)
	s.Code, s.HasCode = code, true
	s.CodeName, s.CodeText = codeName(number, code)
	s.HasAddr = hasFault(number, code)
	if s.HasAddr {
		s.Addr = a
	}
	return s
}

// DumpsCore reports whether a signal of Linux ends a process with a core, as NewSignal
// numbers them.
func DumpsCore(number int) bool { return dumpsCore(number) }

// Auxv reads an auxiliary vector as Linux gives it to a process of an architecture.
func Auxv(arch *core.Arch, d []byte) []core.AuxEntry {
	return parseAuxv(class{arch.Order, arch.PtrSize == 8}, d)
}
