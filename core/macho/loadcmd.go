package macho

import (
	"fmt"

	"coredbg/core/macho/format"
)

// Bounds for one image. Images of macOS 14 have up to 60 commands and 15 segments; kernels have some
// hundred.
const (
	maxImageCommands = 1 << 12
	maxImageSegments = 1 << 8
)

// read takes the load commands of an image.
func (f *File) read(b []byte) {
	cmds, whole := format.Commands(b, min(f.head.NCmds, maxImageCommands))
	if !whole || f.head.NCmds > maxImageCommands {
		f.damage = fmt.Errorf("only %d of its %d load commands can be read", len(cmds), f.head.NCmds)
	}
	for _, c := range cmds {
		d := c.Data
		switch c.Cmd {
		case format.LCSegment64:
			if s, ok := format.ParseSegment(d); ok && len(f.segs) < maxImageSegments {
				f.segs = append(f.segs, s)
			}
		case format.LCUUID:
			if len(d) >= 24 {
				f.uuid = d[8:24:24]
			}
		case format.LCIDDylib, format.LCIDDylinker:
			f.id = textAt(d)
		case format.LCLoadDylib, format.LCLoadWeakDylib, format.LCReexportDylib, format.LCLazyLoadDylib,
			format.LCLoadUpward:
			f.dylibs = append(f.dylibs, Library{textAt(d), c.Cmd == format.LCReexportDylib})
		case format.LCSymtab:
			for i := 0; i < 4 && len(d) >= 24; i++ {
				f.symtab[i] = le.Uint32(d[8+4*i:])
			}
		case format.LCDysymtab:
			f.indirect.take(d, 56)
		case format.LCDyldInfo, format.LCDyldInfoOnly:
			for i, p := range []*part{&f.rebaseAt, &f.bindAt, &f.weakBindAt, &f.lazyBindAt, &f.exportsAt} {
				p.take(d, 8+8*i)
			}
		case format.LCExportsTrie:
			f.exportsAt.take(d, 8)
		case format.LCChainedFixups:
			f.fixupsAt.take(d, 8)
		case format.LCFunctionStarts:
			f.startsAt.take(d, 8)
		}
	}
}

// take reads a part at an offset of a load command, if the command has it and it
// is not empty.
func (p *part) take(d []byte, at int) {
	if len(d) >= at+8 {
		if q := (part{le.Uint32(d[at:]), le.Uint32(d[at+4:])}); q.size > 0 {
			*p = q
		}
	}
}

// textAt returns the text of a command whose third word is the text's offset in
// it (union lc_str).
func textAt(d []byte) string {
	if len(d) < 12 {
		return ""
	}
	if at := le.Uint32(d[8:]); uint64(at) < uint64(len(d)) {
		return format.Text(d[at:])
	}
	return ""
}
