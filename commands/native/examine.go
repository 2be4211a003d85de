package native

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
)

var examineCommands = []commands.Command{{
	Name: "examine", Addr: commands.AddrOptional, Args: "[format]",
	Summary: "show memory in gdb's format for x",
	Detail: `The format is a count, a letter of form (x d u o t z a c f s i) and one of size (b h w g), in any order, as after
gdb's x/. Parts that are left out stay as they were the last time. Without an address the listing goes on where it ended. "=>" marks the instruction of the current frame.`,
	Example: "<sp::examine 8xg",
	SeeAlso: []string{"dump", "dis", "print", "formats"},
	Run:     runExamine,
}}

// An examinedRecord is a line of ::examine.
type examinedRecord struct {
	_      out.Record `record:"examined"`
	At     core.Addr  `json:"addr" dot:"always"`
	Symbol string     `json:"symbol,omitempty"` // with the distance from it
	Values []string   `json:"values"`
	Here   bool       `json:"current,omitempty"` // the current frame's instruction
	code   bool
}

// Text writes the line as gdb does, with columns instead of tabs.
func (r *examinedRecord) Text(w *out.Writer) {
	if r.code {
		w.Printf("%s", map[bool]string{true: "=> ", false: "   "}[r.Here])
	}
	w.Paint(out.Addr, "%v", r.At)
	if r.Symbol != "" {
		w.Printf(" <")
		w.Paint(out.Symbol, "%s", sym.Clean(abbreviate(r.Symbol)))
		w.Printf(">")
	}
	w.Printf(":")
	for _, v := range r.Values {
		w.Printf("  %s", v)
	}
	w.Printf("\n")
}

// unitSizes are the bytes of gdb's letters for sizes.
var unitSizes = map[byte]int{'b': 1, 'h': 2, 'w': 4, 'g': 8}

// maxExamined is the largest count.
const maxExamined = 1 << 20

// readExamined reads a format of gdb. The session's last format fills in the parts that it leaves out.
func readExamined(c *commands.Call, text string) (commands.Examined, error) {
	x := c.Session.Examined
	if x.Letter == 0 {
		x.Letter, x.Size = 'x', 'w'
	}
	letters := strings.TrimLeft(text, "0123456789")
	if x.Count = max(x.Count, 1); text != "" {
		x.Count = 1
	}
	if digits := text[:len(text)-len(letters)]; digits != "" {
		n, err := strconv.Atoi(digits)
		if err != nil || n > maxExamined {
			return x, c.Usage("the count %s is too large", digits)
		}
		x.Count = n
	}
	size := byte(0)
	for i := range len(letters) {
		switch l := letters[i]; {
		case strings.IndexByte("xduotzacfsi", l) >= 0:
			x.Letter = l
		case unitSizes[l] > 0:
			size = l
		default:
			return x, c.Usage("%q is no letter of a format", l)
		}
	}
	switch {
	case x.Letter == 'a':
		x.Size = 'w'
		if p := c.Session.Process.Arch; p == nil || p.PtrSize == 8 {
			x.Size = 'g'
		}
	case size != 0:
		x.Size = size
	case x.Letter == 'c' && letters != "":
		x.Size = 'b'
	case x.Letter == 'f' && letters != "" && x.Size != 'w':
		x.Size = 'g'
	}
	return x, nil
}

func runExamine(ctx context.Context, c *commands.Call) error {
	text := ""
	if len(c.Args) > 1 {
		return c.Usage("it takes one format")
	}
	if len(c.Args) == 1 {
		text = c.Text(c.Args[0])
	}
	x, err := readExamined(c, text)
	if err != nil {
		return err
	}
	at := x.Next
	if c.HasAddr {
		at = c.Dot
	} else if x.Next == 0 {
		return c.Usage("it needs an address: no memory was shown before")
	}
	e := &examiner{c: c, s: c.Session, format: x, at: at}
	err = e.run(ctx)
	x.Next, x.Last = e.at, e.last
	c.Session.Examined = x
	c.Session.Lang.SetDot(x.Last)
	return err
}

// An examiner shows memory line by line.
type examiner struct {
	c        *commands.Call
	s        *commands.Session
	format   commands.Examined
	at, last core.Addr
}

