package dex

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestQuickened checks the instructions that no assembler writes. They have the forms of the instructions that
// they replace; the names come from AOSP's dex_instruction_list.h of Android 11.
func TestQuickened(t *testing.T) {
	f := parse(t, load(t, "opcodes.dex"))
	tests := []struct {
		units []uint16
		want  string
	}{
		{[]uint16{0x0073}, "return-void-no-barrier "},
		{[]uint16{0x21e3, 8}, "iget-quick v1, v2, [obj+0x8]"},
		{[]uint16{0x21e4, 8}, "iget-wide-quick v1, v2, [obj+0x8]"},
		{[]uint16{0x21e5, 8}, "iget-object-quick v1, v2, [obj+0x8]"},
		{[]uint16{0xfee6, 0xfffc}, "iput-quick v14, v15, [obj+0xfffc]"},
		{[]uint16{0x21e8, 8}, "iput-object-quick v1, v2, [obj+0x8]"},
		{[]uint16{0x20e9, 11, 0x0043}, "invoke-virtual-quick {v3, v4}, vtable[11]"},
		{[]uint16{0x03ea, 12, 9}, "invoke-virtual/range-quick {v9 .. v11}, vtable[12]"},
		{[]uint16{0x21eb, 8}, "iput-boolean-quick v1, v2, [obj+0x8]"},
		{[]uint16{0x21f2, 8}, "iget-short-quick v1, v2, [obj+0x8]"},
	}
	for _, tt := range tests {
		in, err := Decode(tt.units, 0)
		if got := in.Name + " " + f.Operands(in); got != tt.want || err != nil || in.Size != len(tt.units) {
			t.Errorf("Decode(%x) = %q, size %d, %v; want %q", tt.units, got, in.Size, err, tt.want)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	tests := []struct {
		units []uint16
		pc    uint32
		want  string
	}{
		{[]uint16{0}, 1, "dex pc 0x1 is outside"},
		{nil, 0, "dex pc 0x0 is outside"},
		{[]uint16{0x003e}, 0, "opcode 0x3e is not used"},
		{[]uint16{0x0018, 0, 0, 0}, 0, "ends within const-wide"},
		{[]uint16{0x0100, 2, 0, 0}, 0, "packed-switch-payload has 8 units, and the code 4"},
		{[]uint16{0x0100}, 0, "packed-switch-payload has 4 units"},
		{[]uint16{0x0200, 0xffff}, 0, "sparse-switch-payload has 262142 units"},
		{[]uint16{0x0200}, 0, "sparse-switch-payload has 2 units"},
		{[]uint16{0x0300, 8, 0xffff, 0xffff}, 0, "array-payload has 17179869184 units"},
		{[]uint16{0x0300, 1}, 0, "array-payload has 4 units"},
	}
	for _, tt := range tests {
		in, err := Decode(tt.units, tt.pc)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Decode(%x) = %+v, %v; want %q", tt.units, in, err, tt.want)
		}
	}
}

// TestPayloads checks what dexdump does not show: Opcodes.smali has the values.
func TestPayloads(t *testing.T) {
	f := parse(t, load(t, "opcodes.dex"))
	d, _ := method(t, f, "every")
	code, err := f.CodeAt(d.Code, d.Index)
	if err != nil {
		t.Fatal(err)
	}
	units, err := f.Instructions(code)
	if err != nil {
		t.Fatal(err)
	}
	list, err := Disassemble(units)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, in := range list {
		if p := in.Payload; p != nil && p.Width != 0 {
			got = append(got, fmt.Sprint(p.Width, p.Count, p.Elements(10)))
		} else if p != nil {
			for _, c := range p.Cases {
				got = append(got, fmt.Sprintf("%d: %+d", c.Key, c.Offset))
			}
		}
	}
	// Switches are at 0x51 and 0x54, :start at 0 and :end at 0x198.
	want := []string{
		fmt.Sprintf("-2: %+d", -0x51), fmt.Sprintf("-1: %+d", 0x198-0x51), fmt.Sprintf("0: %+d", 0x198-0x51),
		fmt.Sprintf("-2147483648: %+d", -0x54), fmt.Sprintf("2147483647: %+d", 0x198-0x54),
		"2 3 [1 -1 32767]", "1 3 [-128 127 1]", "8 2 [-9223372036854775808 5]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("payloads\n%q, want\n%q", got, want)
	}
}
