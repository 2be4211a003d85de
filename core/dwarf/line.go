package dwarf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"strings"

	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// LineSections are the sections that line number programs are read from. Missing ones are
// empty.
type LineSections struct {
	Line, LineStr, Str []byte
	Order              binary.ByteOrder
}

// A LineProgram makes the rows of a unit's line number table (DWARF 5, section 6.2). Names of files are
// put together on demand: a damaged table may have millions, each as long as a section.
type LineProgram struct {
	s       LineSections
	version uint16
	dwarf64 bool
	code    core.Buf // at the program
	dir     string   // of the compilation

	minLength, maxOps   uint64
	lineBase, lineRange int64
	opcodeBase          uint8
	lengths             []byte // of the standard opcodes' operands, from opcode 1 on
	dirs, files         []lineName
	firstDir, firstFile int // the index of the first: 1 before DWARF 5
}

// A lineName is a folder or a file of a table.
type lineName struct {
	name []byte // lent; up to its zero, if it is in another section
	dir  uint64 // the index of its folder
}

// maxLineNames bounds how many folders and files a table has.
const maxLineNames = 1 << 20

// A LineRow is a row of a line number table. It holds from its address to the address of the next row.
type LineRow struct {
	Addr         uint64 // of link time
	File         int    // index, for LineProgram.File
	Line, Column int    // 0 if there is none, or none that can be
	End          bool   // of a sequence: nothing is known from here on
}

// NewLineProgram reads the header of the line number program at an offset of .debug_line; dir is
// the unit's DW_AT_comp_dir.
func NewLineProgram(s LineSections, off uint64, dir string) (*LineProgram, error) {
	p := &LineProgram{s: s, dir: dir}
	if err := p.header(off); err != nil {
		return nil, fmt.Errorf("dwarf: the line number program at %#x: %w", off, err)
	}
	return p, nil
}

// lineSection is the section of the programs.
const lineSection = ".debug_line"

var (
	errLineEnd   = errors.New("it is cut short")
	errLineMany  = errors.New("its table of files cannot be as large as it says")
	errLineNames = errors.New("its table of files has entries without a name")
)

// header reads what comes before the program (DWARF 5, section 6.2.4).
func (p *LineProgram) header(off uint64) error {
	b := core.BufAt(p.s.Line, off, p.s.Order)
	size := uint64(b.U32())
	if size == 0xffffffff {
		p.dwarf64 = true
		size = b.Uint(8)
	}
	b = b.Part(size)
	p.version = b.U16()
	switch {
	case b.Bad:
		return b.Fail(lineSection, errLineEnd)
	case p.version < 2 || p.version > 5:
		return b.Fail(lineSection, fmt.Errorf("version %d is not known", p.version))
	case p.version == 5:
		b.U16() // the sizes of addresses and segment selectors
	}
	length := b.Offset(p.dwarf64)
	head := b.Part(length)
	p.code, b = b, head
	p.minLength, p.maxOps = uint64(b.U8()), 1
	if p.version >= 4 {
		p.maxOps = uint64(b.U8())
	}
	b.U8() // whether rows begin statements
	p.lineBase, p.lineRange = int64(int8(b.U8())), int64(b.U8())
	p.opcodeBase = b.U8()
	p.lengths = b.Bytes(uint64(max(p.opcodeBase, 1) - 1))
	if b.Bad {
		return b.Fail(lineSection, errLineEnd)
	}
	if p.lineRange == 0 || p.maxOps == 0 || p.opcodeBase == 0 {
		return b.Fail(lineSection, errors.New("its header has a zero where that is not valid"))
	}
	for i, n := range p.lengths[:min(len(p.lengths), len(standardLengths))] {
		if n != standardLengths[i] {
			return b.Fail(lineSection, fmt.Errorf("its opcode %d has %d operands", i+1, n))
		}
	}
	if err := p.names(&b); err != nil {
		return b.Fail(lineSection, err)
	}
	return nil
}

// standardLengths are how many operands the opcodes have, from 1 on, that DWARF 5 defines.
var standardLengths = [...]uint8{0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1}

// names reads the tables of folders and files.
func (p *LineProgram) names(b *core.Buf) (err error) {
	if p.version == 5 {
		if p.dirs, err = p.table(b); err == nil {
			p.files, err = p.table(b)
		}
		return err
	}
	p.firstDir, p.firstFile = 1, 1
	for {
		name := b.CString()
		if len(name) == 0 {
			break
		}
		if p.dirs = append(p.dirs, lineName{name: name}); len(p.dirs) > maxLineNames {
			return errLineMany
		}
	}
	for {
		f, ok := plainName(b)
		if !ok {
			break
		}
		if p.files = append(p.files, f); len(p.files) > maxLineNames {
			return errLineMany
		}
	}
	if b.Bad {
		return errLineEnd
	}
	return nil
}

