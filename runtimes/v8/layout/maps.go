package layout

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"coredbg/core"
)

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

// InstanceTypes returns the instance types that the image names, by number.
func (mem *Memory) InstanceTypes() []InstanceType {
	var out []InstanceType
	for n, name := range mem.Types.Names {
		out = append(out, InstanceType{n, name, mem.Types.classes[n]})
	}
	slices.SortFunc(out, func(a, b InstanceType) int { return cmp.Compare(a.Number, b.Number) })
	return out
}

// TypeOf returns the instance type of the object at o.
func (mem *Memory) TypeOf(o Tagged) (InstanceType, error) {
	n, ok := mem.InstanceType(o)
	if !ok {
		return InstanceType{}, fmt.Errorf("v8: %#x is not an object: its first word is not a map", uint64(o))
	}
	return InstanceType{n, mem.Types.Name(n), mem.Types.classes[n]}, nil
}

// Is reports whether o is an object of the given instance type, which is negative where it
// is not known.
func (mem *Memory) Is(o Tagged, typ int) bool {
	n, ok := mem.InstanceType(o)
	return ok && n == typ && typ >= 0
}

// IsReceiver reports whether o is any object of JavaScript, proxies included.
func (mem *Memory) IsReceiver(o Tagged) bool {
	n, ok := mem.InstanceType(o)
	return ok && n >= mem.Types.FirstReceiver
}

// IsSharedFunctionInfo reports whether o is a SharedFunctionInfo.
func (mem *Memory) IsSharedFunctionInfo(o Tagged) bool { return mem.Is(o, mem.Types.Shared) }

// IsFunction reports whether o is a JSFunction of any kind. The constants of
// V8 10 and 11 do not name the last function type, so it asks for the shape: a
// receiver whose shared slot holds a SharedFunctionInfo.
func (mem *Memory) IsFunction(o Tagged) bool {
	if !mem.IsReceiver(o) {
		return false
	}
	s, ok := mem.Field(o, mem.Layout.JSFunction.Shared)
	return ok && mem.IsSharedFunctionInfo(s)
}

// TypeNamed reports whether the type of o has a name that contains part.
func (mem *Memory) TypeNamed(o Tagged, part string) bool {
	n, ok := mem.InstanceType(o)
	return ok && strings.Contains(mem.Types.Names[n], part)
}
