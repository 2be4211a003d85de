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

var dexfileCommands = []commands.Command{{
	Name: "dexfile", Module: module, Addr: commands.AddrOptional,
	Options: []commands.Option{
		{Letter: 'c', Help: "list the classes that it defines"},
		{Letter: 'm', Arg: "name", Help: "list the bytecode of a method or of all of a class, loaded or not"},
		{Letter: 'v', Help: "with -m: variables, exception handlers and lines too"},
	},
	Summary: "list the dex files of the process, or show one",
	Detail: `Lists the dex files that the class linker knows, and after them those found in
memory that it does not know, which have no art::DexFile and are marked "-". The
address is an art::DexFile, a dex file's header, or any byte of it. A
dex file that the core lacks is taken from the file that was mapped there or that
its location names, if that has the same checksum.`,
	Example: "::dexfile",
	SeeAlso: []string{"dex", "artmethod", "oat"},
	Run:     runDexFile,
}}

// dexFileRecord is a dex file.
type dexFileRecord struct {
	Type      string     `json:"type" record:"dexfile" cols:"name Begin Size version classes methods Location Problem From"`
	Addr      core.Addr  `json:"addr,omitzero"` // the art::DexFile; absent of one that the class linker does not know
	Begin     core.Addr  `json:"begin" col:"BEGIN,18,%#x" ink:"addr"`
	Location  string     `json:"location,omitempty" col:"LOCATION"`
	Size      uint64     `json:"size" col:"BYTES,10,right"`
	Checksum  string     `json:"location_checksum,omitempty"`
	Version   string     `json:"version,omitempty"`
	Adler32   string     `json:"checksum,omitempty"`
	Signature string     `json:"signature,omitempty"` // SHA-1
	Classes   uint32     `json:"classes,omitempty"`
	Methods   uint32     `json:"methods,omitempty"`
	Data      core.Addr  `json:"data,omitzero"`                               // of a compact dex file
	From      string     `json:"from,omitempty" col:",(from %s),zero=,gap=0"` // the file that its bytes were taken of
	Problem   string     `json:"problem,omitempty" col:",(%s),zero=" ink:"error"`
	ClassDefs []dexClass `json:"class_defs,omitempty"`
	name      string     `col:"DEXFILE,18" ink:"addr"`
	version   string     `col:"VERSION,8"`
	classes   string     `col:"CLASSES,8,right"`
	methods   string     `col:"METHODS,8,right"`
	at        core.Addr  `dot:"always"`
	file      *dex.File
	line      bool // one of a list
}

// dexClass is a row of class_defs.
type dexClass struct {
	Name    string `json:"name"`
	Super   string `json:"super,omitempty"`
	File    string `json:"file,omitempty"`
	Methods int    `json:"methods"`
	Fields  int    `json:"fields"`
	Problem string `json:"problem,omitempty"`
}

