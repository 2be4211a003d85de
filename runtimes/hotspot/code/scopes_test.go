package code

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/hotspot/object"
	"coredbg/runtimes/hotspot/vmstructs"
)

// FuzzScopes wants an end of any descriptions of compiled code, and of any map of segments.
func FuzzScopes(f *testing.F) {
	const at = 0x1000
	f.Add([]byte{0, 0, 0, 0, 4, 0, 0, 0, 3, 1, 2, 0}, uint16(0), uint16(2))
	f.Add([]byte{0, 1, 2, 0xff, 5, 4}, uint16(5), uint16(0))
	f.Fuzz(func(t *testing.T, data []byte, off, scopes uint16) {
		p := coretest.New(core.AMD64).Map(at, data).Process()
		k := &Cache{Reader: object.NewReader(&vmstructs.Tables{Process: p}), blobs: map[core.Addr]*Blob{}}
		k.o.pcDescSize, k.o.scopeOffset = 16, 4
		k.heaps = []heap{{low: at, high: at + 1<<16, segmap: at + core.Addr(off), shift: 7}}
		b := &Blob{Addr: at, Begin: at, End: at + 1<<16, scopesPCs: at,
			scopesData: at + core.Addr(scopes), metadata: at}
		k.Scopes(b, at+core.Addr(off), false)
		k.Scopes(b, at+core.Addr(off), true)
		k.Find(at + core.Addr(off))
	})
}

// FuzzMonitors wants an end of any description of locks.
func FuzzMonitors(f *testing.F) {
	const at = 0x1000
	f.Add([]byte{0, 2, 64, 0, 0x42, 1, 64, 2, 1, 0}, uint16(1))
	f.Add([]byte{0, 255, 255, 255, 255, 255, 6, 1}, uint16(1))
	f.Fuzz(func(t *testing.T, data []byte, monitors uint16) {
		p := coretest.New(core.AMD64).Map(at, data).Process()
		k := &Cache{Reader: object.NewReader(&vmstructs.Tables{Process: p})}
		list, _ := k.Monitors(&Blob{scopesData: at, oops: at}, Scope{monitors: int32(monitors)})
		if len(list) > maxValues {
			t.Errorf("%d locks", len(list))
		}
	})
}

// FuzzLocals wants an end of any description of variables.
func FuzzLocals(f *testing.F) {
	const at = 0x1000
	f.Add([]byte{0, 4, 1, 64, 2, 9, 4, 1, 1, 5, 1, 1}, uint16(1))
	f.Add([]byte{0, 255, 255, 255, 255, 255, 6, 1}, uint16(1))
	f.Fuzz(func(t *testing.T, data []byte, locals uint16) {
		p := coretest.New(core.AMD64).Map(at, data).Process()
		k := &Cache{Reader: object.NewReader(&vmstructs.Tables{Process: p})}
		list, _ := k.Locals(&Blob{scopesData: at, oops: at}, Scope{locals: int32(locals)})
		if len(list) > maxValues {
			t.Errorf("%d variables", len(list))
		}
	})
}

// TestLocation: values of Location as share/code/location.hpp has them: four bits of type, one for registers,
// then the place.
func TestLocation(t *testing.T) {
	for v, want := range map[uint32]Value{
		0:              {},
		3<<5 | 2:       {Kind: OnStack, Oop: true, Offset: 12},
		4<<5 | 8:       {Kind: OnStack, Oop: true, Narrow: true, Offset: 16},
		6<<5 | 16 | 2:  {Kind: InRegister, Oop: true, Offset: 6},
		10<<5 | 16 | 1: {Kind: InRegister, Offset: 10},
	} {
		if got := location(v); got != want {
			t.Errorf("%#x is %+v, want %+v", v, got, want)
		}
	}
}
