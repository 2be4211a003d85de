package js

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/object"
)

var v8codeCommand = commands.Command{
	Name: "v8code", Module: target.Module, Addr: commands.AddrRequired,
	Options: []commands.Option{
		{Letter: 'd', Help: "disassemble the instructions"},
		{Letter: 'v', Help: "list the safepoints: the calls where the code can be deoptimized, with the bytecode there"},
	},
	Summary: "show the machine code that contains an address",
	Detail: `Takes a pc, or the address of a Code or InstructionStream of V8, and shows the compiler
that made the code, the function, the extent of its instructions, and the inlined functions. For
a function all its machine code is shown.
A builtin of V8 is named. With -d an instruction at the given address is marked.`,
	Example: "::jsfunctions -n turboHot | ::v8code -d",
	SeeAlso: []string{"v8bytecode", "jsfunctions", "dis"},
	Run:     runCode,
}

// codeRecord is machine code.
type codeRecord struct {
	_          out.Record        `record:"v8code"`
	Object     core.Addr         `json:"addr,omitzero"`
	Tier       string            `json:"tier"`
	Kind       *int              `json:"code_kind,omitempty"`
	Name       string            `json:"name,omitempty"`
	File       string            `json:"file,omitempty"`
	Line       int               `json:"line,omitempty"`
	Function   core.Addr         `json:"function,omitzero"`
	Bytecode   core.Addr         `json:"bytecode,omitzero"`
	Start      core.Addr         `json:"start" dot:"always"`
	Size       uint64            `json:"size,omitempty"`
	Inlined    []inlinedFunction `json:"inlined,omitempty"`
	Safepoints int               `json:"safepoints,omitempty"`
	DeoptExits int               `json:"deopt_exits,omitempty"`
	Points     []safepoint       `json:"safepoint_table,omitempty"`
	Lines      []instruction     `json:"instructions,omitempty"`
	at         core.Addr
}

type inlinedFunction struct {
	Function core.Addr `json:"function"`
	Name     string    `json:"name"`
}

type safepoint struct {
	PC       core.Addr `json:"pc"`
	Deopt    *int      `json:"deopt,omitempty"`
	Bytecode *int      `json:"bytecode_offset,omitempty"`
}

type instruction struct {
	At   core.Addr `json:"addr"`
	Text string    `json:"text"`
}

func runCode(ctx context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	if f, err := v.Objects.Function(target.Tagged(v, c.Dot)); err == nil && f.Shared != 0 {
		return runFunctionCode(ctx, c, v, f)
	}
	i, err := v.Frames.CodeInfo(c.Dot)
	if err != nil {
		return err
	}
	return emitCode(ctx, c, v, i)
}

// runFunctionCode shows all machine code of a function.
func runFunctionCode(ctx context.Context, c *commands.Call, v *v8.V8, f *object.Function) error {
	list, err := target.Functions(ctx, v)
	if err != nil {
		return err
	}
	none := true
	for k := range list {
		if list[k].Shared != f.Shared {
			continue
		}
		for _, x := range list[k].Codes {
			i, err := v.Frames.CodeInfo(x.Start)
			if err != nil {
				return err
			}
			none = false
			if err := emitCode(ctx, c, v, i); err != nil {
				return err
			}
		}
	}
	if none {
		return fmt.Errorf("%v has no machine code; ::v8bytecode lists what the interpreter runs", c.Dot)
	}
	return nil
}

func emitCode(ctx context.Context, c *commands.Call, v *v8.V8, i *frame.CodeInfo) error {
	r := &codeRecord{Object: core.Addr(i.Word), Tier: i.Tier, Name: i.Name, Function: core.Addr(i.Function),
		Bytecode: core.Addr(i.Bytecode), Start: core.Addr(i.Start), Size: i.Size, Safepoints: len(i.Safepoints),
		DeoptExits: i.DeoptExits, at: c.Dot}
	if i.Kind >= 0 {
		r.Kind = &i.Kind
	}
	if i.Bytecode != 0 {
		// Baseline code does not name its function; that names the code.
		if err := r.owner(ctx, v, i); err != nil {
			return err
		}
	}
	if i.Function != 0 {
		if f, err := v.Objects.Function(i.Function); err == nil {
			r.File, r.Line = f.File, f.Line
		}
	}
	for _, s := range i.Inlined {
		f, err := v.Objects.Function(s)
		if err != nil {
			continue
		}
		r.Inlined = append(r.Inlined, inlinedFunction{core.Addr(s), f.Name})
	}
	if i.Problem != nil {
		c.Warn("%v", i.Problem)
	}
	if c.Flag('v') {
		r.safepoints(i)
	}
	if c.Flag('d') {
		if err := r.disassemble(c, i); err != nil {
			c.Warn("%v", err)
		}
	}
	return c.Emit(r)
}

