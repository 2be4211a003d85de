package macho

import "fmt"

// The bounds of what is read of one image. Images of macOS 14 have up to 60 commands
// and 15 segments; kernels have some hundred.
const (
	maxImageCommands = 1 << 12
	maxImageSegments = 1 << 8
)

// read takes the load commands of an image.
func (f *File) read(b []byte) {
	cmds, whole := commands(b, min(f.ncmds, maxImageCommands))
	if !whole || f.ncmds > maxImageCommands {
		f.damage = fmt.Errorf("only %d of its %d load commands can be read", len(cmds), f.ncmds)
	}
	for _, c := range cmds {
		d := c.data
		switch c.cmd {
		case lcSegment64:
			if s, ok := parseSegment(d); ok && len(f.segs) < maxImageSegments {
				f.segs = append(f.segs, s)
			}
		case lcUUID:
			if len(d) >= 24 {
				f.uuid = d[8:24:24]
			}
		case lcIDDylib, lcIDDylinker:
			f.id = textAt(d)
		case lcLoadDylib, lcLoadWeakDylib, lcReexportDylib, lcLazyLoadDylib, lcLoadUpward:
			f.dylibs = append(f.dylibs, needed{textAt(d), c.cmd == lcReexportDylib})
		case lcSymtab:
			for i := 0; i < 4 && len(d) >= 24; i++ {
				f.symtab[i] = le.Uint32(d[8+4*i:])
			}
		case lcDysymtab:
			f.indirect.take(d, 56)
		case lcDyldInfo, lcDyldInfoOnly:
			for i, p := range []*part{&f.rebaseAt, &f.bindAt, &f.weakBindAt, &f.lazyBindAt, &f.exportsAt} {
				p.take(d, 8+8*i)
			}
		case lcExportsTrie:
			f.exportsAt.take(d, 8)
		case lcChainedFixups:
			f.fixupsAt.take(d, 8)
		case lcFunctionStarts:
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
		return fixed(d[at:])
	}
	return ""
}
