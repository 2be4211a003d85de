package java

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/dex"
)

var dexCommands = []commands.Command{{
	Name: "dexfile", Module: module, Addr: commands.AddrOptional,
	Summary: "list the dex files of the process, or show one",
	Detail: `Lists the dex files that the class linker knows, and behind them those found in
memory that it does not know, which have no art::DexFile and are marked "-". The
address is that of an art::DexFile, of a dex file's header, or of any byte of it. A
dex file that the core lacks is taken from the file that was mapped there or that
its location names, if that has the same checksum.`,
	Example: "::dexfile",
	SeeAlso: []string{"dex", "artmethod", "oat"},
	Run:     runDexFile,
}, {
	Name: "dex", Module: module, Addr: commands.AddrOptional,
	Options: []commands.Option{
		{Letter: 'o', Arg: "file", Help: "write the dex file to a new file"},
		{Letter: 'd', Arg: "directory", Help: "write all dex files into a directory"},
	},
	Summary: "check dex files, and take them out of the core",
	Detail: `Says of each dex file, or of that at the address, whether all of its bytes can be
had and whether they are what its header promises: adler32 and SHA-1. They differ
where ART changed a file in memory, as it did until Android 11 to make its code
faster. Of compact dex the data that it shares is written too; it has no checksums
of its own. Existing files are not overwritten.`,
	Example: "::dex -d /tmp/dex",
	SeeAlso: []string{"dexfile", "artmethod"},
	Run:     runDex,
}}

// dexesOf returns the dex files that a call means, and whether they are all.
func dexesOf(ctx context.Context, c *commands.Call) ([]*art.DexFile, bool, error) {
	a, err := artOf(c)
	if err != nil {
		return nil, false, err
	}
	if c.Given {
		d, err := a.DexOf(ctx, c.Dot)
		if err != nil {
			return nil, false, err
		}
		return []*art.DexFile{d}, false, nil
	}
	list, err := a.DexFiles(ctx)
	if err != nil {
		if len(list) == 0 {
			return nil, true, err
		}
		c.Warn("%w", err)
	}
	return list, true, nil
}

// dexFileRecord is a dex file.
type dexFileRecord struct {
	dex  *art.DexFile
	line bool // one of a list
}

func runDexFile(ctx context.Context, c *commands.Call) error {
	list, all, err := dexesOf(ctx, c)
	if err != nil {
		return err
	}
	for _, d := range list {
		if err := c.Emit(&dexFileRecord{d, all}); err != nil {
			return err
		}
	}
	return nil
}

// Addr returns the art::DexFile, or the header where there is none.
func (r *dexFileRecord) Addr() (core.Addr, bool) {
	if r.dex.Addr != 0 {
		return r.dex.Addr, true
	}
	return r.dex.Begin, true
}

// Header writes the columns of a list.
func (r *dexFileRecord) Header(w *out.Writer) {
	if r.line {
		w.Printf("%-18s %-18s %10s %-8s %8s %8s %s\n", "DEXFILE", "BEGIN", "BYTES", "VERSION", "CLASSES", "METHODS", "LOCATION")
	}
}

// Text writes the dex file as a line of a list, or with its header.
func (r *dexFileRecord) Text(w *out.Writer) {
	d := r.dex
	if !r.line {
		r.details(w)
		return
	}
	name := "-"
	if d.Addr != 0 {
		name = d.Addr.String()
	}
	w.Paint(out.Addr, "%-18s %-18v ", name, d.Begin)
	if d.File == nil {
		w.Printf("%10d %-8s %8s %8s ", d.Size, "?", "?", "?")
	} else {
		w.Printf("%10d %-8s %8d %8d ", d.File.FileSize, d.File.VersionString(), d.File.ClassDefs.Size, d.File.MethodIDs.Size)
	}
	w.Printf("%s", d.Location)
	switch {
	case d.File == nil:
		w.Paint(out.Error, " (%v)", d.Err)
	case d.From != "":
		w.Printf(" (from %s)", d.From)
	}
	w.Printf("\n")
}

