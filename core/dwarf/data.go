package dwarf

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"coredbg/core"
	"coredbg/core/dwarf/format"
	"coredbg/core/dwarf/index"
	"coredbg/core/dwarf/nametable"
)

// ErrNone is returned by Open for an image that has no DWARF.
var ErrNone = errors.New("dwarf: no debugging information")

// Data is the debugging information of an image. It is safe for concurrent use.
type Data struct {
	// Object is set, before anything is asked, for the information of an object file: its code begins at address 0.
	Object bool

	own   *part // .debug_info of the image
	files Files
	kept  *kept // the indexes kept for the file; nil if no index is to be kept

	index     func() *indexed
	full      atomic.Bool // index was made
	tables    func() []nametable.Table
	mu        sync.Mutex
	byName    map[string]*indexed // by the name that was asked for, of the units that tables say
	code      func() *index.Code
	imports   func() map[*Unit]*Unit
	described func() map[uint64]ref                 // types of Go, by where the runtime describes them
	constants func() map[format.Offset][]Enumerator // of Go, by their types
	whole     func() (*pkg, error)                  // the package of split units
}

// A part is the units of one section, .debug_info or .debug_types, of an image or of a file that it leads to, with the
// sections that these refer to.
type part struct {
	format.Sections
	order binary.ByteOrder
	units []*Unit // in order of offset

	root *Data // of the image; nil until belong
	main *part // of .debug_info of the same file
	kin  *part // of .debug_types of the same file; nil if there is no such section
	// split is set for the file of a skeleton's rest, sup for a file that several images share.
	split, sup bool
	link       *supLink // to the file that this one shares with others; nil if there is none
	pkg        *pkg     // the package that contains it; nil if it is not in a package

	sigs map[uint64]ref // of type units; main and kin have one

	abbrevs *format.AbbrevTables

	types     sync.Map     // *Type by Offset
	typeCount atomic.Int64 // how many of these there are
	broken    error        // why the list of units, or the list of kin, ends early
}

// A Unit is a compilation, partial or type unit.
type Unit struct {
	d      *part
	Off    format.Offset // of its header
	first  format.Offset // of its first entry
	end    format.Offset
	kind   uint8         // DW_UT_*
	w      format.Widths // the size of an address and the version, among others
	abbrev uint64        // where its abbreviations begin

	root     sync.Once
	partial  bool
	lang     Language
	low      uint64
	compDir  string
	name     string
	strBase  uint64
	addrBase uint64
	rngBase  uint64
	locBase  uint64
	named    scopes
	funcs    functions
	split    split
	lost     error // why there is no more of it than its first entry
	left     error // the same, if it was left out of a lean bundle
}

// An Enumerator is a name of an enumeration's value.
type Enumerator struct {
	Name  string
	Value int64
}

// A scope is an entry whose name is part of the names of its children.
type scope struct {
	start, end format.Offset
	name       string
	parent     int // of the list; -1 if there is none
}

// scopes caches the scopes of a unit.
type scopes struct {
	once   sync.Once
	list   []scope // in order of start
	simple bool    // names of templates leave out what these were made with
}

// functions caches where a unit's functions are.
type functions struct {
	once sync.Once
	list []codeRange
}

type codeRange struct {
	low, high uint64
	off       format.Offset
}

// The kinds of units (DWARF 5, table 7.2).
const (
	utCompile      = 0x01
	utType         = 0x02
	utPartial      = 0x03
	utSkeleton     = 0x04
	utSplitCompile = 0x05
	utSplitType    = 0x06
)

var errUnit = errors.New("the first entry of a unit is malformed")

// Bounds for the memory that a file can claim.
const (
	maxUnits  = 1 << 21
	maxRanges = 1 << 20 // of one entry
	maxTypes  = 1 << 22
	maxChain  = 64      // references from one entry to the next
	maxNested = 256     // entries within entries
	maxChilds = 8 << 20 // entries read from one unit
)

