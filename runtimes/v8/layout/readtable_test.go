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
