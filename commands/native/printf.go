package native

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
)

// These are MDB's, for the types that C itself has: cores do not bring along
// what a program defines. Facts: illumos-gate usr/src/cmd/mdb/common/mdb,
// mdb_print.c (cmd_printf, cmd_array, cmd_sizeof) and mdb_stdlib.c (nicenum).
var printfCommands = []commands.Command{
	{
		Name: "printf", Addr: commands.AddrRequired, RawArgs: true, Args: "format type member ...",
		Summary: "print memory with a format, as the type of C that it is",
		Detail: `Reads what lies at the address as a type, and prints members of it with a format like
that of printf(3): one member for each conversion. The type is one of C itself, a
pointer or an array: int, unsigned long, uint32_t, char *, 'uintptr_t [4]'. A
member is [N], an element of an array or of what a pointer points to, or "." for the
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
		Detail: `Shows the address of each element of an array of the type, one of C itself, or runs the
rest of the pipeline there. The count is an expression in the default radix. A
variable, if one is named, holds the address while the rest of the pipeline runs.`,
		Example: "<rsp::array uintptr_t 4 | ::whatis",
		SeeAlso: []string{"printf", "sizeof", "walk"},
		Run:     runArray,
	},
	{
		Name: "sizeof", RawArgs: true, Args: "type",
		Summary: "show the size of a type of C",
		Detail:  "Shows the size in bytes of a type of C itself on the machine that the core is from, in the default radix.",
		Example: "::sizeof unsigned long",
		SeeAlso: []string{"printf", "array"},
		Run:     runSizeof,
	},
}

// pointerOf returns the byte order of the process and the size of its pointers
// in bytes; those of most, if its architecture is unknown.
func pointerOf(c *commands.Call) (binary.ByteOrder, int) {
	if a := c.Session.Process.Arch; a != nil {
		return a.Order, a.PtrSize
	}
	return binary.LittleEndian, 8
}

func texts(c *commands.Call) []string {
	all := make([]string, len(c.Args))
	for i, a := range c.Args {
		all[i] = c.Text(a)
	}
	return all
}

// sizeRecord is the size of a type.
type sizeRecord struct {
	_    out.Record `record:"sizeof" text:"{text}"`
	Name string     `json:"name"`
	Size int        `json:"size" dot:"always"` // bytes
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
	t, rest, err := typeOf(c, texts(c))
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return c.Usage("%q is not a part of a type", rest[0])
	}
	return c.Emit(&sizeRecord{Name: t.name, Size: t.size, text: fmt.Sprintf("sizeof (%s) = %s", t.name, c.Session.Lang.Format(uint64(t.size)))})
}

func runArray(ctx context.Context, c *commands.Call) error {
	words := texts(c)
	t, rest, err := typeOf(c, words)
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
		a := uint64(c.Dot) + i*uint64(t.size)
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

// A piece is text of a format, or a conversion.
type piece struct {
	text    string
	verb    byte
	left    bool
	zeros   bool
	pointer bool // the width is that of a pointer
	width   int
	ptr     int
}

// maxWidth bounds a field, in columns.
const maxWidth = 4096

// parseFormat cuts a format into pieces, by the state machine of MDB.
func parseFormat(f string) ([]piece, error) {
	var all []piece
	text := ""
	for i := 0; i < len(f); i++ {
		if f[i] != '%' {
			text += f[i : i+1]
			continue
		}
		i++
		if i < len(f) && f[i] == '%' {
			text += "%"
			continue
		}
		var p piece
		if i < len(f) && f[i] == '-' {
			p.left = true
			i++
		}
		if i < len(f) && f[i] == '?' {
			p.pointer = true
			i++
		} else {
			p.zeros = i < len(f) && f[i] == '0'
			for ; i < len(f) && '0' <= f[i] && f[i] <= '9'; i++ {
				p.width = min(p.width*10+int(f[i]-'0'), maxWidth)
			}
		}
		if i >= len(f) || strings.IndexByte("aApdqRIHoruxXsY", f[i]) < 0 {
			near := "end"
			if i < len(f) {
				near = strconv.QuoteRune(rune(f[i]))
			}
			return nil, fmt.Errorf("illegal format string at or near %s (position %d)", near, i+1)
		}
		p.verb = f[i]
		all = append(all, piece{text: text}, p)
		text = ""
	}
	return append(all, piece{text: text}), nil
}

// pad fills a field.
func (p *piece) pad(s string) string {
	width := p.width
	if p.pointer {
		width = 2 * p.ptr
	}
	n := width - out.Width(s)
	switch {
	case n <= 0:
		return s
	case p.left:
		return s + strings.Repeat(" ", n)
	case p.zeros && strings.HasPrefix(s, "-"):
		return "-" + strings.Repeat("0", n) + s[1:]
	case p.zeros:
		return strings.Repeat("0", n) + s
	}
	return strings.Repeat(" ", n) + s
}

// printMember formats a member of the type at dot.
func printMember(c *commands.Call, p piece, t *cType, member string) (string, error) {
	if member == "." {
		if strings.IndexByte("sIY", p.verb) >= 0 {
			return "", lang.Abort(fmt.Errorf("expected integer or pointer format specifier for '.'"))
		}
		return integer(c, p, uint64(c.Dot), false), nil
	}
	n, err := index(member)
	if err != nil || t.elem == nil {
		return "", lang.Abort(fmt.Errorf("%s has no member %s; an array and what a pointer points to have elements, as [0]", t.name, member))
	}
	at := c.Dot
	if t.kind == cPointer {
		v, err := readInteger(c, at, t.size, false)
		if err != nil {
			return "", err
		}
		at = core.Addr(v)
	} else if n*uint64(t.elem.size) >= uint64(t.size) {
		return "", lang.Abort(fmt.Errorf("%s has no element %s", t.name, member))
	}
	return element(c, p, t.elem, at+core.Addr(n*uint64(t.elem.size)))
}

// element formats what lies at an address.
func element(c *commands.Call, p piece, t *cType, at core.Addr) (string, error) {
	expected := func(what string) error { return lang.Abort(fmt.Errorf("expected %s, not %s", what, t.name)) }
	switch {
	case p.verb == 's':
		if t.kind != cPointer || t.elem.kind != cInteger || t.elem.size != 1 {
			return "", expected("a pointer to characters")
		}
	case strings.IndexByte("aAp", p.verb) >= 0 && t.size != p.ptr:
		return "", expected("a pointer")
	case p.verb == 'I' && t.size != 4:
		return "", expected("a 32-bit integer type")
	case t.kind == cFloat:
		return "", expected("an integer type")
	}
	signed := t.signed && strings.IndexByte("dqR", p.verb) >= 0
	v, err := readInteger(c, at, t.size, signed)
	if err != nil {
		return "", err
	}
	if p.verb == 's' {
		return cString(c, core.Addr(v))
	}
	return integer(c, p, v, signed), nil
}

// integer formats a number.
func integer(c *commands.Call, p piece, v uint64, signed bool) string {
	radix := c.Session.Lang.Radix()
	switch p.verb {
	case 'a', 'A':
		if name, off, ok := c.Session.Name(core.Addr(v)); ok {
			if off != 0 {
				name += "+0x" + strconv.FormatUint(off, 16)
			}
			return name
		}
		return "0x" + strconv.FormatUint(v, 16)
	case 'd':
		if signed {
			return strconv.FormatInt(int64(v), 10)
		}
		return strconv.FormatUint(v, 10)
	case 'q':
		return strconv.FormatInt(int64(v), 8)
	case 'R':
		return strconv.FormatInt(int64(v), radix)
	case 'r':
		return strconv.FormatUint(v, radix)
	case 'u':
		return strconv.FormatUint(v, 10)
	case 'o':
		return strconv.FormatUint(v, 8)
	case 'X':
		return strings.ToUpper(strconv.FormatUint(v, 16))
	case 'H':
		return humanSize(v)
	case 'I':
		order, _ := pointerOf(c)
		var b [4]byte
		order.PutUint32(b[:], uint32(v))
		return netip.AddrFrom4(b).String()
	case 'Y':
		return time.Unix(int64(v), 0).UTC().Format("2006 Jan _2 15:04:05")
	}
	return strconv.FormatUint(v, 16)
}

// humanSize is MDB's nicenum: at most five characters.
func humanSize(v uint64) string {
	i, n := 0, v
	for n >= 1024 && i < 6 {
		n /= 1024
		i++
	}
	unit := " KMGTPE"[i : i+1]
	switch shift := uint(10 * i); {
	case i == 0:
		return strconv.FormatUint(v, 10)
	case v&(1<<shift-1) == 0:
		return strconv.FormatUint(n, 10) + unit
	default:
		for digits := 2; ; digits-- {
			s := strconv.FormatFloat(float64(v)/math.Ldexp(1, int(shift)), 'f', digits, 64) + unit
			if len(s) <= 5 || digits == 0 {
				return s
			}
		}
	}
}

// readInteger reads a number of 1, 2, 4 or 8 bytes.
func readInteger(c *commands.Call, at core.Addr, size int, signed bool) (uint64, error) {
	var b [8]byte
	if _, err := c.Session.Process.Space.ReadAt(b[:size], at); err != nil {
		return 0, fmt.Errorf("failed to read %d bytes at %v: %w", size, at, err)
	}
	order, _ := pointerOf(c)
	var v uint64
	switch size {
	case 1:
		v = uint64(b[0])
	case 2:
		v = uint64(order.Uint16(b[:]))
	case 4:
		v = uint64(order.Uint32(b[:]))
	default:
		v = order.Uint64(b[:])
	}
	if shift := uint(64 - 8*size); signed {
		v = uint64(int64(v<<shift) >> shift)
	}
	return v, nil
}

// maxText bounds a string, as MDB does.
const maxText = 1023

func cString(c *commands.Call, at core.Addr) (string, error) {
	b := make([]byte, maxText)
	n, err := c.Session.Process.Space.ReadAt(b, at)
	if i := bytes.IndexByte(b[:n], 0); i >= 0 {
		return string(b[:i]), nil
	}
	if err != nil {
		return "", fmt.Errorf("failed to read string at %v: %w", at, err)
	}
	return string(b[:n]), nil
}
