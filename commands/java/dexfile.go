package java

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/dex"
)

// dexFileRecord is a dex file.
type dexFileRecord struct {
	dex     *code.DexFile
	line    bool // one of a list
	listed  bool // classes are asked for
	classes []dexClass
}

// dexClass is a row of class_defs.
type dexClass struct {
	name, super, file string
	methods, fields   int
	problem           string
}

func runDexFile(ctx context.Context, c *commands.Call) error {
	list, all, err := dexesOf(ctx, c)
	if err != nil {
		return err
	}
	shown := 0
	for _, d := range list {
		if name := c.Str('m'); name != "" {
			n, err := emitMethods(c, d, name)
			if err != nil {
				return err
			}
			shown += n
			continue
		}
		r := &dexFileRecord{dex: d, line: all, listed: c.Has('c')}
		if r.listed && d.File != nil {
			for i := range d.File.ClassDefs.Size {
				if err := ctx.Err(); err != nil {
					return err
				}
				k, err := classOf(d.File, i)
				if err != nil { // so are those after it
					c.Warn("%w; the list of %d classes ends here", err, d.File.ClassDefs.Size)
					break
				}
				r.classes = append(r.classes, k)
			}
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	if c.Has('m') && shown == 0 {
		for _, d := range list {
			if d.File == nil {
				return c.Unknown("no dex file that can be read defines the class or method %q: %w", c.Str('m'), d.Err)
			}
		}
		return c.Nothing("no dex file defines the class or method %q", c.Str('m'))
	}
	return nil
}

// emitMethods emits the bytecode of the methods of a dex file that have a name,
// "demo.Demo.main", or whose class has it, and returns their number.
func emitMethods(c *commands.Call, d *code.DexFile, name string) (int, error) {
	if d.File == nil {
		return 0, nil
	}
	descriptor := func(class string) string { return "L" + strings.ReplaceAll(class, ".", "/") + ";" }
	only := ""
	row, err := d.File.FindClass(descriptor(name))
	if dot := strings.LastIndexByte(name, '.'); err != nil && dot > 0 {
		only = name[dot+1:]
		row, err = d.File.FindClass(descriptor(name[:dot]))
	}
	if err != nil {
		return 0, nil // another dex file may define it
	}
	methods, err := d.MethodsOf(row)
	if err != nil {
		c.Warn("%w", err)
	}
	n := 0
	for _, m := range methods {
		r := &methodRecord{method: m, mark: -1, options: [3]bool{true, c.Has('v'), false}}
		if only != "" && r.method.Name != only {
			continue
		}
		n++
		r.readDex()
		if err := c.Emit(r); err != nil {
			return n, err
		}
		for _, p := range r.problems {
			c.Warn("%v: %w", r.method, p)
		}
	}
	return n, nil
}

// classOf reads a row of class_defs; the error is that of the row itself.
func classOf(f *dex.File, i uint32) (dexClass, error) {
	var k dexClass
	def, err := f.ClassDef(i)
	if err != nil {
		return k, err
	}
	note := func(err error) {
		if err != nil && k.problem == "" {
			k.problem = err.Error()
		}
	}
	name, err := f.Type(def.Class)
	note(err)
	k.name = dex.TypeName(name)
	if def.Superclass != dex.NoIndex {
		super, err := f.Type(def.Superclass)
		note(err)
		k.super = dex.TypeName(super)
	}
	k.file, err = f.SourceFile(i)
	note(err)
	data, err := f.ClassData(def.ClassData)
	note(err)
	k.methods = len(data.DirectMethods) + len(data.VirtualMethods)
	k.fields = len(data.StaticFields) + len(data.InstanceFields)
	return k, nil
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
	r.writeClasses(w)
}

func (r *dexFileRecord) writeClasses(w *out.Writer) {
	for i, k := range r.classes {
		w.Printf("    %5d", i)
		w.Paint(out.Symbol, " %s", k.name)
		if k.super != "" {
			w.Printf(" extends %s", k.super)
		}
		w.Printf(", %s, %s", out.Count(k.methods, "method"), out.Count(k.fields, "field"))
		if k.file != "" {
			w.Printf(", %s", k.file)
		}
		if k.problem != "" {
			w.Paint(out.Error, " (%s)", k.problem)
		}
		w.Printf("\n")
	}
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
	r.writeClasses(w)
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
	Type      string    `json:"type" record:"dexfile"`
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

func dexFileOf(d *code.DexFile) dexFileJSON {
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
func (r *dexFileRecord) MarshalJSON() ([]byte, error) {
	type class struct {
		Name    string `json:"name"`
		Super   string `json:"super,omitempty"`
		File    string `json:"file,omitempty"`
		Methods int    `json:"methods"`
		Fields  int    `json:"fields"`
		Problem string `json:"problem,omitempty"`
	}
	j := struct {
		dexFileJSON
		Classes []class `json:"class_defs,omitempty"`
	}{dexFileJSON: dexFileOf(r.dex)}
	for _, k := range r.classes {
		j.Classes = append(j.Classes, class{k.name, k.super, k.file, k.methods, k.fields, k.problem})
	}
	return out.Marshal(j)
}
