package format

import (
	"encoding/binary"
	"errors"
	"sync"

	"coredbg/core"
)

// An AbbrevTable says what the entries of a unit look like (DWARF 5, section 7.5.3).
type AbbrevTable struct {
	dense  []Abbrev          // by code - 1: compilers count from 1
	sparse map[uint64]Abbrev // the others
}

// An Abbrev is the shape of an entry.
type Abbrev struct {
	Tag      Tag
	Children bool
	Specs    []Spec
}

// A Spec is an attribute of such an entry.
type Spec struct {
	Attr  AttrName
	Form  Form
	Value int64 // of formImplicitConst
}

// The bounds of one table.
const (
	maxAbbrevs = 1 << 20
	MaxSpecs   = 1 << 12
)

var errAbbrev = errors.New("a table of abbreviations is malformed")

// maxTables bounds the tables that are kept: each unit that the linker put into a file has its own,
// which takes more memory than the bytes that it is read from.
const maxTables = 256

// AbbrevTables are the tables of a section, each read once.
type AbbrevTables struct {
	data  []byte // .debug_abbrev
	order binary.ByteOrder

	mu    sync.Mutex
	known map[uint64]*AbbrevTable // by offset
}

// NewAbbrevTables returns the tables of .debug_abbrev.
func NewAbbrevTables(data []byte, order binary.ByteOrder) *AbbrevTables {
	return &AbbrevTables{data: data, order: order, known: map[uint64]*AbbrevTable{}}
}

// At returns the table at an offset.
func (x *AbbrevTables) At(off uint64) (*AbbrevTable, error) {
	x.mu.Lock()
	t := x.known[off]
	x.mu.Unlock()
	if t != nil {
		return t, nil
	}
	t, err := readAbbrevs(core.BufAt(x.data, off, x.order))
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
func readAbbrevs(b core.Buf) (*AbbrevTable, error) {
	t := &AbbrevTable{}
	for n := 0; ; n++ {
		code := b.ULEB()
		if b.Bad || n > maxAbbrevs {
			return nil, b.Fail(".debug_abbrev", errAbbrev)
		}
		if code == 0 {
			return t, nil
		}
		a, err := readAbbrev(&b, nil)
		if err != nil {
			return nil, err
		}
		t.add(code, a)
	}
}

// OneAbbrev reads only the shape with a code from a table. Reading the whole table for each of
// thousands of units would take longer than using them.
func OneAbbrev(b core.Buf, code uint64) (*Abbrev, error) {
	var specs []Spec
	for range maxAbbrevs {
		have := b.ULEB()
		if b.Bad || have == 0 {
			break
		}
		a, err := readAbbrev(&b, specs[:0])
		if err != nil {
			return nil, err
		}
		if have == code {
			return &a, nil
		}
		specs = a.Specs
	}
	return nil, b.Fail(".debug_abbrev", errAbbrev)
}

// readAbbrev reads a shape after its code. It appends the shape's attributes to specs.
func readAbbrev(b *core.Buf, specs []Spec) (Abbrev, error) {
	a := Abbrev{Tag: Tag(b.ULEB()), Children: b.U8() != 0, Specs: specs}
	for {
		s := Spec{Attr: AttrName(b.ULEB()), Form: Form(b.ULEB())}
		if s.Form == FormImplicitConst {
			s.Value = b.SLEB()
		}
		if b.Bad || len(a.Specs) > MaxSpecs {
			return a, b.Fail(".debug_abbrev", errAbbrev)
		}
		if s.Attr == 0 && s.Form == 0 {
			return a, nil
		}
		a.Specs = append(a.Specs, s)
	}
}

func (t *AbbrevTable) add(code uint64, a Abbrev) {
	if code == uint64(len(t.dense))+1 {
		t.dense = append(t.dense, a)
		return
	}
	if t.sparse == nil {
		t.sparse = map[uint64]Abbrev{}
	}
	t.sparse[code] = a
}

// Find returns the shape with a code; nil if there is none.
func (t *AbbrevTable) Find(code uint64) *Abbrev {
	if code-1 < uint64(len(t.dense)) {
		return &t.dense[code-1]
	}
	if a, ok := t.sparse[code]; ok {
		return &a
	}
	return nil
}
