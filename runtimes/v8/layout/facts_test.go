package layout

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"coredbg/runtimes/layout"
)

// elsewhere are the facts that the version table has not as they were from one version on and before another: constants
// always have them.
var elsewhere = map[string][2]Version{
	"ElementsKind.Mask":         {V(9, 4), last},
	"ElementsKind.Shift":        {V(9, 4), last},
	"JSFunction.Shared":         {V(11, 8), V(12, 2)},
	"JSFunction.Context":        {V(11, 8), V(12, 2)},
	"SharedFunctionInfo.Length": {V(12, 9), last},
	"Script.SourceURL":          {V(15, 0), last},
	"Script.SharedInfos":        {V(15, 0), last},
	"JSModuleNamespace.Module":  {V(15, 0), last}, // object.ClassReader looks behind it too
}

var last = V(99, 0)

// tableOf reads a table that layout/gen wrote.
func tableOf(t *testing.T, file string) *Table {
	t.Helper()
	var f fs.File
	var err error
	if strings.HasPrefix(file, "tables/") {
		f, err = tableFiles.Open(file)
	} else {
		f, err = os.Open(file)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := ReadTable(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	variant := Variant{TaggedSize: c["TaggedSize"], Sandbox: strings.HasSuffix(file, "-sandbox.tsv")}
	v, ok := tableVersion(path.Base(file), variant)
	if !ok {
		t.Fatalf("%s: no version in the name", file)
	}
	return &Table{Version: v, Variant: variant, Constants: c}
}

// TestVersionsAgree holds the version table to V8 itself: to each generated table, and to testdata, which gen
// made of the sources in Debian's packages of Node.
func TestVersionsAgree(t *testing.T) {
	files, err := filepath.Glob("t*/*.tsv") // tables and testdata
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	sandboxNames := sortedNames(sandboxOffsets)
	for _, file := range files {
		table := tableOf(t, file)
		names := sortedNames(table.Constants)
		compared := 0
		layout.Each(ofRows(table.Version), func(class, field reflect.StructField, p *int) {
			key, got := class.Name+"."+field.Name, *p
			if x, ok := elsewhere[key]; ok && table.Version.AtLeast(x[0].Major, x[0].Minor) &&
				table.Version.Before(x[1].Major, x[1].Minor) {
				return
			}
			sandboxed := table.Variant.Sandbox && constantOf(sandboxOffsets, sandboxNames, class.Name, field) != Unknown
			if table.Variant.TaggedSize == 4 {
				got = convert(class.Name, field.Name, got)
			}
			want := constantOf(table.Constants, names, class.Name, field)
			if got == Unknown || want == Unknown || sandboxed {
				return
			}
			if compared++; got != want {
				t.Errorf("%s: %s is %d, want %d", file, key, got, want)
			}
		})
		if compared < 50 {
			t.Errorf("%s: %d facts", file, compared)
		}
	}
}

// constantOf returns the constant that gives a fact, or Unknown; names has their names, sorted.
func constantOf(constants map[string]int, names []string, class string, field reflect.StructField) int {
	for _, prefix := range []string{"layout_" + class + "_" + field.Name, field.Tag.Get("v8")} {
		if name, ok := findConstant(names, prefix); ok {
			return constants[name]
		}
	}
	return Unknown
}

// TestCompressedOffsets holds the offsets of builds with compressed pointers to the tables that gen made of
// the sources of 15.0, except fields that the version table has moved since 13.0.
func TestCompressedOffsets(t *testing.T) {
	then, changed := fieldsOf(ofRows(V(13, 0))), changedBetween(V(13, 0), V(15, 0))
	for _, x := range []struct {
		file    string
		offsets map[string]int
	}{{"tables/15.0-ptr4.tsv", compressedOffsets}, {"tables/15.0-ptr4-sandbox.tsv", sandboxOffsets}} {
		table := tableOf(t, x.file)
		names, offsetNames := sortedNames(table.Constants), sortedNames(x.offsets)
		compared := 0
		layout.Each(&Layout{}, func(class, field reflect.StructField, _ *int) {
			got, want := constantOf(x.offsets, offsetNames, class.Name, field),
				constantOf(table.Constants, names, class.Name, field)
			_, moved := changed[class.Name+"."+field.Name]
			if moved = moved && then[class.Name+"."+field.Name] != Unknown; moved || got == Unknown || want == Unknown {
				return
			}
			if compared++; got != want {
				t.Errorf("%s: %s.%s is %d, want %d", x.file, class.Name, field.Name, got, want)
			}
		})
		if x.file == "tables/15.0-ptr4.tsv" { // which is no number of Layout: what follows it is
			if name, ok := findConstant(names, "class_Code__instruction_start__"); !ok ||
				table.Constants[name] != x.offsets["class_Code__instruction_start__"] {
				t.Errorf("instructions are said to begin at %d", table.Constants[name])
			}
		}
		if compared < len(x.offsets)*3/4 {
			t.Errorf("%s: %d of %d offsets", x.file, compared, len(x.offsets))
		}
	}
}
