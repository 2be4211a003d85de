package js

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/object"
)

var v8bytecodeCommand = commands.Command{
	Name: "v8bytecode", Module: target.Module, Addr: commands.AddrRequired,
	Options: []commands.Option{{Letter: 'c', Help: "the bytecodes alone, without constant pool and handler table"}},
	Summary: "list the bytecodes of a function",
	Detail: `Lists what V8's interpreter runs for a function, given as JSFunction,
SharedFunctionInfo, BytecodeArray, or by an address within the bytecodes, which is
then marked "=>". Before a bytecode is the place in the script it was made
for, with S for a statement and E for an expression; after a jump is the offset that it
goes to. Registers are as V8 names them: r0 is a local variable, a0 the first
argument. [3: "x"] is entry 3 of the constant pool, FBV[2] a slot of the feedback
vector, #1 a flag. The handler table says which bytecodes run if one throws.`,
	Example: "::jsprint -b T.fn | ::v8bytecode",
	SeeAlso: []string{"jssource", "v8code", "jsfunction"},
	Run:     runBytecode,
}

// bytecodeRecord is a function's bytecode.
type bytecodeRecord struct {
	array *object.BytecodeArray
	file  string
	mark  int // offset of the bytecode that was asked for; -1 for none
	plain bool
	texts []string // of the constants
}

func runBytecode(ctx context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	r := &bytecodeRecord{mark: -1, plain: c.Flag('c')}
	r.array, err = v.Objects.BytecodeArray(target.Tagged(v, c.Dot))
	if err != nil {
		if err = r.within(ctx, v, c.Dot, err); err != nil {
			return err
		}
	}
	if r.array.Function == 0 {
		if err := r.owner(ctx, v); err != nil {
			return err
		}
	}
	if a := r.array; a.Assumed != nil {
		c.Warn("the bytecodes of this version are not known; the bytecodes of V8 %d.%d are assumed", a.Assumed.Major,
			a.Assumed.Minor)
	}
	if r.array.Function != 0 {
		if f, err := v.Objects.Function(r.array.Function); err == nil {
			r.file = f.File
		}
	}
	for _, t := range r.array.Constants {
		text := describe(v, t)
		if f, err := v.Objects.Function(t); err == nil && f.Word == f.Shared {
			text += ": " + f.Name
		}
		r.texts = append(r.texts, text)
	}
	err = c.Emit(r)
	if err == nil && r.array.Problem != nil {
		c.Warn("%s: %v", "::v8bytecode", r.array.Problem)
	}
	return err
}

// within finds the BytecodeArray that contains an address.
func (r *bytecodeRecord) within(ctx context.Context, v *v8.V8, at core.Addr, why error) error {
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return err
	}
	l, ok := h.Locate(at)
	if !ok || l.Object == 0 || !strings.Contains(l.Type, "BYTECODE_ARRAY") {
		return why
	}
	if r.array, err = v.Objects.BytecodeArray(l.Object); err != nil {
		return err
	}
	b, err := r.array.BytecodeAt(at)
	if err == nil {
		r.mark = b.Offset
	}
	return nil
}

// owner looks for the function that has the bytecodes: its script shows lines.
func (r *bytecodeRecord) owner(ctx context.Context, v *v8.V8) error {
	list, err := target.Functions(ctx, v)
	if err != nil {
		return err
	}
	for i := range list {
		if list[i].Bytecode != r.array.Word {
			continue
		}
		if a, err := v.Objects.BytecodeArray(list[i].Shared); err == nil {
			r.array = a
		}
		break
	}
	return nil
}

// Addr returns the BytecodeArray.
func (r *bytecodeRecord) Addr() (core.Addr, bool) { return core.Addr(r.array.Word), true }

// operands writes the operands of a bytecode.
func (r *bytecodeRecord) operands(b *bytecode.Bytecode) string {
	var parts []string
	for _, o := range b.Operands {
		if o.Kind == "constant" && o.Value < int64(len(r.texts)) && len(b.Targets) == 0 {
			parts = append(parts, fmt.Sprintf("[%d: %s]", o.Value, short(r.texts[o.Value])))
		} else {
			parts = append(parts, o.Text)
		}
	}
	return strings.Join(parts, ", ")
}

