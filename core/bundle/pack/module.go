package pack

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/bundle/span"
	"coredbg/core/elf"
	"coredbg/core/find"
	"coredbg/core/macho"
)

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
		part := &bundle.Planned{Kind: bundle.Module, Path: m.Path, BuildID: facts.BuildID, Source: src}
		keep := f.ranges(plan.opt, used, facts.Image)
		if plan.opt.Text != None {
			if f.machO != nil {
				ranges = span.Shifted(ranges, f.machO.Offset())
			}
			keep = append(keep, ranges...)
		}
		if used {
			keep = append(keep, f.data(p, facts)...)
			keep = append(keep, f.inlined(p, m)...)
		}
		if used && plan.opt.Lean && facts.BiasKnown {
			keep = span.Without(span.Join(keep, src.Size()), f.leanHoles(t, facts))
		}
		if !plan.addArchived(archives, part, keep) {
			take(part, keep)
			part.SetTables(f.tables())
			plan.parts = append(plan.parts, part)
		}
		if used {
			if found := plan.addDebugFile(p.Arch, m, f, facts, t); !found && f.machO != nil {
				plan.addObjects(f.machO, facts.Image.Path())
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(archives)) {
		take(archives[path].part, archives[path].keep)
	}
	return missing
}

// take takes ranges of a part's file.
func take(p *bundle.Planned, keep []span.Range) {
	p.Spans = span.Tile(p.Source, span.Join(keep, p.Source.Size()),
		core.GapError{Gap: core.LeftOut, Detail: "of " + p.Path + " only what stacks need"})
}

// An archive is a part that several modules are in.
type archive struct {
	part *bundle.Planned
	keep []span.Range
}

// addArchived plans the parts to take of a library that was loaded out of an archive, as a part of that
// archive. It includes the archive's directory, so that the library can be found as the process found
// it. It returns false if part is a file of its own.
func (plan *Plan) addArchived(archives map[string]*archive, part *bundle.Planned, keep []span.Range) bool {
	whole, off, ok := elf.Archive(part.Source)
	end := strings.LastIndexByte(part.Path, '!')
	if !ok || end < 0 {
		return false
	}
	path := part.Path[:end]
	a := archives[path]
	if a == nil {
		a = &archive{part: &bundle.Planned{Kind: bundle.Module, Path: path, Source: whole}}
		for _, r := range elf.Listing(whole) {
			a.keep = append(a.keep, span.Between(r[0], r[1]))
		}
		archives[path] = a
		plan.parts = append(plan.parts, a.part)
	}
	a.keep = append(a.keep, span.Shifted(span.Join(keep, part.Source.Size()), off)...)
	return true
}

// addData plans the files without code and returns the ones that are too large.
func (plan *Plan) addData() (large []string) {
	for _, d := range plan.opt.Data {
		plan.closers = append(plan.closers, d.Source)
		n := d.Source.Size()
		if n > maxData {
			large = append(large, d.Path+": too large")
			continue
		}
		part := &bundle.Planned{Kind: bundle.Module, Path: d.Path, Source: d.Source}
		part.Spans = span.Tile(d.Source, []span.Range{span.Between(0, n)}, core.GapError{Gap: core.LeftOut})
		plan.parts = append(plan.parts, part)
	}
	return large
}

// fileOf returns the bytes of m's file: the source of its image, or else the file that Options.Files
// finds.
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
func (plan *Plan) addDebugFile(arch *core.Arch, m *core.Module, f *moduleFile, facts core.ModuleFacts,
	t *touched) bool {
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
	part := &bundle.Planned{Kind: bundle.DebugFile, Path: from, BuildID: facts.BuildID, Source: src}
	opt := plan.opt
	if opt.DebugInfo == 0 && !m.Exe {
		opt.DebugInfo = -1
	}
	debug := openModule(src, arch, facts.BuildID)
	keep := span.Join(debug.ranges(opt, true, nil), src.Size())
	if plan.opt.Lean && facts.BiasKnown {
		keep = span.Without(keep, debug.leanHoles(t, facts))
	}
	part.Spans = span.Tile(src, keep, core.GapError{Gap: core.LeftOut, Detail: "of " + from + " only what stacks need"})
	part.SetTables(debug.tables())
	plan.parts = append(plan.parts, part)
	return true
}

// maxObjects bounds the object files that are taken of one image.
const maxObjects = 1024

// addObjects plans the object files of an image's debug map, if their total size is within the limit
// for DWARF: they hold the DWARF of an image without a dSYM bundle. In place of a build-id they have
// the time of their last change, which proves them.
func (plan *Plan) addObjects(f *macho.File, near string) {
	m := f.DebugMap()
	if m == nil {
		return
	}
	var parts []*bundle.Planned
	total, seen := int64(0), map[string]bool{}
	for _, o := range m.Objects()[:min(len(m.Objects()), maxObjects)] {
		path := bundle.ObjectPath(o.Path)
		if seen[path] {
			continue
		}
		seen[path] = true
		got := plan.find(find.Want{Kind: find.Object, Path: o.Path, Near: near})
		src := got.Source
		if src == nil {
			continue
		}
		if total += src.Size(); total > plan.opt.debugInfo() {
			return
		}
		part := &bundle.Planned{Kind: bundle.DebugFile, Path: path, BuildID: binary.LittleEndian.AppendUint64(nil,
			got.Modified), Source: src}
		part.Spans = span.Tile(src, span.Join([]span.Range{span.Between(0, src.Size())}, src.Size()),
			core.GapError{Gap: core.LeftOut})
		parts = append(parts, part)
	}
	plan.parts = append(plan.parts, parts...)
}
