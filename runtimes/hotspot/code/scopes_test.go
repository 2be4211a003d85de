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
		b := &Blob{Addr: at, Begin: at, End: at + 1<<16, scopesPCs: at, scopesData: at + core.Addr(scopes), metadata: at}
		k.Scopes(b, at+core.Addr(off), false)
		k.Scopes(b, at+core.Addr(off), true)
		k.Find(at + core.Addr(off))
	})
}
