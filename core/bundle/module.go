package bundle

import (
	"context"
	"maps"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/find"
)

// touched is what was read, or is near what ran, by address.
type touched struct {
	pages []core.Addr // sorted
	code  []core.Addr // what stacks may run through, sorted; of lean bundles
	pcs   []core.Addr // of frames, sorted

	// What begins functions whose names are taken, sorted: what decoders asked for,
	// and what memory points at.
	asked, pointed []core.Addr
	known          bool // it is known which modules have frames
}

// aroundPC is what is taken before and after a program counter, in bytes: most
// functions' beginnings, and some lines of disassembly.
const aroundPC = 4096

func newTouched(p *core.Process, opt Options) *touched {
	t := &touched{known: len(opt.PCs) > 0}
	if opt.Touched != nil {
		t.pages = opt.Touched.Pages()
	}
	around := func(pc core.Addr) {
		for a := (pc - min(pc, aroundPC)) &^ (core.TracePage - 1); a <= pc+aroundPC && a >= pc-min(pc, 2*aroundPC); a += core.TracePage {
			t.pages = append(t.pages, a)
		}
	}
	for _, pc := range opt.PCs {
		around(pc)
	}
	for _, th := range p.Threads {
		if p.Arch == nil {
			break
		}
		if pc, ok := th.Regs.Get(p.Arch.PC); ok {
			around(core.Addr(pc))
		}
	}
	slices.Sort(t.pages)
	t.pages = slices.Compact(t.pages)
	t.asked = slices.Sorted(slices.Values(opt.Asked))
	t.pcs = slices.Sorted(slices.Values(opt.PCs))
	if opt.Lean {
		t.code = codeAddrs(p, t, opt.PCs)
	}
	return t
}

// in returns what was touched of m, as ranges of its file.
func (t *touched) in(m *core.Module) []fileRange {
	var out []fileRange
	for _, part := range partsOf(m) {
		i, _ := slices.BinarySearch(t.pages, part.Start&^(core.TracePage-1))
		for ; i < len(t.pages) && t.pages[i] < part.End; i++ {
			off := int64(part.Off) + int64(t.pages[i]) - int64(part.Start)
			out = append(out, fileRange{off, off + core.TracePage})
		}
	}
	return out
}

// partsOf returns where m's file was mapped. A minidump may have no mappings: then it was where
// the image says, as segments are loaded.
func partsOf(m *core.Module) []core.ModulePart {
	facts := m.Facts()
	if len(m.Parts) > 0 || facts.Image == nil || !facts.BiasKnown {
		return m.Parts
	}
	var out []core.ModulePart
	for _, s := range facts.Image.Segments() {
		before := s.Addr % core.TracePage // of the same page of the file
		if s.Addr%core.TracePage != s.Off%core.TracePage {
			before = 0
		}
		start := facts.Bias + core.Addr(s.Addr-before)
		out = append(out, core.ModulePart{Start: start, End: start + core.Addr(before+s.FileSize), Off: s.Off - before})
	}
	return out
}

