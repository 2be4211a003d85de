package layout

import (
	"math"
	"strconv"

	"coredbg/core"
)

// Tagged is a word as V8 stores it on the heap and in frames: a Smi (bit 0 clear, value in the upper half), a
// strong reference (low bits 01) or a weak one (low bits 11; 3 alone is a cleared one). Source:
// include/v8-internal.h. A compressed field becomes a Tagged of that form when it is read.
type Tagged uint64

// ClearedWeak is a weak reference whose object is gone.
const ClearedWeak = 3

// CageSize is the size and alignment of a cage in bytes: kPtrComprCageReservationSize, include/v8-internal.h.
const CageSize = 1 << 32

// IsSmi reports whether t is a small integer.
func (t Tagged) IsSmi() bool { return t&1 == 0 }

// IsHeap reports whether t is a reference, strong or weak, that is not cleared.
func (t Tagged) IsHeap() bool { return t&1 != 0 && t != ClearedWeak }

// Smi returns the integer that t holds; it is meaningful only if IsSmi.
func (t Tagged) Smi() int64 { return int64(t) >> 32 }

// Addr returns the untagged address of the object that t refers to.
func (t Tagged) Addr() core.Addr { return core.Addr(t &^ 3) }

// Tag returns the strong reference to the object at a.
func Tag(a core.Addr) Tagged { return Tagged(a | 1) }

// Decompress returns the tagged value whose compressed form is w, of the given cage.
func Decompress(w uint32, cage core.Addr) Tagged {
	switch {
	case w&1 == 0:
		return Tagged(uint64(int64(int32(w))>>1) << 32)
	case w == ClearedWeak:
		return ClearedWeak
	}
	return Tagged(uint64(cage) | uint64(w))
}

// FormatNumber writes a number as JavaScript does.
func FormatNumber(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0 && math.Signbit(f):
		return "-0"
	}
	// ECMA-262 Number::toString: plain decimals between 1e-7 and 1e21.
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		s := strconv.FormatFloat(f, 'e', -1, 64)
		// Go pads the exponent to two digits.
		for i := len(s) - 2; i > 0; i-- {
			if (s[i] == '-' || s[i] == '+') && s[i+1] == '0' {
				return s[:i+1] + s[i+2:]
			}
		}
		return s
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// TaggedAddr returns the word as the address that commands show.
func (t Tagged) TaggedAddr() core.Addr { return core.Addr(t) }
