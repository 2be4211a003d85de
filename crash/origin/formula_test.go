package origin_test

import (
	"fmt"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/crash/origin"
)

// TestFormula follows registers through code that was assembled with GNU as.
func TestFormula(t *testing.T) {
	for _, c := range []struct {
		name string
		arch *core.Arch
		code string
		i    int
		reg  string
		want string // the base's register and the numbers
	}{
		{"lea 0x100(%rip),%rax", core.AMD64, "\x48\x8d\x05\x00\x01\x00\x00\x90", 1, "rax",
			fmt.Sprint("number ", []int64{text + 0x107})},
		{"mov 8(%rdx),%rcx; mov %rcx,%rax; add $0x10,%rax", core.AMD64,
			"\x48\x8b\x4a\x08\x48\x89\xc8\x48\x83\xc0\x10\x90", 3, "rax", "rdx [8 16]"},
		{"mov 0x20(%rsp),%rcx; lea 8(%rcx),%rax", core.AMD64, "\x48\x8b\x4c\x24\x20\x48\x8d\x41\x08\x90", 2,
			"rax", "rsp [32 8]"},
		{"test; je 1f; mov %rbx,%rax; 1: both", core.AMD64, "\x84\xc9\x74\x03\x48\x89\xd8\x90", 3, "rax", ""},
		{"test; je 1f; mov %rbx,%rcx; 1: both alike", core.AMD64, "\x84\xc9\x74\x03\x48\x89\xd9\x90", 3,
			"rax", "rax [0]"},
		{"a loop: 1: dec %ecx; jne 1b", core.AMD64, "\x90\xff\xc9\x75\xfc\x90", 3, "rax", "rax [0]"},
		{"a loop that adds: nop; 1: add $8,%rax; dec %ecx; jne 1b", core.AMD64,
			"\x90\x48\x83\xc0\x08\xff\xc9\x75\xf8\x90", 4, "rax", ""},
		{"call; it is gone", core.AMD64, "\xe8\x00\x00\x00\x00\x90", 1, "rbx", ""},
		{"mov (%rax,%rcx,8),%rax", core.AMD64, "\x48\x8b\x04\xc8\x90", 1, "rax", ""},
		{"ldr x1,[sp,#16]; add x0,x1,#8", core.ARM64, arm(0xf9400be1, 0x91002020, 0xd503201f), 2, "x0", "sp [16 8]"},
	} {
		fn := origin.NewFunction(c.arch, []byte(c.code), text, 100)
		got := ""
		if f, ok := fn.Formula(c.arch, c.i, c.arch.SlotOf(c.reg)); ok {
			base := "number"
			if f.Base >= 0 {
				base = c.arch.RegNames[f.Base]
			}
			got = fmt.Sprint(base, " ", f.Adds)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPushed: an argument on the stack is the register that was stored last.
func TestPushed(t *testing.T) {
	// lea 0x100(%rip),%rax; mov %rax,(%rsp); nop; call
	fn := origin.NewFunction(core.AMD64, []byte("\x48\x8d\x05\x00\x01\x00\x00\x48\x89\x04\x24\x90\xe8\x00\x00\x00\x00"),
		text, 100)
	if f, ok := fn.Pushed(core.AMD64, 3, 0); !ok || f.Base != -1 || !slices.Equal(f.Adds, []int64{text + 0x107}) {
		t.Errorf("%+v, %t", f, ok)
	}
	if f, ok := fn.Pushed(core.AMD64, 3, 8); ok {
		t.Errorf("%+v at another place", f)
	}
}
