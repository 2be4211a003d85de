package native

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
)

var vectorCommands = []commands.Command{
	{
		Name:    "auxv",
		Summary: "show the auxiliary vector",
		Detail: `The values that the kernel passed to the program at its start: see getauxval(3). As input of a
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
		Detail: `They are read from the start of the stack; see ::env. Where that is not in the core, they are the words
of the command line in the core's notes, at most its first 79 bytes.`,
		Example: "::argv",
		SeeAlso: []string{"env", "status"},
		Run:     runArgv,
	},
	{
		Name:    "notes",
		Options: []commands.Option{{Letter: 'v', Help: "dump the content of each"}},
		Summary: "list the notes of the core file",
		Detail: `OFFSET is the note's content's offset in the core file. Notes of unknown type
are listed as well.`,
		Example: "::notes -v",
		SeeAlso: []string{"status", "auxv"},
		Run:     runNotes,
	},
	{
		Name:    "annotations",
		Args:    "[name]",
		Summary: "list what the program gave its crash reporter",
		Detail: `Minidumps have them: Crashpad's simple annotations, annotation objects and messages, of
the process and of its modules, and Breakpad's assertion. LIST says which list each is in.
A name selects the annotations with that name.`,
		Example: "::annotations",
		SeeAlso: []string{"status", "notes"},
		Run:     runAnnotations,
	},
}

