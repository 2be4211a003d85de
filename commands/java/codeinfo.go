package java

import (
	"context"
	"fmt"
	"math/bits"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/codeinfo"
)

var codeinfoCommands = []commands.Command{{
	Name: "codeinfo", Module: module, Addr: commands.AddrRequired,
	Options: []commands.Option{
		{Letter: 'v', Help: "show all stack maps with their inlined methods, and where dex registers are"},
		{Letter: 'p', Arg: "pc", Help: "show only the stack map of a native pc"},
		{Letter: 't', Help: "show the tables with the bits of their columns"},
	},
	Summary: "show what ART keeps beside compiled code",
	Detail: `Shows the compiled code of the ArtMethod at the address, or the code that holds
the address: where it is, the frame that it makes and the registers that it saves.
Stack maps are there only for safepoints: calls, and loops. A dex register is at an
offset from the stack pointer (sp+24), in a machine register (/hi: in its upper half),
or a constant (#7).`,
	Example: "::artmethod hot.Hot.main | ::codeinfo -v",
	SeeAlso: []string{"artmethod", "dis", "oat"},
	Run:     runCodeInfo,
}}

// compiledRecord is a piece of compiled code.
type compiledRecord struct {
	Type      string      `json:"type" record:"codeinfo"`
	Addr      core.Addr   `json:"addr" dot:"always"` // its first instruction
	Size      uint64      `json:"size,omitempty"`
	JIT       bool        `json:"jit,omitempty"`
	Methods   []string    `json:"methods,omitempty"` // that have this code
	CodeInfo  core.Addr   `json:"codeinfo,omitzero"`
	Flags     []string    `json:"flags,omitempty"`
	FrameSize uint32      `json:"frame_size,omitempty"`
	Saved     []string    `json:"saved,omitempty"` // registers that the frame saves
	Registers uint32      `json:"dex_registers,omitempty"`
	Count     int         `json:"stack_map_count"`
	Maps      []*stackMap `json:"stack_maps,omitempty"`
	art       *art.ART
	code      *code.Compiled
	method    *code.Method // 0 or 1 of the code's; what stack maps are read against
	tables    bool
}

// stackMap is a stack map with its targets.
type stackMap struct {
	Addr      core.Addr     `json:"addr"`
	Offset    uint32        `json:"offset"` // from the code's start
	Kind      string        `json:"kind"`
	DexPC     uint32        `json:"dex_pc"`
	Line      int           `json:"line,omitempty"`
	Registers []dexRegister `json:"registers,omitempty"`
	Refs      []string      `json:"references,omitempty"` // registers and slots of the frame that hold references
	Inlined   []inlined     `json:"inlined,omitempty"`
}

// dexRegister is where a dex register is.
type dexRegister struct {
	Register int    `json:"register"`
	Kind     string `json:"kind"`
	Value    int32  `json:"value"`
	Place    string `json:"place"`
}

type inlined struct {
	Method    string        `json:"method,omitempty"`
	Addr      core.Addr     `json:"method_addr,omitzero"`
	DexPC     uint32        `json:"dex_pc"`
	File      string        `json:"file,omitempty"`
	Line      int           `json:"line,omitempty"`
	Registers []dexRegister `json:"registers,omitempty"`
	index     uint32        // of the method, where its name is not known
}

func newCompiled(a *art.ART, c *code.Compiled, m *code.Method) *compiledRecord {
	if m == nil && len(c.Methods) == 1 {
		m = c.Methods[0]
	}
	r := &compiledRecord{Type: "codeinfo", Addr: c.Header.Code, Size: c.Size, JIT: c.JIT, art: a, code: c, method: m}
	for _, m := range c.Methods {
		r.Methods = append(r.Methods, m.String())
	}
	if len(r.Methods) == 0 && m != nil {
		r.Methods = []string{m.String()}
	}
	if i := c.Info; i != nil {
		r.CodeInfo, r.Flags, r.FrameSize, r.Registers, r.Count = i.Addr, flags(i), i.FrameSize,
			i.DexRegisters, i.StackMaps()
		r.Saved = r.saved()
	}
	return r
}

