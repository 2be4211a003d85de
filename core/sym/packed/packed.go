// Package packed holds the symbols of an image as bytes that are searched as they are: which symbol covers an
// address, and which have a name, without the symbol table being read, sorted and laid out again. They are made by Pack
// once, kept in a file, and mapped by whoever needs them next.
//
// Names are not among the bytes: a record says where in the image's own string tables its name is.
//
// The bytes are an input like any other. Read checks that the parts are as long as they say, and each number is checked
// where it is used: what leads past the end of a table has no name, and is found by none.
package packed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"sort"

	"coredbg/core"
)

// A Symbol is one of an index.
type Symbol struct {
	Addr, Size uint64 // link-time address, or offset of a thread-local; bytes
	Name       []byte // lent by the string tables
	// At is where in the string tables, one after another, the name begins.
	At     uint32
	Kind   core.SymKind
	Global bool
}

// A Stretch is a run of addresses that ends where the next one starts; Sym is the number of the
// symbol that covers it, or negative.
type Stretch struct {
	Start uint64
	Sym   int32
}

// Index is the symbols of an image. It is read by any number of goroutines at once.
//
// Its bytes, all numbers little-endian, and of 4 bytes where nothing else is said:
//
//	8 × 4 number of symbols n; how many of them are not thread-local; number of stretches c; the base of addresses
//	16n   symbols: address, size, where the name begins, and its length (16 bits), kind (8), global (1); in order
//	      of address, then the thread-local ones. Addresses count from the base, offsets of thread-local ones from 0.
//	4c    where stretches start, from the base on, in order
//	4c    the symbols of the stretches
//	4b    for each of the b groups, its start in the next list
//	4n    the symbols, by group: all names in a group begin with the same bytes; in order of their numbers
type Index struct {
	Placed int // how many symbols are not thread-local: these come first
	Len    int // how many there are

	base                                    uint64
	symbols, starts, covers, groups, sorted []byte
	tables                                  [][]byte
}

const (
	headSize   = 32
	symbolSize = 16
	maxName    = math.MaxUint16
	maxSymbols = math.MaxInt32
	globalBit  = 1 << 24
	groupBits  = 14
	groups     = 1 << groupBits
	// Begins is how many bytes a prefix must have for only a part of the symbols to be looked at.
	Begins = 6
)

var errPacked = errors.New("not an index of symbols")

// Pack returns the bytes of an index of symbols. Of holds the group of each symbol's name; the first
// placed symbols are not thread-local. It returns false if they cannot be packed, as when addresses or
// sizes take more than 4 GiB.
func Pack(of []uint16, placed int, symbol func(int) Symbol, cover []Stretch) (data []byte, ok bool) {
	n := len(of)
	if n > maxSymbols || placed > n {
		return nil, false
	}
	base := uint64(0)
	if placed > 0 {
		base = symbol(0).Addr
	}
	data = make([]byte, headSize+(symbolSize+4)*n+8*len(cover)+4*groups)
	for i, v := range []uint64{uint64(n), uint64(placed), uint64(len(cover)), base} {
		binary.LittleEndian.PutUint64(data[8*i:], v)
	}
	x, err := Read(data, nil)
	if err != nil {
		return nil, false
	}
	var count [groups]uint32
	for i := range n {
		s := symbol(i)
		addr := s.Addr
		if i < placed {
			addr -= base
		}
		if len(s.Name) > maxName || (addr|s.Size)>>32 != 0 {
			return nil, false
		}
		x.put(i, uint32(addr), &s)
		count[of[i]%groups]++
	}
	for i, c := range cover {
		if (c.Start-base)>>32 != 0 {
			return nil, false
		}
		binary.LittleEndian.PutUint32(x.starts[4*i:], uint32(c.Start-base))
		binary.LittleEndian.PutUint32(x.covers[4*i:], uint32(c.Sym))
	}
	begin := uint32(0)
	for g, c := range count {
		binary.LittleEndian.PutUint32(x.groups[4*g:], begin)
		count[g] = begin
		begin += c
	}
	for i, g := range of {
		g %= groups
		binary.LittleEndian.PutUint32(x.sorted[4*count[g]:], uint32(i))
		count[g]++
	}
	return data, true
}

func (x *Index) put(i int, addr uint32, s *Symbol) {
	b := x.symbols[symbolSize*i : symbolSize*(i+1)]
	word := uint32(len(s.Name)) | uint32(s.Kind)<<16
	if s.Global {
		word |= globalBit
	}
	binary.LittleEndian.PutUint32(b, addr)
	binary.LittleEndian.PutUint32(b[4:], uint32(s.Size))
	binary.LittleEndian.PutUint32(b[8:], s.At)
	binary.LittleEndian.PutUint32(b[12:], word)
}

