package minidump

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/core/file"
	"coredbg/core/pe"
)

// windowsModules makes modules of PE images.
func (l *moduleLoader) windowsModules(mem *memoryLoader) {
	for i := range l.modules {
		m := &l.modules[i]
		one := core.NewModule(l.moduleOf(m), func(*core.Module) core.ModuleFacts { return l.image(m) })
		l.p.Modules = append(l.p.Modules, l.withSymbols(one, m.size))
	}
	slices.SortStableFunc(l.p.Modules, func(a, b *core.Module) int { return cmp.Compare(a.Start, b.Start) })
	mem.fillBy(windowsFiller{l.p})
	l.checkExe()
}

// image finds the file of a module, or uses its part in memory.
func (l *moduleLoader) image(m *module) core.ModuleFacts {
	facts := core.ModuleFacts{BuildID: m.id, Bias: m.start, BiasKnown: true}
	want := pe.Want(m.path, m.debug, m.stamp, uint32(m.size))
	var src core.Source
	var from string
	var refused []error
	if m.exe && l.opt.Exe != "" {
		src, from, refused = file.Named(l.opt.Exe, want.Check)
	}
	if src == nil && l.opt.Files != nil {
		got := l.opt.Files.Find(context.Background(), want)
		src, from, refused = got.Source, got.From, append(refused, got.Refused...)
	}
	facts.Err = errors.Join(refused...)
	if src != nil {
		l.opened.Add(src)
		img, err := pe.NewFile(src, from)
		if err == nil {
			facts.Image = img
			return facts
		}
		facts.Err = errors.Join(facts.Err, err)
	}
	if img := pe.NewMemoryFile(l.p.Space.Dumped(), m.start); img != nil {
		facts.Image, facts.InMemory = img, true
	}
	if facts.Err == nil && facts.Image == nil {
		facts.Err = fmt.Errorf("%s: no such file", m.path)
	}
	return facts
}

// A windowsFiller fills gaps from the files of modules.
type windowsFiller struct{ p *core.Process }

// Fill implements core.Filler.
func (x windowsFiller) Fill(gap core.Segment, a core.Addr) core.Segment {
	m := x.p.MappedModule(a)
	if m == nil || gap.Gap != core.NotInDump && gap.Gap != core.Truncated {
		return gap
	}
	facts := m.Facts()
	if img, ok := facts.Image.(*pe.File); ok {
		if gap = img.Fill(gap, facts.Bias, a); gap.Kind != core.SegGap || !facts.InMemory {
			return gap
		}
	}
	if gap.ProtUnknown {
		gap.Prot = core.Read | core.Exec // it may be code
	}
	gap.Gap, gap.Detail = core.FileMissing, m.Path
	return gap
}