func (r *dexFileRecord) details(w *out.Writer) {
	d := r.dex
	w.Paint(out.Addr, "%v", d.Begin)
	w.Printf(": dex file %s\n", d.Location)
	if d.Addr != 0 {
		w.Printf("    art::DexFile %v, location checksum %#08x\n", d.Addr, d.Checksum)
	}
	if d.File == nil {
		w.Paint(out.Error, "    %v", d.Err)
		w.Printf("\n")
		return
	}
	f := d.File
	w.Printf("    version %s, %d bytes, checksum %#08x, signature %x\n", f.VersionString(), f.FileSize, f.Header.Checksum, f.Signature)
	if d.From != "" {
		w.Printf("    read from %s\n", d.From)
	}
	if f.Data != f.Begin {
		w.Printf("    data at %v, %d bytes\n", f.Data, f.DataLimit)
	}
	for _, t := range tablesOf(f) {
		w.Printf("    %-10s %8d at %#x\n", t.name, t.Size, t.Off)
	}
}

type namedTable struct {
	name string
	dex.Table
}

func tablesOf(f *dex.File) []namedTable {
	return []namedTable{{"string_ids", f.StringIDs}, {"type_ids", f.TypeIDs}, {"proto_ids", f.ProtoIDs},
		{"field_ids", f.FieldIDs}, {"method_ids", f.MethodIDs}, {"class_defs", f.ClassDefs}}
}

// dexFileJSON is a dex file in JSON.
type dexFileJSON struct {
	Type      string    `json:"type"`
	Addr      core.Addr `json:"addr,omitzero"`
	Begin     core.Addr `json:"begin"`
	Location  string    `json:"location,omitempty"`
	Size      uint64    `json:"size"`
	Checksum  string    `json:"location_checksum,omitempty"`
	Version   string    `json:"version,omitempty"`
	Adler32   string    `json:"checksum,omitempty"`
	Signature string    `json:"signature,omitempty"`
	Classes   uint32    `json:"classes,omitempty"`
	Methods   uint32    `json:"methods,omitempty"`
	Data      core.Addr `json:"data,omitzero"`
	From      string    `json:"from,omitempty"`
	Problem   string    `json:"problem,omitempty"`
}

func dexFileOf(d *art.DexFile) dexFileJSON {
	j := dexFileJSON{Type: "dexfile", Addr: d.Addr, Begin: d.Begin, Location: d.Location, Size: d.Size, From: d.From}
	if d.Addr != 0 {
		j.Checksum = fmt.Sprintf("%#08x", d.Checksum)
	}
	if d.Err != nil {
		j.Problem = d.Err.Error()
	}
	if f := d.File; f != nil {
		j.Size, j.Version = uint64(f.FileSize), f.VersionString()
		j.Adler32, j.Signature = fmt.Sprintf("%#08x", f.Header.Checksum), fmt.Sprintf("%x", f.Signature)
		j.Classes, j.Methods = f.ClassDefs.Size, f.MethodIDs.Size
		if f.Data != f.Begin {
			j.Data = f.Data
		}
	}
	return j
}

// MarshalJSON gives {"type":"dexfile",…}.
func (r *dexFileRecord) MarshalJSON() ([]byte, error) { return json.Marshal(dexFileOf(r.dex)) }

// dexRecord is what checking a dex file, or taking it out, gave.
type dexRecord struct {
	dex     *art.DexFile
	bytes   int
	missing error // of bytes that cannot be had
	check   dex.Check
	checked error // why it was not checked
	file    string
}

