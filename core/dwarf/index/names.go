package index

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"coredbg/core"
)

// Names is an index of names. It is read by any number of goroutines at once.
//
// Its bytes, all numbers little-endian:
//
//	8  number of names n
//	8  number of names with more than one part e
//	8  number of places p
//	4n where in the pool each name begins, in order of its hash
//	4e the same for names with more than one part, in order of the hash of the last part
//	16p places: address, Ref; in order of address
//	…  the pool: for each name its Kind, the length of its text, the text, how many Refs it has, and each
//	   Ref less the one before. Numbers are LEB128.
type Names struct {
	data    []byte
	names   []byte
	endings []byte
	places  []byte
	pool    []byte
}

const (
	headSize  = 24
	placeSize = 16
	maxPool   = math.MaxUint32
)

// errNames is why bytes are no index.
var errNames = errors.New("not an index of names")

// Size returns the bytes of the index.
func (n *Names) Size() int { return len(n.data) }

// Bytes returns the index as ReadNames takes it, lent.
func (n *Names) Bytes() []byte { return n.data }

// A writer makes the bytes of an index: all names are counted, then added in the same order.
type writer struct {
	n, e, size int // names, names with more than one part, bytes of the pool
	out        *Names
	pool       []byte // of out, as far as it is written
	all, ends  []hashed
	err        error
}

// hashed is where in the pool the name begins that has a hash.
type hashed struct {
	hash uint64
	at   uint32
}

// hasEnding reports whether a name is found by its last part, and which that is.
func hasEnding(k Kind, name string) (last string, ok bool) {
	if k != Types && k != Variables {
		return "", false
	}
	last = LastPart(name)
	return last, last != name
}

// count makes room for a name; it returns false if there is none.
func (w *writer) count(k Kind, name string, list []Ref) bool {
	size := 1 + length(uint64(len(name))) + len(name) + length(uint64(len(list)))
	before := Ref(0)
	for _, r := range list {
		size += length(uint64(r - before))
		before = r
	}
	if w.size+size > maxPool {
		w.err = ErrTooMany
		return false
	}
	w.n, w.size = w.n+1, w.size+size
	if _, ok := hasEnding(k, name); ok {
		w.e++
	}
	return true
}

// length returns the bytes of a number.
func length(v uint64) int { return max(1, (bits.Len64(v)+6)/7) }

// begin makes the index of as many names as were counted.
func (w *writer) begin(places []Place) {
	data := make([]byte, headSize+4*w.n+4*w.e+placeSize*len(places)+w.size)
	for i, v := range []int{w.n, w.e, len(places)} {
		binary.LittleEndian.PutUint64(data[8*i:], uint64(v))
	}
	w.out, _ = cut(data)
	for i, p := range places {
		binary.LittleEndian.PutUint64(w.out.places[placeSize*i:], p.Addr)
		binary.LittleEndian.PutUint64(w.out.places[placeSize*i+8:], uint64(p.Ref))
	}
	w.pool, w.all, w.ends = w.out.pool[:0], make([]hashed, 0, w.n), make([]hashed, 0, w.e)
}

// add adds a name that was counted.
func (w *writer) add(k Kind, name string, list []Ref) {
	at := uint32(len(w.pool))
	w.all = append(w.all, hashed{hashOf(k, name), at})
	if last, ok := hasEnding(k, name); ok {
		w.ends = append(w.ends, hashed{hashOf(k, last), at})
	}
	w.pool = append(w.pool, byte(k))
	w.pool = binary.AppendUvarint(w.pool, uint64(len(name)))
	w.pool = append(w.pool, name...)
	w.pool = binary.AppendUvarint(w.pool, uint64(len(list)))
	before := Ref(0)
	for _, r := range list {
		w.pool = binary.AppendUvarint(w.pool, uint64(r-before))
		before = r
	}
}

// end puts the names in order.
func (w *writer) end() *Names {
	for to, list := range map[*[]byte][]hashed{&w.out.names: w.all, &w.out.endings: w.ends} {
		slices.SortFunc(list, func(a, b hashed) int { return cmp.Compare(a.hash, b.hash) })
		for i, h := range list {
			binary.LittleEndian.PutUint32((*to)[4*i:], h.at)
		}
	}
	return w.out
}

// cut finds the pieces of an index.
func cut(data []byte) (*Names, bool) {
	if len(data) < headSize {
		return nil, false
	}
	n := &Names{data: data}
	rest := data[headSize:]
	ok := true
	take := func(count uint64, size int) []byte {
		if count > uint64(len(rest)/size) {
			ok = false
			return nil
		}
		part := rest[:int(count)*size]
		rest = rest[len(part):]
		return part
	}
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(data[8*i:]) }
	n.names, n.endings, n.places = take(number(0), 4), take(number(1), 4), take(number(2), placeSize)
	n.pool = rest
	return n, ok && len(rest) <= maxPool
}

