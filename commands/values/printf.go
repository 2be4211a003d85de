package values

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/commands/values/cformat"
	"coredbg/commands/values/program"
	"coredbg/core"
	"coredbg/core/sym"
)

// These are MDB's, for C's own types, which need no debugging information; ::array and ::sizeof know the types
// of programs, too. Facts: illumos-gate usr/src/cmd/mdb/common/mdb, mdb_print.c (cmd_printf, cmd_array,
// cmd_sizeof) and mdb_stdlib.c (nicenum).
var printfCommands = []commands.Command{
	{
		Name: "printf", Addr: commands.AddrRequired, RawArgs: true, Args: "format type member ...",
		Summary: "print memory with a format, as the type of C that it is",
		Detail: `Reads the memory at the address as a type, and prints members of it with a format like
printf(3)'s: one member for each conversion. The type is one of C itself, a
pointer or an array: int, unsigned long, uint32_t, char *, 'uintptr_t [4]'. A
member is [N], an element of an array or of a pointer's target, or "." for the
address itself.

  %a symbol+offset     %d %u %x %X %o %q  integers; %q is signed octal
  %p pointer           %r %R  unsigned and signed in the default radix
  %s string            %H  a size, as 1.5K    %I  an IPv4 address    %Y  a time, in UTC
  %-10d %010d %?p      width, to the left or filled with zeros; ? is a pointer's`,
		Example: `<rsp::printf "%?p %a %d\n" 'uintptr_t [2]' . [0] [1]`,
		SeeAlso: []string{"array", "sizeof", "dump"},
		Run:     runPrintf,
	},
	{
		Name: "array", Addr: commands.AddrRequired, RawArgs: true, Args: "type count [variable]",
		Summary: "enumerate the elements of an array",
		Detail: `Shows the address of each element of an array of the type, one of C itself or of the
program, or runs the rest of the pipeline there. The count is an expression in the default radix. A
variable, if one is named, holds the address while the rest of the pipeline runs.`,
		Example: "<rsp::array uintptr_t 4 | ::whatis",
		SeeAlso: []string{"print", "list", "walk"},
		Words:   typeWords,
		Run:     runArray,
	},
	{
		Name: "sizeof", RawArgs: true, Args: "type",
		Summary: "show the size of a type",
		Detail: `Shows the size in bytes of a type of C itself on the machine that the core is from, or of
the program where it has debugging information, in the default radix.`,
		Example: "::sizeof unsigned long",
		SeeAlso: []string{"print", "offsetof", "array"},
		Words:   typeWords,
		Run:     runSizeof,
	},
}

// pointerOf returns the byte order of the process and the size of its pointers in bytes; the most common ones,
// if its architecture is unknown.
func pointerOf(c *commands.Call) (binary.ByteOrder, int) {
	if a := c.Session.Process.Arch; a != nil {
		return a.Order, a.PtrSize
	}
	return binary.LittleEndian, 8
}

// sizeRecord is the size of a type.
type sizeRecord struct {
	_    out.Record `record:"sizeof" text:"{text}"`
	Name string     `json:"name"`
	Size int64      `json:"size" dot:"always"` // bytes
	text string
}

// typeOf reads the type that a command was given, and returns the words after it.
func typeOf(c *commands.Call, words []string) (*cType, []string, error) {
	if len(words) == 0 {
		return nil, nil, c.Usage("it takes the name of a type")
	}
	t, rest, err := parseType(words, c.Session.Process.Arch)
	if err != nil {
		return nil, nil, lang.Abort(err)
	}
	return t, rest, nil
}

func runSizeof(_ context.Context, c *commands.Call) error {
	name, size, rest, err := sizeOf(c, texts(c))
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return c.Usage("%q is not a part of a type", rest[0])
	}
	return c.Emit(&sizeRecord{Name: name, Size: size, text: fmt.Sprintf("sizeof (%s) = %s", sym.Clean(name),
		c.Session.Lang.Format(uint64(size)))})
}

// sizeOf returns the size in bytes of the type that a command was given, one of C itself or of the
// program, with the words after it.
func sizeOf(c *commands.Call, words []string) (name string, size int64, rest []string, err error) {
	t, rest, err := typeOf(c, words)
	if err == nil {
		return t.name, int64(t.size), rest, nil
	}
	if len(words) == 0 {
		return "", 0, nil, err
	}
	name, rest = cutType(words)
	d, _, err := program.TypeNamed(c.Session, name)
	if err != nil {
		return "", 0, nil, lang.Abort(err)
	}
	size, ok := d.Size()
	if !ok {
		return "", 0, nil, c.Unknown("the size of %s is not in the debugging information", d.Name())
	}
	return d.Name(), size, rest, nil
}

