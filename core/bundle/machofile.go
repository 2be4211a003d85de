package bundle

import (
	"encoding/binary"
	"strings"

	"coredbg/core"
	"coredbg/core/find"
	"coredbg/core/macho"
)

// machOFile is a Mach-O file that a module, or a dSYM bundle, has. It returns nil
// if src is none for the processor.
func machOFile(src core.Source, arch *core.Arch, uuid []byte) *macho.File {
	f, err := macho.NewFile(src, "", macho.CPUType(arch), uuid)
	if err != nil {
		return nil
	}
	return f
}

// machORanges is moduleFile.ranges for a Mach-O file. Of the tables for dyld, those
// are taken that data which the core lacks is mended with.
func machORanges(f *macho.File, opt Options, used bool, img core.Image) []fileRange {
	pieces := f.Pieces()
	var dwarf int64
	for _, p := range pieces {
		if p.Kind == macho.PieceDWARF {
			dwarf += p.Size
		}
	}
	keep := []fileRange{{0, block}}
	for _, p := range pieces {
		var take bool
		switch p.Kind {
		case macho.PieceHeader:
			take = true
		case macho.PieceNames, macho.PieceUnwind, macho.PieceFixups:
			take = used
		case macho.PieceText:
			take = used && opt.Text == All
		case macho.PieceRodata:
			take = used && opt.Rodata == All
		case macho.PieceDWARF:
			take = used && dwarf <= opt.debugInfo()
		}
		if take {
			keep = append(keep, fileRange{p.Off, p.Off + p.Size})
		}
	}
	if used && img != nil && opt.Rodata != None {
		keep = append(keep, shifted(constants(img), f.Offset())...)
	}
	return keep
}

// machOData is moduleFile.data for a Mach-O file.
func machOData(f *macho.File, p *core.Process, facts core.ModuleFacts) (out []fileRange) {
	if !facts.BiasKnown {
		return nil
	}
	for _, s := range f.Segments() {
		if s.Prot&core.Write == 0 || s.FileSize > maxModuleData {
			continue
		}
		if seg, ok := p.Space.Find(facts.Bias + core.Addr(s.Addr)); !ok || seg.Kind != core.SegCore {
			out = append(out, fileRange{int64(s.Off), int64(s.Off + s.FileSize)})
		}
	}
	return shifted(out, f.Offset())
}

// shifted moves ranges of an image to where it is in a universal file.
func shifted(rs []fileRange, by int64) []fileRange {
	for i := range rs {
		rs[i].lo += by
		rs[i].hi += by
	}
	return rs
}

// The list that dyld keeps of images; see core/macho/dyld.go.
const (
	infosCount, infosArray, infosPath = 4, 8, 192
	infosUUIDs, infosSize             = 88, 368
	infoSize, maxInfos, maxInfoPath   = 24, 1 << 16, 4096
	machOHeader                       = 32 << 10
)

// dyldList takes the pages of dyld's list of images, and the headers of those: they
// were read when the core was opened.
func (k *keeper) dyldList() {
	if k.p.OS != "darwin" {
		return
	}
	for _, m := range k.p.Modules {
		k.add(m.Start, machOHeader)
		facts := m.Facts()
		if facts.Image == nil || !facts.BiasKnown {
			continue
		}
		s, err := facts.Image.Section("__all_image_info")
		if err != nil {
			continue
		}
		at, c := core.Addr(s.Addr)+facts.Bias, k.p.Cursor()
		k.add(at, infosSize)
		n, array := min(c.U32(at+infosCount), maxInfos), c.Pointer(at+infosArray)
		k.add(array, uint64(n)*infoSize)
		k.add(c.Pointer(at+infosPath), maxInfoPath)
		uuids := min(c.U64(at+infosUUIDs), maxInfos)
		k.add(c.Pointer(at+infosUUIDs+8), uuids*infoSize)
		for i := range core.Addr(n) {
			k.add(c.Pointer(array+i*infoSize+8), maxInfoPath)
			if c.Reset() != nil {
				break
			}
		}
	}
}

// maxObjects bounds the object files that are taken of one image.
const maxObjects = 1024

// addObjects plans the object files that an image's debug map names, if all of them
// are no more than what is taken of DWARF: they hold that of an image without a dSYM
// bundle. In place of a build-id they have the time of their last change, which
// proves them.
func (plan *Plan) addObjects(f *macho.File, near string) {
	m := f.DebugMap()
	if m == nil {
		return
	}
	var parts []*plannedPart
	total, seen := int64(0), map[string]bool{}
	for _, o := range m.Objects()[:min(len(m.Objects()), maxObjects)] {
		path := objectPath(o.Path)
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
		part := &plannedPart{kind: partDebug, path: path, buildID: binary.LittleEndian.AppendUint64(nil, got.Modified), src: src}
		part.spans = tile(src, join([]fileRange{{0, src.Size()}}, src.Size()), core.GapError{Gap: core.LeftOut})
		parts = append(parts, part)
	}
	plan.parts = append(plan.parts, parts...)
}

// objectPath is the path of an object file in a debug map, or of the archive that it
// is a member of: "/x/lib.a(a.o)".
func objectPath(path string) string {
	if i := strings.LastIndexByte(path, '('); i > 0 && strings.HasSuffix(path, ")") {
		return path[:i]
	}
	return path
}
