package heap

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"slices"
	"sync/atomic"
	"unicode/utf16"
)

// A Duplicate is a content that several strings have.
type Duplicate struct {
	Text   string // cut at MaxSample units
	Length uint64 // in UTF-16 units
	Copies []ID   // in order of address
	Bytes  uint64 // of all copies
	Saved  uint64 // bytes of all copies except the smallest
}

// Duplicates are the contents that strings have in common.
type Duplicates struct {
	List    []Duplicate // the greatest savings first
	Strings int         // that were compared
	Bytes   uint64      // of these
	Unread  int         // that could not be read whole, and were not compared
}

const (
	// MaxSample is how many units of a content are kept.
	MaxSample = 120
	// maxSameHash bounds the contents of one hash that are compared.
	maxSameHash = 8
	chunkUnits  = 4096 // that are read at once
)

// Duplicates compares all strings that keep wants by content. It keeps only a hash of each; strings
// with the same hash are read again and compared. It fails only with an error of ctx.
func (g *Graph) Duplicates(ctx context.Context, keep func(ID) bool) (*Duplicates, error) {
	d := &Duplicates{}
	if _, ok := g.src.Reader().(StringReader); !ok {
		return d, nil
	}
	list, err := g.hashStrings(ctx, d, keep)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b hashed) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.id, b.id)) })
	var runs [][]hashed // of several strings with one hash
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].hash == list[0].hash {
			n++
		}
		if n > 1 {
			runs = append(runs, list[:n])
		}
		list = list[n:]
	}
	const atOnce = 64
	found := make([][]Duplicate, (len(runs)+atOnce-1)/atOnce)
	err = parallel(ctx, "comparing strings", len(found), g.src.Reader, func(r Reader, part int) error {
		p := newStringPair(r.(StringReader))
		for _, run := range runs[part*atOnce : min((part+1)*atOnce, len(runs))] {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			found[part] = append(found[part], p.split(g, run)...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.List = slices.Concat(found...)
	slices.SortFunc(d.List, func(a, b Duplicate) int {
		return cmp.Or(-cmp.Compare(a.Saved, b.Saved), cmp.Compare(a.Copies[0], b.Copies[0]))
	})
	return d, nil
}

// A hashed string is one whose content was read.
type hashed struct {
	hash uint64
	id   ID
}

// hashStrings reads all strings once.
func (g *Graph) hashStrings(ctx context.Context, d *Duplicates, keep func(ID) bool) ([]hashed, error) {
	is := g.typesThat(func(r Reader, typ int32, _ *Type) bool { return r.(StringReader).IsString(typ) })
	rows := make([][]hashed, len(g.index.spans))
	var bytes, unread atomic.Int64
	seed := maphash.MakeSeed()
	err := parallel(ctx, "reading strings", len(rows), g.src.Reader, func(r Reader, i int) error {
		p := newStringPair(r.(StringReader))
		s := &g.index.spans[i]
		for id := s.first; id < s.first+s.count; id++ {
			if !is[g.typ.of(id)] || !keep(id) {
				continue
			}
			if id&0xfff == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			h, err := p.hash(g, seed, id)
			if err != nil {
				if !errors.Is(err, ErrElsewhere) {
					unread.Add(1)
				}
				continue
			}
			rows[i] = append(rows[i], hashed{h, id})
			bytes.Add(int64(g.own(id)))
		}
		return nil
	})
	list := slices.Concat(rows...)
	d.Strings, d.Bytes, d.Unread = len(list), uint64(bytes.Load()), int(unread.Load())
	return list, err
}

// typesThat returns, for each type, whether it passes.
func (g *Graph) typesThat(pass func(r Reader, typ int32, t *Type) bool) []bool {
	r := g.src.Reader()
	out := make([]bool, len(g.types))
	for t := range out {
		out[t] = g.types[t].Class != "" && pass(r, int32(t), &g.types[t])
	}
	return out
}

// A stringPair reads two strings side by side, in chunks.
type stringPair struct {
	r     StringReader
	a, b  []uint16
	bytes []byte
}

func newStringPair(r StringReader) *stringPair {
	return &stringPair{r: r, a: make([]uint16, chunkUnits), b: make([]uint16, chunkUnits),
		bytes: make([]byte, 2*chunkUnits)}
}

// hash returns a hash of a string's content. The error says why it cannot be read whole.
func (p *stringPair) hash(g *Graph, seed maphash.Seed, id ID) (uint64, error) {
	var h maphash.Hash
	h.SetSeed(seed)
	at := g.Addr(id)
	for from := uint64(0); ; from += chunkUnits {
		n, err := p.r.ReadString(at, from, p.a)
		if err == nil && n > g.own(id) { // a unit takes at least a byte
			err = errLength
		}
		if err != nil {
			return 0, err
		}
		units := p.a[:min(n-min(from, n), chunkUnits)]
		for i, u := range units {
			binary.LittleEndian.PutUint16(p.bytes[2*i:], u)
		}
		h.Write(p.bytes[:2*len(units)])
		if from+chunkUnits >= n {
			return h.Sum64(), nil
		}
	}
}

// errLength says that a string lies about its length.
var errLength = errors.New("heap: the string is longer than it is large")

// equal reports whether two strings have the same content.
func (p *stringPair) equal(g *Graph, x, y ID) bool {
	a, b := g.Addr(x), g.Addr(y)
	for from := uint64(0); ; from += chunkUnits {
		n, err1 := p.r.ReadString(a, from, p.a)
		m, err2 := p.r.ReadString(b, from, p.b)
		if err1 != nil || err2 != nil || n != m {
			return false
		}
		k := min(n-min(from, n), chunkUnits)
		if !slices.Equal(p.a[:k], p.b[:k]) {
			return false
		}
		if from+chunkUnits >= n {
			return true
		}
	}
}

// split groups strings with the same hash by their contents, and returns the contents that several of
// them have.
func (p *stringPair) split(g *Graph, run []hashed) []Duplicate {
	var groups [][]ID
next:
	for _, x := range run {
		for i := range groups {
			if p.equal(g, groups[i][0], x.id) {
				groups[i] = append(groups[i], x.id)
				continue next
			}
		}
		if len(groups) < maxSameHash {
			groups = append(groups, []ID{x.id})
		}
	}
	var out []Duplicate
	for _, ids := range groups {
		if len(ids) > 1 {
			out = append(out, p.duplicate(g, ids))
		}
	}
	return out
}

func (p *stringPair) duplicate(g *Graph, ids []ID) Duplicate {
	d := Duplicate{Copies: ids}
	least := g.own(ids[0])
	for _, id := range ids {
		own := g.own(id)
		d.Bytes, least = d.Bytes+own, min(least, own)
	}
	d.Saved = d.Bytes - least
	d.Length, _ = p.r.ReadString(g.Addr(ids[0]), 0, p.a)
	d.Text = string(utf16.Decode(p.a[:min(d.Length, MaxSample)]))
	return d
}