func runArray(ctx context.Context, c *commands.Call) error {
	_, size, rest, err := sizeOf(c, texts(c))
	if err != nil {
		return err
	}
	if len(rest) == 0 || len(rest) > 2 {
		return c.Usage("it takes a type and a count")
	}
	count, err := c.Value(lang.Arg{Text: rest[0]})
	if err != nil {
		return err
	}
	for i := range count {
		if err := ctx.Err(); err != nil {
			return err
		}
		a := uint64(c.Dot) + i*uint64(size)
		if len(rest) == 2 {
			c.Session.Lang.Vars.Set(rest[1], a)
		}
		if err := c.Pass(c.Session.Lang.NewValue(a)); err != nil {
			return err
		}
	}
	return nil
}

// printfRecord is what ::printf makes of one address. In a pipeline its text is
// read as expressions.
type printfRecord struct {
	_      out.Record `record:"printf"`
	At     core.Addr  `json:"addr"`
	Output string     `json:"text"`
}

// Addr returns the address.
func (r *printfRecord) Addr() (core.Addr, bool) { return r.At, true }

// Text writes what the format made, which brings its own newlines.
func (r *printfRecord) Text(w *out.Writer) { w.Printf("%s", r.Output) }

// PipeText implements lang.TextRecord.
func (r *printfRecord) PipeText() string { return r.Output }

func runPrintf(_ context.Context, c *commands.Call) error {
	if len(c.Args) == 0 || c.Args[0].IsNum {
		return c.Usage("expected a format string")
	}
	pieces, err := parseFormat(c.Args[0].Text)
	if err != nil {
		return lang.Abort(err)
	}
	words := texts(c)[1:]
	t, members, err := typeOf(c, words)
	if err != nil {
		return err
	}
	wanted := 0
	for _, p := range pieces {
		if p.verb != 0 {
			wanted++
		}
	}
	switch {
	case len(members) == 0:
		return c.Usage("at least one member must be specified")
	case len(members) > wanted:
		return lang.Abort(fmt.Errorf("missing format specifiers (found %d, expected %d)", wanted, len(members)))
	case len(members) < wanted:
		return lang.Abort(fmt.Errorf("extra format specifiers (found %d, expected %d)", wanted, len(members)))
	}
	var b strings.Builder
	for _, p := range pieces {
		if p.verb == 0 {
			b.WriteString(p.text)
			continue
		}
		_, p.ptr = pointerOf(c)
		text, err := printMember(c, p, t, members[0])
		if err != nil {
			return fmt.Errorf("failed to print member %q: %w", members[0], err)
		}
		b.WriteString(p.pad(text))
		members = members[1:]
	}
	return c.Emit(&printfRecord{At: c.Dot, Output: b.String()})
}

// A formattedRecord is what ::print -p makes of values.
type formattedRecord struct {
	_      out.Record `record:"formatted"`
	Output string     `json:"text"`
}

// Text writes the text, which ends in a newline.
func (r *formattedRecord) Text(w *out.Writer) {
	w.Printf("%s", out.Clean(strings.TrimSuffix(r.Output, "\n"), true))
	w.Printf("\n")
}

// printFormatted writes values with a format.
func printFormatted(ctx context.Context, c *commands.Call, format string, texts []string) error {
	list, err := cformat.Parse(cformat.Unescape(format))
	if err != nil {
		return lang.Abort(err)
	}
	if len(texts) != len(list)-1 {
		return lang.Abort(fmt.Errorf("the format has %s, and %s follow", out.Count(len(list)-1, "conversion"),
			out.Count(len(texts), "value")))
	}
	var b strings.Builder
	for i, x := range list {
		b.WriteString(x.Text)
		if x.Verb == 0 {
			break
		}
		text, err := convert(ctx, c, &x, texts[i])
		if err != nil {
			return err
		}
		b.WriteString(text)
	}
	return c.Emit(&formattedRecord{Output: b.String()})
}

// convert writes the value of an expression.
func convert(ctx context.Context, c *commands.Call, x *cformat.Conversion, text string) (string, error) {
	if s, ok := strings.CutPrefix(text, `"`); ok && x.Verb == 's' {
		return x.String(cformat.Unescape(strings.TrimSuffix(s, `"`))), nil
	}
	v, err := typedValue(ctx, c, text)
	if err != nil {
		return "", err
	}
	if x.Verb == 's' {
		return x.String(textOf(c.Session, v)), nil
	}
	e, err := newEvaluator(ctx, c.Session)
	if err != nil {
		return "", err
	}
	n, err := e.number(v)
	if err != nil {
		return "", lang.Abort(fmt.Errorf("%s: %w", text, err))
	}
	if x.IsFloat() {
		return x.Float(n.float()), nil
	}
	if n.real {
		n.u = uint64(int64(n.f))
	}
	size, _ := v.Type.Size()
	return x.Int(n.u, size), nil
}
