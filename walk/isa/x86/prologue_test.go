package x86

import (
	"testing"

	"coredbg/walk/isa"
)

// TestStoredFramePointer: the frame pointer is stored with mov, by Go up to 1.20 at the
// start of a function, by all of Go around calls of duffzero.
func TestStoredFramePointer(t *testing.T) {
	const fp = 6 // slot
	at := 0
	var code []byte
	insns := []struct {
		code   []byte
		fromFP bool
		cfaOff int64 // before it
		saved  int32
	}{
		{[]byte{0x48, 0x83, 0xec, 0x18}, false, 8, 0},         // sub $0x18,%rsp
		{[]byte{0x48, 0x89, 0x6c, 0x24, 0x10}, false, 32, 0},  // mov %rbp,0x10(%rsp)
		{[]byte{0x48, 0x8d, 0x6c, 0x24, 0x10}, false, 32, 16}, // lea 0x10(%rsp),%rbp
		{[]byte{0x48, 0x89, 0x6c, 0x24, 0xf0}, true, 16, 16},  // mov %rbp,-0x10(%rsp)
		{[]byte{0x48, 0x8d, 0x6c, 0x24, 0xf0}, true, 16, 16},  // lea -0x10(%rsp),%rbp
		{[]byte{0xe8, 0, 0, 0, 0}, true, 48, 16},              // call duffzero
		{[]byte{0x48, 0x8b, 0x6d, 0x00}, true, 48, 16},        // mov 0(%rbp),%rbp
		{[]byte{0x85, 0xff}, true, 16, 16},                    // test %edi,%edi
		{[]byte{0x48, 0x8b, 0x6c, 0x24, 0x10}, true, 16, 16},  // mov 0x10(%rsp),%rbp
		{[]byte{0x48, 0x83, 0xc4, 0x18}, false, 32, 0},        // add $0x18,%rsp
		{[]byte{0xc3}, false, 8, 0},                           // ret
	}
	for _, in := range insns {
		code = append(code, in.code...)
	}
	for i, in := range insns {
		s, ok := prologueAMD64(code, at, isa.MaxInsns)
		if !ok || !s.Sure || s.FromFP != in.fromFP || s.CFAOff != in.cfaOff || s.Saved[fp] != in.saved {
			t.Errorf("instruction %d: %v: from the frame pointer %v, CFA %d, saved %d", i, ok, s.FromFP,
				s.CFAOff, s.Saved[fp])
		}
		at += len(in.code)
	}
}

// TestFramePointerBySP: the CFA is known by the stack pointer, too, unless an array of variable size or a loop over
// pages moves that.
func TestFramePointerBySP(t *testing.T) {
	const enter = "\x55\x48\x89\xe5\x53\x48\x83\xec\x28" // push %rbp; mov %rsp,%rbp; push %rbx; sub $0x28,%rsp
	for _, c := range []struct {
		name, code string
		want       int64
	}{
		{"a frame of one size", enter, 0x40},
		{"arguments on the stack", enter + "\x6a\x01\x6a\x02", 0x50}, // push $1; push $2
		{"an array of variable size", enter + "\x48\x29\xc4", 0},     // sub %rax,%rsp
		// sub $0x1000,%rsp; cmp %r11,%rsp
		{"a loop that touches each page", enter + "\x48\x81\xec\x00\x10\x00\x00\x4c\x39\xdc", 0},
		{"no frame pointer", "\x48\x83\xec\x28", 0},
	} {
		code := c.code + "\xe8\x00\x00\x00\x00"
		if s, ok := prologueAMD64([]byte(code), len(code), isa.MaxInsns); !ok || !s.Sure || s.SPOff != c.want {
			t.Errorf("%s: %v: CFA %#x beyond the stack pointer, want %#x", c.name, ok, s.SPOff, c.want)
		}
	}
}
