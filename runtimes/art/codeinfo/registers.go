package codeinfo

import "fmt"

// A LocationKind says where a dex register is (DexRegisterLocation::Kind).
type LocationKind int32

// The kinds of locations. A 64-bit value takes two dex registers. In compiled 64-bit code both name the same
// machine register, and the second has the upper half.
const (
	None LocationKind = iota - 1 // not live here
	InStack
	Constant
	InRegister
	InRegisterHigh
	InFPRegister
	InFPRegisterHigh
)

// String returns the kind in a word or two.
func (k LocationKind) String() string {
	if k < None || k > InFPRegisterHigh {
		return fmt.Sprintf("kind %d", int32(k))
	}
	return [...]string{"none", "stack", "constant", "register", "register high", "fp register", "fp register high"}[k+1]
}

// A Location is where a dex register is: Value is an offset from the frame's
// lower end in bytes, the constant itself, or the number of a machine register
// as the compiler counts them.
type Location struct {
	Kind  LocationKind
	Value int32
}

// String returns the location as ART's dumps do, except for the names of
// registers, which depend on the architecture: "sp+24", "#7", "r3", "f0/hi".
func (l Location) String() string {
	switch l.Kind {
	case None:
		return "none"
	case InStack:
		return fmt.Sprintf("sp+%d", l.Value)
	case Constant:
		return fmt.Sprintf("#%d", l.Value)
	case InRegister:
		return fmt.Sprintf("r%d", l.Value)
	case InRegisterHigh:
		return fmt.Sprintf("r%d/hi", l.Value)
	case InFPRegister:
		return fmt.Sprintf("f%d", l.Value)
	case InFPRegisterHigh:
		return fmt.Sprintf("f%d/hi", l.Value)
	}
	return fmt.Sprintf("%v %d", l.Kind, l.Value)
}

// frameSlot is the unit in bytes of locations on the stack (kFrameSlotSize).
const frameSlot = 4

// maxRegisters bounds the dex registers of a method with all it has inlined,
// maxDistanceBack the stack maps that must be looked at for them: the compiler
// keeps to 32 (kMaxDexRegisterMapSearchDistance).
const (
	maxRegisters    = 1 << 17
	maxDistanceBack = 256
)

// Registers returns where the dex registers of the method are at a stack map;
// none if the compiler did not record them.
func (i *Info) Registers(m StackMap) ([]Location, error) {
	return i.registers(m, 0, i.DexRegisters)
}

// InlinedRegisters returns where the dex registers of element n of a list that
// Inlined returned are.
func (i *Info) InlinedRegisters(m StackMap, list []Inlined, n int) ([]Location, error) {
	first := i.DexRegisters
	if n > 0 {
		first = list[n-1].DexRegisters
	}
	return i.registers(m, first, list[n].DexRegisters)
}

// registers goes back from a stack map until it has seen each register of
// [first, last) change: a stack map has a mask of the registers that differ
// from the one before, and for each of them an index into the catalog.
func (i *Info) registers(m StackMap, first, last uint32) ([]Location, error) {
	if m.DexRegisterMap == NoValue {
		return nil, nil
	}
	if last < first || last > maxRegisters {
		return nil, fmt.Errorf("codeinfo: at %v: StackMap[%d] has dex registers %d to %d", i.Addr, m.Row, first, last)
	}
	regs := make([]Location, last-first)
	seen := make([]bool, len(regs))
	for row, left := m.Row, len(regs); row >= max(0, m.Row-maxDistanceBack) && left > 0; row-- {
		n, err := i.changed(row, int(first), regs, seen)
		if err != nil {
			return nil, err
		}
		left -= n
	}
	for r := range regs {
		if !seen[r] {
			regs[r] = Location{Kind: None}
		}
	}
	return regs, nil
}

// changed fills in the registers that one stack map changes and no later one
// did, and returns their number.
func (i *Info) changed(row, first int, regs []Location, seen []bool) (int, error) {
	maskRow, err := i.Value(tableStackMap, row, 6)
	if err != nil || maskRow == NoValue {
		return 0, err
	}
	index, err := i.Value(tableStackMap, row, 7)
	if err != nil {
		return 0, err
	}
	mask, err := i.Mask(tableDexRegisterMask, int(maskRow))
	if err != nil {
		return 0, err
	}
	n := 0
	for bit, set := range mask {
		if !set {
			continue
		}
		if r := bit - first; r >= 0 && r < len(regs) && !seen[r] {
			if regs[r], err = i.location(int(index)); err != nil {
				return n, err
			}
			seen[r] = true
			n++
		}
		index++
	}
	return n, nil
}

// location reads a row of the map of registers and the location it names.
func (i *Info) location(row int) (Location, error) {
	entry, err := i.Value(tableDexRegisterMap, row, 0)
	if err != nil || entry == NoValue {
		return Location{Kind: None}, err
	}
	v, err := i.Row(tableDexRegisterInfo, int(entry))
	if err != nil {
		return Location{}, err
	}
	l := Location{Kind: LocationKind(v[0]), Value: int32(v[1])}
	if l.Kind == InStack {
		l.Value *= frameSlot
	}
	return l, nil
}