// open opens sections whose names end in a suffix.
func open(img core.Image, order binary.ByteOrder, suffix string) (*part, error) {
	s, err := format.ReadSections(img, suffix)
	if err != nil {
		return nil, err
	}
	return newPart(s, order)
}

// newPart reads the headers of the units that sections have.
func newPart(s format.Sections, order binary.ByteOrder) (*part, error) {
	if len(s.Info.Data)+len(s.TypeInfo.Data) == 0 {
		return nil, ErrNone
	}
	d := &part{Sections: s, order: order, sigs: map[uint64]ref{}, abbrevs: format.NewAbbrevTables(s.Abbrev, order)}
	d.main = d
	d.broken = d.readUnits()
	d.leaveOut()
	if len(s.TypeInfo.Data) > 0 {
		d.kin = &part{Sections: s, order: order, main: d, sigs: d.sigs, abbrevs: d.abbrevs}
		d.kin.Info = s.TypeInfo
		d.broken = cmp.Or(d.broken, d.kin.readUnits())
		d.kin.leaveOut()
	}
	return d, nil
}

// belong makes d a part of root's image.
func (d *part) belong(root *Data) {
	d.root = root
	if d.kin != nil {
		d.kin.root, d.kin.split, d.kin.sup, d.kin.pkg = root, d.split, d.sup, d.pkg
	}
}

// leaveOut marks the units that are missing from a lean bundle, except for their first entries.
func (d *part) leaveOut() {
	for _, u := range d.units {
		if gap := d.Info.Gap(int(u.Off), int(u.end)); gap != nil {
			u.lost, u.left = gap.Err, gap.Err
		}
	}
}

// readUnits reads the headers of all units (DWARF 5, section 7.5.1).
func (d *part) readUnits() error {
	for off := uint64(0); off < uint64(len(d.Info.Data)) && len(d.units) < maxUnits; {
		u, next, err := d.readHeader(off)
		if err != nil {
			return fmt.Errorf("dwarf: %w", err)
		}
		if u != nil {
			d.units = append(d.units, u)
			d.Passed(len(d.units))
		}
		off = next
	}
	return nil
}

// infoName is the name of the section that the units are in.
func (d *part) infoName() string { return cmp.Or(d.Info.Name, ".debug_info") }

// readHeader reads one unit's header. The unit is nil if it is padding, or of a version that is
// not known.
func (d *part) readHeader(off uint64) (u *Unit, next uint64, err error) {
	b := core.BufAt(d.Info.Data, off, d.order)
	u = &Unit{d: d, Off: format.Offset(off), kind: utCompile}
	size := uint64(b.U32())
	if size == 0xffffffff {
		size, u.w.DWARF64 = b.Uint(8), true
	}
	if b.Bad || size > uint64(len(d.Info.Data)-b.Off) {
		return nil, 0, b.Fail(d.infoName(), fmt.Errorf("the size of the unit at %#x leads past the section", off))
	}
	next = uint64(b.Off) + size
	u.end = format.Offset(next)
	if size == 0 {
		return nil, next, nil
	}
	u.w.Version = int(b.U16())
	if u.w.Version < 2 || u.w.Version > 5 {
		return nil, next, nil
	}
	var sig, typeOff uint64
	if u.w.Version >= 5 {
		u.kind = b.U8()
		u.w.Addr = int(b.U8())
		u.abbrev = b.Offset(u.w.DWARF64)
		switch u.kind {
		case utSkeleton, utSplitCompile:
			u.split.id = b.Uint(8)
		case utType, utSplitType:
			sig, typeOff = b.Uint(8), b.Offset(u.w.DWARF64)
		}
	} else {
		u.abbrev = b.Offset(u.w.DWARF64)
		u.w.Addr = int(b.U8())
		if d.main != d {
			u.kind = utType
			sig, typeOff = b.Uint(8), b.Offset(u.w.DWARF64)
		}
	}
	if b.Bad || uint64(b.Off) > next || u.w.Addr != 4 && u.w.Addr != 8 && u.w.Addr != 2 {
		return nil, 0, b.Fail(d.infoName(), fmt.Errorf("the header of the unit at %#x is malformed", off))
	}
	u.first = format.Offset(b.Off)
	if u.kind == utType || u.kind == utSplitType {
		d.sigs[sig] = ref{d, u.Off + format.Offset(typeOff)}
	}
	return u, next, nil
}