// ReadNames reads the bytes of an index, and keeps them. It fails if any byte is invalid, or if valid
// reports false for a Ref.
func ReadNames(data []byte, valid func(Ref) bool) (*Names, error) {
	n, ok := cut(data)
	if !ok {
		return nil, errNames
	}
	begins := make([]uint64, (len(n.pool)+63)/64) // a bit for each byte that a name begins at
	begin := func(at uint32) bool { return int(at) < len(n.pool) && begins[at/64]>>(at%64)&1 != 0 }
	count := 0
	r := record{Buf: core.Buf{Data: n.pool}}
	for at := 0; at < len(n.pool); at = r.Off {
		if !r.read(uint32(at)) || r.kind >= kinds {
			return nil, errNames
		}
		for range r.count {
			if v, ok := r.next(); !ok || !valid(v) {
				return nil, errNames
			}
		}
		begins[at/64] |= 1 << (at % 64)
		count++
	}
	for i := range len(n.names) / 4 {
		if !begin(number(n.names, i)) {
			return nil, errNames
		}
	}
	for i := range len(n.endings) / 4 {
		if !begin(number(n.endings, i)) {
			return nil, errNames
		}
	}
	before := uint64(0)
	for i := range len(n.places) / placeSize {
		p := n.place(i)
		if p.Addr < before || !valid(p.Ref) {
			return nil, errNames
		}
		before = p.Addr
	}
	if count != len(n.names)/4 {
		return nil, errNames
	}
	return n, nil
}

// A record is a name of the pool.
type record struct {
	core.Buf // of the pool
	kind     Kind
	name     []byte
	count    uint64
	value    uint64 // the last Ref
}

// read reads what precedes the values of the name at an offset.
func (r *record) read(at uint32) bool {
	r.Off, r.Bad, r.value = int(at), false, 0
	r.kind = Kind(r.U8())
	r.name = r.Bytes(r.ULEB())
	r.count = r.ULEB()
	return !r.Bad && r.count <= uint64(len(r.Data)-r.Off)
}

// next reads a Ref.
func (r *record) next() (Ref, bool) {
	r.value += r.ULEB()
	return Ref(r.value), !r.Bad
}

// number returns the i-th of a list of numbers.
func number(list []byte, i int) uint32 { return binary.LittleEndian.Uint32(list[4*i:]) }

// hashOf returns what names are in order of (FNV-1a).
func hashOf[T string | []byte](k Kind, name T) uint64 {
	h := (14695981039346656037 ^ uint64(k)) * 1099511628211
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h
}

// search calls yield for each record of a list whose own hash equals hash, until yield returns false.
func (n *Names) search(list []byte, hash uint64, own func(*record) uint64, yield func(*record) bool) {
	r := &record{Buf: core.Buf{Data: n.pool}}
	at := func(i int) uint64 {
		r.read(number(list, i))
		return own(r)
	}
	count := len(list) / 4
	for i := sort.Search(count, func(i int) bool { return at(i) >= hash }); i < count && at(i) == hash; i++ {
		if !yield(r) {
			return
		}
	}
}

// Find returns the entries of a name, sorted by part and offset.
func (n *Names) Find(k Kind, name string) (out []Ref) {
	own := func(r *record) uint64 { return hashOf(r.kind, r.name) }
	n.search(n.names, hashOf(k, name), own, func(r *record) bool {
		if r.kind != k || string(r.name) != name {
			return true
		}
		for range r.count {
			v, _ := r.next()
			out = append(out, v)
		}
		return false
	})
	return out
}

// Whole returns the names of a kind, of Types or Variables, whose LastPart a name is, the shortest first.
func (n *Names) Whole(k Kind, last string) (out []string) {
	own := func(r *record) uint64 { return hashOf(r.kind, LastPart(string(r.name))) }
	n.search(n.endings, hashOf(k, last), own, func(r *record) bool {
		if name := string(r.name); r.kind == k && LastPart(name) == last {
			out = append(out, name)
		}
		return true
	})
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	return out
}

// All calls yield for the names of a kind, in no order, until it returns false.
func (n *Names) All(k Kind, yield func(name string) bool) {
	r := record{Buf: core.Buf{Data: n.pool}}
	for i := range len(n.names) / 4 {
		if r.read(number(n.names, i)); r.kind == k && !yield(string(r.name)) {
			return
		}
	}
}

func (n *Names) place(i int) Place {
	b := n.places[placeSize*i:]
	return Place{binary.LittleEndian.Uint64(b), Ref(binary.LittleEndian.Uint64(b[8:]))}
}

// Before calls yield for the places at addr and before it, the nearest first, until it returns false.
func (n *Names) Before(addr uint64, yield func(Place) bool) {
	i := sort.Search(len(n.places)/placeSize, func(i int) bool { return n.place(i).Addr > addr })
	for k := i - 1; k >= 0 && yield(n.place(k)); k-- {
	}
}
