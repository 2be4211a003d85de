package native

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
)

var vectorCommands = []commands.Command{
	{
		Name:    "auxv",
		Summary: "show the auxiliary vector",
		Detail: `What the kernel told the program at its start: see getauxval(3). As input of a
pipeline each entry stands for its value.`,
		Example: "::auxv",
		SeeAlso: []string{"env", "argv"},
		Run:     runAuxv,
	},
	{
		Name:    "env",
		Args:    "[name]",
		Summary: "show the environment, as the process left it on its stack",
		Detail: `The strings are read from where the kernel put them at the start of the process;
a later setenv(3) puts its string elsewhere and is not seen. A name selects one.
Environments carry secrets: look before you pass this on.`,
		Example: "::env PATH",
		SeeAlso: []string{"argv", "auxv"},
		Run:     runEnv,
	},
	{
		Name:    "argv",
		Summary: "show the arguments that the program was started with",
		Detail:  `They are read from the start of the stack; see ::env.`,
		Example: "::argv",
		SeeAlso: []string{"env", "status"},
		Run:     runArgv,
	},
	{
		Name:    "notes",
		Options: []commands.Option{{Letter: 'v', Help: "dump the content of each"}},
		Summary: "list the notes of the core file",
		Detail: `OFFSET is where the note's content lies in the core file. Notes of unknown type
are listed as well.`,
		Example: "::notes -v",
		SeeAlso: []string{"status", "auxv"},
		Run:     runNotes,
	},
}

// An auxRecord is an entry of the auxiliary vector.
type auxRecord struct {
	Type  string    `json:"type"` // "auxv"
	Key   uint64    `json:"key"`
	Name  string    `json:"name,omitempty"`
	Value core.Addr `json:"value"`
	Note  string    `json:"text,omitempty"`
}

// Addr returns the entry's value.
func (r *auxRecord) Addr() (core.Addr, bool) { return r.Value, true }

// Text writes the entry's line.
func (r *auxRecord) Text(w *out.Writer) {
	name := r.Name
	if name == "" {
		name = strconv.FormatUint(r.Key, 10)
	}
	w.Printf("%-22s %#16x", name, uint64(r.Value))
	if r.Note != "" {
		w.Printf("  %s", sym.Clean(r.Note))
	}
	w.Printf("\n")
}

// auxStrings are the entries whose values are addresses of strings.
var auxStrings = map[string]bool{"AT_EXECFN": true, "AT_PLATFORM": true, "AT_BASE_PLATFORM": true}

// maxString is the length in bytes of the longest string that is read from the
// core for showing.
const maxString = 128 << 10

func runAuxv(_ context.Context, c *commands.Call) error {
	p := c.Session.Process
	if len(p.Auxv) == 0 {
		return c.Unknown("the core has no auxiliary vector (NT_AUXV)")
	}
	for _, e := range p.Auxv {
		r := &auxRecord{Type: "auxv", Key: e.Type, Name: e.Name, Value: core.Addr(e.Value)}
		if auxStrings[e.Name] {
			r.Note, _ = core.CString(p.Space, r.Value, maxString)
		} else if _, mapped := p.Mapping(r.Value); mapped {
			r.Note = symbolic(c.Session, r.Value)
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// A stringRecord is an argument or a variable of the environment.
type stringRecord struct {
	Type  string    `json:"type"` // "arg" or "env"
	At    core.Addr `json:"addr"`
	Index *int      `json:"index,omitempty"`
	Name  string    `json:"name,omitempty"`
	Value string    `json:"value"`
}

// Addr returns the address of the string.
func (r *stringRecord) Addr() (core.Addr, bool) { return r.At, true }

// Text writes the string's line.
func (r *stringRecord) Text(w *out.Writer) {
	if r.Index != nil {
		w.Printf("argv[%d] = %s\n", *r.Index, sym.Clean(r.Value))
		return
	}
	w.Printf("%s=%s\n", sym.Clean(r.Name), sym.Clean(r.Value))
}

func runEnv(_ context.Context, c *commands.Call) error {
	p := c.Session.Process
	_, env, err := core.StartVectors(p)
	if err != nil {
		return c.Unknown("finding the environment: %w", err)
	}
	for _, a := range env {
		s, err := core.CString(p.Space, a, maxString)
		if err != nil {
			c.Warn("reading the environment: %w", err)
			continue
		}
		name, value, _ := strings.Cut(s, "=")
		if len(c.Args) > 0 && c.Args[0].Text != name {
			continue
		}
		if err := c.Emit(&stringRecord{Type: "env", At: a, Name: name, Value: value}); err != nil {
			return err
		}
	}
	return nil
}

func runArgv(_ context.Context, c *commands.Call) error {
	p := c.Session.Process
	argv, _, err := core.StartVectors(p)
	if err != nil {
		return c.Unknown("finding the arguments: %w", err)
	}
	for i, a := range argv {
		s, err := core.CString(p.Space, a, maxString)
		if err != nil {
			c.Warn("reading argument %d: %w", i, err)
			continue
		}
		if err := c.Emit(&stringRecord{Type: "arg", At: a, Index: &i, Value: s}); err != nil {
			return err
		}
	}
	return nil
}

// A noteRecord is a note of the core file.
type noteRecord struct {
	core.Note
	verbose bool
}

// Addr returns nothing: a note has no address in the process.
func (r *noteRecord) Addr() (core.Addr, bool) { return 0, false }

// MarshalJSON gives the note's object.
func (r *noteRecord) MarshalJSON() ([]byte, error) {
	desc := ""
	if r.verbose {
		desc = hex.EncodeToString(r.Desc)
	}
	return out.Marshal(struct {
		Type   string `json:"type"`
		Owner  string `json:"owner"`
		Number uint32 `json:"number"`
		Name   string `json:"name,omitempty"`
		Size   int    `json:"size"`
		Off    int64  `json:"offset"`
		TID    int    `json:"tid,omitempty"`
		Desc   string `json:"desc,omitempty"`
	}{"note", r.Owner, r.Type, r.Name, len(r.Desc), r.Off, r.TID, desc})
}

// Header writes the columns' names.
func (r *noteRecord) Header(w *out.Writer) {
	w.Printf("%-8s %10s %-18s %8s %10s %8s\n", "OWNER", "TYPE", "NAME", "SIZE", "OFFSET", "TID")
}

// Text writes the note's line and, if it is verbose, a dump of its content.
func (r *noteRecord) Text(w *out.Writer) {
	name, tid := r.Name, ""
	if name == "" {
		name = "?"
	}
	if r.TID != 0 {
		tid = strconv.Itoa(r.TID)
	}
	line := fmt.Sprintf("%-8s %#10x %-18s %8d %10x %8s", sym.Clean(r.Owner), r.Type, name, len(r.Desc), r.Off, tid)
	w.Printf("%s\n", strings.TrimRight(line, " "))
	if !r.verbose {
		return
	}
	for off := 0; off < len(r.Desc); off += 16 {
		row := r.Desc[off:min(off+16, len(r.Desc))]
		w.Printf("    %6x: %-48s %s\n", off, fmt.Sprintf("% x", row), printableBytes(row))
	}
}

func runNotes(_ context.Context, c *commands.Call) error {
	for _, n := range c.Session.Process.Notes {
		if err := c.Emit(&noteRecord{n, c.Has('v')}); err != nil {
			return err
		}
	}
	return nil
}