// An auxRecord is an entry of the auxiliary vector.
type auxRecord struct {
	_     out.Record `record:"auxv"`
	Key   uint64     `json:"key"`
	label string     `col:",22"`
	Name  string     `json:"name,omitempty"`
	Value core.Addr  `json:"value" col:",16,right,%#x" dot:"always"`
	Note  string     `json:"text,omitempty" col:",gap=2"` // the string or the symbol that is there
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
		r := &auxRecord{Key: e.Type, label: cmp.Or(e.Name, strconv.FormatUint(e.Type, 10)), Name: e.Name,
			Value: core.Addr(e.Value)}
		if auxStrings[e.Name] {
			r.Note, _ = core.Text(p.Space, r.Value, maxString)
		} else if _, mapped := p.Mapping(r.Value); mapped {
			r.Note = symbolic(c.Session, r.Value)
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// An envRecord is a variable of the environment.
type envRecord struct {
	_     out.Record `record:"env" text:"{name}={value}"`
	At    core.Addr  `json:"addr,omitempty" dot:"nonzero"` // 0 if the dump lists it apart
	Name  string     `json:"name,omitempty"`
	Value string     `json:"value"`
}

// An argRecord is an argument of the program.
type argRecord struct {
	_     out.Record `record:"arg" text:"argv[{index}] = {value}"`
	At    core.Addr  `json:"addr,omitempty" dot:"nonzero"` // 0 if the dump lists it apart
	Index int        `json:"index"`
	Value string     `json:"value"`
	// "notes" for a word of the command line that the core's notes have; else absent
	From string `json:"from,omitempty"`
}

func runEnv(_ context.Context, c *commands.Call) error {
	p := c.Session.Process
	_, env, err := core.StartVectors(p)
	show := func(a core.Addr, s string) error {
		name, value, _ := strings.Cut(s, "=")
		if len(c.Args) > 0 && c.Args[0].Text != name {
			return nil
		}
		return c.Emit(&envRecord{At: a, Name: name, Value: value})
	}
	if err != nil {
		for _, s := range p.Environ {
			if err := show(0, s); err != nil {
				return err
			}
		}
		if p.Environ != nil {
			return nil
		}
		return c.Unknown("finding the environment: %w", err)
	}
	for _, a := range env {
		s, err := core.Text(p.Space, a, maxString)
		if err != nil {
			c.Warn("reading the environment: %w", err)
			continue
		}
		if err := show(a, s); err != nil {
			return err
		}
	}
	return nil
}

func runArgv(_ context.Context, c *commands.Call) error {
	p := c.Session.Process
	argv, _, err := core.StartVectors(p)
	if err != nil && p.Args != nil {
		for i, s := range p.Args {
			if err := c.Emit(&argRecord{Index: i, Value: s}); err != nil {
				return err
			}
		}
		return nil
	}
	if err != nil && p.PSArgs != "" {
		return emitPSArgs(c, err)
	}
	if err != nil {
		return c.Unknown("finding the arguments: %w", err)
	}
	for i, a := range argv {
		s, err := core.Text(p.Space, a, maxString)
		if err != nil {
			c.Warn("reading argument %d: %w", i, err)
			continue
		}
		if err := c.Emit(&argRecord{At: a, Index: i, Value: s}); err != nil {
			return err
		}
	}
	return nil
}

// emitPSArgs emits the words of the command line that the notes have. Which spaces are in a word is not known.
func emitPSArgs(c *commands.Call, err error) error {
	text := c.Session.Process.PSArgs
	for i, word := range strings.Fields(text) {
		if err := c.Emit(&argRecord{Index: i, Value: word, From: "notes"}); err != nil {
			return err
		}
	}
	what := "from the command line in the core's notes"
	if len(text) >= core.PSArgsSize-1 {
		what += ", which is cut"
	}
	c.Warn("%s, split at its spaces: %w", what, c.Unknown("the stack's own: %w", err))
	return nil
}

// An annotationRecord is a name and a value for a crash reporter.
type annotationRecord struct {
	_      out.Record `record:"annotation"`
	List   string     `json:"list" col:"LIST,20"`
	Module string     `json:"module,omitempty"` // path of the one that has it
	of     string     `col:"MODULE,20,zero="`
	Name   string     `json:"name" col:"NAME,24"`
	Value  string     `json:"value" col:"VALUE"`
}

func runAnnotations(_ context.Context, c *commands.Call) error {
	list := c.Session.Process.Annotations
	if len(list) == 0 {
		return c.Empty("the core has no annotations")
	}
	for _, a := range list {
		if len(c.Args) > 0 && c.Args[0].Text != a.Name {
			continue
		}
		if err := c.Emit(&annotationRecord{List: a.From, Module: a.Module, of: core.BaseName(a.Module), Name: a.Name,
			Value: a.Value}); err != nil {
			return err
		}
	}
	return nil
}

// A noteRecord is a note of the core file.
type noteRecord struct {
	_      out.Record `record:"note"`
	Owner  string     `json:"owner" col:"OWNER,8"`
	Number uint32     `json:"number" col:"TYPE,10,right,%#x"` // n_type
	Name   string     `json:"name,omitempty" col:"NAME,18,zero=?"`
	Size   int        `json:"size" col:"SIZE,8,right"`         // bytes of the descriptor
	Offset int64      `json:"offset" col:"OFFSET,10,right,%x"` // in the core file
	TID    int        `json:"tid,omitempty" col:"TID,8,right,zero="`
	Desc   string     `json:"desc,omitempty"` // its bytes in hexadecimal, with -v
	bytes  []byte
}

func newNote(n core.Note, verbose bool) *noteRecord {
	r := &noteRecord{Owner: n.Owner, Number: n.Type, Name: n.Name, Size: len(n.Desc), Offset: n.Off, TID: n.TID}
	if verbose {
		r.Desc, r.bytes = hex.EncodeToString(n.Desc), n.Desc
	}
	return r
}

// Details writes the descriptor's bytes.
func (r *noteRecord) Details(w *out.Writer) {
	for off := 0; off < len(r.bytes); off += 16 {
		row := r.bytes[off:min(off+16, len(r.bytes))]
		w.Printf("    %6x: %-48s %s\n", off, fmt.Sprintf("% x", row), printableBytes(row))
	}
}

func runNotes(_ context.Context, c *commands.Call) error {
	for _, n := range c.Session.Process.Notes {
		if err := c.Emit(newNote(n, c.Flag('v'))); err != nil {
			return err
		}
	}
	return nil
}
