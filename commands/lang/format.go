package lang

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"coredbg/core"
)

const (
	labelWidth = 16       // columns of "symbol+off:"
	maxString  = 64 << 10 // bytes of a string that has no NUL
	maxItems   = 1024     // items of one Line
)

// A formatter runs the directives of one format command at one place.
type formatter struct {
	in     *Interp
	ctx    context.Context
	file   bool // "?"
	value  bool // "="
	piped  bool
	header bool
	dot    uint64 // where the next item is
	size   uint64 // of the last item, for "^"
	line   *Line
	emit   func(Record) error
}

// format runs "/", "?" or "=".
func (in *Interp) format(ctx context.Context, s *stage, inv *Invocation, piped bool) error {
	if s.name != "=" {
		if done, err := in.modify(ctx, s, inv); done || err != nil {
			return err
		}
	}
	list, err := compile(s)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		if s.name == "=" {
			return usage("\"=\" needs a format (::formats lists the letters)")
		}
		list = initial()
	}
	f := formatter{in: in, ctx: ctx, file: s.name == "?", value: s.name == "=", piped: piped,
		header: inv.First, dot: uint64(inv.Dot), size: in.expr.at.inc, emit: inv.Emit}
	err = f.run(list)
	in.expr.at.inc = 0
	if !f.value && f.dot > uint64(inv.Dot) {
		in.expr.at.inc = f.dot - uint64(inv.Dot)
	}
	return err
}

func (f *formatter) run(list []directive) error {
	f.begin()
	for _, d := range list {
		if err := f.directive(d); err != nil {
			if len(f.line.Items) > 0 {
				err = errors.Join(f.emit(f.line), err)
			}
			return err
		}
	}
	return f.emit(f.line)
}

// begin starts a Line at the place of the next item.
func (f *formatter) begin() {
	l := &Line{Start: core.Addr(f.dot), Dot: f.value}
	f.line = l
	if f.value {
		if !f.piped {
			l.Label = strings.Repeat(" ", labelWidth)
		}
		return
	}
	if name, off, ok := f.in.host.Name(l.Start); ok {
		l.Symbol, l.Offset = name, off
	}
	if f.piped {
		return
	}
	if l.Symbol != "" && l.Offset == 0 && f.header {
		l.Title = l.Symbol + ":"
	}
	f.header = false
	l.Label = padLabel(symbolic(l.Symbol, l.Offset, f.dot, f.in.expr.radix) + ":")
}

// padLabel pads to the label's width and, where it is longer, to the next
// multiple of it.
func padLabel(s string) string {
	n := len([]rune(s))
	return s + strings.Repeat(" ", labelWidth-n%labelWidth)
}

// symbolic returns "symbol+0x10", or the number if it has no name.
func symbolic(name string, off, v uint64, radix int) string {
	switch {
	case name == "":
		return formatRadix(v, radix, true)
	case off == 0:
		return name
	}
	return name + "+" + formatRadix(off, radix, true)
}

func (f *formatter) directive(d directive) error {
	if d.letter == nil {
		for range min(d.count, maxItems) {
			f.add(Item{Text: d.text})
		}
		return nil
	}
	switch d.letter.Letter {
	case '+':
		f.dot += d.count
		return nil
	case '-':
		f.dot -= d.count
		return nil
	case '^':
		f.dot -= f.size * d.count
		return nil
	case 'r', 't', 'T', 'n', 'N':
		text := map[byte]string{'r': " ", 't': "\t", 'T': "\t", 'n': "\n", 'N': "\n"}[d.letter.Letter]
		f.add(Item{Letter: d.letter.Letter, Text: strings.Repeat(text, int(min(d.count, maxItems)))})
		return nil
	}
	for n := uint64(0); n < d.count; n++ {
		if n%maxItems == maxItems-1 {
			if err := f.ctx.Err(); err != nil {
				return err
			}
		}
		if err := f.item(d.letter, n > 0); err != nil {
			return err
		}
		if len(f.line.Items) >= maxItems {
			if err := f.emit(f.line); err != nil {
				return err
			}
			f.begin()
		}
	}
	return nil
}

func (f *formatter) add(it Item) { f.line.Items = append(f.line.Items, it) }