func runCodeInfo(_ context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	var r *compiledRecord
	if a.IsMethod(c.Dot) {
		m := a.Method(c.Dot)
		code, err := a.CompiledOf(m, 0)
		if err != nil {
			return err
		}
		r = newCompiled(a, code, m)
	} else {
		code, err := a.CompiledAt(c.Dot)
		if err != nil {
			return err
		}
		r = newCompiled(a, code, nil)
	}
	r.tables = c.Flag('t')
	if p, ok := c.Opt('p'); ok {
		pc, err := c.Value(p)
		if err != nil {
			return err
		}
		if err := r.fill(&pc); err != nil {
			return err
		}
	} else if c.Flag('v') {
		if err := r.fill(nil); err != nil {
			c.Warn("%w", err)
		}
	}
	return c.Emit(r)
}

// fill reads the stack maps, or the one of a native pc: an address, or an offset from the code's start.
func (r *compiledRecord) fill(pc *uint64) error {
	info, align := r.code.Info, r.code.Align
	if info == nil {
		return fmt.Errorf("the code at %v has no CodeInfo", r.code.Header.Code)
	}
	if pc != nil {
		off := *pc
		if start := uint64(r.code.Header.Code); off >= start {
			off -= start
		}
		m, ok, err := info.Find(uint32(off), align)
		if err == nil && !ok {
			err = fmt.Errorf("the code at %v has no stack map at +%#x", r.code.Header.Code, off)
		}
		if err != nil {
			return err
		}
		return r.add(m)
	}
	for row := range info.StackMaps() {
		m, err := info.StackMap(row, align)
		if err != nil {
			return err
		}
		if err := r.add(m); err != nil {
			return err
		}
	}
	return nil
}

// add follows a stack map.
func (r *compiledRecord) add(m codeinfo.StackMap) error {
	info := r.code.Info
	s := &stackMap{Addr: r.Addr + core.Addr(m.NativePC), Offset: m.NativePC, Kind: m.Kind.String(), DexPC: m.DexPC}
	if r.method != nil {
		s.Line = r.method.Line(m.DexPC)
	}
	regs, err := info.Registers(m)
	if err != nil {
		return err
	}
	s.Registers = r.registers(regs)
	if s.Refs, err = r.references(m); err != nil {
		return err
	}
	list, err := info.Inlined(m)
	if err != nil {
		return err
	}
	for i := range list {
		if regs, err = info.InlinedRegisters(m, list, i); err != nil {
			return err
		}
		f := &list[i]
		in := inlined{DexPC: f.DexPC, Addr: f.ArtMethod, Registers: r.registers(regs), index: uint32(f.Method)}
		var method *code.Method
		switch {
		case f.ArtMethod != 0:
			method = r.art.Method(f.ArtMethod)
		case r.method != nil:
			method = r.art.InlinedMethod(r.method, f)
		}
		if method != nil {
			in.Method, in.File, in.Line = method.String(), method.File, method.Line(f.DexPC)
		}
		s.Inlined = append(s.Inlined, in)
	}
	r.Maps = append(r.Maps, s)
	return nil
}

// registers lists where dex registers are that are anywhere.
func (r *compiledRecord) registers(regs []codeinfo.Location) []dexRegister {
	var list []dexRegister
	for i, l := range regs {
		if l.Kind != codeinfo.None {
			list = append(list, dexRegister{i, l.Kind.String(), l.Value, r.place(l)})
		}
	}
	return list
}

// references lists the registers and the slots of the frame that hold
// references at a stack map, which a collection would visit.
func (r *compiledRecord) references(m codeinfo.StackMap) ([]string, error) {
	mask, err := r.code.Info.RegisterRoots(m)
	if err != nil {
		return nil, err
	}
	var list []string
	for ; mask != 0; mask &= mask - 1 {
		list = append(list, r.art.RegisterName(bits.TrailingZeros32(mask), false))
	}
	slots, err := r.code.Info.StackRoots(m)
	for i, ref := range slots {
		if ref {
			list = append(list, codeinfo.Location{Kind: codeinfo.InStack, Value: int32(4 * i)}.String())
		}
	}
	return list, err
}

// saved lists the registers that the frame saves.
func (r *compiledRecord) saved() []string {
	list := []string{}
	for i, mask := range []uint32{r.code.Info.CoreSpillMask, r.code.Info.FPSpillMask} {
		for ; mask != 0; mask &= mask - 1 {
			list = append(list, r.art.RegisterName(bits.TrailingZeros32(mask), i == 1))
		}
	}
	return list
}

