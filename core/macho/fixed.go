package macho

import (
	"fmt"
	"io"
	"path"
	"sync"

	"coredbg/core"
)

// A fixedSegment is a core.Source of a segment's bytes as dyld left them: what its
// file has, with pointers slid and bound. A pointer of which it is not known where
// dyld bound it to is a gap, as is a page whose fixups cannot be read. Signatures
// of pointers are left out.
type fixedSegment struct {
	f     *File
	seg   int
	bias  core.Addr
	find  func(*File, *imported) (core.Addr, error)
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
func (s *fixedSegment) Size() int64 { return int64(s.f.segs[s.seg].filesize & (1<<63 - 1)) }

// Close does nothing: the file is closed with the process.
func (s *fixedSegment) Close() error { return nil }

// Window returns the bytes from off to the end of the page, or to the next gap.
func (s *fixedSegment) Window(off int64) ([]byte, error) {
	seg := &s.f.segs[s.seg]
	if off < 0 || off >= s.Size() {
		return nil, io.EOF
	}
	size := uint64(fixPage)
	fix := s.f.fixer()
	if fix != nil {
		size = fix.page(s.seg)
	}
	if fix == nil || size == 0 {
		b := s.f.at(seg.vmaddr+uint64(off), seg.filesize-uint64(off))
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
func (s *fixedSegment) page(fix fixer, off, size uint64) *fixedPage {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.pages[off]; p != nil {
		return p
	}
	if len(s.pages) >= maxFixedPages || s.pages == nil {
		s.pages = map[uint64]*fixedPage{}
	}
	seg := &s.f.segs[s.seg]
	p := &fixedPage{data: s.f.at(seg.vmaddr+off, min(size, seg.filesize-off))}
	mine := false
	err := fix.fixups(s.seg, off, p.data, func(x fixup) {
		if !mine {
			p.data, mine = append([]byte(nil), p.data...), true
		}
		s.apply(p, x, x.off-off)
	})
	if err != nil {
		p.err = &core.GapError{Gap: core.NotDumped, Detail: err.Error()}
	}
	s.pages[off] = p
	return p
}

// apply fixes one pointer up.
func (s *fixedSegment) apply(p *fixedPage, x fixup, at uint64) {
	v := x.target
	switch {
	case x.bound != nil:
		a, err := s.find(s.f, x.bound)
		if err != nil {
			p.gap(at, x.size, &core.GapError{Gap: core.NotDumped, Detail: err.Error()})
			return
		}
		p.gap(at, x.size, nil)
		v = uint64(a) + uint64(x.addend)
	case !x.plain:
		v += uint64(s.bias)
	}
	v |= x.high
	if x.size == 4 {
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

// maxReexports bounds the libraries that a search for a symbol goes through.
const maxReexports = 256

// A boundSymbol is what an import of an image is bound to.
type boundSymbol struct {
	f   *File
	imp imported
}

// A boundAddr is an address, or the reason why it is not known.
type boundAddr struct {
	a   core.Addr
	err error
}

// maxBound bounds the imports that are remembered.
const maxBound = 1 << 16

// find is search with a memory: many pointers are bound to few symbols.
func (l *loader) find(f *File, imp *imported) (core.Addr, error) {
	key := boundSymbol{f, *imp}
	l.boundMu.Lock()
	b, ok := l.bound[key]
	l.boundMu.Unlock()
	if !ok {
		b.a, b.err = l.search(f, imp)
		l.boundMu.Lock()
		if l.bound == nil || len(l.bound) >= maxBound {
			l.bound = map[boundSymbol]boundAddr{}
		}
		l.bound[key] = b
		l.boundMu.Unlock()
	}
	return b.a, b.err
}

// search returns the address of the symbol that dyld binds an import of f to. The
// error says why that is not known: the library is absent, or several could be it.
func (l *loader) search(f *File, imp *imported) (core.Addr, error) {
	unknown := fmt.Errorf("a pointer that dyld bound to %q", imp.name)
	var found []core.Addr
	budget := maxReexports
	switch {
	case imp.library == librarySelf:
		for _, m := range l.p.Modules {
			if m.Facts().Image == core.Image(f) {
				found = l.define(m, []byte(imp.name), &budget)
			}
		}
	case imp.library == libraryMain:
		for _, m := range l.p.Modules {
			if m.Exe {
				found = l.define(m, []byte(imp.name), &budget)
			}
		}
	case imp.library > 0 && imp.library <= len(f.dylibs):
		name := f.dylibs[imp.library-1].path
		unknown = fmt.Errorf("%w of %q", unknown, path.Base(name))
		if m := l.named(name); m != nil {
			found = l.define(m, []byte(imp.name), &budget)
		}
	case imp.library == libraryFlat || imp.library == libraryWeak:
		// The first in the order of loading wins, which is not known: it is
		// sure only if there is one.
		unknown = fmt.Errorf("%w of the first library to define it", unknown)
		for _, m := range l.p.Modules {
			if m.Facts().Image == nil {
				return 0, unknown
			}
			n := 1
			found = append(found, l.define(m, []byte(imp.name), &n)...)
		}
	}
	if len(found) != 1 {
		return 0, unknown
	}
	return found[0], nil
}

// named returns the module of a library by the path that images load it by; a path
// that dyld completed is known by its last element, if only one module has that.
func (l *loader) named(name string) *core.Module {
	var last *core.Module
	n := 0
	for _, m := range l.p.Modules {
		if f, ok := m.Facts().Image.(*File); ok && f.id == name || m.Path == name {
			return m
		}
		if m.Name() == path.Base(name) {
			last = m
			n++
		}
	}
	if n > 1 {
		return nil
	}
	return last
}

// define returns where a module defines a symbol, itself or by a library whose
// symbols it passes on.
func (l *loader) define(m *core.Module, name []byte, budget *int) []core.Addr {
	facts := m.Facts()
	f, ok := facts.Image.(*File)
	if !ok || !facts.BiasKnown || *budget <= 0 {
		return nil
	}
	*budget--
	if e, ok := f.exports().find(name); ok {
		if e.flags&exportReexport == 0 {
			if e.flags&exportKindMask == exportAbsolute {
				return []core.Addr{core.Addr(e.value)}
			}
			return []core.Addr{core.Addr(f.imageBase()+e.value) + facts.Bias}
		}
		if e.library == 0 || e.library > uint64(len(f.dylibs)) {
			return nil
		}
		if e.imported != nil {
			name = e.imported
		}
		if next := l.named(f.dylibs[e.library-1].path); next != nil {
			return l.define(next, name, budget)
		}
		return nil
	}
	for _, d := range f.dylibs {
		if !d.reexport {
			continue
		}
		if next := l.named(d.path); next != nil {
			if found := l.define(next, name, budget); found != nil {
				return found
			}
		}
	}
	return nil
}
