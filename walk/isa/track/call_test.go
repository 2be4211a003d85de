package track

import "testing"

// TestCallARM distinguishes calls from other instructions, as the assembler encodes
// them.
func TestCallARM(t *testing.T) {
	for _, c := range []struct {
		code string
		want bool
		text string
		to   int64 // where a direct call leads, from its end; 0 if that is not known
	}{
		{"\x00\x00\x00\xeb", true, "bl", 4},
		{"\xfe\xff\xff\x0b", true, "bleq", -4},
		{"\x00\x00\x00\xfa", true, "blx label", 0},
		{"\x33\xff\x2f\xe1", true, "blx r3", 0},
		{"\x13\xff\x2f\xe1", false, "bx r3", 0},
		{"\x00\x00\xa0\xe1", false, "mov r0, r0", 0},
		{"\x00\x00\x00\xea", false, "b", 0},
		{"\x00\xf0\x02\xf8", true, "bl (Thumb)", 4},
		{"\x05\xf1\x7b\xeb", true, "blx (Thumb)", 0},
		{"\x00\xbf\x98\x47", true, "blx r3 (Thumb)", 0},
		{"\x00\xbf\x18\x47", false, "bx r3 (Thumb)", 0},
		{"\x98\x47", true, "blx r3 (Thumb) at the start of memory", 0},
	} {
		if to, direct, ok := callARM([]byte(c.code)); ok != c.want || direct != (c.to != 0) || to != c.to {
			t.Errorf("%s (%x): %d, %v, %v", c.text, c.code, to, direct, ok)
		}
	}
}
