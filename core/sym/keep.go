package sym

import (
	"encoding/hex"
	"fmt"
	"math"

	"coredbg/core"
	"coredbg/core/dwarf"
	kept "coredbg/core/dwarf/index"
	"coredbg/core/sym/packed"
)

// MinKept is how many symbols are worth being kept sorted: to read and sort as many takes a hundredth of a second.
const MinKept = 1 << 16

// rules is the version of kept indexes of symbols: of their bytes, and of the rules that choose, order
// and measure symbols. A change of either needs a new version.
const rules = 1

// A keeping is the place and the source of a module's kept index; nil if it is not to be kept.
type keeping struct {
	in     dwarf.Keeper
	name   string
	of     []byte   // identifies the source
	tables [][]byte // the string tables that its names are in
	bases  []uint32 // where the names of each of the module's symbol tables begin, one after another
}

// A wholeImage is an image that knows its build-id, and whether all bytes of its file are at hand.
type wholeImage interface {
	core.Image
	BuildID() []byte
	Whole() bool
}

// keptName returns the start of the names of an image's kept indexes. It returns false if no index is
// to be kept.
func keptName(img core.Image) (name string, ok bool) {
	f, is := img.(wholeImage)
	if !is || !f.Whole() {
		return "", false
	}
	id := f.BuildID()
	return hex.EncodeToString(id), len(id) >= 2 && len(id) <= 64
}

// newKeeping returns where the index of a module is kept: by the build-id of its image, if there is a keeper, and
// all symbol tables are whole and have at least least symbols. On Arm addresses of functions are others.
func newKeeping(in dwarf.Keeper, least int, f *files, arm bool) *keeping {
	if in == nil {
		return nil
	}
	name, ok := keptName(f.image)
	if !ok || f.err != nil || f.expected() < least {
		return nil
	}
	k := &keeping{in: in, name: name + ".symbols"}
	sum := kept.NewFingerprint(fmt.Sprint("symbols ", rules))
	sum.Number(boolNumber(arm))
	size := uint64(0)
	for _, s := range f.tables {
		img, ok := s.image.(interface {
			SymbolTable(dynamic bool) (table, names []byte, ok bool)
		})
		if !ok {
			return nil
		}
		table, names, ok := img.SymbolTable(s.dynamic)
		if size += uint64(len(names)); !ok || size > math.MaxUint32 {
			return nil
		}
		k.tables, k.bases = append(k.tables, names), append(k.bases, uint32(size)-uint32(len(names)))
		sum.Number(boolNumber(s.dynamic))
		sum.Bytes(table)
		sum.Bytes(names)
		if of, ok := s.image.(wholeImage); ok {
			sum.Bytes(of.BuildID())
		}
	}
	for _, e := range f.ends() {
		sum.Number(e.start)
		sum.Number(e.end)
	}
	k.of = sum.Sum(nil)
	return k
}

func boolNumber(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// base returns where the names of a symbol table begin.
func (k *keeping) base(i int) uint32 {
	if k == nil {
		return 0
	}
	return k.bases[i]
}

// get returns the index that was kept, nil if there is none that fits.
func (k *keeping) get() *index {
	if k == nil {
		return nil
	}
	data, err := kept.Open(k.of, k.in.Get(k.name))
	if err != nil {
		return nil // it will be made anew
	}
	p, err := packed.Read(data, k.tables)
	if err != nil {
		return nil
	}
	return &index{kept: p, placed: p.Placed}
}

// put has an index kept, if nothing is missing from it.
func (k *keeping) put(x *index) {
	if k == nil || x.err != nil || x.unnamed > 0 || len(x.syms) >= maxSymbols {
		return
	}
	data, ok := packed.Pack(x.groups, x.placed, func(i int) packed.Symbol {
		e := &x.syms[i]
		return packed.Symbol{Addr: e.addr, Size: e.size, Name: e.name, At: e.at, Kind: e.kind, Global: e.global}
	}, x.cover)
	if ok {
		k.in.Put(k.name, kept.Seal(k.of, data), data)
	}
}
