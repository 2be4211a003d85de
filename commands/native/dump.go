package native

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
)

var dumpCommands = []commands.Command{
	{
		Name: "dump", Often: "gqe", Addr: commands.AddrRequired, TakesCount: true,
		Options: []commands.Option{
			{Letter: 'e', Help: "swap the bytes of each group as the process' byte order says"},
			{Letter: 'g', Arg: "bytes", Help: "group bytes: 1, 2, 4 (default) or 8"},
			{Letter: 'q', Help: "no text column"},
			{Letter: 'r', Help: "number the lines from 0"},
			{Letter: 's', Help: "leave out repeated lines"},
			{Letter: 't', Help: "show only the bytes asked for, not whole lines"},
			{Letter: 'u', Help: "do not align lines"},
			{Letter: 'w', Arg: "lines", Help: "paragraphs of 16 bytes in a line: 1 (default) to 16"},
		},
		Args:    "[bytes]",
		Summary: "show memory in hexadecimal and as text",
		Detail: `The count before the command, or its argument, is the number of bytes.
Lines are aligned unless -u is given. Bytes that the core lacks show as ".."; of
lines in a row that are lacking for one reason there is one, with the reason.`,
		Example: "<rsp,0t64::dump",
		SeeAlso: []string{"formats", "mappings"},
		Run:     runDump,
	},
}

// maxDump is how many bytes one ::dump shows.
const maxDump = 64 << 20

// A dumpRow is a line of ::dump.
type dumpRow struct {
	at    core.Addr // of the first byte
	label uint64    // what comes before
	data  []byte
	have  []bool // which of data could be read
	show  []bool // which of data was asked for
	form  *dumpForm
	same  bool // stands for lines that are like the one before
	gap   error
	lines int // how many unreadable lines it stands for, if more than 1
}

// A dumpForm is what all rows of a dump have in common.
type dumpForm struct {
	group, width int // bytes
	swap, quiet  bool
	labels       int // digits of the label
	relative     bool
}

// Addr returns the row's address.
func (r *dumpRow) Addr() (core.Addr, bool) { return r.at, true }

// A dumpRun is a run of bytes that could be read, in base64.
type dumpRun struct {
	At    core.Addr `json:"addr"`
	Bytes string    `json:"bytes"`
}

// MarshalJSON gives the row's object. It has the bytes as one run, or where some
// could not be read or were not asked for, the runs that are there.
func (r *dumpRow) MarshalJSON() ([]byte, error) {
	var gap string
	if r.gap != nil {
		gap = r.gap.Error()
	}
	lines := r.lines
	if lines == 1 {
		lines = 0
	}
	runs := r.runs()
	j := struct {
		_       out.Record `record:"dump"`
		At      core.Addr  `json:"addr"`
		Bytes   string     `json:"bytes,omitempty"`
		Runs    []dumpRun  `json:"runs,omitempty"`
		Missing string     `json:"missing,omitempty"`
		Lines   int        `json:"lines,omitempty"` // that cannot be read, if more than this one
	}{At: r.at, Runs: runs, Missing: gap, Lines: lines}
	if len(runs) == 1 && runs[0].At == r.at {
		j.Bytes, j.Runs = runs[0].Bytes, nil
	}
	return out.Marshal(j)
}

// runs returns the bytes that were asked for and could be read.
func (r *dumpRow) runs() []dumpRun {
	var all []dumpRun
	for i := 0; i < len(r.data); {
		n := i
		for n < len(r.data) && r.have[n] && r.show[n] {
			n++
		}
		if n > i {
			all = append(all, dumpRun{r.at + core.Addr(i), base64.StdEncoding.EncodeToString(r.data[i:n])})
		}
		i = max(n, i+1)
	}
	return all
}

// Header writes the ruler: the low digit of each byte's address.
func (r *dumpRow) Header(w *out.Writer) {
	f := r.form
	var b, text strings.Builder
	for i := range f.width {
		if i%f.group == 0 {
			b.WriteByte(' ')
		}
		d := byte(uint64(r.at)+uint64(i)) & 15
		if f.relative {
			d = byte(i) & 15
		}
		mark := ' '
		if i == 0 {
			mark = '\\'
		}
		fmt.Fprintf(&b, "%c%x", mark, d)
		fmt.Fprintf(&text, "%x", d)
	}
	line := fmt.Sprintf("%*s%s", f.labels+2, "", b.String())
	if !f.quiet {
		line += "  v" + text.String()[1:]
	}
	w.Printf("%s\n", strings.TrimRight(line, " "))
}

