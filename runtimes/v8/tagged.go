package v8

import (
	"math"
	"strconv"

	"coredbg/core"
)

// Tagged is a word as V8 stores it on the heap and in frames: a Smi (bit 0
// clear, value in the upper half), a strong reference (low bits 01) or a weak
// one (low bits 11; 3 alone is a cleared one). Source: include/v8-internal.h.
type Tagged uint64

const clearedWeak = 3

// IsSmi reports whether t is a small integer.
func (t Tagged) IsSmi() bool { return t&1 == 0 }

// IsHeap reports whether t is a reference, strong or weak, that is not cleared.
func (t Tagged) IsHeap() bool { return t&1 != 0 && t != clearedWeak }

// Smi returns the integer that t holds; it is meaningful only if IsSmi.
func (t Tagged) Smi() int64 { return int64(t) >> 32 }

// Addr returns the untagged address of the object that t refers to.
func (t Tagged) Addr() core.Addr { return core.Addr(t &^ 3) }

// tag returns the strong reference to the object at a.
func tag(a core.Addr) Tagged { return Tagged(a | 1) }

// mapOf returns the map of o. While the collector moves objects, a map word
// may be the new address of the object: it is followed once.
func (mem *memory) mapOf(o Tagged) (Tagged, bool) {
	m, ok := mem.field(o, 0)
	if ok && m.IsSmi() && m != 0 {
		m, ok = mem.field(m|1, 0)
	}
	if !ok || m&3 != 1 {
		return 0, false
	}
	return m, true
}

// instanceType returns the instance type of o if o's map is one: a map whose
// own map is a map too. That is cheap, and lets through almost nothing else.
func (mem *memory) instanceType(o Tagged) (int, bool) {
	m, ok := mem.mapOf(o)
	if !ok {
		return 0, false
	}
	if !mem.isMap(m) {
		return 0, false
	}
	return mem.mapInstanceType(m)
}

// mapInstanceType returns the type of the instances of the map m.
func (mem *memory) mapInstanceType(m Tagged) (int, bool) {
	if m&3 != 1 {
		return 0, false
	}
	t, ok := mem.u16(m.Addr().Add(int64(mem.layout.Map.InstanceType)))
	return int(t), ok
}

// isMap reports whether m is a map.
func (mem *memory) isMap(m Tagged) bool {
	mm, ok := mem.mapOf(m)
	if !ok {
		return false
	}
	t, ok := mem.mapInstanceType(mm)
	return ok && t == mem.types.mapType
}

// number returns the value of a Smi or HeapNumber.
func (mem *memory) number(o Tagged) (float64, bool) {
	if o.IsSmi() {
		return float64(o.Smi()), true
	}
	if t, ok := mem.instanceType(o); !ok || t != mem.types.heapNumber {
		return 0, false
	}
	w, ok := mem.word(o.Addr().Add(int64(mem.layout.HeapNumber.Value)))
	return math.Float64frombits(w), ok
}

// formatNumber writes a number as JavaScript does.
func formatNumber(f float64) string {
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