// plainName reads a file of a table before DWARF 5, or of DW_LNE_define_file.
func plainName(b *core.Buf) (f lineName, ok bool) {
	f.name = b.CString()
	if len(f.name) == 0 {
		return f, false
	}
	f.dir = b.ULEB()
	b.ULEB() // its time
	b.ULEB() // its size
	return f, !b.Bad
}

// Content types of the tables of DWARF 5 (section 7.22).
const (
	lnctPath           = 1
	lnctDirectoryIndex = 2
)

// table reads a table of DWARF 5: what its entries have, how many there are, and they. A
// name takes a byte at least, so that the section bounds how many there can be.
func (p *LineProgram) table(b *core.Buf) ([]lineName, error) {
	var formats [256]struct{ content, form uint64 }
	n := int(b.U8())
	named := false
	for i := range n {
		formats[i].content, formats[i].form = b.ULEB(), b.ULEB()
		named = named || formats[i].content == lnctPath
	}
	count := b.ULEB()
	if count > 0 && !named && !b.Bad {
		return nil, errLineNames
	}
	if count > maxLineNames {
		return nil, errLineMany
	}
	var list []lineName
	for ; count > 0 && !b.Bad; count-- {
		var x lineName
		for _, f := range formats[:n] {
			text, v, ok := p.entry(b, format.Form(f.form))
			switch {
			case !ok:
				return nil, fmt.Errorf("its table of files has form %#x", f.form)
			case f.content == lnctPath:
				x.name = text
			case f.content == lnctDirectoryIndex:
				x.dir = v
			}
		}
		list = append(list, x)
	}
	if b.Bad {
		return nil, errLineEnd
	}
	return list, nil
}

// entry reads a part of an entry: the texts that have an index of .debug_str_offsets are
// left empty, as the tables of split files alone have them.
func (p *LineProgram) entry(b *core.Buf, f format.Form) (text []byte, v uint64, ok bool) {
	switch f {
	case format.FormString:
		text = b.CString()
	case format.FormLineStrp, format.FormStrp:
		from := p.s.LineStr
		if f == format.FormStrp {
			from = p.s.Str
		}
		text = core.BufAt(from, b.Offset(p.dwarf64), p.s.Order).Rest()
	case format.FormStrpSup:
		b.Offset(p.dwarf64)
	case format.FormStrx, format.FormUdata:
		v = b.ULEB()
	case format.FormData1, format.FormStrx1:
		v = b.Uint(1)
	case format.FormData2, format.FormStrx2:
		v = b.Uint(2)
	case format.FormStrx3:
		v = b.Uint(3)
	case format.FormData4, format.FormStrx4:
		v = b.Uint(4)
	case format.FormData8:
		v = b.Uint(8)
	case format.FormData16:
		b.Bytes(16)
	case format.FormBlock:
		b.Bytes(b.ULEB())
	default:
		return nil, 0, false
	}
	return text, v, true
}

// text returns the name.
func (n *lineName) text() string {
	if i := bytes.IndexByte(n.name, 0); i >= 0 {
		return string(n.name[:i])
	}
	return string(n.name)
}

// File returns the path of a file as the compiler had it, made absolute where it could be; ""
// if the table has no such file.
func (p *LineProgram) File(i int) string {
	i -= p.firstFile
	if i < 0 || i >= len(p.files) {
		return ""
	}
	f := p.files[i]
	return inFolder(p.folder(f.dir), f.text())
}

// folder returns a folder of the table. Before DWARF 5 relative folders are relative to the compilation
// folder, which has number 0.
func (p *LineProgram) folder(i uint64) string {
	if p.version < 5 && i == 0 {
		return p.dir
	}
	if i -= uint64(p.firstDir); i >= uint64(len(p.dirs)) {
		return ""
	}
	name := p.dirs[i].text()
	if p.version < 5 {
		return inFolder(p.dir, name)
	}
	return name
}

// inFolder returns the path of a name in a folder, which a path that is absolute is not in.
func inFolder(dir, name string) string {
	switch {
	case dir == "" || name == "" || path.IsAbs(name) || drive(name):
		return name
	case drive(dir):
		return strings.TrimRight(dir, `\/`) + `\` + name
	}
	return path.Join(dir, name)
}

// drive reports whether a path begins with a drive of DOS.
func drive(s string) bool {
	return len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/') || strings.HasPrefix(s, `\\`)
}

// Files returns a bound of the numbers that File knows files by.
func (p *LineProgram) Files() int { return p.firstFile + len(p.files) }