func newDexFile(d *code.DexFile) *dexFileRecord {
	r := &dexFileRecord{Type: "dexfile", Addr: d.Addr, Begin: d.Begin, Location: d.Location, Size: d.Size, From: d.From,
		name: "-", version: "?", classes: "?", methods: "?", at: dexAddr(d), file: d.File}
	if d.Addr != 0 {
		r.name, r.Checksum = d.Addr.String(), fmt.Sprintf("%#08x", d.Checksum)
	}
	if d.Err != nil {
		r.Problem = d.Err.Error()
	}
	if f := d.File; f != nil {
		r.Size, r.Version = uint64(f.FileSize), f.VersionString()
		r.Adler32, r.Signature = fmt.Sprintf("%#08x", f.Header.Checksum), fmt.Sprintf("%x", f.Signature)
		r.Classes, r.Methods = f.ClassDefs.Size, f.MethodIDs.Size
		r.version, r.classes, r.methods = r.Version, fmt.Sprint(r.Classes), fmt.Sprint(r.Methods)
		if f.Data != f.Begin {
			r.Data = f.Data
		}
	}
	return r
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
		r := newDexFile(d)
		r.line = all
		if c.Flag('c') && d.File != nil {
			for i := range d.File.ClassDefs.Size {
				if err := ctx.Err(); err != nil {
					return err
				}
				k, err := classOf(d.File, i)
				if err != nil { // so are the later ones
					c.Warn("%w; the list of %d classes ends here", err, d.File.ClassDefs.Size)
					break
				}
				r.ClassDefs = append(r.ClassDefs, k)
			}
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	if c.Flag('m') && shown == 0 {
		for _, d := range list {
			if d.File == nil {
				return c.Unknown("no dex file that can be read defines the class or method %q: %w", c.Str('m'), d.Err)
			}
		}
		return c.Empty("no dex file defines the class or method %q", c.Str('m'))
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
		if only != "" && m.Name != only {
			continue
		}
		n++
		r := newMethod(m)
		r.readDex(true, c.Flag('v'))
		if err := c.Emit(r); err != nil {
			return n, err
		}
		for _, p := range r.problems {
			c.Warn("%v: %w", m, p)
		}
	}
	return n, nil
}

// classOf reads a row of class_defs; the error is about the row itself.
func classOf(f *dex.File, i uint32) (dexClass, error) {
	var k dexClass
	def, err := f.ClassDef(i)
	if err != nil {
		return k, err
	}
	note := func(err error) {
		if err != nil && k.Problem == "" {
			k.Problem = err.Error()
		}
	}
	name, err := f.Type(def.Class)
	note(err)
	k.Name = dex.TypeName(name)
	if def.Superclass != dex.NoIndex {
		super, err := f.Type(def.Superclass)
		note(err)
		k.Super = dex.TypeName(super)
	}
	k.File, err = f.SourceFile(i)
	note(err)
	data, err := f.ClassData(def.ClassData)
	note(err)
	k.Methods = len(data.DirectMethods) + len(data.VirtualMethods)
	k.Fields = len(data.StaticFields) + len(data.InstanceFields)
	return k, nil
}

// Header writes the columns of a list.
func (r *dexFileRecord) Header(w *out.Writer) {
	if r.line {
		w.Header(r)
	}
}

// Text writes the dex file as a line of a list, or with its header.
func (r *dexFileRecord) Text(w *out.Writer) {
	if r.line {
		w.Record(r)
	} else {
		r.details(w)
	}
	r.writeClasses(w)
}

func (r *dexFileRecord) writeClasses(w *out.Writer) {
	for i, k := range r.ClassDefs {
		w.Printf("    %5d", i)
		w.Paint(out.Symbol, " %s", k.Name)
		if k.Super != "" {
			w.Printf(" extends %s", k.Super)
		}
		w.Printf(", %s, %s", out.Count(k.Methods, "method"), out.Count(k.Fields, "field"))
		if k.File != "" {
			w.Printf(", %s", k.File)
		}
		if k.Problem != "" {
			w.Paint(out.Error, " (%s)", k.Problem)
		}
		w.Printf("\n")
	}
}

func (r *dexFileRecord) details(w *out.Writer) {
	w.Paint(out.Addr, "%v", r.Begin)
	w.Printf(": dex file %s\n", r.Location)
	if r.Addr != 0 {
		w.Printf("    art::DexFile %v, location checksum %s\n", r.Addr, r.Checksum)
	}
	if r.file == nil {
		w.Paint(out.Error, "    %s", r.Problem)
		w.Printf("\n")
		return
	}
	w.Printf("    version %s, %d bytes, checksum %s, signature %s\n", r.Version, r.Size, r.Adler32, r.Signature)
	if r.From != "" {
		w.Printf("    read from %s\n", r.From)
	}
	if r.Data != 0 {
		w.Printf("    data at %v, %d bytes\n", r.Data, r.file.DataLimit)
	}
	for _, t := range tablesOf(r.file) {
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
