package managed

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes"
)

// TestPointers looks pointers up by the memory and by the object: sizes may nest, and a pointer without a
// size counts for its block.
func TestPointers(t *testing.T) {
	x := &Pointers{}
	for _, p := range []runtimes.External{
		{Object: 0x9001, At: 0x1000, Size: 0x1000, Name: "whole"},
		{Object: 0x9101, At: 0x1800, Size: 0x100, Name: "part"},
		{Object: 0x9101, At: 0x3010, Name: "field"},
		{Object: 0x9101, At: 0x3010, Name: "field"},
		{Object: 0x9201, At: ^core.Addr(0) - 8, Size: 1 << 62, Name: "wraps"},
	} {
		x.list = append(x.list, Pointer{External: p})
	}
	x.sort()
	names := func(list []Pointer) (s string) {
		for i := range list {
			s += list[i].Name + " "
		}
		return s
	}
	for _, c := range []struct{ got, want string }{
		{names(x.Holding(0x1900, 0, 0)), "whole "},
		{names(x.Holding(0x1880, 0, 0)), "whole part "},
		{names(x.Holding(0x2000, 0, 0)), ""},
		{names(x.Holding(0x3000, 0x3000, 0x40)), "field "},
		{names(x.Holding(0x3000, 0, 0)), ""},
		{names(x.From(0x9100)), "part field "},
		{names(x.From(0x9300)), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
