package code

import (
	"slices"
	"testing"

	"coredbg/core"
)

// TestAddressesOf has instructions that compilers made, as objdump prints them.
func TestAddressesOf(t *testing.T) {
	for _, x := range []struct {
		name string
		arch *core.Arch
		at   core.Addr
		code []byte
		want core.Addr
	}{
		{"lea rsi, [rip+0x6691cc2]", core.AMD64, 0x697d07, []byte{0x48, 0x8d, 0x35, 0xc2, 0x1c, 0x69, 0x06}, 0x6d299d0},
		{"lea rdi, [rip-0x8585]", core.AMD64, 0x697d2e, []byte{0x48, 0x8d, 0x3d, 0x7b, 0x7a, 0xff, 0xff}, 0x68f7b0},
		{"mov esi, 0x3d091b0", core.AMD64, 0xe2e523, []byte{0xbe, 0xb0, 0x91, 0xd0, 0x03}, 0x3d091b0},
		{"adrp x1, +0x3000; add x1, x1, #0x7f8", core.ARM64, 0x401abc, []byte{0x01, 0x00, 0x00, 0xf0, 0x21, 0xe0, 0x1f,
			0x91}, 0x4047f8},
		{"adrp x2, -0x1000; add x3, x2, #0x10", core.ARM64, 0x401000, []byte{0xe2, 0xff, 0xff, 0xf0, 0x43, 0x40, 0x00,
			0x91}, 0x400010},
	} {
		if got := addressesOf(x.arch, x.at, x.code); !slices.Contains(got, x.want) {
			t.Errorf("%s at %v makes %v, want %v", x.name, x.at, got, x.want)
		}
	}
	if got := addressesOf(core.ARM64, 0x1000, []byte{0x21, 0xe0, 0x1f, 0x91}); len(got) > 0 {
		t.Errorf("an add without adrp makes %v", got)
	}
}
