package dwarf

import "errors"

// An abbrevTable says what the entries of a unit look like (DWARF 5, section 7.5.3).
type abbrevTable struct {
	dense  []abbrev          // by code - 1: compilers count from 1
	sparse map[uint64]abbrev // the others
}

// An abbrev is the shape of an entry.
type abbrev struct {
	tag      Tag
	children bool
	specs    []spec
}

// A spec is an attribute of such an entry.
type spec struct {
	attr  attr
	form  form
	value int64 // of formImplicitConst
}

// The bounds of one table.
const (
	maxAbbrevs = 1 << 20
	maxSpecs   = 1 << 12
)

var errAbbrev = errors.New("its abbreviations are malformed")

// abbrevsAt returns the table at an offset of .debug_abbrev. It is called while units are read.
func (d *Data) abbrevsAt(off uint64) (*abbrevTable, error) {
	if t := d.abbrevs[off]; t != nil {
		return t, nil
	}
	b := at(d.abbrev, off, d.order)
	t := &abbrevTable{}
	for n := 0; ; n++ {
		code := b.uleb()
		if b.bad || n > maxAbbrevs {
			return nil, errAbbrev
		}
		if code == 0 {
			break
		}
		a := abbrev{tag: Tag(b.uleb()), children: b.u8() != 0}
		for {
			s := spec{attr: attr(b.uleb()), form: form(b.uleb())}
			if s.form == formImplicitConst {
				s.value = b.sleb()
			}
			if b.bad || len(a.specs) > maxSpecs {
				return nil, errAbbrev
			}
			if s.attr == 0 && s.form == 0 {
				break
			}
			a.specs = append(a.specs, s)
		}
		t.add(code, a)
	}
	d.abbrevs[off] = t
	return t, nil
}

func (t *abbrevTable) add(code uint64, a abbrev) {
	if code == uint64(len(t.dense))+1 {
		t.dense = append(t.dense, a)
		return
	}
	if t.sparse == nil {
		t.sparse = map[uint64]abbrev{}
	}
	t.sparse[code] = a
}

func (t *abbrevTable) find(code uint64) *abbrev {
	if code-1 < uint64(len(t.dense)) {
		return &t.dense[code-1]
	}
	if a, ok := t.sparse[code]; ok {
		return &a
	}
	return nil
}