func (r *codeRecord) owner(ctx context.Context, v *v8.V8, i *frame.CodeInfo) error {
	list, err := target.Functions(ctx, v)
	if err != nil {
		return err
	}
	for k := range list {
		if f := &list[k]; f.Bytecode == i.Bytecode {
			i.Function, r.Function, r.Name = f.Shared, core.Addr(f.Shared), f.Name
			break
		}
	}
	return nil
}

func (r *codeRecord) safepoints(i *frame.CodeInfo) {
	for k := range i.Safepoints {
		s := &i.Safepoints[k]
		p := safepoint{PC: core.Addr(i.Start + core.Addr(s.PC))}
		if s.Deopt >= 0 {
			p.Deopt = &s.Deopt
			if s.BytecodeOffset >= 0 {
				p.Bytecode = &s.BytecodeOffset
			}
		}
		r.Points = append(r.Points, p)
	}
}

// maxInstructions bounds a listing.
const maxInstructions = 1 << 16

func (r *codeRecord) disassemble(c *commands.Call, i *frame.CodeInfo) error {
	if c.Session.Disasm == nil {
		return errors.New("there is no disassembler")
	}
	for at, end := i.Start, i.Start+core.Addr(i.Size); at < end && len(r.Lines) < maxInstructions; {
		text, n, err := c.Session.Disasm(at, false)
		if err != nil {
			return fmt.Errorf("%v: %w", at, err)
		}
		r.Lines = append(r.Lines, instruction{core.Addr(at), strings.ReplaceAll(text, "\t", " ")})
		at += core.Addr(max(n, 1))
	}
	return nil
}

// Text writes the facts, one on a line, then the lists that were asked for.
func (r *codeRecord) Text(w *out.Writer) {
	if r.Object != 0 {
		w.Printf("%x: ", uint64(r.Object))
	}
	w.Printf("%s code", r.Tier)
	if r.Name != "" {
		w.Printf(" of %s", inspect.Printable(r.Name))
	}
	if r.File != "" {
		w.Printf(" (%s:%d)", inspect.Printable(r.File), r.Line)
	}
	w.Printf("\n")
	line := func(label, format string, args ...any) {
		w.Printf("    %-13s %s\n", label, fmt.Sprintf(format, args...))
	}
	line("instructions", "%x to %x, %d bytes", uint64(r.Start), uint64(r.Start)+r.Size, r.Size)
	if r.Kind != nil {
		line("kind", "%d", *r.Kind)
	}
	if r.Function != 0 {
		line("function", "%x", uint64(r.Function))
	}
	if r.Bytecode != 0 {
		line("bytecode", "%x", uint64(r.Bytecode))
	}
	for _, f := range r.Inlined {
		line("inlined", "%x %s", uint64(f.Function), inspect.Printable(f.Name))
	}
	if r.Safepoints > 0 {
		line("safepoints", "%d", r.Safepoints)
		line("deopt exits", "%d", r.DeoptExits)
	}
	for _, p := range r.Points {
		w.Printf("    %x", uint64(p.PC))
		if p.Deopt != nil {
			w.Printf(" deopt %d", *p.Deopt)
		}
		if p.Bytecode != nil {
			w.Printf(", bytecode %d", *p.Bytecode)
		}
		w.Printf("\n")
	}
	for k, l := range r.Lines {
		mark := "  "
		at := core.Addr(l.At)
		if at == r.at || at < r.at && k+1 < len(r.Lines) && core.Addr(r.Lines[k+1].At) > r.at {
			mark = "=>"
		}
		w.Printf("%s +%-6x %x: %s\n", mark, uint64(l.At-r.Start), uint64(l.At), l.Text)
	}
}
