package fixup

import (
	"encoding/binary"
	"fmt"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// le reads the words of the formats in this package.
var le = binary.LittleEndian

// An Image is the part of an image that its fixups refer to.
type Image struct {
	Path     string   // for messages
	Base     uint64   // link-time address of its header
	Segments []uint64 // the link-time addresses of its segments
}

// A Fixup is what dyld does to one pointer of an image before the image runs.
type Fixup struct {
	Off  uint64 // of the pointer in its segment in bytes
	Size int    // of the pointer: 4 or 8
	// For a pointer into the image itself, which is rebased: the link-time address before the slide is
	// added. A plain value is not slid.
	Target uint64
	Plain  bool
	High   uint64 // bits that are put on top of the address: a tag
	// For a pointer into another image, which is bound.
	Bound  *Import
	Addend int64
}

// An Import is a symbol that an image takes from another one.
type Import struct {
	Name    string
	Library int // see the Library* constants; else it counts dylibs from 1
	Addend  int64
}

// Special libraries (mach-o/loader.h, BIND_SPECIAL_DYLIB_*).
const (
	LibrarySelf = 0
	LibraryMain = -1
	LibraryFlat = -2
	LibraryWeak = -3
)

// A Fixer lists the fixups of an image. It is safe for concurrent use.
type Fixer interface {
	// Page returns the size in bytes of the pieces of a segment that are fixed up one at a time; 0 if
	// nothing in it is.
	Page(seg int) uint64
	// Fixups calls yield for the fixups of the page at off of a segment; data is the page as the file
	// has it. If several are in one place, the last counts.
	Fixups(seg int, off uint64, data []byte, yield func(Fixup)) error
}

// chained is an LC_DYLD_CHAINED_FIXUPS (mach-o/fixup-chains.h): each pointer holds
// the distance to the next, and the pages of each segment where the first one is.
type chained struct {
	img     Image
	starts  map[int]chainStarts // by segment
	imports []byte
	format  uint32 // of the imports
	symbols []byte
	err     error
}

// chainStarts is a dyld_chained_starts_in_segment.
type chainStarts struct {
	pageSize uint64
	format   uint16
	maxValid uint32 // of 32-bit formats: what is greater is not a pointer
	pages    uint64
	first    []byte // u16 of each page, then the list for pages with more than one chain
}

// The values of page starts.
const (
	startNone  = 0xffff
	startMulti = 0x8000 // the rest is an index; there, the last has this bit
)

// Chained returns the fixups of an LC_DYLD_CHAINED_FIXUPS, whose bytes b are.
func Chained(img Image, b []byte) Fixer {
	c := &chained{img: img, starts: map[int]chainStarts{}}
	if len(b) < 28 || le.Uint32(b) != 0 {
		c.err = fmt.Errorf("%s: chained fixups of an unknown version or cut off", img.Path)
		return c
	}
	c.format = le.Uint32(b[20:])
	c.imports, c.symbols = tail(b, le.Uint32(b[8:])), tail(b, le.Uint32(b[12:]))
	if n, size := uint64(le.Uint32(b[16:])), importSize(c.format); uint64(len(c.imports)) > n*size {
		c.imports = c.imports[:n*size]
	}
	starts := tail(b, le.Uint32(b[4:]))
	if len(starts) < 4 {
		c.err = fmt.Errorf("%s: chained fixups are cut off", img.Path)
		return c
	}
	n := le.Uint32(starts)
	for i := 0; i < int(min(n, uint32(len(img.Segments)))) && len(starts) >= 8+4*i; i++ {
		at := le.Uint32(starts[4+4*i:])
		if s := tail(starts, at); at != 0 && len(s) >= 22 {
			c.starts[i] = chainStarts{pageSize: uint64(le.Uint16(s[4:])), format: le.Uint16(s[6:]),
				maxValid: le.Uint32(s[16:]),
				pages:    uint64(le.Uint16(s[20:])), first: s[22:min(len(s), 22+int(max(le.Uint32(s), 22)-22))]}
		}
	}
	return c
}

// tail returns the bytes from an offset on; nil if that is outside.
func tail(b []byte, off uint32) []byte {
	if uint64(off) >= uint64(len(b)) {
		return nil
	}
	return b[off:]
}

// Page implements Fixer.
func (c *chained) Page(seg int) uint64 {
	if c.err != nil {
		return PageSize
	}
	return c.starts[seg].pageSize
}

// PageSize is the size of pieces where the format does not give one.
const PageSize = 16 << 10

// Fixups implements Fixer.
func (c *chained) Fixups(seg int, off uint64, data []byte, yield func(Fixup)) error {
	if c.err != nil {
		return c.err
	}
	s := c.starts[seg]
	if s.pageSize == 0 || off/s.pageSize >= s.pages {
		return nil
	}
	first, ok := s.start(off / s.pageSize)
	switch {
	case !ok:
		return c.bad(off, "the starts of chains are cut off")
	case first == startNone:
		return nil
	case first&startMulti == 0:
		return c.chain(s, off, uint64(first), data, yield)
	}
	for i := uint64(first &^ startMulti); ; i++ {
		at, ok := s.start(i)
		if !ok {
			return c.bad(off, "the starts of chains are cut off")
		}
		if err := c.chain(s, off, uint64(at&^startMulti), data, yield); err != nil || at&startMulti != 0 {
			return err
		}
	}
}

func (s *chainStarts) start(i uint64) (uint16, bool) {
	if i*2+2 > uint64(len(s.first)) {
		return 0, false
	}
	return le.Uint16(s.first[i*2:]), true
}

func (c *chained) bad(off uint64, what string) error {
	return &core.FormatError{File: c.img.Path, Off: int64(off), Msg: what + " of the page of its segment"}
}

// chain follows one chain of a page. The distances are positive, so that it ends
// with the page.
func (c *chained) chain(s chainStarts, page, at uint64, data []byte, yield func(Fixup)) error {
	form, ok := pointerForms[s.format]
	if !ok {
		return c.bad(page, fmt.Sprintf("pointers of the unknown format %d", s.format))
	}
	for {
		if at+uint64(form.size) > uint64(len(data)) {
			return c.bad(page, "a chain of fixups leads out")
		}
		raw := uint64(le.Uint32(data[at:]))
		if form.size == 8 {
			raw = le.Uint64(data[at:])
		}
		p := form.decode(raw)
		fix := Fixup{Off: page + at, Size: form.size, High: p.high << 56, Addend: p.addend}
		switch {
		case p.bind:
			imp, ok := c.imported(p.target)
			if !ok {
				return c.bad(page, fmt.Sprintf("there is no import %d for a pointer", p.target))
			}
			fix.Bound, fix.Addend = imp, p.addend+imp.Addend
		case form.size == 4 && s.maxValid != 0 && p.target > uint64(s.maxValid):
			fix.Target, fix.Plain = p.target-(0x04000000+uint64(s.maxValid))/2, true
		case p.segment >= 0:
			if p.segment >= len(c.img.Segments) {
				return c.bad(page, fmt.Sprintf("there is no segment %d for a pointer", p.segment))
			}
			fix.Target = c.img.Segments[p.segment] + p.target
		case p.offset:
			fix.Target = c.img.Base + p.target
		default:
			fix.Target = p.target
		}
		yield(fix)
		if p.next == 0 {
			return nil
		}
		at += p.next * form.stride
	}
}

// importSize returns the bytes of an import (dyld_chained_import and its like).
func importSize(format uint32) uint64 { return map[uint32]uint64{1: 4, 2: 8, 3: 16}[format] }

// imported returns an import by its ordinal.
func (c *chained) imported(i uint64) (*Import, bool) {
	size := importSize(c.format)
	if size == 0 || i >= uint64(len(c.imports))/size {
		return nil, false
	}
	b := c.imports[i*size:]
	out := &Import{}
	var name uint32
	switch c.format {
	case 3:
		w := le.Uint64(b)
		out.Library, name, out.Addend = int(int16(w)), uint32(w>>32), int64(le.Uint64(b[8:]))
		if w&0xffff < 0xfff0 {
			out.Library = int(w & 0xffff)
		}
	default:
		w := le.Uint32(b)
		out.Library, name = int(w&0xff), w>>9
		if w&0xff > 0xf0 {
			out.Library = int(int8(w))
		}
		if c.format == 2 {
			out.Addend = int64(int32(le.Uint32(b[4:])))
		}
	}
	s := tail(c.symbols, name)
	if s == nil {
		return nil, false
	}
	out.Name = format.Text(s[:min(len(s), format.MaxSymbolName)])
	return out, true
}