// Read reads the bytes of an index, which it keeps, whose names are in tables.
func Read(data []byte, tables [][]byte) (*Index, error) {
	if len(data) < headSize {
		return nil, errPacked
	}
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(data[8*i:]) }
	n, placed, c := number(0), number(1), number(2)
	rest := data[headSize:]
	if size := uint64(len(rest)); n > maxSymbols || c > size || placed > n || n*(symbolSize+4)+c*8+4*groups != size {
		return nil, errPacked
	}
	x := &Index{Placed: int(placed), Len: int(n), base: number(3), tables: tables}
	for _, p := range []struct {
		to   *[]byte
		size uint64
	}{{&x.symbols, symbolSize * n}, {&x.starts, 4 * c}, {&x.covers, 4 * c}, {&x.groups, 4 * groups},
		{&x.sorted, 4 * n}} {
		*p.to, rest = rest[:p.size], rest[p.size:]
	}
	return x, nil
}

// at32 returns the i-th of a list of numbers.
func at32(list []byte, i int) uint32 { return binary.LittleEndian.Uint32(list[4*i:]) }

// At returns a symbol by its number, which is less than Len.
func (x *Index) At(i int) Symbol {
	b := x.symbols[symbolSize*i : symbolSize*(i+1)]
	word := at32(b, 3)
	s := Symbol{Addr: uint64(at32(b, 0)), Size: uint64(at32(b, 1)), At: at32(b, 2),
		Kind: core.SymKind(word >> 16 & 0xff), Global: word&globalBit != 0}
	if i < x.Placed {
		s.Addr += x.base
	}
	s.Name = x.text(s.At, int(word&maxName))
	return s
}

// text returns bytes of the string tables, nil if they are not in one of them.
func (x *Index) text(at uint32, n int) []byte {
	off := uint64(at)
	for _, t := range x.tables {
		if size := uint64(len(t)); off >= size {
			off -= size
		} else if uint64(n) <= size-off {
			return t[off : off+uint64(n)]
		} else {
			return nil
		}
	}
	return nil
}

// Lookup returns the number of the symbol that covers an address. It returns false if there is no such
// symbol.
func (x *Index) Lookup(addr uint64) (i int, ok bool) {
	at := sort.Search(len(x.covers)/4, func(i int) bool { return x.base+uint64(at32(x.starts, i)) > addr }) - 1
	if at < 0 {
		return 0, false
	}
	n := at32(x.covers, at)
	if uint64(n) >= uint64(x.Placed) {
		return 0, false
	}
	if s := x.At(int(n)); addr < s.Addr || addr-s.Addr >= s.Size {
		return 0, false
	}
	return int(n), true
}

// Group returns the number of the group that a name is in, by its first bytes.
func Group(name []byte) uint16 {
	var b [8]byte
	copy(b[:Begins], name)
	return uint16(binary.LittleEndian.Uint64(b[:]) * 0x9e3779b97f4a7c15 >> (64 - groupBits))
}

// Begin calls yield for the symbols whose names begin with a prefix, until it returns false. Symbols of
// one name come in the order of their numbers.
func (x *Index) Begin(prefix []byte, yield func(i int) bool) {
	if len(prefix) >= Begins {
		x.among(prefix, func(i int, name []byte) bool { return !bytes.HasPrefix(name, prefix) || yield(i) })
		return
	}
	for i := range x.Len {
		if bytes.HasPrefix(x.At(i).Name, prefix) && !yield(i) {
			return
		}
	}
}

// Named calls yield for the symbols of a name, in the order of their numbers, until it returns false.
func (x *Index) Named(name []byte, yield func(i int) bool) {
	x.among(name, func(i int, of []byte) bool { return !bytes.Equal(of, name) || yield(i) })
}

// among calls yield for the symbols of the group that a name is in, until it returns false.
func (x *Index) among(name []byte, yield func(i int, name []byte) bool) {
	g := Group(name)
	from, to := at32(x.groups, int(g)), uint32(x.Len)
	if g+1 < groups {
		to = min(to, at32(x.groups, int(g)+1))
	}
	for k := from; k < to; k++ {
		if i := at32(x.sorted, int(k)); uint64(i) < uint64(x.Len) && !yield(int(i), x.At(int(i)).Name) {
			return
		}
	}
}
