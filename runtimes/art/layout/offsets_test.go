package layout

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"
)

// A column names the layout that a column of a file in testdata belongs to.
type column struct {
	sdk, width int
	library    Library
}

// TestAndroidOffsets checks the tables against the figures of OpenCoreAnalysisKit. It has figures of members
// that a version no longer has, too.
func TestAndroidOffsets(t *testing.T) {
	facts := map[column]map[string]int{}
	for sdk := OldestSDK; sdk <= NewestSDK; sdk++ {
		for _, width := range []int{8, 4} {
			c := column{sdk, width, LibCxx}
			facts[c] = c.facts()
		}
	}
	widths := map[string]int{"64": 8, "32": 4}
	eachRow(t, "testdata/android.tsv", func(fields []string) {
		for i, text := range fields[2:] {
			c := column{OldestSDK + i, widths[fields[1]], LibCxx}
			got, want := facts[c][fields[0]], number(t, text)
			if got != want && got != Unknown && want != Unknown {
				t.Errorf("%+v: %s is %d, want %d", c, fields[0], got, want)
			}
		}
	})
}

// TestDebianOffsets checks the tables against what a compiler made of Debian's headers
// of Android 10, 11 and 14 with Debian's flags, and of 11 for 32 bit.
func TestDebianOffsets(t *testing.T) {
	columns := []column{{29, 8, LibStdCxx}, {30, 8, LibStdCxx}, {34, 8, LibStdCxx}, {30, 4, LibStdCxx}}
	var facts []map[string]int
	for _, c := range columns {
		facts = append(facts, c.facts())
	}
	eachRow(t, "testdata/debian.tsv", func(fields []string) {
		for i, text := range fields[1:] {
			c := columns[i]
			if got, want := facts[i][fields[0]], number(t, text); got != want {
				t.Errorf("%+v: %s is %d, want %d", c, fields[0], got, want)
			}
		}
	})
}

// eachRow visits the rows of a file of testdata, which must have some.
func eachRow(t *testing.T, file string, visit func(fields []string)) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	s := bufio.NewScanner(f)
	for s.Scan() {
		if !strings.HasPrefix(s.Text(), "#") {
			visit(strings.Split(s.Text(), "\t"))
			n++
		}
	}
	if err := s.Err(); err != nil || n < 50 {
		t.Fatalf("%s: %d rows, %v", file, n, err)
	}
}

// number reads a field of such a file, which is - where there is none.
func number(t *testing.T, text string) int {
	t.Helper()
	if text == "-" {
		return Unknown
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// facts returns the numbers of the column's layout by name.
func (c column) facts() map[string]int {
	out := map[string]int{}
	for _, f := range NewLayout(c.sdk, c.width, c.library).Facts() {
		out[f.Name] = f.Value
	}
	return out
}
