package java

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/oat"
)

var oatCommands = []commands.Command{{
	Name: "oat", Module: module, Addr: commands.AddrOptional,
	Options: []commands.Option{
		{Letter: 'v', Help: "show all of the header, and its keys and values"},
		{Letter: 'c', Arg: "class", Help: "show the code of a class's methods: its descriptor or its name"},
	},
	Summary: "show the oat files: what was compiled ahead of time",
	Detail: `Lists the oat files of the process with the dex files that they were compiled from,
or shows the one that holds the address.`,
	Example: "::oat -v",
	SeeAlso: []string{"dexfile", "codeinfo"},
	Run:     runOat,
}}

// oatRecord is an oat file.
type oatRecord struct {
	_        out.Record        `record:"oat"`
	Addr     core.Addr         `json:"addr" dot:"always"` // oatdata
	Path     string            `json:"path,omitempty"`
	Version  int               `json:"version"`
	Checksum string            `json:"checksum"`
	ISA      string            `json:"instruction_set"`
	Offsets  map[string]uint32 `json:"offsets,omitempty"` // of trampolines
	Store    map[string]string `json:"store,omitempty"`   // how it was compiled
	DexFiles []oatDexFile      `json:"dex_files"`
	Methods  []oatMethod       `json:"methods,omitempty"`
	Problem  string            `json:"problem,omitempty"`
	file     *oat.File
	verbose  bool
}

// oatDexFile is a dex file that an oat file was compiled from.
type oatDexFile struct {
	Location string `json:"location"`
	Checksum string `json:"location_checksum"`
	Compiled bool   `json:"compiled"`
}

// oatMethod is where a method's code is.
type oatMethod struct {
	Name string    `json:"name"`
	Code core.Addr `json:"code,omitzero"` // absent: not compiled
}

func newOat(o *code.OatFile) *oatRecord {
	f := o.File
	r := &oatRecord{Addr: f.Begin, Path: o.Path, Version: f.Version, Checksum: fmt.Sprintf("%#08x", f.Checksum),
		ISA:     f.InstructionSet,
		Offsets: map[string]uint32{}, Store: map[string]string{}, DexFiles: []oatDexFile{}, file: f}
	for _, x := range f.Offsets {
		r.Offsets[x.Name] = x.Value
	}
	for _, p := range f.Store {
		r.Store[p.Key] = p.Value
	}
	dexes, err := f.DexFiles()
	for _, d := range dexes {
		r.DexFiles = append(r.DexFiles, oatDexFile{d.Location, fmt.Sprintf("%#08x", d.Checksum), d.ClassOffsets != 0})
	}
	if err != nil {
		r.Problem = err.Error()
	}
	return r
}

func runOat(_ context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	list, err := a.OatFiles()
	if err != nil {
		c.Warn("%w", err)
	}
	n := 0
	for _, f := range list {
		if c.HasAddr && !f.Contains(c.Dot) {
			continue
		}
		n++
		r := newOat(f)
		r.verbose = c.Flag('v') || c.HasAddr
		if class := c.Str('c'); class != "" {
			methods, err := a.OatMethods(f, class)
			if err != nil {
				c.Warn("%s: %w", f.Path, err)
				continue
			}
			for _, m := range methods {
				r.Methods = append(r.Methods, oatMethod{m.Name, m.Code})
			}
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	switch {
	case n == 0 && c.HasAddr:
		return fmt.Errorf("no oat file holds %v", c.Dot)
	case n == 0:
		return c.Unknown("the process has no oat file: nothing was compiled ahead of time, or the core lacks it")
	}
	return nil
}

// Text writes the oat file with its dex files.
func (r *oatRecord) Text(w *out.Writer) {
	f := r.file
	w.Paint(out.Addr, "%v", r.Addr)
	w.Printf(": oat %03d, %s", r.Version, r.ISA)
	if v, ok := f.Value("compiler-filter"); ok {
		w.Printf(", %s", v)
	}
	w.Printf("  %s\n", r.Path)
	if r.verbose {
		w.Printf("    checksum %s, features %#x, executable at +%#x\n", r.Checksum, f.Features, f.Executable)
		for _, o := range f.Offsets {
			if o.Value != 0 {
				w.Printf("    %-44s +%#x\n", o.Name, o.Value)
			}
		}
		for _, p := range f.Store {
			w.Printf("    %s = %s\n", p.Key, p.Value)
		}
	}
	for _, d := range r.DexFiles {
		w.Printf("    dex file %s, checksum %s", d.Location, d.Checksum)
		if !d.Compiled {
			w.Printf(", nothing compiled")
		}
		w.Printf("\n")
	}
	if r.Problem != "" {
		w.Paint(out.Error, "    %s", r.Problem)
		w.Printf("\n")
	}
	for _, m := range r.Methods {
		if m.Code == 0 {
			w.Printf("    %-18s %s\n", "-", m.Name)
			continue
		}
		w.Paint(out.Addr, "    %-18v", m.Code)
		w.Printf(" %s\n", m.Name)
	}
}