// place writes where a dex register is.
func (r *compiledRecord) place(l codeinfo.Location) string {
	switch l.Kind {
	case codeinfo.InRegister, codeinfo.InFPRegister:
		return r.art.RegisterName(int(l.Value), l.Kind == codeinfo.InFPRegister)
	case codeinfo.InRegisterHigh, codeinfo.InFPRegisterHigh:
		return r.art.RegisterName(int(l.Value), l.Kind == codeinfo.InFPRegisterHigh) + "/hi"
	}
	return l.String()
}

// Text writes the code's head, and its stack maps if they were read.
func (r *compiledRecord) Text(w *out.Writer) {
	kind := "oat code"
	if r.JIT {
		kind = "JIT code"
	}
	w.Paint(out.Addr, "%v", r.Addr)
	w.Printf(": %s", kind)
	if r.Size > 0 {
		w.Printf(" of %s", out.Count(r.Size, "byte"))
	}
	r.names(w)
	i := r.code.Info
	if i == nil {
		w.Printf("    it has no CodeInfo\n")
		return
	}
	w.Printf("    CodeInfo %v, %s, %s", i.Addr, out.Count(uint64(i.Bits), "bit"), out.Count(r.Count, "stack map"))
	for _, f := range r.Flags {
		w.Printf(", %s", f)
	}
	w.Printf("\n    frame of %s, %s, saves %s\n", out.Count(r.FrameSize, "byte"),
		out.Count(r.Registers, "dex register"),
		strings.Join(r.Saved, " "))
	if r.tables {
		r.writeTables(w)
	}
	for _, m := range r.Maps {
		r.writeMap(w, m)
	}
}

// maxShownMethods bounds the names of methods that share their code.
const maxShownMethods = 8

func (r *compiledRecord) names(w *out.Writer) {
	switch n := len(r.code.Methods); {
	case n > 1:
		w.Printf(", shared by %d methods:\n", n)
		for i, m := range r.code.Methods {
			if i == maxShownMethods {
				w.Printf("    ... %d more\n", n-i)
				break
			}
			w.Paint(out.Symbol, "    %s%s", m, m.Signature)
			w.Printf("\n")
		}
	case r.method != nil:
		w.Printf(" of")
		w.Paint(out.Symbol, " %s%s", r.method, r.method.Signature)
		w.Printf("\n")
	default:
		w.Printf("\n")
	}
}

var codeFlags = []string{"inlines", "may be deoptimized", "baseline", "debuggable"}

func flags(info *codeinfo.Info) []string {
	var list []string
	for i, name := range codeFlags {
		if info.Flags>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return list
}

func (r *compiledRecord) writeTables(w *out.Writer) {
	for _, t := range r.code.Info.Tables {
		if t.Rows == 0 {
			continue
		}
		w.Printf("    %-18s %5d rows:", t.Name, t.Rows)
		for i, c := range t.Columns {
			w.Printf(" %s=%d", c, t.Bits[i])
		}
		if t.Shared {
			w.Printf(" (in another CodeInfo)")
		}
		w.Printf("\n")
	}
}

func (r *compiledRecord) writeMap(w *out.Writer, m *stackMap) {
	w.Paint(out.Addr, "    %v", m.Addr)
	w.Printf(" +%#-6x dex pc %04x", m.Offset, m.DexPC)
	if m.Kind != codeinfo.Default.String() {
		w.Printf(" %s", m.Kind)
	}
	if r.method != nil {
		w.Printf("%s", atLine(r.method, m.DexPC))
	}
	w.Printf("%s", registersText(m.Registers))
	if len(m.Refs) > 0 {
		w.Printf(" references in %s", strings.Join(m.Refs, " "))
	}
	w.Printf("\n")
	for _, f := range m.Inlined {
		w.Printf("        inlined")
		if f.Method != "" {
			w.Paint(out.Symbol, " %s", f.Method)
		} else {
			w.Printf(" Method@%d", f.index)
		}
		w.Printf(" dex pc %04x%s%s\n", f.DexPC, place(f.File, f.Line), registersText(f.Registers))
	}
}

func registersText(regs []dexRegister) string {
	s := ""
	for _, r := range regs {
		s += fmt.Sprintf(" v%d=%s", r.Register, r.Place)
	}
	return s
}
