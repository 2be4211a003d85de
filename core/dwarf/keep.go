package dwarf

import (
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
