package java

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art"
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
or shows that which holds the address.`,
	Example: "::oat -v",
	SeeAlso: []string{"dexfile", "codeinfo"},
	Run:     runOat,
}}

// oatRecord is an oat file.
type oatRecord struct {
	file    *code.OatFile
	dexes   []oat.DexFile
	problem error
	verbose bool
	class   string
	methods []oatMethod
}

// oatMethod is where a method's code is.
type oatMethod struct {
	name string
	code core.Addr // 0: it has none
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
		if c.Given && !f.Contains(c.Dot) {
			continue
		}
		n++
		r := &oatRecord{file: f, verbose: c.Has('v') || c.Given, class: c.Str('c')}
		r.dexes, r.problem = f.File.DexFiles()
		if r.class != "" {
			if err := r.findClass(a); err != nil {
				c.Warn("%s: %w", f.Path, err)
				continue
			}
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	switch {
	case n == 0 && c.Given:
		return fmt.Errorf("no oat file holds %v", c.Dot)
	case n == 0:
		return c.Unknown("the process has no oat file: nothing was compiled ahead of time, or the core lacks it")
	}
	return nil
}

// findClass lists the methods of a class with their code.
func (r *oatRecord) findClass(a *art.ART) error {
	methods, err := a.OatMethods(r.file, r.class)
	for _, m := range methods {
		r.methods = append(r.methods, oatMethod{m.Name, m.Code})
	}
	return err
}

// Addr returns oatdata.
func (r *oatRecord) Addr() (core.Addr, bool) { return r.file.File.Begin, true }

// Text writes the oat file with its dex files.
func (r *oatRecord) Text(w *out.Writer) {
	f := r.file.File
	w.Paint(out.Addr, "%v", f.Begin)
	w.Printf(": oat %03d, %s", f.Version, f.InstructionSet)
	if v, ok := f.Value("compiler-filter"); ok {
		w.Printf(", %s", v)
	}
	w.Printf("  %s\n", r.file.Path)
	if r.verbose {
		w.Printf("    checksum %#08x, features %#x, executable at +%#x\n", f.Checksum, f.Features, f.Executable)
		for _, o := range f.Offsets {
			if o.Value != 0 {
				w.Printf("    %-44s +%#x\n", o.Name, o.Value)
			}
		}
		for _, p := range f.Store {
			w.Printf("    %s = %s\n", p.Key, p.Value)
		}
	}
	for _, d := range r.dexes {
		w.Printf("    dex file %s, checksum %#08x", d.Location, d.Checksum)
		if d.ClassOffsets == 0 {
			w.Printf(", nothing compiled")
		}
		w.Printf("\n")
	}
	if r.problem != nil {
		w.Paint(out.Error, "    %v", r.problem)
		w.Printf("\n")
	}
	for _, m := range r.methods {
		if m.code == 0 {
			w.Printf("    %-18s %s\n", "-", m.name)
			continue
		}
		w.Paint(out.Addr, "    %-18v", m.code)
		w.Printf(" %s\n", m.name)
	}
}

// MarshalJSON gives {"type":"oat",…}.
func (r *oatRecord) MarshalJSON() ([]byte, error) {
	type dexFile struct {
		Location string `json:"location"`
		Checksum string `json:"location_checksum"`
		Compiled bool   `json:"compiled"`
	}
	type method struct {
		Name string    `json:"name"`
		Code core.Addr `json:"code,omitzero"`
	}
	f := r.file.File
	j := struct {
		_        out.Record        `record:"oat"`
		Addr     core.Addr         `json:"addr"`
		Path     string            `json:"path,omitempty"`
		Version  int               `json:"version"`
		Checksum string            `json:"checksum"`
		ISA      string            `json:"instruction_set"`
		Offsets  map[string]uint32 `json:"offsets,omitempty"`
		Store    map[string]string `json:"store,omitempty"`
		Dexes    []dexFile         `json:"dex_files"`
		Methods  []method          `json:"methods,omitempty"`
		Problem  string            `json:"problem,omitempty"`
	}{Addr: f.Begin, Path: r.file.Path, Version: f.Version, Checksum: fmt.Sprintf("%#08x", f.Checksum),
		ISA: f.InstructionSet, Dexes: []dexFile{}, Offsets: map[string]uint32{}, Store: map[string]string{}}
	for _, o := range f.Offsets {
		j.Offsets[o.Name] = o.Value
	}
	for _, p := range f.Store {
		j.Store[p.Key] = p.Value
	}
	for _, d := range r.dexes {
		j.Dexes = append(j.Dexes, dexFile{d.Location, fmt.Sprintf("%#08x", d.Checksum), d.ClassOffsets != 0})
	}
	for _, m := range r.methods {
		j.Methods = append(j.Methods, method{m.name, m.code})
	}
	if r.problem != nil {
		j.Problem = r.problem.Error()
	}
	return out.Marshal(j)
}
