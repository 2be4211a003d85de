package dwarf

import (
	"slices"

	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// An Entry is a debugging information entry. It is valid until its reader's next one.
type Entry struct {
	Off      format.Offset
	Tag      format.Tag
	Children bool
	u        *Unit
	names    []format.Spec
	attrs    []Attr
}

// A ref is an entry of one of the files, or sections, that the information is in. The zero ref is
// none.
type ref struct {
	d   *part
	off format.Offset
}

// entry returns the entry, to keep; nil if there is none.
func (r ref) entry() *Entry {
	if r.d == nil {
		return nil
	}
	return r.d.entry(r.off)
}

// ref returns what refers to e.
func (e *Entry) ref() ref { return ref{e.u.d, e.Off} }

// attr returns an attribute; the zero Attr if the entry does not have it.
func (e *Entry) attr(a format.AttrName) Attr {
	for i := range e.names {
		if e.names[i].Attr == a {
			return e.attrs[i]
		}
	}
	return Attr{}
}

// clone returns a copy of e that stays valid.
func (e *Entry) clone() *Entry {
	c := *e
	c.attrs = append([]Attr(nil), e.attrs...)
	return &c
}

// A reader reads the entries of a unit in order: parents before children. A null entry,
// of Tag 0, ends the children of one.
type reader struct {
	u *Unit
	b core.Buf
	e Entry
	n int // entries read

	abbrevs *format.AbbrevTable
	// only is the set of attributes that entries get here, if it is not nil; others are skipped. Such
	// entries are not kept.
	only *attrSet
	kept []format.Spec
}

// An attrSet is a set of attributes.
type attrSet struct {
	low  [2]uint64 // those below 128
	high []format.AttrName
}

func setOf(list ...format.AttrName) *attrSet {
	s := &attrSet{}
	for _, a := range list {
		if a < 128 {
			s.low[a/64] |= 1 << (a % 64)
		} else {
			s.high = append(s.high, a)
		}
	}
	return s
}

func (s *attrSet) has(a format.AttrName) bool {
	if a < 128 {
		return s.low[a/64]>>(a%64)&1 != 0
	}
	return slices.Contains(s.high, a)
}

// reader returns one that begins with the entry at off.
func (u *Unit) reader(off format.Offset) *reader {
	r := &reader{u: u, b: core.BufAt(u.d.Info.Data[:u.end], uint64(off), u.d.order)}
	t, err := u.d.abbrevs.At(u.abbrev)
	if r.abbrevs = t; err != nil {
		r.b.Bad = true
	}
	return r
}

// next reads an entry. It is not ok at the unit's end and where the unit is damaged.
func (r *reader) next() (*Entry, bool) {
	if !r.b.More() || r.n > maxChilds {
		return nil, false
	}
	r.n++
	e := &r.e
	e.Off, e.u = format.Offset(r.b.Off), r.u
	code := r.b.ULEB()
	e.Tag, e.Children, e.names, e.attrs = 0, false, nil, e.attrs[:0]
	if code == 0 {
		return e, !r.b.Bad
	}
	a := r.abbrevs.Find(code)
	if a == nil {
		r.b.Bad = true
		return nil, false
	}
	e.Tag, e.Children, e.names = a.Tag, a.Children, a.Specs
	if r.only != nil {
		r.readOnly(a)
		return e, !r.b.Bad
	}
	for _, s := range a.Specs {
		e.attrs = append(e.attrs, r.u.read(&r.b, s))
	}
	return e, !r.b.Bad
}

// readOnly reads those attributes of an entry that are asked for.
func (r *reader) readOnly(a *format.Abbrev) {
	r.kept = r.kept[:0]
	for _, s := range a.Specs {
		if !r.only.has(s.Attr) {
			format.Pass(&r.b, s, &r.u.w)
			continue
		}
		r.kept = append(r.kept, s)
		r.e.attrs = append(r.e.attrs, r.u.read(&r.b, s))
	}
	r.e.names = r.kept
}

// firstEntry returns the unit's own entry.
func (u *Unit) firstEntry() (*Entry, error) {
	b := core.BufAt(u.d.Info.Data[:u.end], uint64(u.first), u.d.order)
	a, err := format.OneAbbrev(core.BufAt(u.d.Abbrev, u.abbrev, u.d.order), b.ULEB())
	if b.Bad {
		return nil, b.Fail(u.d.infoName(), errUnit)
	}
	if err != nil {
		return nil, err
	}
	e := &Entry{Off: u.first, Tag: a.Tag, Children: a.Children, u: u, names: a.Specs}
	for _, s := range a.Specs {
		e.attrs = append(e.attrs, u.read(&b, s))
	}
	if b.Bad {
		return nil, b.Fail(u.d.infoName(), errUnit)
	}
	return e, nil
}

// skipChildren moves past the children of e, which was the last entry read.
func (r *reader) skipChildren(e *Entry) {
	if !e.Children {
		return
	}
	if r.toSibling(e) {
		return
	}
	for depth := 1; depth > 0; {
		e, ok := r.next()
		switch {
		case !ok:
			return
		case e.Tag == 0:
			depth--
		case e.Children:
			if !r.toSibling(e) {
				depth++
			}
		}
	}
}

// toSibling moves to the entry after the children of e, if e says where that is.
func (r *reader) toSibling(e *Entry) bool {
	sib, ok := e.attr(format.AtSibling).unitRef()
	if !ok || sib <= format.Offset(r.b.Off) || sib >= r.u.end {
		return false
	}
	r.b.Off = int(sib)
	return true
}

// entry returns the entry at off, to keep; nil if there is none.
func (d *part) entry(off format.Offset) *Entry {
	u := d.unitOf(off)
	if u == nil {
		return nil
	}
	u.load()
	e, ok := u.reader(off).next()
	if !ok || e.Tag == 0 {
		return nil
	}
	return e.clone()
}

// children calls yield for each child of the entry at off, until it returns false. The child is
// lent, and has been read together with no children of its own: yield may read on with r.
func (d *part) children(off format.Offset, yield func(r *reader, e *Entry) bool) {
	u := d.unitOf(off)
	if u == nil {
		return
	}
	u.load()
	r := u.reader(off)
	if e, ok := r.next(); !ok || !e.Children {
		return
	}
	for {
		e, ok := r.next()
		if !ok || e.Tag == 0 {
			return
		}
		here := r.b.Off
		if !yield(r, e) {
			return
		}
		if r.b.Off == here {
			r.skipChildren(e)
		}
	}
}

// eachChild calls yield for each child of e; see children.
func (e *Entry) eachChild(yield func(r *reader, e *Entry) bool) { e.u.d.children(e.Off, yield) }

// origin calls yield for e and for the entries that it completes: the abstract entry of an inlined or
// concrete function, the declaration of a definition (DWARF 5, sections 2.13.2 and 3.3.8). It ends when
// yield returns true.
func (e *Entry) origin(yield func(*Entry) bool) {
	for range maxChain {
		if e == nil || yield(e) {
			return
		}
		at, ok := e.attr(format.AtAbstractOrigin).ref()
		if !ok {
			at, ok = e.attr(format.AtSpecification).ref()
		}
		if !ok {
			return
		}
		e = at.entry()
	}
}

// inherited returns an attribute of e or of an entry that e completes.
func (e *Entry) inherited(name format.AttrName) (a Attr) {
	e.origin(func(e *Entry) bool {
		a = e.attr(name)
		return a.Present()
	})
	return a
}
