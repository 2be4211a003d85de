package elf

import (
	"errors"
	"sort"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// nameTable is a string table. If a lean bundle has it in pieces, it holds only these: the names that
// were left out are most of the table.
type nameTable struct {
	data   []byte
	pieces []namePiece // sorted; nil if data is the whole table
	size   int         // of the table
	err    error       // why the rest is missing
	last   int         // the piece that was asked last: symbols' names mostly follow each other
}

// namePiece says that data[at:] has the table's bytes from off to end.
type namePiece struct{ off, end, at int }

// name returns the name at an offset, lent; the error says why it is missing.
func (t *nameTable) name(off uint32) ([]byte, error) {
	if t.pieces == nil {
		return format.CBytes(t.data, uint64(off)), nil
	}
	o := int(off)
	if o >= t.size {
		return nil, nil
	}
	if p := t.pieces[t.last]; o < p.off || o >= p.end {
		i := sort.Search(len(t.pieces), func(i int) bool { return t.pieces[i].end > o })
		if i == len(t.pieces) || o < t.pieces[i].off {
			return nil, t.err
		}
		t.last = i
	}
	p := t.pieces[t.last]
	rest := t.data[p.at+o-p.off : p.at+p.end-p.off]
	if name := format.CBytes(rest, 0); len(name) < len(rest) || p.end == t.size {
		return name, nil
	}
	return nil, t.err // it goes on where bytes are missing
}

// namesIn returns the string table in a section.
func (f *File) namesIn(s *format.Section) (*nameTable, error) {
	f.mu.Lock()
	t, ok := f.cutNames[s]
	f.mu.Unlock()
	if ok {
		own := *t
		return &own, nil
	}
	if t := f.readPieces(s); t != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.cutNames[s] = t
		own := *t
		return &own, nil
	}
	out, err := f.sectionData(s, s.Name)
	return &nameTable{data: out.Data}, err
}

// readPieces returns the string table in a section that a bundle has in pieces. It returns nil if the
// bundle has all or nothing of it, or if bytes are missing for another reason.
func (f *File) readPieces(s *format.Section) *nameTable {
	if f.exec.src == nil || s.Size > maxPieces || int64(s.Off) > f.exec.src.Size()-int64(s.Size) {
		return nil
	}
	t := &nameTable{size: int(s.Size)}
	for at, size := 0, int(s.Size); at < size; {
		w, err := f.exec.src.Window(int64(s.Off) + int64(at))
		if err == nil {
			w = w[:min(len(w), size-at)]
			if len(w) == size {
				return nil
			}
			if n := len(t.pieces); n > 0 && t.pieces[n-1].end == at {
				t.pieces[n-1].end += len(w)
			} else {
				t.pieces = append(t.pieces, namePiece{at, at + len(w), len(t.data)})
			}
			t.data = append(t.data, w...)
			at += len(w)
			continue
		}
		if gap := new(core.GapError); !errors.As(err, &gap) || gap.Gap != core.LeftOut {
			return nil
		}
		t.err = err
		next, _ := core.SourceData(f.exec.src, int64(s.Off)+int64(at))
		at = int(min(max(next-int64(s.Off), int64(at)+1), int64(size)))
	}
	if t.err == nil || t.pieces == nil {
		return nil
	}
	return t
}