// addModules plans the files of p's modules, and says which are not there.
func (plan *Plan) addModules(p *core.Process, t *touched) (missing []string) {
	have := map[string]bool{}
	archives := map[string]*archive{}
	for _, m := range p.Modules {
		facts := m.Facts()
		if facts.Image == nil || facts.InMemory || strings.HasPrefix(m.Path, "[") {
			if facts.Err != nil && !strings.HasPrefix(m.Path, "[") {
				missing = append(missing, oneLine(facts.Err))
			}
			continue
		}
		src, refused := plan.fileOf(m, facts)
		if src == nil {
			for _, err := range refused {
				missing = append(missing, oneLine(err))
			}
			continue
		}
		if id := m.Path + "\x00" + string(facts.BuildID); have[id] {
			continue
		} else {
			have[id] = true
		}
		f := openModule(src, p.Arch, facts.BuildID)
		ranges := t.in(m)
		used := !plan.opt.Stacks || !t.known || len(ranges) > 0
		part := &plannedPart{kind: partModule, path: m.Path, buildID: facts.BuildID, src: src}
		keep := f.ranges(plan.opt, used, facts.Image)
		if plan.opt.Text != None {
			if f.machO != nil {
				ranges = shifted(ranges, f.machO.Offset())
			}
			keep = append(keep, ranges...)
		}
		if used {
			keep = append(keep, f.data(p, facts)...)
		}
		if used && plan.opt.Lean && facts.BiasKnown {
			keep = without(join(keep, src.Size()), f.leanHoles(t, facts))
		}
		if !plan.addArchived(archives, part, keep) {
			part.tile(keep)
			part.setTables(f.tables())
			plan.parts = append(plan.parts, part)
		}
		if used {
			if found := plan.addDebugFile(p.Arch, m, f, facts, t); !found && f.machO != nil {
				plan.addObjects(f.machO, facts.Image.Path())
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(archives)) {
		archives[path].part.tile(archives[path].keep)
	}
	return missing
}

// tile takes ranges of the part's file.
func (p *plannedPart) tile(keep []fileRange) {
	p.spans = tile(p.src, join(keep, p.src.Size()), core.GapError{Gap: core.LeftOut, Detail: "of " + p.path + " only what stacks need"})
}

// An archive is a part that several modules are in.
type archive struct {
	part *plannedPart
	keep []fileRange
}

// addArchived plans what is to be taken of a library as a part of the archive that it
// lies in, if it does: with what lists the libraries there, that is how the process had
// it. It reports false if part is a file of its own.
func (plan *Plan) addArchived(archives map[string]*archive, part *plannedPart, keep []fileRange) bool {
	whole, off, ok := elf.Archive(part.src)
	end := strings.LastIndexByte(part.path, '!')
	if !ok || end < 0 {
		return false
	}
	path := part.path[:end]
	a := archives[path]
	if a == nil {
		a = &archive{part: &plannedPart{kind: partModule, path: path, src: whole}}
		for _, r := range elf.Listing(whole) {
			a.keep = append(a.keep, fileRange{r[0], r[1]})
		}
		archives[path] = a
		plan.parts = append(plan.parts, a.part)
	}
	a.keep = append(a.keep, shifted(join(keep, part.src.Size()), off)...)
	return true
}

// addData plans the files without code, and says which are too large. A module
// of the same path has none of its own.
func (plan *Plan) addData() (large []string) {
	for _, d := range plan.opt.Data {
		plan.closers = append(plan.closers, d.Source)
		n := d.Source.Size()
		if n > maxData {
			large = append(large, d.Path+": too large")
			continue
		}
		part := &plannedPart{kind: partModule, path: d.Path, src: d.Source}
		part.spans = tile(d.Source, []fileRange{{0, n}}, core.GapError{Gap: core.LeftOut})
		plan.parts = append(plan.parts, part)
	}
	return large
}

// fileOf returns the bytes of m's file: those that its image was read from, or
// else those that Options.Files finds.
func (plan *Plan) fileOf(m *core.Module, facts core.ModuleFacts) (core.Source, []error) {
	if f, ok := facts.Image.(interface{ Source() core.Source }); ok {
		if src := f.Source(); src != nil {
			return src, nil
		}
	}
	got := plan.find(find.Want{Kind: find.Image, Path: m.Path, ID: facts.BuildID})
	return got.Source, got.Refused
}

// find looks for a file, which the plan closes.
func (plan *Plan) find(w find.Want) find.Found {
	got := plan.opt.Files.Find(context.Background(), w)
	if got.Source != nil {
		plan.closers = append(plan.closers, got.Source)
	}
	return got
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// addDebugFile plans the separate debug file of m, and reports whether there is one.
func (plan *Plan) addDebugFile(arch *core.Arch, m *core.Module, f *moduleFile, facts core.ModuleFacts, t *touched) bool {
	link, crc := f.debugLink()
	if link == "" && len(facts.BuildID) == 0 {
		return false
	}
	near := facts.Image.Path()
	if near == "" {
		near = m.Path
	}
	got := plan.find(find.Want{Kind: find.Debug, ID: facts.BuildID, Link: link, CRC: crc, Near: near})
	src, from := got.Source, got.From
	if src == nil {
		return false
	}
	part := &plannedPart{kind: partDebug, path: from, buildID: facts.BuildID, src: src}
	opt := plan.opt
	if opt.DebugInfo == 0 && !m.Exe {
		opt.DebugInfo = -1
	}
	debug := openModule(src, arch, facts.BuildID)
	keep := join(debug.ranges(opt, true, nil), src.Size())
	if plan.opt.Lean && facts.BiasKnown {
		keep = without(keep, debug.leanHoles(t, facts))
	}
	part.spans = tile(src, keep, core.GapError{Gap: core.LeftOut, Detail: "of " + from + " only what stacks need"})
	part.setTables(debug.tables())
	plan.parts = append(plan.parts, part)
	return true
}
