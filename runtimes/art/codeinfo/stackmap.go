package codeinfo

import (
	"fmt"
	"sort"

	"coredbg/core"
)

// A Kind says what a stack map is for (StackMap::Kind).
type Kind int32

// The kinds of stack maps.
const (
	Default Kind = iota - 1
	Catch        // the entry of a catch block
	OSR          // a loop header where compiled code may be entered
	Debug
)

// String returns the kind as upstream names it.
func (k Kind) String() string {
	if k < Default || k > Debug {
		return fmt.Sprintf("kind %d", int32(k))
	}
	return [...]string{"Default", "Catch", "OSR", "Debug"}[k+1]
}

// A StackMap maps a place in compiled code to a place in the dex code.
type StackMap struct {
	Row      int
	Kind     Kind
	NativePC uint32 // bytes from the code's start
	DexPC    uint32 // of the method itself; NoValue if unknown

	RegisterMask, StackMask, InlineInfo, DexRegisterMask, DexRegisterMap uint32 // rows; NoValue if none
}

// StackMaps returns the number of stack maps.
func (i *Info) StackMaps() int { return i.Tables[tableStackMap].Rows }

// StackMap returns a stack map. Native pcs are stored in units of align bytes,
// the least size of an instruction: 4 for arm64, 2 for arm and riscv64, 1 for
// x86; see Alignment.
func (i *Info) StackMap(row int, align uint32) (StackMap, error) {
	v, err := i.Row(tableStackMap, row)
	if err != nil {
		return StackMap{}, err
	}
	if i.Version.encoded() {
		return StackMap{
			Row: row, Kind: Default, NativePC: v[0] * align, DexPC: v[1],
			RegisterMask: v[4], StackMask: v[5], InlineInfo: v[3], DexRegisterMask: NoValue, DexRegisterMap: NoValue,
		}, nil
	}
	return StackMap{
		Row: row, Kind: Kind(v[0]), NativePC: v[1] * align, DexPC: v[2],
		RegisterMask: v[3], StackMask: v[4], InlineInfo: v[5], DexRegisterMask: v[6], DexRegisterMap: v[7],
	}, nil
}

// Alignment returns the unit of native pcs of an architecture by its name.
func Alignment(arch string) uint32 {
	switch arch {
	case "arm64", "aarch64":
		return 4
	case "arm", "riscv64":
		return 2
	}
	return 1
}

// maxSamePC bounds the stack maps of one native pc.
const maxSamePC = 64

// Find returns the stack map of a native pc, in bytes from the code's start. It returns false without one, as
// anywhere except at safepoints. Stack maps are sorted by native pc, except for the stack maps of catch blocks,
// which come last.
func (i *Info) Find(pc, align uint32) (StackMap, bool, error) {
	if i.Version.encoded() {
		return i.findEncoded(pc, align)
	}
	var failed error
	rows := i.StackMaps()
	row := sort.Search(rows, func(row int) bool {
		m, err := i.StackMap(row, align)
		if err != nil {
			failed = err
		}
		return err != nil || m.NativePC >= pc || m.Kind == Catch
	})
	for end := min(rows, row+maxSamePC); row < end && failed == nil; row++ {
		m, err := i.StackMap(row, align)
		switch {
		case err != nil:
			return StackMap{}, false, err
		case m.NativePC != pc:
			return StackMap{}, false, nil
		case m.Kind == Default || m.Kind == OSR:
			return m, true, nil
		}
	}
	return StackMap{}, false, failed
}

// An Inlined is a method that was inlined into another (InlineInfo).
type Inlined struct {
	Row   int
	DexPC uint32
	// ArtMethod is the method itself; 0 if it is given by Method.
	ArtMethod core.Addr
	// Method is the index in method_ids of a dex file: the outermost method's file, or the file of boot class
	// path entry DexFile if BootClassPath is set, or of entry DexFile of its oat file. It is NoValue if
	// ArtMethod is set.
	Method        uint32
	DexFile       uint32 // NoValue: the dex file of the outermost method
	BootClassPath bool
	DexRegisters  uint32 // up to and with this method, including all outer methods
}

// maxInlined bounds the depth of inlining; the compiler stops far before it.
const maxInlined = 256

// Inlined returns the methods that a stack map has inlined, the outermost
// first.
func (i *Info) Inlined(m StackMap) ([]Inlined, error) {
	if m.InlineInfo == NoValue {
		return nil, nil
	}
	var list []Inlined
	for row := int(m.InlineInfo); len(list) < maxInlined; row++ {
		v, err := i.Row(tableInlineInfo, row)
		if err != nil {
			return list, err
		}
		in := Inlined{Row: row, DexPC: v[1], Method: NoValue, DexFile: NoValue}
		if i.Version.encoded() {
			if err := i.inlinedEncoded(&in, v); err != nil {
				return list, err
			}
			if list = append(list, in); v[0] != 0 {
				return list, nil
			}
			continue
		}
		in.DexRegisters = v[5]
		if v[4] != NoValue {
			in.ArtMethod = core.Addr(v[4])
			if v[3] != NoValue {
				in.ArtMethod |= core.Addr(v[3]) << 32
			}
		} else if err := i.method(&in, v[2]); err != nil {
			return list, err
		}
		list = append(list, in)
		if v[0] != 0 {
			return list, nil
		}
	}
	return list, fmt.Errorf("codeinfo: at %v: more than %d methods are inlined into each other", i.Addr, maxInlined)
}

// method reads the method and the dex file that a row of MethodInfo names.
func (i *Info) method(in *Inlined, row uint32) error {
	v, err := i.Row(tableMethodInfo, int(row))
	if err != nil {
		return err
	}
	in.Method = v[0]
	if len(v) > 2 {
		in.BootClassPath = v[1] == 0
		in.DexFile = v[2]
	}
	return nil
}

// RegisterRoots returns the mask of core registers that hold references.
func (i *Info) RegisterRoots(m StackMap) (uint32, error) {
	if m.RegisterMask == NoValue {
		return 0, nil
	}
	v, err := i.Row(tableRegisterMask, int(m.RegisterMask))
	if err != nil {
		return 0, err
	}
	if len(v) > 1 {
		v[0] <<= v[1]
	}
	return v[0], nil
}

// StackRoots returns which 4-byte slots of the frame, from its lower end on,
// hold references.
func (i *Info) StackRoots(m StackMap) ([]bool, error) {
	if m.StackMask == NoValue {
		return nil, nil
	}
	return i.Mask(tableStackMask, int(m.StackMask))
}
