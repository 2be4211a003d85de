package dwarf

import "slices"

// An Entry is a debugging information entry. It is valid until its reader's next one.
type Entry struct {
	Off      Offset
	Tag      Tag
	Children bool
	u        *Unit
	names    []spec
	attrs    []Attr
}

// A ref is an entry of one of the files, or sections, that the information is in. The zero ref is
// none.
type ref struct {
	d   *part
	off Offset
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
func (e *Entry) attr(a attr) Attr {
	for i := range e.names {
		if e.names[i].attr == a {
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
	b buf
	e Entry
	n int // entries read

	abbrevs *abbrevTable
	// only is the set of attributes that entries get here, if it is not nil; others are skipped. Such
	// entries are not kept.
	only *attrSet
	kept []spec
}

// An attrSet is a set of attributes.
type attrSet struct {
	low  [2]uint64 // those below 128
	high []attr
}

func setOf(list ...attr) *attrSet {
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

func (s *attrSet) has(a attr) bool {
	if a < 128 {
		return s.low[a/64]>>(a%64)&1 != 0
	}
	return slices.Contains(s.high, a)
}

// reader returns one that begins with the entry at off.
func (u *Unit) reader(off Offset) *reader {
	r := &reader{u: u, b: at(u.d.info.Data[:u.end], uint64(off), u.d.order)}
	t, err := u.d.abbrevs.at(u.abbrev)
	if r.abbrevs = t; err != nil {
		r.b.bad = true
	}
	return r
}

// next reads an entry. It is not ok at the unit's end and where the unit is damaged.
func (r *reader) next() (*Entry, bool) {
	if !r.b.more() || r.n > maxChilds {
		return nil, false
	}
	r.n++
	e := &r.e
	e.Off, e.u = Offset(r.b.off), r.u
	code := r.b.uleb()
	e.Tag, e.Children, e.names, e.attrs = 0, false, nil, e.attrs[:0]
	if code == 0 {
		return e, !r.b.bad
	}
	a := r.abbrevs.find(code)
	if a == nil {
		r.b.bad = true
		return nil, false
	}
	e.Tag, e.Children, e.names = a.tag, a.children, a.specs
	if r.only != nil {
		r.readOnly(a)
		return e, !r.b.bad
	}
	for _, s := range a.specs {
		e.attrs = append(e.attrs, r.b.read(r.u, s))
	}
	return e, !r.b.bad
}

// readOnly reads those attributes of an entry that are asked for.
func (r *reader) readOnly(a *abbrev) {
	r.kept = r.kept[:0]
	for _, s := range a.specs {
		if !r.only.has(s.attr) {
			r.b.pass(r.u, s)
			continue
		}
		r.kept = append(r.kept, s)
		r.e.attrs = append(r.e.attrs, r.b.read(r.u, s))
	}
	r.e.names = r.kept
}

// first returns the unit's own entry.
func (u *Unit) firstEntry() (*Entry, bool) {
	b := at(u.d.info.Data[:u.end], uint64(u.first), u.d.order)
	a, err := oneAbbrev(at(u.d.abbrev, u.abbrev, u.d.order), b.uleb())
	if err != nil || b.bad {
		return nil, false
	}
	e := &Entry{Off: u.first, Tag: a.tag, Children: a.children, u: u, names: a.specs}
	for _, s := range a.specs {
		e.attrs = append(e.attrs, b.read(u, s))
	}
	return e, !b.bad
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
	sib, ok := e.attr(atSibling).unitRef()
	if !ok || sib <= Offset(r.b.off) || sib >= r.u.end {
		return false
	}
	r.b.off = int(sib)
	return true
}

// entry returns the entry at off, to keep; nil if there is none.
func (d *part) entry(off Offset) *Entry {
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
func (d *part) children(off Offset, yield func(r *reader, e *Entry) bool) {
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
		here := r.b.off
		if !yield(r, e) {
			return
		}
		if r.b.off == here {
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
		at, ok := e.attr(atAbstractOrigin).ref()
		if !ok {
			at, ok = e.attr(atSpecification).ref()
		}
		if !ok {
			return
		}
		e = at.entry()
	}
}

// inherited returns an attribute of e or of an entry that e completes.
func (e *Entry) inherited(name attr) (a Attr) {
	e.origin(func(e *Entry) bool {
		a = e.attr(name)
		return a.present()
	})
	return a
}
