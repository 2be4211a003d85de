package dwarf

import (
	"encoding/binary"
	"errors"
	"sync"
)

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

// maxTables bounds the tables that are kept: each unit that the linker put into a file has its own,
// which takes more memory than the bytes that it is read from.
const maxTables = 256

// abbrevTables are the tables of a section, each read once.
type abbrevTables struct {
	data  []byte // .debug_abbrev
	order binary.ByteOrder

	mu    sync.Mutex
	known map[uint64]*abbrevTable // by offset
}

func newAbbrevTables(data []byte, order binary.ByteOrder) *abbrevTables {
	return &abbrevTables{data: data, order: order, known: map[uint64]*abbrevTable{}}
}

// at returns the table at an offset.
func (x *abbrevTables) at(off uint64) (*abbrevTable, error) {
	x.mu.Lock()
	t := x.known[off]
	x.mu.Unlock()
	if t != nil {
		return t, nil
	}
	t, err := readAbbrevs(at(x.data, off, x.order))
	if err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.known) >= maxTables {
		clear(x.known)
	}
	x.known[off] = t
	return t, nil
}

// readAbbrevs reads the table that begins at b.
func readAbbrevs(b buf) (*abbrevTable, error) {
	t := &abbrevTable{}
	for n := 0; ; n++ {
		code := b.uleb()
		if b.bad || n > maxAbbrevs {
			return nil, errAbbrev
		}
		if code == 0 {
			return t, nil
		}
		a, err := b.abbrev(nil)
		if err != nil {
			return nil, err
		}
		t.add(code, a)
	}
}

// oneAbbrev reads only the shape with a code from a table. Reading the whole table for each of
// thousands of units would take longer than using them.
func oneAbbrev(b buf, code uint64) (*abbrev, error) {
	var specs []spec
	for range maxAbbrevs {
		have := b.uleb()
		if b.bad || have == 0 {
			break
		}
		a, err := b.abbrev(specs[:0])
		if err != nil {
			return nil, err
		}
		if have == code {
			return &a, nil
		}
		specs = a.specs
	}
	return nil, errAbbrev
}

// abbrev reads a shape after its code. It appends the shape's attributes to specs.
func (b *buf) abbrev(specs []spec) (abbrev, error) {
	a := abbrev{tag: Tag(b.uleb()), children: b.u8() != 0, specs: specs}
	for {
		s := spec{attr: attr(b.uleb()), form: form(b.uleb())}
		if s.form == formImplicitConst {
			s.value = b.sleb()
		}
		if b.bad || len(a.specs) > maxSpecs {
			return a, errAbbrev
		}
		if s.attr == 0 && s.form == 0 {
			return a, nil
		}
		a.specs = append(a.specs, s)
	}
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
