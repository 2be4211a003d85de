package lang

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"coredbg/core"
)

// fakeHost is a small process: memory at 0x1000, another content of the same
// addresses in the object file, a few symbols and registers, and commands
// whose results are plain to see.
type fakeHost struct {
	mem, file []byte // at 0x1000
	order     binary.ByteOrder
	out       strings.Builder
	warned    []string
	ran       []string
	shell     string // what was fed to the last shell command
	in        *Interp
	runs      int
	maxRuns   int // 0 for any number
}

const base = 0x1000

func newFake() *fakeHost {
	h := &fakeHost{order: binary.LittleEndian}
	h.mem = []byte("\x01\x02\x03\x04\x05\x06\x07\x88hello, world\x00tab\there\x00\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8")
	h.mem = append(h.mem, make([]byte, 64-len(h.mem))...)
	copy(h.mem[0x30:], "\x00\x10\x00\x00\x00\x00\x00\x00") // a pointer to start
	h.file = []byte("\x11\x12\x13\x14\x15\x16\x17\x18")
	h.in = New(h)
	return h
}

func (h *fakeHost) Read(p []byte, a core.Addr, file bool) (int, error) {
	mem := h.mem
	if file {
		mem = h.file
	}
	for i := range p {
		off := a + core.Addr(i) - base
		if off >= core.Addr(len(mem)) {
			return i, &core.FaultError{Addr: a + core.Addr(i), Gap: core.NotDumped}
		}
		p[i] = mem[off]
	}
	return len(p), nil
}

func (h *fakeHost) Words() (binary.ByteOrder, int) { return h.order, 8 }

// Disassemble takes each 4 bytes for an instruction.
func (h *fakeHost) Disassemble(a core.Addr, file bool) (string, int, error) {
	var b [4]byte
	if _, err := h.Read(b[:], a, file); err != nil {
		return "", 0, err
	}
	return fmt.Sprintf("insn %#x", b[0]), 4, nil
}

var fakeSymbols = map[string]core.Addr{"start": 0x1000, "greeting": 0x1008, "libc`deep": 0x1020, "deep": 0x1020,
	"face": 0x1010, "ns::f(int)": 0x1018, "Pool::run": 0x1018, "Pool::run::inner": 0x1020, "start::status": 0x1028,
	"m`Pool::~Pool": 0x1010, "a_rather_long_name": 0x1028}

func (h *fakeHost) Symbol(name string) (core.Addr, bool, error) {
	a, ok := fakeSymbols[name]
	return a, ok, nil
}

func (h *fakeHost) Name(a core.Addr) (string, uint64, bool) {
	for _, n := range []string{"a_rather_long_name", "deep", "greeting", "start"} {
		if s := fakeSymbols[n]; s <= a && a < base+64 {
			return n, uint64(a - s), true
		}
	}
	return "", 0, false
}

func (h *fakeHost) Register(name string) (uint64, bool) {
	switch name {
	case "rip":
		return 0x1004, true
	case "rsp":
		return 0x1030, true
	}
	return 0, false
}

func (h *fakeHost) Command(name string) (Traits, error) {
	switch strings.TrimPrefix(name, "::") {
	case "seq", "odd", "eval", "use", "many", "$c", "status", "echo", "void", "quit", "rec", "seq-like":
		return Traits{}, nil
	case "first", "count":
		return Traits{Filter: true}, nil
	case "dump":
		return Traits{TakesCount: true}, nil
	}
	return Traits{}, Abort(fmt.Errorf("no command %s", name))
}

// Foreign knows a few words of other debuggers.
func (h *fakeHost) Foreign(text string) (Foreign, bool) {
	word, _, _ := strings.Cut(text, " ")
	f, ok := map[string]Foreign{
		"bt": {Hint: "bt: $c"}, "f": {Hint: "f: $c"}, "x/8i": {Hint: "x: /i"}, "start": {Hint: "start: ::status"},
		"greeting": {Hint: "a guess", Weak: true}, "sequ": {Hint: "did you mean ::seq?", Weak: true},
		"quit": {Run: "::quit"}, "face": {Run: "::quit", Always: true},
	}[word]
	return f, ok
}