// Text writes the row.
func (r *dumpRow) Text(w *out.Writer) {
	if r.same {
		w.Printf("*\n")
		return
	}
	f := r.form
	if r.lines > 1 {
		w.Printf("%0*x:  ", f.labels, r.label)
		w.Paint(out.Error, "%s to %0*x", gapReason(r.gap), f.labels, r.label+uint64(r.lines*f.width)-1)
		w.Printf("\n")
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%0*x: ", f.labels, r.label)
	for i := 0; i < len(r.data); i += f.group {
		b.WriteByte(' ')
		for j := range f.group {
			k := i + j
			if f.swap {
				k = i + f.group - 1 - j
			}
			b.WriteString(r.cell(k))
		}
	}
	if !f.quiet {
		b.WriteString("  ")
		for i, c := range r.data {
			if !r.have[i] || !r.show[i] || c < 0x20 || c > 0x7e {
				c = '.'
			}
			if !r.show[i] {
				c = ' '
			}
			b.WriteByte(c)
		}
	}
	w.Printf("%s\n", strings.TrimRight(b.String(), " "))
}

func (r *dumpRow) cell(i int) string {
	switch {
	case i >= len(r.data) || !r.show[i]:
		return "  "
	case !r.have[i]:
		return ".."
	}
	return fmt.Sprintf("%02x", r.data[i])
}

// printableBytes returns bytes as text with dots for bytes that are not ASCII.
func printableBytes(b []byte) string {
	s := make([]byte, len(b))
	for i, c := range b {
		if c < 0x20 || c > 0x7e {
			c = '.'
		}
		s[i] = c
	}
	return string(s)
}

func newDumpForm(c *commands.Call) (*dumpForm, error) {
	f := &dumpForm{quiet: c.Flag('q'), relative: c.Flag('r'), labels: 16}
	if a := c.Session.Process.Arch; a != nil {
		f.labels = 2 * a.PtrSize
		f.swap = c.Flag('e') && a.Order == binary.LittleEndian
	}
	var err error
	if f.group, err = c.Int('g', 4); err != nil {
		return nil, err
	}
	if g := f.group; g != 1 && g != 2 && g != 4 && g != 8 {
		return nil, c.Usage("-g is 1, 2, 4 or 8, not %d", g)
	}
	lines, err := c.Int('w', 1)
	if err != nil {
		return nil, err
	}
	if lines < 1 || lines > 16 {
		return nil, c.Usage("-w is 1 to 16, not %d", lines)
	}
	f.width = 16 * lines
	return f, nil
}

func runDump(ctx context.Context, c *commands.Call) error {
	f, err := newDumpForm(c)
	if err != nil {
		return err
	}
	n := c.Count
	if n <= 1 {
		n = uint64(f.width)
		if len(c.Args) > 0 {
			if n, err = c.Value(c.Args[0]); err != nil {
				return err
			}
		}
	}
	if n > maxDump {
		return fmt.Errorf("%d bytes are too many; at most %d at a time", n, maxDump)
	}
	start, end := c.Dot, c.Dot+core.Addr(n)
	if end < start {
		return errors.New("the range wraps around the end of the address space")
	}
	if !c.Flag('u') {
		start &^= core.Addr(f.width - 1)
	}
	return dumpRows(ctx, c, f, start, end)
}

// A dumper emits rows. A run of rows that cannot be read for one reason is one line, and with -s so is a run of
// equal ones.
type dumper struct {
	c      *commands.Call
	last   *dumpRow // the row before
	elided bool     // it is equal to the one before it
	void   *dumpRow // the run that is not emitted yet
}

func (x *dumper) emit(r *dumpRow) error {
	if x.c.Flag('s') && x.last != nil && string(x.last.data) == string(r.data) && r.gap == nil && x.last.gap == nil {
		if x.elided {
			return nil
		}
		r.same, x.elided = true, true
	} else {
		x.elided = false
	}
	if x.void != nil && r.void() && gapReason(r.gap) == gapReason(x.void.gap) {
		x.void.lines++
		return nil
	}
	if err := x.flush(); err != nil {
		return err
	}
	x.last = r
	if r.void() {
		x.void, r.lines = r, 1
		return nil
	}
	return x.c.Emit(r)
}

// flush emits the run of rows that cannot be read.
func (x *dumper) flush() error {
	r := x.void
	if x.void = nil; r == nil {
		return nil
	}
	return x.c.Emit(r)
}

func dumpRows(ctx context.Context, c *commands.Call, f *dumpForm, start, end core.Addr) error {
	mem := c.Session.Process.Space
	x := dumper{c: c}
	var firstGap error
	some := false
	for a := start; a < end; a += core.Addr(f.width) {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := readRow(mem, a, f)
		r.label = uint64(a)
		if f.relative {
			r.label = uint64(a - start)
		}
		for i := range r.show {
			at := a + core.Addr(i)
			r.show[i] = !c.Flag('t') || at >= c.Dot && at < end
			some = some || r.have[i]
		}
		if r.gap != nil && firstGap == nil {
			firstGap = r.gap
		}
		if err := x.emit(r); err != nil {
			return err
		}
	}
	if err := x.flush(); err != nil {
		return err
	}
	c.Session.Lang.SetDot(c.Dot)
	c.Session.Lang.SetIncrement(uint64(end - c.Dot))
	if !some && firstGap != nil {
		return firstGap
	}
	if firstGap != nil {
		c.Warn("%w", firstGap)
	}
	return nil
}

// void reports whether nothing of the row could be read.
func (r *dumpRow) void() bool { return r.gap != nil && !slices.Contains(r.have, true) }

// gapReason says why bytes could not be read, without where.
func gapReason(err error) string {
	f := core.Fault(err)
	switch {
	case f == nil:
		return err.Error()
	case f.Detail != "":
		return fmt.Sprintf("%v (%s)", f.Gap, f.Detail)
	}
	return f.Gap.String()
}

// readRow reads a line's bytes, over gaps.
func readRow(mem *core.Space, a core.Addr, f *dumpForm) *dumpRow {
	r := &dumpRow{at: a, data: make([]byte, f.width), have: make([]bool, f.width), show: make([]bool, f.width), form: f}
	for i := 0; i < f.width; {
		n, err := mem.ReadAt(r.data[i:], a+core.Addr(i))
		for j := range n {
			r.have[i+j] = true
		}
		i += n
		if err == nil {
			break
		}
		if r.gap == nil {
			r.gap = err
		}
		i++ // over the byte that could not be read
	}
	return r
}