// item formats one value; again is set from the second of a count on.
func (f *formatter) item(l *Letter, again bool) error {
	switch l.Letter {
	case 'a':
		f.add(Item{Letter: 'a', Addr: core.Addr(f.dot), Text: f.place(), Value: f.dot, IsNum: true})
		return nil
	case 's', 'S':
		return f.str(l.Letter)
	case 'i', 'I':
		return f.instruction(l.Letter, again)
	}
	size := l.Size
	if size < 0 {
		_, size = f.in.host.Words()
	}
	v, err := f.number(size)
	if err != nil {
		return err
	}
	it := Item{Letter: l.Letter, Addr: core.Addr(f.dot), Value: v, IsNum: true}
	width := l.width
	if l.text != nil {
		it.Text = l.text(v, f.in.expr.radix)
	} else { // P, p
		name, off, _ := f.in.host.Name(core.Addr(v))
		it.Text = symbolic(name, off, v, f.in.expr.radix)
	}
	// A text that fills its column gets a blank, or it would run into the next.
	if width > 0 && len([]rune(it.Text)) >= width {
		width = len([]rune(it.Text)) + 1
	}
	it.Text = pad(it.Text, width)
	f.add(it)
	f.in.Vars.Set("0", v)
	f.advance(uint64(size))
	return nil
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-len([]rune(s)), 0))
}

// advance moves past an item; for "=" all letters show the same value.
func (f *formatter) advance(n uint64) {
	f.size = n
	if !f.value {
		f.dot += n
	}
}

// place is dot in symbolic form: as a label, or bare for "=".
func (f *formatter) place() string {
	name, off, _ := f.in.host.Name(core.Addr(f.dot))
	s := symbolic(name, off, f.dot, f.in.expr.radix)
	if f.value {
		return s
	}
	return padLabel(s + ":")
}

// number returns the unsigned number of size bytes at dot or, for "=", the low
// bytes of dot.
func (f *formatter) number(size int) (uint64, error) {
	if f.value {
		return f.dot & (^uint64(0) >> uint(64-8*size)), nil
	}
	var buf [8]byte
	if _, err := f.in.host.Read(buf[:size], core.Addr(f.dot), f.file); err != nil {
		return 0, f.failed(size, err)
	}
	return f.in.expr.uint(buf[:size]), nil
}

// failed says which bytes could not be read.
func (f *formatter) failed(size int, err error) error {
	from := "memory"
	if f.file {
		from = "the object file"
	}
	return readError(fmt.Sprintf("failed to read %d bytes of %s", size, from), core.Addr(f.dot), err)
}

// str formats the string at dot.
func (f *formatter) str(letter byte) error {
	raw, whole, err := f.bytes()
	if err != nil && len(raw) == 0 {
		return f.failed(1, err)
	}
	at := core.Addr(f.dot)
	text := string(raw)
	if letter == 'S' {
		text = escapeC(text, 0)
	}
	if !whole && err == nil {
		text += "..."
	}
	f.add(Item{Letter: letter, Addr: at, Text: text})
	n := uint64(len(raw))
	if whole {
		n++
	}
	f.advance(n)
	if err != nil {
		return f.failed(1, err)
	}
	return nil
}

// bytes returns the bytes at dot up to a NUL, and whether there was one.
func (f *formatter) bytes() (text []byte, whole bool, err error) {
	if f.value {
		for i := uint(0); i < 64 && byte(f.dot>>i) != 0; i += 8 {
			text = append(text, byte(f.dot>>i))
		}
		return text, len(text) < 8, nil
	}
	var chunk [256]byte
	for a := f.dot; len(text) < maxString; {
		n, err := f.in.host.Read(chunk[:], core.Addr(a), f.file)
		if i := strings.IndexByte(string(chunk[:n]), 0); i >= 0 {
			return append(text, chunk[:i]...), true, nil
		}
		text = append(text, chunk[:n]...)
		if err != nil {
			return text, false, err
		}
		a += uint64(n)
	}
	return text, false, nil
}

// instruction formats the instruction at dot. Each one after the first of a
// count has a line of its own.
func (f *formatter) instruction(letter byte, again bool) error {
	if f.value {
		return usage("\"=%c\": dot itself holds no instruction; use \"/%c\"", letter, letter)
	}
	at := core.Addr(f.dot)
	text, size, err := f.in.host.Disassemble(at, f.file)
	if err != nil {
		return readError("failed to disassemble", at, err)
	}
	lead := ""
	if again {
		lead = "\n"
		if !f.piped {
			lead += f.place()
		}
	}
	if letter == 'I' {
		code := make([]byte, min(max(size, 0), 16))
		n, _ := f.in.host.Read(code, at, f.file)
		text = fmt.Sprintf("%016x: %-32s %s", f.dot, fmt.Sprintf("% x", code[:n]), text)
	}
	f.add(Item{Letter: letter, Addr: at, Text: lead + text})
	f.advance(uint64(max(size, 1)))
	return nil
}

// radixPrefix are the prefixes of printed numbers; they can be typed again.
var radixPrefix = map[int]string{2: "0i", 8: "0o", 10: "0t", 16: "0x"}

// formatRadix returns v in a radix, with its prefix if that is wanted.
func formatRadix(v uint64, radix int, prefix bool) string {
	s := strconv.FormatUint(v, radix)
	if prefix {
		s = radixPrefix[radix] + s
	}
	return s
}