// isType reports whether it is a type unit.
func (u *Unit) isType() bool { return u.kind == utType || u.kind == utSplitType }

// unitOf returns the unit that has an entry at off, or nil.
func (d *part) unitOf(off format.Offset) *Unit {
	i := sort.Search(len(d.units), func(i int) bool { return d.units[i].Off > off }) - 1
	if i < 0 || off < d.units[i].first || off >= d.units[i].end {
		return nil
	}
	return d.units[i]
}

// load reads the attributes of the unit's first entry that its other entries depend on.
func (u *Unit) load() {
	u.root.Do(func() {
		e, err := u.firstEntry()
		if err != nil {
			u.lost = cmp.Or(u.lost, err)
			return
		}
		n := func(a format.AttrName) uint64 { v, _ := e.attr(a).Uint(); return v }
		// Strings and addresses by index need these first.
		u.strBase, u.addrBase = n(format.AtStrOffsetsBase), n(format.AtAddrBase)|n(format.AtGNUAddrBase)
		u.rngBase, u.locBase = n(format.AtRnglistsBase)|n(format.AtGNURangesBase), n(format.AtLoclistsBase)
		u.partial = e.Tag == format.TagPartialUnit
		if u.d.split {
			u.inherit()
		} else if u.split.name = e.attr(format.AtDWOName).Text(); u.split.name == "" {
			u.split.name = e.attr(format.AtGNUDWOName).Text()
		}
		u.split.id |= n(format.AtGNUDWOID)
		u.lang = Language(n(format.AtLanguage))
		if a, ok := e.attr(format.AtLowPC).Addr(); ok {
			u.low = a
		}
		u.compDir, u.name = e.attr(format.AtCompDir).Text(), e.attr(format.AtName).Text()
	})
}

// Folders returns the folders that the unit was compiled in: the compiler's working folder and its
// main source file's. A folder that is not known is left out.
func (u *Unit) Folders() (dirs []string) {
	u.load()
	for _, dir := range []string{u.compDir, path.Dir(inFolder(u.compDir, u.name))} {
		if path.IsAbs(dir) && !slices.Contains(dirs, path.Clean(dir)) {
			dirs = append(dirs, path.Clean(dir))
		}
	}
	return dirs
}

// Lang returns the unit's language. For a partial unit without a language it returns the language of a
// unit that imports it.
func (u *Unit) Lang() Language {
	if u.load(); u.lang == 0 && u.partial {
		if by := u.d.root.imports()[u]; by != nil {
			by.load()
			return by.lang
		}
	}
	return u.lang
}

// Program returns the offset of the unit's line number program in .debug_line, and the folder that the
// names in it are relative to. It returns false if the unit has no program.
func (u *Unit) Program() (off uint64, dir string, ok bool) {
	u.load()
	e, err := u.firstEntry()
	if err != nil {
		return 0, "", false
	}
	off, ok = e.attr(format.AtStmtList).Uint()
	return off, u.compDir, ok
}

func (d *part) kinUnits() []*Unit {
	if d.kin == nil {
		return nil
	}
	return d.kin.units
}

// nim reports whether Nim's compiler wrote the source of a unit of C: it is called "@mshop.nim.c".
func (u *Unit) nim() bool {
	if !u.Lang().C() && !u.Lang().CPlusPlus() {
		return false
	}
	u.load()
	return strings.HasSuffix(u.name, ".nim.c") || strings.HasSuffix(u.name, ".nim.cpp")
}
