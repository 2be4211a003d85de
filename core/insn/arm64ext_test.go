package insn

import "testing"

// The expectations are what GNU objdump 2.40 prints for the words.
func TestARM64Extension(t *testing.T) {
	for _, c := range []struct {
		word uint32
		want string
	}{
		{0xd503201f, "nop"},
		{0xd503233f, "paciasp"},
		{0xd50323ff, "autibsp"},
		{0xd503245f, "bti\tc"},
		{0xd50324df, "bti\tjc"},
		{0xd50320ff, "xpaclri"},
		{0xd65f0bff, "retaa"},
		{0xd65f0fff, "retab"},
		{0xd71f0822, "braa\tx1, x2"},
		{0xd71f083f, "braa\tx1, sp"},
		{0xd61f0c7f, "brabz\tx3"},
		{0xd63f089f, "blraaz\tx4"},
		{0xd73f0d11, "blrab\tx8, x17"},
		{0xdac103e0, "pacia\tx0, sp"},
		{0xdac11cc5, "autdb\tx5, x6"},
		{0xdac123e7, "paciza\tx7"},
		{0xdac143fe, "xpaci\tx30"},
		{0x9ac33041, "pacga\tx1, x2, x3"},
		{0xb8210062, "ldadd\tw1, w2, [x3]"},
		{0xf8e103e2, "ldaddal\tx1, x2, [sp]"},
		{0x38211062, "ldclrb\tw1, w2, [x3]"},
		{0xb821005f, "stadd\tw1, [x2]"},
		{0xf861305f, "stsetl\tx1, [x2]"},
		{0x786560e6, "ldumaxlh\tw5, w6, [x7]"},
		{0xb8e18062, "swpal\tw1, w2, [x3]"},
		{0x38218062, "swpb\tw1, w2, [x3]"},
		{0xc8a17c62, "cas\tx1, x2, [x3]"},
		{0x08e1fc62, "casalb\tw1, w2, [x3]"},
		{0x4862fcc4, "caspal\tx2, x3, x4, x5, [x6]"},
		{0x08227fe4, "casp\tw2, w3, w4, w5, [sp]"},
		{0xf8bfc041, "ldapr\tx1, [x2]"},
		{0x38bfc041, "ldaprb\tw1, [x2]"},
		{0x9adf1041, "irg\tx1, x2"},
		{0x9ac3105f, "irg\tsp, x2, x3"},
		{0x9ac317e1, "gmi\tx1, sp, x3"},
		{0x9ac30041, "subp\tx1, x2, x3"},
		{0xbac30041, "subps\tx1, x2, x3"},
		{0x91820fe1, "addg\tx1, sp, #0x20, #0x3"},
		{0xd1bf3c41, "subg\tx1, x2, #0x3f0, #0xf"},
		{0xd9200841, "stg\tx1, [x2]"},
		{0xd93ffc5f, "stg\tsp, [x2, #-16]!"},
		{0xd9602441, "stzg\tx1, [x2], #32"},
		{0xd9aff841, "st2g\tx1, [x2, #4080]"},
		{0xd9e00be1, "stz2g\tx1, [sp]"},
		{0xd9601041, "ldg\tx1, [x2, #16]"},
		{0x69008861, "stgp\tx1, x2, [x3, #16]"},
		{0x68bf0861, "stgp\tx1, x2, [x3], #-32"},
		{0x69820861, "stgp\tx1, x2, [x3, #64]!"},
		{0xf8200441, "ldraa\tx1, [x2]"},
		{0xf8fffc41, "ldrab\tx1, [x2, #-8]!"},
		{0xf83ff7e1, "ldraa\tx1, [sp, #4088]"},
		// Not ours: ldr x0, [x1]; ret; a word that is not an instruction.
		{0xf9400020, ""},
		{0xd65f03c0, ""},
		{0xffffffff, ""},
	} {
		if got := decodeARM64Extension(c.word); got != c.want {
			t.Errorf("%08x: %q, want %q", c.word, got, c.want)
		}
	}
}
