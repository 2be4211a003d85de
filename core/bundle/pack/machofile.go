package pack

import (
	"coredbg/core"
	"coredbg/core/bundle/span"
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

// machORanges is moduleFile.ranges for a Mach-O file. It takes the dyld tables that are needed to
// reconstruct data missing from the core.
func machORanges(f *macho.File, opt Options, used bool, img core.Image) []span.Range {
	pieces := f.Pieces()
	var dwarf int64
	for _, p := range pieces {
		if p.Kind == macho.PieceDWARF {
			dwarf += p.Size
		}
	}
	keep := []span.Range{span.Between(0, span.Block)}
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
			keep = append(keep, span.Between(p.Off, p.Off+p.Size))
		}
	}
	if used && img != nil && opt.Rodata != None {
		keep = append(keep, span.Shifted(constants(img), f.Offset())...)
	}
	return keep
}

// machOData is moduleFile.data for a Mach-O file.
func machOData(f *macho.File, p *core.Process, facts core.ModuleFacts) (out []span.Range) {
	if !facts.BiasKnown {
		return nil
	}
	for _, s := range f.Segments() {
		if s.Prot&core.Write == 0 || s.FileSize > maxModuleData {
			continue
		}
		if seg, ok := p.Space.Find(facts.Bias + core.Addr(s.Addr)); !ok || seg.Kind != core.SegCore {
			out = append(out, span.Between(int64(s.Off), int64(s.Off+s.FileSize)))
		}
	}
	return span.Shifted(out, f.Offset())
}