// short leaves out the class before what a string or number says.
func short(text string) string {
	const most = 60
	if class, rest, ok := strings.Cut(text, ": "); ok && class != "JSFunction" {
		text = rest
	}
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

// targets writes where a bytecode jumps to.
func targets(b *bytecode.Bytecode) string {
	if len(b.Targets) == 0 {
		return ""
	}
	list := make([]string, len(b.Targets))
	for i, t := range b.Targets {
		list[i] = fmt.Sprint(t)
	}
	return "-> " + strings.Join(list, " ")
}

// Text writes the listing.
func (r *bytecodeRecord) Text(w *out.Writer) {
	a := r.array
	w.Printf("%x: ", uint64(a.Word))
	if a.Function != 0 {
		name := a.Name
		if name == "" {
			name = "(anonymous)"
		}
		w.Printf("%s, ", inspect.Printable(name))
		if r.file != "" {
			w.Printf("%s, ", inspect.Printable(r.file))
		}
	}
	w.Printf("%d bytes, %d parameters, %d registers\n", a.Length, a.Params, a.Registers)
	places := placesOf(a)
	for i := range a.Bytecodes {
		b := &a.Bytecodes[i]
		mark := "  "
		if b.Offset == r.mark {
			mark = "=>"
		}
		w.Printf("%s %-12s %5d: %-18s %s\n", mark, bytecodePlace(places, b.Offset), b.Offset,
			fmt.Sprintf("%x", b.Bytes),
			strings.TrimRight(fmt.Sprintf("%-24s %s %s", b.Name, r.operands(b), targets(b)), " "))
	}
	if a.Problem != nil {
		w.Printf("   (%v)\n", a.Problem)
	}
	if r.plain {
		return
	}
	if len(a.Constants) > 0 {
		w.Printf("constant pool:\n")
	}
	for i, t := range a.Constants {
		w.Printf("   %4d: %x (%s)\n", i, uint64(t), inspect.Printable(r.texts[i]))
	}
	if len(a.Handlers) > 0 {
		w.Printf("handler table:\n")
	}
	for _, h := range a.Handlers {
		w.Printf("   %4d to %d -> %d (prediction %d, context in r%d)\n", h.Start, h.End, h.Handler,
			h.Prediction, h.Register)
	}
}

// placesOf returns the places in the script by the offsets of bytecodes.
func placesOf(a *object.BytecodeArray) map[int]object.BytecodePosition {
	places := map[int]object.BytecodePosition{}
	for _, p := range a.Positions {
		places[p.Offset] = p
	}
	return places
}

// bytecodePlace writes the place of a bytecode: line and column if the script is
// known, else the position in it.
func bytecodePlace(places map[int]object.BytecodePosition, offset int) string {
	p, ok := places[offset]
	if !ok {
		return ""
	}
	kind := "E"
	if p.Statement {
		kind = "S"
	}
	if p.Line > 0 {
		return fmt.Sprintf("%d:%d %s", p.Line, p.Column, kind)
	}
	return fmt.Sprintf("@%d %s", p.Position, kind)
}

// A bytecodeJSON is a function's bytecode as programs see it.
type bytecodeJSON struct {
	_         out.Record     `record:"v8bytecode"`
	Word      core.Addr      `json:"addr"`
	Function  core.Addr      `json:"function,omitzero"`
	Name      string         `json:"name,omitempty"`
	File      string         `json:"file,omitempty"`
	Start     core.Addr      `json:"start"`
	Length    int            `json:"length"`
	Params    int            `json:"parameters"`
	Registers int            `json:"registers"`
	Bytecodes []oneBytecode  `json:"bytecodes"`
	Constants []poolConstant `json:"constants"`
	Handlers  []codeHandler  `json:"handlers"`
}

type oneBytecode struct {
	Addr      core.Addr     `json:"addr"`
	Offset    int           `json:"offset"`
	Bytes     string        `json:"bytes"`
	Name      string        `json:"name"`
	Operands  []codeOperand `json:"operands"`
	Targets   []int         `json:"targets,omitempty"`
	Position  *int          `json:"position,omitempty"`
	Line      int           `json:"line,omitempty"`
	Column    int           `json:"column,omitempty"`
	Statement bool          `json:"statement,omitempty"`
}

type codeOperand struct {
	Kind     string    `json:"kind"`
	Value    int64     `json:"value"`
	Text     string    `json:"text"`
	Constant core.Addr `json:"constant,omitzero"`
}

type poolConstant struct {
	Index int       `json:"index"`
	Word  core.Addr `json:"value"`
	Is    string    `json:"is"`
}

type codeHandler struct {
	Start      int `json:"start"`
	End        int `json:"end"`
	Handler    int `json:"handler"`
	Prediction int `json:"prediction"`
	Register   int `json:"register"`
}

// JSON implements out.Formed.
func (r *bytecodeRecord) JSON() any {
	a := r.array
	places := placesOf(a)
	j := &bytecodeJSON{Word: core.Addr(a.Word), Function: core.Addr(a.Function), Name: a.Name, File: r.file,
		Start:  core.Addr(a.Start),
		Length: a.Length, Params: a.Params, Registers: a.Registers, Bytecodes: []oneBytecode{},
		Constants: []poolConstant{}, Handlers: []codeHandler{}}
	for i := range a.Bytecodes {
		b := &a.Bytecodes[i]
		x := oneBytecode{Addr: core.Addr(a.Start + core.Addr(b.Offset)), Offset: b.Offset,
			Bytes: fmt.Sprintf("%x", b.Bytes), Name: b.Name,
			Operands: []codeOperand{}, Targets: b.Targets}
		for _, o := range b.Operands {
			x.Operands = append(x.Operands, codeOperand{o.Kind, o.Value, o.Text, core.Addr(o.Constant)})
		}
		if p, ok := places[b.Offset]; ok {
			x.Position, x.Line, x.Column, x.Statement = &p.Position, p.Line, p.Column, p.Statement
		}
		j.Bytecodes = append(j.Bytecodes, x)
	}
	for i, t := range a.Constants {
		j.Constants = append(j.Constants, poolConstant{i, core.Addr(t), r.texts[i]})
	}
	for _, h := range a.Handlers {
		j.Handlers = append(j.Handlers, codeHandler(h))
	}
	return j
}
