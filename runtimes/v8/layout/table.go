package layout

import (
	"bufio"
	"cmp"
	"embed"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// tableFiles are the tables that layout/gen wrote. Each is named for its version and
// variant: 15.0.tsv, 15.0-ptr4.tsv, 15.0-ptr4-sandbox.tsv.
//
//go:embed tables/*.tsv
var tableFiles embed.FS

// suffix is what the names of tables end in for a variant.
func (v Variant) suffix() string {
	s := ""
	if v.TaggedSize == 4 {
		s = "-ptr4"
	}
	if v.Sandbox {
		s += "-sandbox"
	}
	return s
}

// maxRows bounds the rows of a table; those that there are have 3,000.
const maxRows = 1 << 16

// TableOf returns the table of a version, or of the nearest that has one: the newest
// before it, else the oldest.
func TableOf(v Version, variant Variant) (*Table, error) {
	entries, err := tableFiles.ReadDir("tables")
	if err != nil {
		return nil, err
	}
	var best *Version
	for _, e := range entries {
		x, ok := tableVersion(e.Name(), variant)
		switch {
		case !ok:
		case best == nil, before(x, *best) && before(v, *best), before(*best, x) && !before(v, x):
			best = &x
		}
	}
	if best == nil {
		return nil, fmt.Errorf("v8: no table of constants for builds with tagged fields of %d bytes", variant.TaggedSize)
	}
	f, err := tableFiles.Open(fmt.Sprintf("tables/%d.%d%s.tsv", best.Major, best.Minor, variant.suffix()))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := ReadTable(f)
	if err != nil {
		return nil, fmt.Errorf("v8: table of %d.%d: %w", best.Major, best.Minor, err)
	}
	return &Table{Version: *best, Variant: variant, Constants: c}, nil
}

// before reports whether a is an earlier major.minor than b.
func before(a, b Version) bool { return a.Before(b.Major, b.Minor) }

// tableVersion returns the version that a table's file name gives; false if it is of
// another variant.
func tableVersion(name string, variant Variant) (Version, bool) {
	name, ok := strings.CutSuffix(name, variant.suffix()+".tsv")
	major, minor, ok2 := strings.Cut(name, ".")
	m, err := strconv.ParseUint(major, 10, 16)
	n, err2 := strconv.ParseUint(minor, 10, 16)
	return V(int(m), int(n)), ok && ok2 && cmp.Or(err, err2) == nil
}

// ReadTable reads a table: lines of name, value and source with a tab between, sorted by
// name; lines that begin with # are comments. An error says which line it is in.
func ReadTable(r io.Reader) (map[string]int, error) {
	out := map[string]int{}
	last := ""
	s := bufio.NewScanner(r)
	n := 1
	for ; s.Scan(); n++ {
		line := s.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		name, rest, ok := strings.Cut(line, "\t")
		text, _, ok2 := strings.Cut(rest, "\t")
		if name == "" || !ok || !ok2 {
			return nil, fmt.Errorf("line %d: no name, value and source between tabs", n)
		}
		value, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("line %d: value of %s: %w", n, name, err)
		}
		if name <= last {
			return nil, fmt.Errorf("line %d: %s is not after %s", n, name, last)
		}
		if len(out) == maxRows {
			return nil, fmt.Errorf("line %d: more than %d rows", n, maxRows)
		}
		last, out[name] = name, int(value)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n, err)
	}
	return out, nil
}
