package macho

import (
	"io"
	"sync"

	"coredbg/core"
	"coredbg/core/macho/fixup"
)

// A fixedSegment is a core.Source of a segment's bytes as dyld left them: the bytes of the file, with
// pointers slid and bound. A pointer whose binding is not known is a gap, as is a page whose fixups
// cannot be read. Signatures of pointers are left out.
type fixedSegment struct {
	f     *File
	seg   int
	bias  core.Addr
	find  func(*File, *fixup.Import) (core.Addr, error)
	mu    sync.Mutex
	pages map[uint64]*fixedPage
}

// A fixedPage is a page with the gaps in it.
type fixedPage struct {
	data []byte
	gaps map[uint64]*core.GapError // by offset in the page, one for each 4 bytes
	err  error                     // why nothing of it can be had
}

// maxFixedPages bounds the pages that are kept.
const maxFixedPages = 1 << 10

// Size returns the bytes of the segment that the file has.
func (s *fixedSegment) Size() int64 { return int64(s.f.segs[s.seg].FileSize & (1<<63 - 1)) }

// Close does nothing: the file is closed with the process.
func (s *fixedSegment) Close() error { return nil }

// Window returns the bytes from off to the end of the page, or to the next gap.
func (s *fixedSegment) Window(off int64) ([]byte, error) {
	seg := &s.f.segs[s.seg]
	if off < 0 || off >= s.Size() {
		return nil, io.EOF
	}
	size := uint64(fixup.PageSize)
	fix := s.f.fixer()
	if fix != nil {
		size = fix.Page(s.seg)
	}
	if fix == nil || size == 0 {
		b := s.f.at(seg.VMAddr+uint64(off), seg.FileSize-uint64(off))
		if len(b) == 0 {
			return nil, io.EOF
		}
		return b, nil
	}
	p := s.page(fix, uint64(off)/size*size, size)
	if p.err != nil {
		return nil, p.err
	}
	at := uint64(off) % size
	if at >= uint64(len(p.data)) {
		return nil, io.EOF
	}
	if len(p.gaps) == 0 {
		return p.data[at:], nil
	}
	if gap := p.gaps[at&^3]; gap != nil {
		return nil, gap
	}
	end := at&^3 + 4
	for end < uint64(len(p.data)) && p.gaps[end] == nil {
		end += 4
	}
	return p.data[at:min(end, uint64(len(p.data)))], nil
}

// page returns a page that is fixed up.
func (s *fixedSegment) page(fix fixup.Fixer, off, size uint64) *fixedPage {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.pages[off]; p != nil {
		return p
	}
	if len(s.pages) >= maxFixedPages || s.pages == nil {
		s.pages = map[uint64]*fixedPage{}
	}
	seg := &s.f.segs[s.seg]
	p := &fixedPage{data: s.f.at(seg.VMAddr+off, min(size, seg.FileSize-off))}
	mine := false
	err := fix.Fixups(s.seg, off, p.data, func(x fixup.Fixup) {
		if !mine {
			p.data, mine = append([]byte(nil), p.data...), true
		}
		s.apply(p, x, x.Off-off)
	})
	if err != nil {
		p.err = &core.GapError{Gap: core.NotDumped, Detail: err.Error()}
	}
	s.pages[off] = p
	return p
}

// apply fixes one pointer up.
func (s *fixedSegment) apply(p *fixedPage, x fixup.Fixup, at uint64) {
	v := x.Target
	switch {
	case x.Bound != nil:
		a, err := s.find(s.f, x.Bound)
		if err != nil {
			p.gap(at, x.Size, &core.GapError{Gap: core.NotDumped, Detail: err.Error()})
			return
		}
		p.gap(at, x.Size, nil)
		v = uint64(a) + uint64(x.Addend)
	case !x.Plain:
		v += uint64(s.bias)
	}
	v |= x.High
	if x.Size == 4 {
		le.PutUint32(p.data[at:], uint32(v))
	} else {
		le.PutUint64(p.data[at:], v)
	}
}

// gap notes that a pointer cannot be had, or, with nil, that it can after all.
func (p *fixedPage) gap(at uint64, size int, why *core.GapError) {
	for i := at &^ 3; i < at+uint64(size); i += 4 {
		switch {
		case why == nil:
			delete(p.gaps, i)
		case p.gaps == nil:
			p.gaps = map[uint64]*core.GapError{i: why}
		default:
			p.gaps[i] = why
		}
	}
}

// Fixed returns the bytes of a segment as dyld left them in an image with a bias: pointers are slid,
// and bound to the addresses that find returns. Seg is the segment's index in Layout's list. The source
// is made once.
func (f *File) Fixed(seg int, bias core.Addr, find func(*File, *fixup.Import) (core.Addr, error)) core.Source {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fixed[seg] == nil {
		if f.fixed == nil {
			f.fixed = map[int]*fixedSegment{}
		}
		f.fixed[seg] = &fixedSegment{f: f, seg: seg, bias: bias, find: find}
	}
	return f.fixed[seg]
}

// newFixer returns what fixes the image's pointers up; nil if nothing does.
func (f *File) newFixer() fixup.Fixer {
	img := fixup.Image{Path: f.path, Base: f.Base()}
	for _, s := range f.segs {
		img.Segments = append(img.Segments, s.VMAddr)
	}
	switch {
	case f.fixupsAt.size > 0:
		return fixup.Chained(img, f.linkEdit(f.fixupsAt))
	case f.rebaseAt.size > 0 || f.bindAt.size > 0 || f.weakBindAt.size > 0:
		return fixup.Opcodes(img, f.linkEdit(f.rebaseAt), f.linkEdit(f.bindAt), f.linkEdit(f.weakBindAt))
	}
	return nil
}
