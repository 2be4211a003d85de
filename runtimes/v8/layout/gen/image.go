package main

import (
	"debug/elf"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"coredbg/runtimes/v8/layout/gen/cxx"
)

// prefix is how the names of the constants in binaries begin.
const prefix = "v8dbg_"

// constants returns the constants in the symbols of a binary, without their prefix.
func constants(path string) (map[string]int64, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := f.DynamicSymbols()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	out := map[string]int64{}
	for _, s := range all {
		name, ok := strings.CutPrefix(s.Name, prefix)
		if !ok {
			continue
		}
		var b [4]byte
		for _, p := range f.Progs {
			if p.Type == elf.PT_LOAD && s.Value >= p.Vaddr && s.Value+4 <= p.Vaddr+p.Filesz {
				if _, err := p.ReadAt(b[:], int64(s.Value-p.Vaddr)); err != nil {
					return nil, fmt.Errorf("%s: %s: %w", path, s.Name, err)
				}
			}
		}
		out[name] = int64(int32(f.ByteOrder.Uint32(b[:])))
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no symbols %s*", path, prefix)
	}
	return out, nil
}

// ofImage writes a table of the constants in a binary.
func (o *options) ofImage() error {
	var major, minor int
	if n, err := fmt.Sscanf(o.version, "%d.%d", &major, &minor); n != 2 {
		return fmt.Errorf("-version %q: %v", o.version, err)
	}
	c, err := constants(o.image)
	if err != nil {
		return err
	}
	rows := table{}
	for name, v := range c {
		rows.add(name, v, cxx.Pos{File: prefix + "*"})
	}
	how := []string{fmt.Sprintf("V8 %s, ptr8: the %s* symbols of %s.", o.version, prefix,
		filepath.Base(filepath.Dir(filepath.Dir(o.image))))}
	return o.write(fmt.Sprintf("%d.%d.tsv", major, minor), how, rows)
}

// compare prints how a table and the constants in a binary differ. The classes' parents are
// not in tables.
func compare(out io.Writer, rows table, path string) error {
	c, err := constants(path)
	if err != nil {
		return err
	}
	var equal int
	var different, missing []string
	for name, v := range c {
		switch r, ok := rows[name]; {
		case strings.HasPrefix(name, "parent_"):
		case !ok:
			missing = append(missing, fmt.Sprintf("%s = %d", name, v))
		case int64(r.value) == v:
			equal++
		default:
			different = append(different, fmt.Sprintf("%s is %d, not %d", name, v, r.value))
		}
	}
	slices.Sort(different)
	slices.Sort(missing)
	fmt.Fprintf(out, "%d equal, %d different, %d missing\n", equal, len(different), len(missing))
	for _, s := range different {
		fmt.Fprintln(out, "different:", s)
	}
	for _, s := range missing {
		fmt.Fprintln(out, "missing:", s)
	}
	if len(different) > 0 {
		return fmt.Errorf("%s: %d constants differ from the sources'", path, len(different))
	}
	return nil
}
