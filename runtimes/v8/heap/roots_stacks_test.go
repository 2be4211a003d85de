package heap

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
	"coredbg/runtimes/v8/v8test"
)

// TestHelpers: a word of a stack counts if an isolate is the thread's own, or if a frame returns into generated
// code. If no isolate has a thread it counts on each.
func TestHelpers(t *testing.T) {
	const (
		owner, other    core.Addr = 0x7000_0000, 0x7001_0000 // stacks
		code            core.Addr = 0x6000_0000
		heapAt, isolate core.Addr = 0x5000_8000, 0x5000_0000
	)
	for _, c := range []struct {
		name    string
		owned   bool // two words of the owner's stack refer to functions
		frame   [2]core.Addr
		pc      core.Addr
		helping bool
	}{
		{"a helper", true, [2]core.Addr{}, 0, true},
		{"a frame of generated code", true, [2]core.Addr{other + 0x80, code + 0x10}, 0, false},
		{"a frame whose return address is signed", true, [2]core.Addr{other + 0x80, (code + 0x10) | 0x35<<48}, 0, false},
		{"an address of code, and no frame pointer", true, [2]core.Addr{0, code + 0x10}, 0, true},
		{"a frame pointer below", true, [2]core.Addr{other, code + 0x10}, 0, true},
		{"a frame pointer above", true, [2]core.Addr{other + 0x1000, code + 0x10}, 0, true},
		{"a frame of other code", true, [2]core.Addr{other + 0x80, 0x1234}, 0, true},
		{"in generated code", true, [2]core.Addr{}, code + 0x20, false},
		{"no isolate has a thread", false, [2]core.Addr{}, 0, false},
	} {
		m, sp, pc := v8test.NewHeap(t, layout.V(13, 6)), "rsp", "rip"
		signed := c.frame[1]>>48 != 0
		if signed {
			m.Build, sp, pc = coretest.New(core.ARM64), "sp", "pc"
		}
		function, object := uint64(m.Function("f").Closure), uint64(m.Object("JS_OBJECT", 0, 0, 0))
		stack := make([]uint64, 32)
		if stack[2] = object; c.owned {
			stack[3], stack[4] = function, function
		}
		m.Build.Words(owner, stack...)
		stack = make([]uint64, 32)
		stack[2], stack[4], stack[5] = object, uint64(c.frame[0]), uint64(c.frame[1])
		m.Build.Words(other, stack...)
		m.Build.MapProt(code, make([]byte, 0x1000), core.Read|core.Write|core.Exec)
		m.Build.Thread(2, map[string]uint64{sp: uint64(owner), pc: 0x1234})
		m.Build.Thread(3, map[string]uint64{sp: uint64(other), pc: max(uint64(c.pc), 0x1234)})
		v := heapsOf(m.Memory())
		if signed {
			v.Process.CodeMask = 0x7f << 48
		}
		f := rootFinder{h: &Snapshot{
			v:      v.Heaps,
			Pages:  []page.Page{{Start: m.Base, End: m.Base + core.Addr(len(m.Bytes)), Heap: heapAt}},
			Spaces: []Space{{Heap: heapAt, Isolate: isolate}},
		}}
		found := map[int][]bool{}
		visit := func(r Root) {
			if uint64(r.Target) == object {
				found[r.Thread.TID] = append(found[r.Thread.TID], r.Helping)
			}
		}
		if err := f.stacks(t.Context(), visit); err != nil {
			t.Fatal(err)
		}
		early := len(found[3])
		if err := f.helpers(t.Context(), visit); err != nil {
			t.Fatal(err)
		}
		if len(found[2]) != 1 || found[2][0] || len(found[3]) != 1 || found[3][0] != c.helping ||
			(early == 0) != c.helping {
			t.Errorf("%s: %v, %d before the helpers; want helping %v", c.name, found, early, c.helping)
		}
	}
}
