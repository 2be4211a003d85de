package dwarf

import (
	"encoding/hex"
	"sync"

	"coredbg/core/dwarf/index"
)

// A Keeper keeps bytes that take long to make, by names that stay the same. It may lose them.
type Keeper interface {
	// Get returns the bytes of a name, nil if there are none. They stay as they are.
	Get(name string) []byte
	// Put keeps the bytes of a name, which are put together of pieces and must stay as they are.
	Put(name string, pieces ...[]byte)
}

// kept is where the indexes of an image are kept.
type kept struct {
	in   Keeper
	name string
	of   func() []byte // the fingerprint of their input; it is made once
}

// MinKept is the minimum size of .debug_info in bytes for keeping an index: indexing that many takes
// less than a twentieth of a second.
const MinKept = 16 << 20

// Keep makes d keep its indexes by the build-id of the file: which unit has an address, and which
// entries have a name. Call it before any query. It keeps no index of a file without a build-id, of an
// incomplete file, or if .debug_info has less than min bytes.
func (d *Data) Keep(in Keeper, id []byte, min int) {
	p := d.own
	if in == nil || len(id) < 2 || len(id) > 64 || len(p.info.Data) < min || p.broken != nil || len(p.info.Gaps)+len(p.typeInfo.Gaps) > 0 || p.lost != nil {
		return
	}
	d.kept = &kept{in: in, name: hex.EncodeToString(id), of: sync.OnceValue(func() []byte { return p.fingerprint(id) })}
}

// fingerprint tells files with one build-id apart: it covers all bytes of the sections, and where all units are.
func (d *part) fingerprint(id []byte) []byte {
	sum := index.NewFingerprint(d.order.String())
	for _, s := range [][]byte{d.info.Data, d.typeInfo.Data, d.abbrev, d.str, d.lineStr, d.strOffsets, d.addr, d.ranges, d.rnglists, d.aranges} {
		sum.Bytes(s)
	}
	for _, list := range [][]*Unit{d.units, d.kinUnits()} {
		sum.Number(uint64(len(list)))
		for _, u := range list {
			sum.Number(uint64(u.Off))
			sum.Number(u.abbrev)
		}
	}
	return sum.Sum(append([]byte(nil), id...))
}

func (d *part) kinUnits() []*Unit {
	if d.kin == nil {
		return nil
	}
	return d.kin.units
}

// The names of kept indexes.
const (
	keptNames = ".names"
	keptCode  = ".code"
)

// get returns what was kept under a name, nil if there is nothing that fits.
func (k *kept) get(what string) []byte {
	if k == nil {
		return nil
	}
	file := k.in.Get(k.name + what)
	if file == nil {
		return nil
	}
	data, err := index.Open(k.of(), file)
	if err != nil {
		return nil // it will be made anew
	}
	return data
}

func (k *kept) put(what string, data []byte) {
	if k != nil {
		k.in.Put(k.name+what, index.Seal(k.of(), data), data)
	}
}
