package object

import (
	"fmt"
	"testing"
)

// TestArguments: slots of arguments as the Java Virtual Machine Specification counts them (2.6.1): a long and
// a double take two.
func TestArguments(t *testing.T) {
	for _, x := range []struct {
		signature string
		access    uint16
		want      string
	}{
		{"()V", accStatic, "[]"},
		{"(IJ[[DLjava/lang/String;Z)V", accStatic, "[ I 0  J 1  [[D 3  Ljava/lang/String; 4  Z 5]"},
		{"(DB)I", 0, "[this Lp/C; 0  D 1  B 3]"},
		{"([", accStatic, "[]"},
		{"(Lx", accStatic, "[]"},
		{"(IQ)V", accStatic, "[ I 0]"},
	} {
		m := &Method{Class: "p.C", Signature: x.signature, Access: x.access}
		var got []string
		for _, v := range m.Arguments() {
			got = append(got, fmt.Sprintf("%s %s %d", v.Name, v.Type, v.Slot))
		}
		text := "["
		for i, g := range got {
			if i > 0 {
				text += " "
			}
			text += g
		}
		if text += "]"; text != x.want {
			t.Errorf("%s: %s, want %s", x.signature, text, x.want)
		}
	}
}
