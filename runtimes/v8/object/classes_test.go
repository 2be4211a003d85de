package object

import (
	"testing"

	"coredbg/runtimes/v8/layout"
)

// TestClassFields: fields by tables made from V8's sources, which name a field once as Torque and once as C++
// do (objects/shared-function-info.tq and .h @ 10.2).
func TestClassFields(t *testing.T) {
	c := &ClassInfo{Name: "SharedFunctionInfo"}
	for _, f := range []struct {
		name, typ string
		offset    int
	}{
		{"length", "int16", 20}, {"length", "uint16_t", 20}, {"flags2", "SharedFunctionInfoFlags2", 27},
		{"flags", "SharedFunctionInfoFlags", 28}, {"flags", "int", 28}, {"script", "TaggedMember_Script_", 16},
	} {
		c.add(ClassField{Name: f.name, Type: cppType(f.typ), Offset: f.offset, Supplier: layout.FromTable})
	}
	c.untagUnaligned(4)
	want := []ClassField{
		{Name: "script", Type: "Script", Offset: 16}, {Name: "length", Type: "int16_t", Offset: 20},
		{Name: "flags2", Type: "uint8_t", Offset: 27}, {Name: "flags", Type: "int", Offset: 28},
	}
	if len(c.Fields) != len(want) {
		t.Fatalf("%+v", c.Fields)
	}
	for i, w := range want {
		if f := c.Fields[i]; f.Name != w.Name || f.Type != w.Type || f.Offset != w.Offset {
			t.Errorf("%+v, want %+v", f, w)
		}
	}
}

// TestUnaligned: a field of an unknown type where no tagged word lies is as long as what is free.
func TestUnaligned(t *testing.T) {
	c := &ClassInfo{Fields: []ClassField{{Name: "a", Type: "Bits", Offset: 1}, {Name: "b", Type: "Bits", Offset: 2},
		{Name: "c", Type: "Map", Offset: 8},
		{Name: "d", Type: "Bits", Offset: 12}, {Name: "e", Type: "uint16_t", Offset: 18}}}
	c.untagUnaligned(8)
	for i, want := range []string{"uint8_t", "uint8_t", "Map", "uint32_t", "uint16_t"} {
		if got := c.Fields[i].Type; got != want {
			t.Errorf("%s is a %s, want %s", c.Fields[i].Name, got, want)
		}
	}
}
