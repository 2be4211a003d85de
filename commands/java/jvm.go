package java

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
)

var jvmCommands = []commands.Command{{
	Name: "jvm", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'a', Help: "show also the flags that the virtual machine has chosen itself"},
		{Letter: 'm', Help: "show also what the classes of each class loader use of the metaspace, the most first"},
		{Letter: 'p', Help: "show also the system properties"},
	},
	Summary: "show the Java virtual machine: version, flags, collector, heap, metaspace, code cache",
	Detail: `It shows the flags (-XX) that were set on the command line, in the environment, in a file
or through management. With -a it also shows the flags that the virtual machine has adapted
to the computer. Metaspace is the memory for classes; it is read from JDK 16 on. With -m each class loader
has its ClassLoaderData, the bytes that its classes use, the class of the loader and its address. G1 updates its used bytes when it collects or takes a region. The uptime
is known if the core has the virtual machine's counters (-XX:+UsePerfData) and shared
mappings.`,
	Example: "::jvm -p",
	SeeAlso: []string{"javathreads", "javastack"},
	Run:     runJVM,
}}

var errNoMachine = core.Unknown(errors.New("no Java virtual machine that describes itself is in the process"))

// jvmRecord is the virtual machine.
type jvmRecord struct {
	_           out.Record `record:"jvm"`
	Name        string     `json:"name,omitempty"`
	Version     string     `json:"version"`
	Vendor      string     `json:"vendor,omitempty"`
	Built       string     `json:"built,omitempty"`
	JIT         string     `json:"jit,omitempty"` // a compiler that is not the virtual machine's own
	Command     string     `json:"command,omitempty"`
	Args        []string   `json:"args,omitempty"`
	Uptime      float64    `json:"uptime,omitempty"` // seconds
	Collector   string     `json:"collector,omitempty"`
	Collections uint64     `json:"collections"`
	Moving      int        `json:"moving,omitempty"`     // pages or regions that objects were being moved out of
	Heap        []spaceOf  `json:"heap,omitempty"`       // the whole first, then its parts
	Metaspace   []spaceOf  `json:"metaspace,omitempty"`  // likewise
	Loaders     []loaderOf `json:"loaders,omitempty"`    // with -m
	References  string     `json:"references,omitempty"` // how references are written
	Classes     string     `json:"classes,omitempty"`    // how pointers to classes are
	Code        []spaceOf  `json:"code,omitempty"`       // the heaps of the code cache
	Flags       []flagOf   `json:"flags,omitempty"`      // that were changed
	Properties  []property `json:"properties,omitempty"` // with -p
	Problems    []string   `json:"problems,omitempty"`   // what could not be read
	uptime      string
}

// A spaceOf is a part of a heap, in bytes.
type spaceOf struct {
	Name      string `json:"name"`
	Used      uint64 `json:"used"`
	Committed uint64 `json:"committed"`
	Reserved  uint64 `json:"reserved,omitempty"`
}

// A loaderOf is a class loader, with the bytes of the metaspace that its classes use.
type loaderOf struct {
	Data      core.Addr `json:"data"`            // the virtual machine's record
	Loader    core.Addr `json:"loader,omitzero"` // the object; it is missing for the virtual machine's own loader
	Class     string    `json:"class,omitempty"`
	Used      uint64    `json:"used"`
	Committed uint64    `json:"committed"`
}

// A flagOf is a flag of the virtual machine.
type flagOf struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
}

// A property is a system property.
type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func spacesOf(list []runtimes.JavaSpace) (all []spaceOf) {
	for _, s := range list {
		all = append(all, spaceOf(s))
	}
	return all
}

