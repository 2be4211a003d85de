package lines

import (
	"cmp"
	"slices"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// A SectionRange is a range of bytes of a section; End is exclusive.
type SectionRange struct {
	Section  string
	Off, End int
}

// Unneeded returns the parts of an image's line information that are not needed for the source lines at
// code, which are sorted link-time addresses. In units that cover no such address these are the entries
// after the first one, which says what the unit covers, and their line number programs. It returns
// nothing if not all of it can be read.
func Unneeded(img core.Image, code []uint64) (out []SectionRange) {
	d, err := dwarf.Open(img, dwarf.OrderOf(img), nil)
	t := Open(img, d, err)
	if t.d == nil || t.err != nil {
		return nil
	}
	info, programs, ok := t.d.Unneeded(code)
	if !ok {
		return nil
	}
	for _, r := range info {
		out = append(out, SectionRange{".debug_info", int(r.Off), int(r.End)})
	}
	for at, needed := range programs {
		if size := t.programSize(at); !needed && size > 0 {
			out = append(out, SectionRange{".debug_line", int(at), int(at) + size})
		}
	}
	slices.SortFunc(out, func(a, b SectionRange) int {
		return cmp.Or(cmp.Compare(a.Section, b.Section), cmp.Compare(a.Off, b.Off))
	})
	return out
}

// programSize returns the size in bytes of a line number program with its header, 0 if it extends
// outside its section.
func (t *Table) programSize(at uint64) int {
	if len(t.line.Data) < 12 || at > uint64(len(t.line.Data))-12 {
		return 0
	}
	b := t.line.Data[at:]
	size, head := uint64(t.program.Order.Uint32(b)), uint64(4)
	if size == 0xffffffff {
		size, head = t.program.Order.Uint64(b[4:]), 12
	}
	if size > uint64(len(b))-head {
		return 0
	}
	return int(head + size)
}
