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

// MapOf returns the map of o. While the collector moves objects, a map word
// may be the new address of the object: it is followed once.
func (mem *Memory) MapOf(o Tagged) (Tagged, bool) {
	m, ok := mem.Field(o, 0)
	if ok && m.IsSmi() && m != 0 {
		m, ok = mem.Field(mem.Forwarded(m, o.Addr()), 0)
	}
	if !ok || m&3 != 1 {
		return 0, false
	}
	return m, true
}

// Forwarded returns the object that m, the map word of the object at a, refers to as
// its new place: its address, untagged (objects/map-word.h).
func (mem *Memory) Forwarded(m Tagged, a core.Addr) Tagged {
	if !mem.Compressed() {
		return m | 1
	}
	// The low half was taken for a Smi.
	return Decompress(uint32(int32(m.Smi())<<1)|1, mem.cage(a))
}

// IsReference reports whether t looks like a strong reference to an object: it is tagged
// and leads where objects are aligned to.
func (mem *Memory) IsReference(t Tagged) bool {
	return t&Tagged(mem.SlotSize()-1) == 1 && t>>48 == 0
}

// InstanceType returns the instance type of o if o's map is one: a map whose
// own map is a map too. That is cheap, and lets through almost nothing else.
func (mem *Memory) InstanceType(o Tagged) (int, bool) {
	m, ok := mem.MapOf(o)
	if !ok {
		return 0, false
	}
	if !mem.IsMap(m) {
		return 0, false
	}
	return mem.MapInstanceType(m)
}

// MapInstanceType returns the type of the instances of the map m.
func (mem *Memory) MapInstanceType(m Tagged) (int, bool) {
	if m&3 != 1 {
		return 0, false
	}
	t, ok := mem.U16(m.Addr().Add(int64(mem.Layout.Map.InstanceType)))
	return int(t), ok
}

// IsMap reports whether m is a map.
func (mem *Memory) IsMap(m Tagged) bool {
	mm, ok := mem.MapOf(m)
	if !ok {
		return false
	}
	t, ok := mem.MapInstanceType(mm)
	return ok && t == mem.Types.MapType
}

// Number returns the value of a Smi or HeapNumber.
func (mem *Memory) Number(o Tagged) (float64, bool) {
	if o.IsSmi() {
		return float64(o.Smi()), true
	}
	if t, ok := mem.InstanceType(o); !ok || t != mem.Types.HeapNumber {
		return 0, false
	}
	w, ok := mem.Word(o.Addr().Add(int64(mem.Layout.HeapNumber.Value)))
	return math.Float64frombits(w), ok
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