func (e *examiner) run(ctx context.Context) error {
	pc, known := currentPC(ctx, e.s)
	perLine := map[byte]int{'b': 8, 'h': 8, 'w': 4, 'g': 2}[e.format.Size]
	if e.format.Letter == 's' || e.format.Letter == 'i' {
		perLine = 1
	}
	for left := e.format.Count; left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := &examinedRecord{At: e.at, code: e.format.Letter == 'i'}
		r.Here = r.code && known && e.at == pc
		r.Symbol = e.symbol(e.at)
		var failed error
		for range min(left, perLine) {
			text, size, err := e.unit()
			if err != nil {
				failed = err
				break
			}
			r.Values = append(r.Values, text)
			e.last = e.at
			e.at += core.Addr(size)
		}
		left -= len(r.Values)
		if len(r.Values) > 0 {
			if err := e.c.Emit(r); err != nil {
				return err
			}
		}
		if failed != nil {
			return failed
		}
	}
	return nil
}

// symbol returns the symbol that holds an address, with the distance from it; "" if there is none.
func (e *examiner) symbol(a core.Addr) string {
	name, off, ok := e.s.Name(a)
	switch {
	case !ok:
		return ""
	case off > 0:
		return fmt.Sprintf("%s+%#x", name, off)
	}
	return name
}

// unit returns the text of the unit at the place, and its size in bytes.
func (e *examiner) unit() (text string, size int, err error) {
	switch e.format.Letter {
	case 'i':
		if e.s.Disasm == nil {
			return "", 0, errors.New("there is no disassembler for this architecture")
		}
		text, size, err = e.s.Disasm(e.at, false)
		return text, max(size, 1), err
	case 's':
		return e.text()
	}
	size = unitSizes[e.format.Size]
	var b [8]byte
	if _, err := e.s.Process.Space.ReadAt(b[:size], e.at); err != nil {
		return "", 0, fmt.Errorf("failed to read %d bytes at %v: %w", size, e.at, err)
	}
	order, _ := e.s.Process.Words()
	var u uint64
	switch size {
	case 1:
		u = uint64(b[0])
	case 2:
		u = uint64(order.Uint16(b[:]))
	case 4:
		u = uint64(order.Uint32(b[:]))
	default:
		u = order.Uint64(b[:])
	}
	return e.number(u, size), size, nil
}

// number writes a number of some bytes.
func (e *examiner) number(u uint64, size int) string {
	signed := int64(u<<(64-8*size)) >> (64 - 8*size)
	switch e.format.Letter {
	case 'd':
		return strconv.FormatInt(signed, 10)
	case 'u':
		return strconv.FormatUint(u, 10)
	case 'o':
		return fmt.Sprintf("0%0*o", (8*size+2)/3, u)
	case 't':
		return fmt.Sprintf("%0*b", 8*size, u)
	case 'a':
		if name := e.symbol(core.Addr(u)); name != "" {
			return fmt.Sprintf("%#x <%s>", u, sym.Clean(abbreviate(name)))
		}
		return fmt.Sprintf("%#x", u)
	case 'c':
		quoted := strconv.QuoteRune(rune(u & 0x7f))
		if u&0xff >= 0x7f || u&0xff < 0x20 {
			quoted = fmt.Sprintf(`'\%03o'`, u&0xff)
		}
		return strconv.Itoa(int(int8(u))) + " " + quoted
	case 'f':
		switch size {
		case 4:
			return strconv.FormatFloat(float64(math.Float32frombits(uint32(u))), 'g', -1, 32)
		case 8:
			return strconv.FormatFloat(math.Float64frombits(u), 'g', -1, 64)
		}
		return strconv.FormatInt(signed, 10)
	}
	return fmt.Sprintf("0x%0*x", 2*size, u)
}

// maxExaminedText bounds a text, in bytes.
const maxExaminedText = 200

// text returns the text that ends in a zero, or its beginning.
func (e *examiner) text() (text string, size int, err error) {
	b := make([]byte, maxExaminedText)
	n, err := e.s.Process.Space.ReadAt(b, e.at)
	if i := bytes.IndexByte(b[:n], 0); i >= 0 {
		return strconv.Quote(string(b[:i])), i + 1, nil
	}
	if n == 0 && err != nil {
		return "", 0, fmt.Errorf("failed to read the text at %v: %w", e.at, err)
	}
	return strconv.Quote(string(b[:n])) + "...", n, nil
}
