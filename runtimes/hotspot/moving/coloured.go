package moving

import (
	"math/bits"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/hotspot/vmstructs"
)

// A Colouring is the way ZGC writes references: their colour, some bits, says when the collector has seen a
// reference last. The tables say which bits are good, and where the pages and their forwardings are. A
// Colouring is safe for concurrent use.
//
// With one generation (JDK 11 to 23; from 21 on the types begin with an X) the colour is above the offset in
// the heap, and the heap is mapped once for each colour. With two (21 on) the colour is in the lower 16 bits,
// and the address above it.
type Colouring struct {
	t            *vmstructs.Tables
	Prefix       string // of the types: "Z" or "X"
	Generational bool
	// Base and an offset in the heap make an address: Base is the beginning of the heap, or of its view with
	// the good colour.
	Base core.Addr

	mask    uint64 // of the offset
	bad     uint64 // the bits of a reference to where an object was
	colours uint64 // all of them; generational: not used
	good    uint64 // generational: the bit that loads expect
	split   bool   // generational: the address begins behind all colours (aarch64), not behind the good bit

	granule    uint
	once       sync.Once
	forwarding [2]map[uint64]*Forwarding // of the young generation, or the only one, and the old one, by granules
	problem    string
}

// The colours of a reference with two generations (share/gc/z/zAddress.hpp, JDK 21 to 27).
const (
	remapShift     = 12
	remapMask      = 0xf
	allColours     = 1<<16 - 1
	rememberedMask = 3 << 4
)

// NewColouring returns nil if the collector is not ZGC, or if the tables do not say how it writes references.
func NewColouring(t *vmstructs.Tables) *Colouring {
	if on, _ := t.Flag("UseZGC"); !on {
		return nil
	}
	z := &Colouring{t: t, Prefix: "Z"}
	if generational, _ := t.Flag("ZGenerational"); !generational && t.Has("XGlobalsForVMStructs._instance_p") {
		z.Prefix = "X"
	}
	z.mask = z.global(z.Prefix + "AddressOffsetMask")
	shift, ok := t.Constant(z.Prefix + "GranuleSizeShift")
	if z.mask == 0 || z.mask&(z.mask+1) != 0 || !ok || shift < 12 || shift > 40 {
		return nil
	}
	z.granule = uint(shift)
	if good := z.global("ZPointerLoadGoodMask"); good != 0 {
		z.Generational, z.good, z.bad = true, good, z.global("ZPointerLoadBadMask")
		z.split = t.Process.Arch.Name != "x86-64"
		z.Base = core.Addr(z.mask + 1)
		return z
	}
	good := z.global(z.Prefix + "AddressGoodMask")
	z.colours, z.bad = z.global(z.Prefix+"AddressMetadataMask"), z.global(z.Prefix+"AddressWeakBadMask")
	if good == 0 || z.colours == 0 {
		return nil
	}
	z.Base = core.Addr(good | z.global("ZAddressBase"))
	return z
}

// global reads a number that ZGlobalsForVMStructs or XGlobalsForVMStructs points to; 0 if it cannot be read.
func (z *Colouring) global(name string) uint64 {
	at, ok1 := z.t.StaticAt(z.Prefix + "GlobalsForVMStructs._instance_p")
	off, ok2 := z.t.Optional(z.Prefix + "GlobalsForVMStructs._" + name)
	if !ok1 || !ok2 {
		return 0
	}
	c := z.t.Process.Cursor()
	v := c.U64(c.Pointer(c.Pointer(at).Add(off)))
	if c.Err() != nil {
		return 0
	}
	return v
}

// Address returns the address of the object that a reference means; 0 if it is null. A value that is no
// reference stays itself.
func (z *Colouring) Address(v uint64) core.Addr {
	if z.Generational {
		return z.unshift(v)
	}
	if v == 0 || v&^(z.mask|z.colours|uint64(z.Base)) != 0 {
		return core.Addr(v)
	}
	off := v & z.mask
	if v&z.bad != 0 {
		off = z.moved(0, off)
	}
	return z.Base | core.Addr(off)
}

// unshift is Address with two generations.
func (z *Colouring) unshift(v uint64) core.Addr {
	if v&^allColours == 0 {
		return 0
	}
	remapped, good := v>>remapShift&remapMask, z.good>>remapShift&remapMask
	shift := uint(remapShift + 4)
	if z.split {
		remapped, good = ^remapped&remapMask, ^good&remapMask
	}
	if bits.OnesCount64(remapped) != 1 {
		return core.Addr(v)
	}
	if !z.split {
		shift = remapShift + 1 + uint(bits.TrailingZeros64(remapped))
	}
	at := core.Addr(v >> shift)
	if v&z.bad == 0 || uint64(at)&^z.mask != uint64(z.Base) {
		return at
	}
	// The number of the bit has the phase of the young collection in its lower bit, and the phase of the old
	// collection in its upper bit.
	differs := uint(bits.TrailingZeros64(remapped) ^ bits.TrailingZeros64(good))
	off := uint64(at) & z.mask
	old := differs == 2 || differs == 3 && (v&rememberedMask == rememberedMask || z.in(0, off) == nil)
	if old {
		return z.Base | core.Addr(z.moved(1, off))
	}
	return z.Base | core.Addr(z.moved(0, off))
}
