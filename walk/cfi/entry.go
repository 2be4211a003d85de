package cfi

import (
	"errors"
	"fmt"
	"strings"

	"coredbg/core"
)

// A section is .eh_frame or .debug_frame and the data needed to read its records.
type section struct {
	name string
	data []byte
	gaps core.Section // for its Gaps: what data lacks
	eh   bool
	base bases
	arch *core.Arch
}

// A record is the frame of a CIE or FDE: its place and its CIE.
type record struct {
	off    int // of the length field
	id     int // offset of the id field
	body   int // offset after the id field
	end    int // offset after the record
	dwarf  int // 4 or 8: size of offsets
	cie    bool
	cieOff int // of an FDE: offset of its CIE; -1 if it points outside
}

func (s *section) fail(off int, msg string, val any) error {
	err := errors.New(msg)
	if val != nil {
		err = fmt.Errorf("%s %#v", msg, val)
	}
	return &core.SectionError{Section: s.name, Off: uint64(off), Err: err}
}

// missing says why not all of [off, end) is there; nil if it is.
func (s *section) missing(off, end int) error {
	if gap := s.gaps.Gap(off, end); gap != nil {
		return fmt.Errorf("frame description at %#x of %s: %w", off, s.name, gap.Err)
	}
	return nil
}

func (s *section) reader(off, end int) reader {
	return reader{core.Buf{Data: s.data[:end], Off: off, Order: s.arch.Order}}
}

// record reads the header of the record at off. A terminator has end == off+4
// and no body.
func (s *section) record(off int) (record, error) {
	if off < 0 || off > len(s.data) {
		return record{}, s.fail(off, "frame record outside of its section", nil)
	}
	if err := s.missing(off, min(off+4, len(s.data))); err != nil {
		return record{}, err
	}
	r := s.reader(off, len(s.data))
	rec := record{off: off, dwarf: 4}
	length := uint64(r.U32())
	if length == 0xffffffff {
		length, rec.dwarf = r.U64(), 8
	}
	if r.Bad || length > uint64(len(s.data)-r.Off) {
		return record{}, s.fail(off, "length of a frame record", length)
	}
	rec.id, rec.end = r.Off, r.Off+int(length)
	if err := s.missing(off, rec.end); err != nil {
		return record{}, err
	}
	if length == 0 {
		rec.body = rec.end
		return rec, nil
	}
	// In .eh_frame the id is four bytes even in 64-bit records (LSB 5.0,
	// section 10.6.1), and an FDE's is the distance back to its CIE.
	size := rec.dwarf
	if s.eh {
		size = 4
	}
	id := r.word(size)
	if r.Bad || r.Off > rec.end {
		return record{}, s.fail(off, "frame record too short", length)
	}
	rec.body = r.Off
	none := uint64(0)
	if !s.eh {
		none = 0xffffffff
		if size == 8 {
			none = ^uint64(0)
		}
	}
	rec.cie = id == none
	if rec.cie {
		return rec, nil
	}
	rec.cieOff = -1
	if s.eh && id <= uint64(rec.id) {
		rec.cieOff = rec.id - int(id)
	} else if !s.eh && id < uint64(len(s.data)) {
		rec.cieOff = int(id)
	}
	return rec, nil
}

// A cie is a common information entry.
type cie struct {
	codeAlign uint64
	dataAlign int64
	ra        uint64 // DWARF number of the return address column
	ptr       int    // size of addresses in bytes
	segment   int    // size of segment selectors in bytes
	augmented bool   // FDEs have augmentation data
	fdeEnc    uint8
	signal    bool
	start     int // of the instructions
	end       int
}

// cie parses the CIE at off.
func (s *section) cie(off int) (*cie, error) {
	rec, err := s.record(off)
	if err != nil {
		return nil, err
	}
	if !rec.cie || rec.body == rec.end {
		return nil, s.fail(off, "not a CIE", nil)
	}
	r := s.reader(rec.body, rec.end)
	c := &cie{ptr: s.arch.PtrSize, end: rec.end}
	version := r.U8()
	if version != 1 && version != 3 && version != 4 {
		return nil, s.fail(rec.body, "CIE version", version)
	}
	aug := string(r.CString())
	if strings.HasPrefix(aug, "eh") {
		r.Bytes(uint64(c.ptr)) // EH data of GCC 2
		aug = aug[2:]
	}
	if version == 4 {
		c.ptr, c.segment = int(r.U8()), int(r.U8())
		if c.ptr != 4 && c.ptr != 8 || c.segment > 8 {
			return nil, s.fail(off, "CIE with addresses of odd size", c.ptr)
		}
	}
	c.codeAlign, c.dataAlign = r.ULEB(), r.SLEB()
	if version == 1 {
		c.ra = uint64(r.U8())
	} else {
		c.ra = r.ULEB()
	}
	if !s.augment(c, aug, &r) || r.Bad {
		return nil, s.fail(off, "CIE augmentation", aug)
	}
	c.start = r.Off
	return c, nil
}

// augment reads the augmentation data of a CIE. An unknown letter hides the data of the letters after
// it, which costs nothing as long as their total length is given.
func (s *section) augment(c *cie, aug string, r *reader) bool {
	end := -1
	for i, letter := range aug {
		switch letter {
		case 'z':
			if i != 0 {
				return false
			}
			n := r.ULEB()
			if n > uint64(len(r.Data)-r.Off) {
				return false
			}
			end = r.Off + int(n)
			c.augmented = true
		case 'R':
			c.fdeEnc = r.U8()
		case 'L':
			r.U8()
		case 'P':
			// Only its length matters, so what it is relative to does not.
			enc := r.U8()
			if enc&0x70 == encAligned {
				r.pointer(encAligned, &s.base)
			} else if enc != encOmit {
				r.value(enc, c.ptr)
			}
		case 'S':
			c.signal = true
		case 'B', 'G': // pointer authentication with key B; memory tagging
		default:
			if end < 0 {
				return false
			}
			r.Off = end
			return !r.Bad
		}
	}
	if end >= 0 && !r.Bad {
		r.Off = end
	}
	return true
}

// An fde is a frame description entry.
type fde struct {
	cie        *cie
	begin, end uint64 // link-time addresses of the code
	off        int    // of the record
	start      int    // of the instructions
	stop       int
}

// fde parses the FDE of rec, whose CIE has been parsed.
func (s *section) fde(rec record, c *cie) (*fde, error) {
	r := s.reader(rec.body, rec.end)
	f := &fde{cie: c, off: rec.off, stop: rec.end}
	b := s.base
	b.ptr = c.ptr
	r.Bytes(uint64(c.segment))
	f.begin = r.pointer(c.fdeEnc, &b)
	size := r.value(c.fdeEnc, c.ptr)
	if c.augmented {
		r.block()
	}
	if r.Bad {
		return nil, s.fail(rec.off, "malformed FDE", nil)
	}
	f.end = f.begin + size
	if f.end < f.begin {
		return nil, s.fail(rec.off, "FDE whose range wraps", size)
	}
	f.start = r.Off
	return f, nil
}

// fdeAt parses the FDE at off with its CIE.
func (s *section) fdeAt(off int) (*fde, error) {
	rec, err := s.record(off)
	if err != nil {
		return nil, err
	}
	if rec.cie || rec.body == rec.end || rec.cieOff < 0 {
		return nil, s.fail(off, "not an FDE", nil)
	}
	c, err := s.cie(rec.cieOff)
	if err != nil {
		return nil, err
	}
	return s.fde(rec, c)
}