func (h *fakeHost) Note(text string) { h.warned = append(h.warned, "note: "+text) }

// textResult is text in a pipeline.
type textResult string

func (t textResult) Addr() (core.Addr, bool) { return 0, false }
func (t textResult) PipeText() string        { return string(t) }
func (t textResult) String() string          { return string(t) }

func argText(args []Arg) string {
	var all []string
	for _, a := range args {
		if a.IsNum {
			all = append(all, fmt.Sprintf("#%x", a.Num))
		} else {
			all = append(all, a.Text)
		}
	}
	return strings.Join(all, " ")
}

func (h *fakeHost) Run(ctx context.Context, inv *Invocation) error {
	if h.runs++; h.maxRuns > 0 && h.runs > h.maxRuns {
		return Abort(fmt.Errorf("enough"))
	}
	note := fmt.Sprintf("%s@%x", strings.TrimPrefix(inv.Name, "::"), uint64(inv.Dot))
	if inv.Given {
		note += " given"
	}
	if inv.Piped {
		note += " piped"
	}
	if inv.First {
		note += " first"
	}
	if inv.Count != 1 {
		note += fmt.Sprintf(" count=%x", inv.Count)
	}
	if len(inv.Args) > 0 {
		note += " " + argText(inv.Args)
	}
	h.ran = append(h.ran, note)
	switch strings.TrimPrefix(inv.Name, "::") {
	case "seq": // three addresses from dot on
		for i := range uint64(3) {
			if err := inv.Emit(h.in.NewValue(uint64(inv.Dot) + i)); err != nil {
				return err
			}
		}
	case "odd":
		if inv.Dot%2 == 0 {
			return fmt.Errorf("%v is even", inv.Dot)
		}
		return inv.Emit(h.in.NewValue(uint64(inv.Dot)))
	case "use":
		return usage("wrong usage")
	case "eval":
		return h.in.Eval(ctx, argText(inv.Args), inv.Emit)
	case "echo":
		return inv.Emit(textResult(argText(inv.Args)))
	case "quit":
		return ErrQuit
	}
	return nil
}

// fakeFilter is ::first, which hands on one record, and ::count.
type fakeFilter struct {
	inv *Invocation
	h   *fakeHost
	n   uint64
}

func (f *fakeFilter) Put(r Record) error {
	f.n++
	if strings.HasSuffix(f.inv.Name, "count") {
		return nil
	}
	if f.n > 1 {
		return ErrStop
	}
	if err := f.inv.Emit(r); err != nil {
		return err
	}
	return ErrStop
}

func (f *fakeFilter) Close() error {
	if strings.HasSuffix(f.inv.Name, "count") {
		return f.inv.Emit(f.h.in.NewValue(f.n))
	}
	return nil
}

func (h *fakeHost) Open(_ context.Context, inv *Invocation) (Sink, error) {
	return &fakeFilter{inv: inv, h: h}, nil
}

func (h *fakeHost) Show(r Record, w io.Writer) error {
	if w == nil {
		w = &h.out
	}
	_, err := fmt.Fprintln(w, r)
	return err
}

func (h *fakeHost) Warn(err error) { h.warned = append(h.warned, err.Error()) }

func (h *fakeHost) Shell(_ context.Context, line string, feed func(io.Writer) error) error {
	h.ran = append(h.ran, "sh "+line)
	if feed == nil {
		return nil
	}
	var b strings.Builder
	err := feed(&b)
	h.shell = b.String()
	return err
}

// run runs a line and returns what it prints.
func (h *fakeHost) run(line string) string {
	h.out.Reset()
	h.in.Run(context.Background(), Source{Text: line})
	return h.out.String()
}
