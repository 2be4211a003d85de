package dwarf

import (
	"coredbg/core/dwarf/format"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

// TestPartly: what is in a file that is missing may be what was asked for.
func TestPartly(t *testing.T) {
	skeleton := newMade(4)
	skeleton.entry("unit", format.TagCompileUnit, false, field{format.AtGNUDWOName, format.FormString, "b.dwo"},
		field{format.AtCompDir, format.FormString, "/opt/x"})
	files := &folder{}
	d, err := Open(joined(program(4), skeleton), binary.LittleEndian, files)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.FindTypes("point")) != 1 || len(d.FindTypes("absent")) != 0 {
		t.Error("the units that are there are not read")
	}
	if err := d.Partly(); !errors.Is(err, errGone) || !strings.Contains(err.Error(), "1 of 2 units: ") ||
		!strings.Contains(err.Error(), "b.dwo") || files.asked != "/opt/x/b.dwo" {
		t.Errorf("a unit without its other file: %v, asked for %s", err, files.asked)
	}
	if d, _ = opened(t, 5); d.Partly() != nil {
		t.Errorf("all units can be read, but %v", d.Partly())
	}
}

// TestSameFunction: a name says which function is meant only if other units can use it.
func TestSameFunction(t *testing.T) {
	unit := func(tail ...field) *made {
		m := newMade(5)
		m.entry("unit", format.TagCompileUnit, true, field{format.AtName, format.FormString, "a.c"})
		m.entry("f", format.TagSubprogram, false, append(tail, field{format.AtName, format.FormString, "f"})...)
		m.end()
		return m
	}
	at := func(a uint64) field { return field{format.AtLowPC, format.FormAddr, a} }
	declared, external := field{format.AtDeclaration, format.FormFlagPresent, nil},
		field{format.AtExternal, format.FormFlagPresent, nil}
	units := []*made{unit(external, declared), unit(at(0x1000)), unit(external, at(0x2000))}
	d, err := Open(joined(units...), binary.LittleEndian, nil)
	if err != nil {
		t.Fatal(err)
	}
	var f []*Entry
	for i, m := range units {
		f = append(f, d.own.entry(d.own.units[i].Off+format.Offset(m.labels["f"])))
	}
	if f[0].ref().sameFunction(f[1]) {
		t.Error("a static function of another unit is taken for the one that is called")
	}
	if !f[0].ref().sameFunction(f[2]) {
		t.Error("a function is not found in another unit")
	}
	site := &Entry{u: d.own.units[0], names: []format.Spec{{Attr: format.AtCallOrigin}},
		attrs: []Attr{{d.own.units[0], format.Value{Form: format.FormRefAddr, Num: uint64(f[0].Off)}}}}
	if got, ok := callTarget(site); !ok || got == nil || got.Off != f[2].Off {
		t.Errorf("the call is of %v, %v", got, ok)
	}
}
