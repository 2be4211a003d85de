package dwarf

import (
	"cmp"
	"slices"

	"coredbg/core/dwarf/format"
	"coredbg/core/dwarf/index"
)

// An indexer adds what units name to an index, one after another.
type indexer struct {
	u    *Unit
	x    index.Builder
	lost lost
	// parts are the parts that entries may be in, number is the unit's number in the list of units to
	// index, and part is the number of the part that has u.
	parts        []*part
	number, part int
	// names has what precedes names at each level, one after another; levels are where those begin.
	names  []byte
	levels []level
	decls  []declared // in order of off
	name   []byte     // the one that is put together
}

// A level is a scope that an entry is in: its qualified name, with "::" after each part.
type level struct {
	start int
	text  string // the same; "" until it is asked for
}

// A declared is a declaration that another entry of the unit may complete.
type declared struct {
	off  format.Offset
	in   string
	name []byte
}

// indexedAttrs are the attributes that an index needs.
var indexedAttrs = setOf(format.AtSibling, format.AtName, format.AtDeclaration, format.AtSpecification,
	format.AtAbstractOrigin, format.AtLinkageName,
	format.AtMIPSLinkageName, format.AtLowPC, format.AtRanges, format.AtLocation, format.AtConstValue)

// unit adds the names of a unit. It skips the bodies of functions: except for static variables, they
// hold no place that a name leads to.
func (w *indexer) unit(u *Unit) {
	u.load()
	w.part = w.partOf(u.d)
	w.u, w.names, w.levels, w.decls = u, w.names[:0], append(w.levels[:0], level{}), w.decls[:0]
	r := u.reader(u.first)
	r.only = indexedAttrs
	if e, ok := r.next(); !ok || !e.Children {
		return
	}
	for {
		e, ok := r.next()
		if !ok {
			return
		}
		if e.Tag == 0 {
			last := len(w.levels) - 1
			w.names = w.names[:w.levels[last].start]
			if w.levels = w.levels[:last]; last == 0 {
				return
			}
			continue
		}
		name, isScope := scopeText(e)
		if e.attr(format.AtDeclaration).Flag() {
			w.decls = append(w.decls, declared{e.Off, w.in(), e.attr(format.AtName).text()})
		}
		of := w.completes(e)
		w.entry(e, of)
		switch {
		case !e.Children:
		case isScope && len(w.levels) < maxNested:
			w.enter(name, of)
		default:
			r.skipChildren(e)
		}
	}
}

// partOf returns the number of the part that has d. The number depends only on the list of units to
// index, not on the number of workers.
func (w *indexer) partOf(d *part) int {
	if i := slices.Index(w.parts[:partRest], d); i >= 0 {
		return i
	}
	i := partRest + 2*w.number
	if w.parts[i] != nil && w.parts[i] != d {
		i++
	}
	w.parts[i] = d
	return i
}

// add adds an entry by the name that was put together.
func (w *indexer) add(k index.Kind, e *Entry) {
	if r, ok := index.At(w.part, uint64(e.Off)); ok {
		w.x.Add(k, w.name, r)
	}
}

// prefix returns what precedes names in the scope of an entry, which may complete a declaration
// elsewhere; lent.
func (w *indexer) prefix(of *declared) []byte {
	if of != nil {
		return append(w.name[:0], of.in...)
	}
	return append(w.name[:0], w.names[w.levels[len(w.levels)-1].start:]...)
}

// in returns the same for the scope that is open, to keep.
func (w *indexer) in() string {
	l := &w.levels[len(w.levels)-1]
	if l.text == "" && l.start < len(w.names) {
		l.text = string(w.names[l.start:])
	}
	return l.text
}

// enter opens a scope.
func (w *indexer) enter(name []byte, of *declared) {
	w.name = append(append(w.prefix(of), name...), "::"...)
	w.levels = append(w.levels, level{start: len(w.names)})
	w.names = append(w.names, w.name...)
}

// completes returns the declaration that an entry completes, if that is known.
func (w *indexer) completes(e *Entry) *declared {
	at, ok := e.attr(format.AtSpecification).unitRef()
	if !ok {
		return nil
	}
	i, ok := slices.BinarySearchFunc(w.decls, at, func(d declared, off format.Offset) int {
		return cmp.Compare(d.off,
			off)
	})
	if !ok {
		return nil
	}
	return &w.decls[i]
}

// entry adds what an entry names.
func (w *indexer) entry(e *Entry, of *declared) {
	switch e.Tag {
	case format.TagBaseType, format.TagStructureType, format.TagClassType, format.TagUnionType,
		format.TagEnumerationType, format.TagTypedef, format.TagInterfaceType,
		format.TagTemplateAlias, format.TagPointerType,
		format.TagSubroutineType:
		if name := e.attr(format.AtName).text(); len(name) > 0 && !e.attr(format.AtDeclaration).Flag() {
			w.name = append(w.prefix(of), name...)
			w.add(index.Types, e)
		}
	case format.TagSubprogram:
		if e.attr(format.AtLowPC).Present() || e.attr(format.AtRanges).Present() {
			w.name = append(w.name[:0], e.functionName()...)
			w.add(index.Functions, e)
		}
	case format.TagVariable, format.TagConstant:
		w.variable(e, of)
	}
}

func (w *indexer) variable(e *Entry, of *declared) {
	own := e.attr(format.AtName).text()
	if of != nil {
		own = of.name
	}
	w.name = append(w.prefix(of), own...)
	if !e.attr(format.AtLocation).Present() && !e.attr(format.AtConstValue).Present() {
		if !e.attr(format.AtDeclaration).Flag() && len(own) > 0 {
			w.add(index.Gone, e)
		}
		return
	}
	if spec, ok := e.attr(format.AtSpecification).ref(); ok && of == nil {
		decl := spec.entry()
		if decl == nil {
			return
		}
		own = decl.attr(format.AtName).text()
		w.name = append(w.name[:0], decl.u.qualify(spec.off, string(own))...)
	}
	if len(own) == 0 {
		return
	}
	w.add(index.Variables, e)
	if addr, ok := w.u.fixedAddr(e.attr(format.AtLocation)); ok {
		if r, ok := index.At(w.part, uint64(e.Off)); ok {
			w.x.Place(addr, r)
		}
	}
}
