package insn

import (
	"fmt"
	"testing"

	"coredbg/core"
)

// TestMoveI386: what instructions of i386 do to registers, with its own slots. Truth: objdump.
func TestMoveI386(t *testing.T) {
	name := func(slot int) string {
		if slot < 0 {
			return "-"
		}
		return core.I386.RegNames[slot]
	}
	for code, want := range map[string]string{
		"\x89\x04\x24":                 "stores eax at esp 0",             // mov %eax,(%esp)
		"\x8b\x4c\x24\x1c":             "loads ecx at esp 28",             // mov 0x1c(%esp),%ecx
		"\x8d\x56\x04":                 "computes edx at esi 4",           // lea 0x4(%esi),%edx
		"\x8d\x05\x00\x80\x0d\x88":     "computes eax at - 2282586112",    // lea 0x880d8000,%eax
		"\xa1\x44\x60\x08\x8a":         "loads eax at - 2315804740",       // mov 0x8a086044,%eax
		"\xb9\x00\x00\x00\x80":         "computes ecx at - 2147483648",    // mov $0x80000000,%ecx
		"\x57":                         "stores edi at esp -4, esp by -4", // push %edi
		"\x5d":                         "loads ebp at esp 0, esp by 4",    // pop %ebp
		"\x83\xec\x40":                 "opaque - at - 0, esp by -64",     // sub $0x40,%esp
		"\x0f\xb6\x00":                 "opaque - at - 0, changes eax",    // movzbl (%eax),%eax
		"\x65\x8b\x0d\x00\x00\x00\x00": "opaque - at - 0, changes ecx",    // mov %gs:0x0,%ecx
	} {
		m, ok := MoveOf(core.I386, []byte(code), 0x1000)
		got := fmt.Sprintf("%s %s at %s %d", [...]string{"opaque", "loads", "stores", "computes"}[m.Kind], name(m.Reg),
			name(m.At.Base), m.At.Disp)
		if m.Kind == Opaque {
			got = "opaque - at - 0"
		}
		if m.Sum >= 0 {
			got += fmt.Sprintf(", %s by %d", name(m.Sum), m.By)
		}
		for _, slot := range m.Changes {
			got += ", changes " + name(slot)
		}
		if !ok || got != want {
			t.Errorf("% x: %q, want %q", code, got, want)
		}
	}
	places, target := PlacesOf(core.I386, []byte("\xff\x24\x8d\x00\x80\x0d\x08"), 0x1000) // jmp *0x80d8000(,%ecx,4)
	if len(places) != 1 || name(places[0].Index) != "ecx" || places[0].Disp != 0x80d8000 || target >= 0 {
		t.Errorf("a table: %+v, %d", places, target)
	}
	if _, target := PlacesOf(core.I386, []byte("\xff\xd6"), 0x1000); name(target) != "esi" { // call *%esi
		t.Errorf("a call through %s", name(target))
	}
}
