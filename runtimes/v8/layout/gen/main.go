// Command gen writes the tables of runtimes/v8/layout: what V8's sources, or the constants in a
// binary, say about how its memory is laid out.
//
//	gen [-variants ptr8,ptr4,ptr4-sandbox] [-o DIR] SOURCES...
//	gen -image BINARY -version MAJOR.MINOR [-o DIR]
//	gen -types BINARY -version MAJOR.MINOR [-o DIR]
//	gen -core CORE -table TABLE
//	gen -check BINARY SOURCES
//
// SOURCES is a checkout of V8, of Node or of Chromium, or a folder with the same files
// in it as far as they are there. A table is named for the version of V8 and the variant:
// 15.0-ptr4.tsv. With -image the table is made from a binary's v8dbg_* symbols. -types lists the instance type
// names in V8's code in a binary for x86-64. -core adds the maps of the read-only heap, from a core of that
// version, to a table. -check compares the symbols with the facts of the sources, and writes nothing.
//
// The documentation of layout.Table describes the contents of a table.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"coredbg/core/file"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/layout/gen/cxx"
)

func main() {
	o := options{out: os.Stdout}
	flag.StringVar(&o.variants, "variants", "ptr8", "the variants, between commas: ptr8, ptr4, ptr4-sandbox")
	flag.StringVar(&o.dir, "o", ".", "the folder that tables are written to")
	flag.StringVar(&o.image, "image", "", "make the table of the constants in this binary")
	flag.StringVar(&o.types, "types", "", "list the instance types that the code of this binary names")
	flag.StringVar(&o.version, "version", "", "the version of the binary")
	flag.StringVar(&o.core, "core", "", "add the maps of the read-only heap of this core to a table")
	flag.StringVar(&o.table, "table", "", "the table that -core adds to")
	flag.StringVar(&o.check, "check", "", "compare with the constants in this binary")
	flag.BoolVar(&o.missing, "missing", false, "say which constants the sources do not give")
	flag.Parse()
	if err := o.run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

type options struct {
	variants, dir, image, types, version, check, core, table string
	missing                                                  bool
	out                                                      io.Writer // output of -check and -missing
}

func (o *options) run(trees []string) error {
	if o.image != "" {
		return o.ofImage()
	}
	if o.types != "" {
		return o.ofTypes()
	}
	if o.core != "" {
		return o.ofCore()
	}
	if len(trees) == 0 {
		return fmt.Errorf("no sources given")
	}
	for _, dir := range trees {
		t, err := openTree(dir)
		if err != nil {
			return err
		}
		for name := range strings.SplitSeq(o.variants, ",") {
			if err := o.ofTree(t, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// variants by their names.
var variants = map[string]layout.Variant{
	"ptr8": {TaggedSize: 8}, "ptr4": {TaggedSize: 4}, "ptr4-sandbox": {TaggedSize: 4, Sandbox: true},
}

// ofTree writes or checks the table of a tree and a variant.
func (o *options) ofTree(t *tree, name string) error {
	v, ok := variants[name]
	if !ok {
		return fmt.Errorf("no variant %q", name)
	}
	s, err := read(t, v)
	if err != nil {
		return err
	}
	if len(t.files("test/torque", ".tq")) == 0 {
		fmt.Fprintf(os.Stderr, "gen: %s has no test/torque: its classes have instance types too, and the types after them will be too low\n", t.root)
	}
	rows, missing := s.table()
	if o.missing {
		for _, m := range missing {
			fmt.Fprintln(o.out, m)
		}
	}
	if o.check != "" {
		return compare(o.out, rows, o.check)
	}
	suffix := strings.TrimPrefix("-"+name, "-ptr8")
	how := []string{
		fmt.Sprintf("V8 %s, %s: runtimes/v8/layout/gen of its sources.", t.version, name),
		"Offsets are in bytes from the untagged start of the object.",
	}
	return o.write(fmt.Sprintf("%d.%d%s.tsv", t.version.Major, t.version.Minor, suffix), how, rows)
}

// kept are how the names of rows begin that no sources give: what was read from memory
// stays when a table is written anew.
const kept = "romap"

// write writes a table, over one that was there.
func (o *options) write(name string, how []string, rows table) error {
	path := filepath.Join(o.dir, name)
	if old, err := os.ReadFile(path); err == nil {
		for line := range strings.Lines(string(old)) {
			f := strings.Split(strings.TrimSpace(line), "\t")
			if v, err := strconv.Atoi(f[min(1, len(f)-1)]); err == nil && len(f) == 3 && strings.HasPrefix(f[0], kept) {
				rows.add(f[0], int64(v), cxx.Pos{File: f[2]})
			}
		}
	}
	return o.replace(name, how, rows)
}

// replace writes a table that has only rows.
func (o *options) replace(name string, how []string, rows table) error {
	path := filepath.Join(o.dir, name)
	var w bytes.Buffer
	for _, line := range how {
		fmt.Fprintf(&w, "# %s\n", line)
	}
	for _, r := range rows.sorted() {
		from := r.pos.File
		if r.pos.Line > 0 {
			from = fmt.Sprintf("%s:%d", strings.TrimPrefix(r.pos.File, "src/"), r.pos.Line)
		}
		fmt.Fprintf(&w, "%s\t%d\t%s\n", r.name, r.value, from)
	}
	return file.WriteFile(context.Background(), path, w.Bytes(), true)
}
