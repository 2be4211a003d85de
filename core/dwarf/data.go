package dwarf

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync"

	"coredbg/core"
)

// An Offset is where an entry lies: in bytes from the start of .debug_info.
type Offset uint64

// ErrNone is returned by Open for an image that has no DWARF.
var ErrNone = errors.New("dwarf: no debugging information")

// sections are the parts of an image that are read, by the names they have in an image.
// In split DWARF they end in ".dwo" (DWARF 5, section 7.3.2).
type sections struct {
	info, abbrev, str, lineStr, strOffsets, addr, ranges, rnglists, loc, loclists []byte
}

// Data is the debugging information of an image. It is safe for concurrent use.
type Data struct {
	sections
	order binary.ByteOrder
	units []*Unit // in order of offset

	splitter Splitter
	parent   *Data // of a split file: that of its skeleton

	abbrevs map[uint64]*abbrevTable
	sigs    map[uint64]Offset // of type units

	mu    sync.Mutex
	types map[Offset]*Type
	index func() *index
	code  func() []unitRange
	// lost is why one of the sections that say where values are cannot be read; nil if all can.
	lost   error
	broken error // why there are no more units than those of the list
}

// A Unit is a compilation, partial or type unit.
type Unit struct {
	d       *Data
	Off     Offset // of its header
	first   Offset // of its first entry
	end     Offset
	version int
	kind    uint8 // DW_UT_*
	dwarf64 bool
	addr    int // bytes of an address
	abbrevs *abbrevTable

	root     sync.Once
	lang     Language
	low      uint64
	compDir  string
	strBase  uint64
	addrBase uint64
	rngBase  uint64
	locBase  uint64
	named    scopes
	funcs    functions
	split    split
	lost     error // why there is no more of it than its first entry
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

// The bounds of what a file may make be kept.
const (
	maxUnits  = 1 << 21
	maxTypes  = 1 << 22
	maxChain  = 64      // references from one entry to the next
	maxNested = 256     // entries within entries
	maxChilds = 8 << 20 // entries read of one unit
)

// Open reads the units' headers of an image. It fails with ErrNone if the image has no
// DWARF, and keeps what precedes an unreadable unit. Files that have the rest of units are
// opened by split when they are needed; it may be nil.
func Open(img core.Image, order binary.ByteOrder, split Splitter) (*Data, error) {
	d, err := open(img, order, "")
	if err == nil {
		d.splitter = split
	}
	return d, err
}

// open is Open for sections whose names end in a suffix.
func open(img core.Image, order binary.ByteOrder, suffix string) (*Data, error) {
	d := &Data{order: order, types: map[Offset]*Type{}, abbrevs: map[uint64]*abbrevTable{}, sigs: map[uint64]Offset{}}
	var info core.Section
	for name, to := range map[string]*[]byte{
		".debug_info": &d.info, ".debug_abbrev": &d.abbrev, ".debug_str": &d.str, ".debug_line_str": &d.lineStr,
		".debug_str_offsets": &d.strOffsets, ".debug_addr": &d.addr, ".debug_ranges": &d.ranges,
		".debug_rnglists": &d.rnglists, ".debug_loc": &d.loc, ".debug_loclists": &d.loclists,
	} {
		s, err := img.Section(name + suffix)
		if err != nil && !errors.Is(err, core.ErrNoSection) {
			if name == ".debug_info" || name == ".debug_abbrev" {
				return nil, fmt.Errorf("dwarf: %w", err)
			}
			d.lost = cmp.Or(d.lost, fmt.Errorf("dwarf: %w", err))
		}
		*to = s.Data
		if name == ".debug_info" {
			info = s
		}
	}
	if len(d.info) == 0 {
		return nil, ErrNone
	}
	d.index = sync.OnceValue(d.makeIndex)
	d.code = sync.OnceValue(d.codeRanges)
	d.broken = d.readUnits()
	d.leaveOut(&info)
	return d, nil
}

// leaveOut notes the units that a lean bundle has not, but for their first entries.
func (d *Data) leaveOut(info *core.Section) {
	for _, u := range d.units {
		if gap := info.Gap(int(u.Off), int(u.end)); gap != nil {
			u.lost = gap.Err
		}
	}
}

// Partly says why what is found by name may be there all the same: units that cannot be read,
// as where the file that has the rest of one is missing. It is nil if all can be read, and reads
// all of them.
func (d *Data) Partly() error { return d.index().partly }

// readUnits reads the headers of all units (DWARF 5, section 7.5.1).
func (d *Data) readUnits() error {
	for off := uint64(0); off < uint64(len(d.info)) && len(d.units) < maxUnits; {
		u, next, err := d.readHeader(off)
		if err != nil {
			return fmt.Errorf("dwarf: unit at %#x: %w", off, err)
		}
		if u != nil {
			d.units = append(d.units, u)
		}
		off = next
	}
	return nil
}

// readHeader reads one unit's header. The unit is nil if it is padding, or of a version that is
// not known.
func (d *Data) readHeader(off uint64) (u *Unit, next uint64, err error) {
	b := at(d.info, off, d.order)
	u = &Unit{d: d, Off: Offset(off), kind: utCompile}
	size := uint64(b.u32())
	if size == 0xffffffff {
		size, u.dwarf64 = b.uint(8), true
	}
	if b.bad || size > uint64(len(d.info)-b.off) {
		return nil, 0, errors.New("its size leads past the section")
	}
	next = uint64(b.off) + size
	u.end = Offset(next)
	if size == 0 {
		return nil, next, nil
	}
	u.version = int(b.u16())
	if u.version < 2 || u.version > 5 {
		return nil, next, nil
	}
	var abbrev, sig, typeOff uint64
	if u.version >= 5 {
		u.kind = b.u8()
		u.addr = int(b.u8())
		abbrev = b.offset(u.dwarf64)
		switch u.kind {
		case utSkeleton, utSplitCompile:
			u.split.id = b.uint(8)
		case utType, utSplitType:
			sig, typeOff = b.uint(8), b.offset(u.dwarf64)
		}
	} else {
		abbrev = b.offset(u.dwarf64)
		u.addr = int(b.u8())
	}
	if b.bad || uint64(b.off) > next || u.addr != 4 && u.addr != 8 && u.addr != 2 {
		return nil, 0, errors.New("its header is malformed")
	}
	u.first = Offset(b.off)
	if u.kind == utType || u.kind == utSplitType {
		d.sigs[sig] = u.Off + Offset(typeOff)
	}
	if u.abbrevs, err = d.abbrevsAt(abbrev); err != nil {
		return nil, 0, err
	}
	return u, next, nil
}

// unitOf returns the unit that has an entry at off, or nil.
func (d *Data) unitOf(off Offset) *Unit {
	i := sort.Search(len(d.units), func(i int) bool { return d.units[i].Off > off }) - 1
	if i < 0 || off < d.units[i].first || off >= d.units[i].end {
		return nil
	}
	return d.units[i]
}

// load reads of the unit's own entry what its other entries depend on.
func (u *Unit) load() {
	u.root.Do(func() {
		r := u.reader(u.first)
		e, ok := r.next()
		if !ok {
			return
		}
		n := func(a attr) uint64 { v, _ := e.attr(a).Uint(); return v }
		// Strings and addresses by index need these first.
		u.strBase, u.addrBase = n(atStrOffsetsBase), n(atAddrBase)|n(atGNUAddrBase)
		u.rngBase, u.locBase = n(atRnglistsBase)|n(atGNURangesBase), n(atLoclistsBase)
		if u.split.skeleton != nil {
			u.inherit()
		} else if u.split.name = e.attr(atDWOName).Text(); u.split.name == "" {
			u.split.name = e.attr(atGNUDWOName).Text()
		}
		u.split.id |= n(atGNUDWOID)
		u.lang = Language(n(atLanguage))
		if a, ok := e.attr(atLowPC).Addr(); ok {
			u.low = a
		}
		u.compDir = e.attr(atCompDir).Text()
	})
}

// Lang returns the unit's language.
func (u *Unit) Lang() Language { u.load(); return u.lang }

// A unitRange says that code at [low, high) is of a unit.
type unitRange struct {
	low, high uint64
	unit      *Unit
}

// codeRanges returns what code the units have, in order of address.
func (d *Data) codeRanges() []unitRange {
	var out []unitRange
	for _, u := range d.units {
		if u.kind == utType || u.kind == utPartial || u.kind == utSplitType {
			continue
		}
		u.load()
		r := u.reader(u.first)
		if e, ok := r.next(); ok {
			for _, lh := range e.codeRanges() {
				if lh[0] != 0 && lh[0] < lh[1] {
					out = append(out, unitRange{lh[0], lh[1], u})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b unitRange) int {
		switch {
		case a.low < b.low:
			return -1
		case a.low > b.low:
			return 1
		}
		return 0
	})
	return out
}

// unitAt returns the unit that has the code at the link-time address pc, or nil.
func (d *Data) unitAt(pc uint64) *Unit {
	code := d.code()
	i := sort.Search(len(code), func(i int) bool { return code[i].low > pc })
	for k := i - 1; k >= 0 && k >= i-8; k-- {
		if pc < code[k].high {
			return code[k].unit
		}
	}
	return nil
}