func runJVM(ctx context.Context, c *commands.Call) error {
	r, ok := commands.RuntimeOf[runtimes.JavaMachiner](c.Session)
	if !ok {
		return commands.LacksJava(c.Session, errNoMachine)
	}
	m := r.Machine(ctx)
	x := &jvmRecord{Name: m.Name, Version: m.Version, Vendor: m.Vendor, Built: m.Built, JIT: m.JIT, Command: m.Command,
		Args: m.Args, Uptime: m.Uptime.Seconds(),
		Collector: m.Collector, Collections: m.Collections, Moving: m.Moving, Heap: spacesOf(m.Heaps),
		References: m.References, Classes: m.Classes,
		Metaspace: spacesOf(m.Metaspace), Code: spacesOf(m.Code), Problems: m.Problems}
	if m.Uptime > 0 {
		x.uptime = m.Uptime.String()
	}
	for _, f := range m.Flags {
		if f.Origin != "ergonomic" || c.Flag('a') {
			x.Flags = append(x.Flags, flagOf(f))
		}
	}
	if c.Flag('m') {
		for _, l := range m.Loaders {
			x.Loaders = append(x.Loaders, loaderOf{l.Data, l.Loader, l.Name, l.Used, l.Committed})
		}
		slices.SortStableFunc(x.Loaders, func(a, b loaderOf) int { return cmp.Compare(b.Used, a.Used) })
	}
	if c.Flag('p') {
		for _, p := range m.Properties {
			x.Properties = append(x.Properties, property(p))
		}
	}
	return c.Emit(x)
}

// Text writes the virtual machine, a line for each of its facts.
func (r *jvmRecord) Text(w *out.Writer) {
	line := func(name, value string) {
		if value != "" {
			w.Printf("%-12s %s\n", name, value)
		}
	}
	line("version:", strings.TrimSpace(r.Name+" "+r.Version))
	line("vendor:", r.Vendor)
	line("built:", r.Built)
	line("compiler:", r.JIT)
	line("uptime:", r.uptime)
	line("program:", r.Command)
	line("arguments:", strings.Join(r.Args, " "))
	if r.Collector != "" {
		moving := ""
		if r.Moving > 0 {
			moving = fmt.Sprintf(", moving objects out of %s", out.Count(uint64(r.Moving), "region"))
		}
		line("collector:", r.Collector+", "+out.Count(r.Collections, "collection")+moving)
	}
	writeSpaces(w, "heap:", r.Heap)
	writeSpaces(w, "metaspace:", r.Metaspace)
	for i, l := range r.Loaders {
		w.Printf("%-12s %v: %s used of %s by ", map[bool]string{true: "loaders:"}[i == 0], l.Data, kib(l.Used),
			kib(l.Committed))
		if l.Loader == 0 {
			w.Printf("the virtual machine's own loader\n")
			continue
		}
		w.Value(l.Class)
		w.Printf(" ")
		w.Paint(out.Addr, "%v", l.Loader)
		w.Printf("\n")
	}
	line("references:", r.References)
	line("classes:", r.Classes)
	writeSpaces(w, "code cache:", r.Code)
	for i, f := range r.Flags {
		w.Printf("%-12s %s = %s (%s)\n", map[bool]string{true: "flags:"}[i == 0], f.Name, f.Value, f.Origin)
	}
	for i, p := range r.Properties {
		w.Printf("%-12s %s = %q\n", map[bool]string{true: "properties:"}[i == 0], p.Name, p.Value)
	}
	for _, p := range r.Problems {
		w.Paint(out.Error, "not known:   %s", p)
		w.Printf("\n")
	}
}

// writeSpaces writes parts of a heap, one a line.
func writeSpaces(w *out.Writer, title string, list []spaceOf) {
	for i, s := range list {
		w.Printf("%-12s %s: %s used of %s", map[bool]string{true: title}[i == 0], s.Name, kib(s.Used), kib(s.Committed))
		if s.Reserved != 0 {
			w.Printf(", at most %s", kib(s.Reserved))
		}
		w.Printf("\n")
	}
}

// kib writes bytes for people.
func kib(n uint64) string {
	if n < 100<<20 {
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
