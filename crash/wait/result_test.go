package wait

import (
	"testing"

	"coredbg/core"
	"coredbg/crash/origin"
)

// TestResults: on i386 a word that only a called function stores to is its result, which does not stay; what
// the function itself has stored does, and so do its arguments. The code is: sub $0x40,%esp; mov
// 0xc(%esp),%eax; mov %eax,0x18(%esp); mov 0x44(%esp),%eax; mov %eax,0x1c(%esp).
func TestResults(t *testing.T) {
	const code = "\x83\xec\x40\x8b\x44\x24\x0c\x89\x44\x24\x18\x8b\x44\x24\x44\x89\x44\x24\x1c"
	fn := &goFunction{Function: origin.NewFunction(core.I386, []byte(code), 0x1000, 100), arch: core.I386,
		at: map[int]*goCall{}, held: map[goPlace][]goTaken{}}
	fn.findSlots()
	if len(fn.slots) != 1 || fn.slots[0].off != 0x1c {
		t.Errorf("slots %+v, want the argument's alone", fn.slots)
	}
	sp := core.I386.SP
	for off, want := range map[int64]bool{0xc: true, 0x18: false, 0x44: false} {
		if got := fn.result(&origin.Formula{Base: sp, Adds: []int64{off, 4}}); got != want {
			t.Errorf("%#x is a result: %v", off, got)
		}
	}
	if kept := fn.plain(origin.Formula{Base: sp, Adds: []int64{0x18, 4}}); kept.Adds[0] != 0x18 {
		t.Errorf("a stored result is read from %#x", kept.Adds[0])
	}
}