func runDex(ctx context.Context, c *commands.Call) error {
	list, all, err := dexesOf(ctx, c)
	if err != nil {
		return err
	}
	if c.Has('o') && c.Has('d') {
		return c.Usage("-o and -d exclude each other")
	}
	if c.Has('o') && all {
		return c.Usage("-o needs the address of a dex file")
	}
	if dir := c.Str('d'); dir != "" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	for i, d := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := c.Str('o')
		if dir := c.Str('d'); dir != "" {
			path = filepath.Join(dir, dexName(i, d))
		}
		r, err := takeOut(d, path)
		if err != nil {
			c.Warn("%w", err)
			continue
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// dexName makes a file name of a dex file's place in the list and of its
// location, from which nothing but letters, digits and a few signs is taken.
func dexName(i int, d *art.DexFile) string {
	base := d.Location[strings.LastIndexByte(d.Location, '/')+1:]
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, base)
	ext := ".dex"
	if d.File != nil && d.File.Compact {
		ext = ".cdex"
	}
	return fmt.Sprintf("%03d-%s%s", i, clean[:min(len(clean), 80)], ext)
}

// takeOut checks a dex file and writes it to path, if there is one. A file of
// which bytes are missing is not written.
func takeOut(d *art.DexFile, path string) (*dexRecord, error) {
	if d.File == nil {
		return nil, fmt.Errorf("dex file at %v, %s: %w", d.Begin, d.Location, d.Err)
	}
	b, err := d.File.Extract()
	r := &dexRecord{dex: d, bytes: len(b), missing: err}
	r.check, r.checked = d.File.Check(b)
	if path == "" {
		return r, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s is not written: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	r.file = path
	return r, nil
}

// Addr returns the art::DexFile, or the header where there is none.
func (r *dexRecord) Addr() (core.Addr, bool) { return (&dexFileRecord{dex: r.dex}).Addr() }

// verdict says in words what checking gave.
func (r *dexRecord) verdict() string {
	agree := func(ok bool) string {
		if ok {
			return "ok"
		}
		return "differs"
	}
	switch {
	case r.missing != nil:
		return fmt.Sprintf("incomplete: %v", r.missing)
	case r.checked != nil:
		return r.checked.Error()
	}
	return fmt.Sprintf("adler32 %s, sha1 %s", agree(r.check.AdlerOK()), agree(r.check.SHA1OK()))
}

// Text writes a line.
func (r *dexRecord) Text(w *out.Writer) {
	w.Paint(out.Addr, "%-18v", r.dex.Begin)
	w.Printf(" %10d ", r.bytes)
	ink := out.Plain
	if r.missing != nil || r.checked == nil && !r.check.OK() {
		ink = out.Error
	}
	w.Paint(ink, "%s", r.verdict())
	w.Printf("  %s", r.dex.Location)
	if r.file != "" {
		w.Printf(" -> %s", r.file)
	}
	w.Printf("\n")
}

// MarshalJSON gives {"type":"dex",…}.
func (r *dexRecord) MarshalJSON() ([]byte, error) {
	type sums struct {
		Adler32 bool `json:"adler32_ok"`
		SHA1    bool `json:"sha1_ok"`
	}
	j := struct {
		Type     string    `json:"type"`
		Addr     core.Addr `json:"addr,omitzero"`
		Begin    core.Addr `json:"begin"`
		Location string    `json:"location,omitempty"`
		Bytes    int       `json:"bytes"`
		Sums     *sums     `json:"check,omitempty"`
		Problem  string    `json:"problem,omitempty"`
		File     string    `json:"file,omitempty"`
	}{Type: "dex", Addr: r.dex.Addr, Begin: r.dex.Begin, Location: r.dex.Location, Bytes: r.bytes, File: r.file}
	switch {
	case r.missing != nil:
		j.Problem = r.missing.Error()
	case r.checked != nil:
		j.Problem = r.checked.Error()
	default:
		j.Sums = &sums{r.check.AdlerOK(), r.check.SHA1OK()}
	}
	return json.Marshal(j)
}

var dexWalkers = []commands.Walker{{
	Name: "dexfile", Module: module, Addr: commands.AddrNone,
	Summary: "the art::DexFile of each dex file, or the header of those that have none",
	Walk: func(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
		list, _, err := dexesOf(ctx, c)
		for _, d := range list {
			if at, _ := (&dexFileRecord{dex: d}).Addr(); !yield(at) {
				return nil
			}
		}
		return err
	},
}}
