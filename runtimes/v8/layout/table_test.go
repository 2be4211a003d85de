package layout

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestReadTable(t *testing.T) {
	got, err := ReadTable(strings.NewReader("# a table\nA\t1\tx.h:1\n\nB__\t-2\tx.h:2\n"))
	if err != nil || len(got) != 2 || got["A"] != 1 || got["B__"] != -2 {
		t.Errorf("ReadTable: %v, %v", got, err)
	}
	for _, test := range []struct{ in, want string }{
		{"A\t1", "line 1: no name, value and source between tabs"},
		{"#\n\t1\tx", "line 2: no name, value and source between tabs"},
		{"A\tx\ty\n", `line 1: value of A: strconv.ParseInt: parsing "x": invalid syntax`},
		{"A\t4294967296\ty\n", `line 1: value of A: strconv.ParseInt: parsing "4294967296": value out of range`},
		{"B\t1\tx\nA\t1\tx\n", "line 2: A is not after B"},
		{"A\t1\tx\nA\t1\tx\n", "line 2: A is not after A"},
		{"A\t1\t" + strings.Repeat("x", 1<<17), "line 1: bufio.Scanner: token too long"},
	} {
		if got, err := ReadTable(strings.NewReader(test.in)); err == nil || err.Error() != test.want {
			t.Errorf("ReadTable(%.20q) = %v, %v; want %s", test.in, got, err, test.want)
		}
	}
	var many bytes.Buffer
	for i := range maxRows + 1 {
		fmt.Fprintf(&many, "A%06d\t1\tx\n", i)
	}
	if _, err := ReadTable(&many); err == nil {
		t.Error("a table of any length is read")
	}
}

// TestTables reads every table that is here, and asks each for what decoding cannot do
// without.
func TestTables(t *testing.T) {
	entries, err := tableFiles.ReadDir("tables")
	if err != nil || len(entries) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	for _, e := range entries {
		f, err := tableFiles.Open("tables/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		c, err := ReadTable(f)
		f.Close()
		if err != nil {
			t.Errorf("%s: %v", e.Name(), err)
			continue
		}
		names := sortedNames(c)
		for _, name := range []string{"TaggedSize", "FirstNonstringType", "class_JSFunction__shared__", "class_Map__instance_type__", "off_fp_context", "frametype_EntryFrame"} {
			if _, ok := findConstant(names, name); !ok {
				t.Errorf("%s: no %s", e.Name(), name)
			}
		}
		size := 8
		if strings.Contains(e.Name(), "-ptr4") {
			size = 4
		}
		if c["TaggedSize"] != size {
			t.Errorf("%s: tagged fields of %d bytes", e.Name(), c["TaggedSize"])
		}
	}
}

func TestTableOf(t *testing.T) {
	for _, test := range []struct {
		v    Version
		of   Variant
		want string // of the table
	}{
		{V(15, 0), Variant{TaggedSize: 8}, "15.0"},
		{V(99, 9), Variant{TaggedSize: 4, Sandbox: true}, "15.0"},
		{V(1, 0), Variant{TaggedSize: 4}, "15.0"},
	} {
		got, err := TableOf(test.v, test.of)
		if err != nil {
			t.Errorf("TableOf(%v, %v): %v", test.v, test.of, err)
		} else if s := fmt.Sprintf("%d.%d", got.Version.Major, got.Version.Minor); s != test.want || got.Variant != test.of || got.Constants["TaggedSize"] != test.of.TaggedSize {
			t.Errorf("TableOf(%v, %v) is of %s, %v", test.v, test.of, s, got.Variant)
		}
	}
	if _, err := TableOf(V(15, 0), Variant{TaggedSize: 3, Sandbox: true}); err == nil {
		t.Error("a table of a variant that there is not")
	}
}

func FuzzReadTable(f *testing.F) {
	f.Add([]byte("# x\nA\t1\ty:1\nB\t-2\tz\n"))
	f.Add([]byte("A\t1\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := ReadTable(bytes.NewReader(in))
		if err == nil && len(got) > bytes.Count(in, []byte("\n"))+1 {
			t.Errorf("%d rows of %d bytes", len(got), len(in))
		}
	})
}
