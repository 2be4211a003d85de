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
		{Letter: 'v', Help: "show all stack maps with what they have inlined, and where dex registers are"},
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
	art    *art.ART
	code   *code.Compiled
	method *code.Method // 0 or 1 of the code's; what stack maps are read against
	maps   []stackMap
	tables bool
}

// stackMap is a stack map with what it leads to.
type stackMap struct {
	codeinfo.StackMap
	regs   []codeinfo.Location
	refs   []string // registers and slots of the frame that hold references
	frames []inlined
}

type inlined struct {
	codeinfo.Inlined
	method *code.Method
	regs   []codeinfo.Location
}

func newCompiled(a *art.ART, code *code.Compiled, m *code.Method) *compiledRecord {
	if m == nil && len(code.Methods) == 1 {
		m = code.Methods[0]
	}
	return &compiledRecord{art: a, code: code, method: m}
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
	r.tables = c.Has('t')
	if p, ok := c.Opt('p'); ok {
		pc, err := c.Value(p)
		if err != nil {
			return err
		}
		if err := r.fill(&pc); err != nil {
			return err
		}
	} else if c.Has('v') {
		if err := r.fill(nil); err != nil {
			c.Warn("%w", err)
		}
	}
	return c.Emit(r)
}

// fill reads the stack maps, or that of a native pc: an address, or an offset
// from the code's start.
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
	s := stackMap{StackMap: m}
	var err error
	if s.regs, err = info.Registers(m); err != nil {
		return err
	}
	if s.refs, err = r.references(m); err != nil {
		return err
	}
	list, err := info.Inlined(m)
	if err != nil {
		return err
	}
	for i := range list {
		in := inlined{Inlined: list[i]}
		if in.regs, err = info.InlinedRegisters(m, list, i); err != nil {
			return err
		}
		switch {
		case in.ArtMethod != 0:
			in.method = r.art.Method(in.ArtMethod)
		case r.method != nil:
			in.method = r.art.InlinedMethod(r.method, &in.Inlined)
		}
		s.frames = append(s.frames, in)
	}
	r.maps = append(r.maps, s)
	return nil
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

// Addr returns the code's first instruction.
func (r *compiledRecord) Addr() (core.Addr, bool) { return r.code.Header.Code, true }

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
	h := r.code.Header
	kind := "oat code"
	if r.code.JIT {
		kind = "JIT code"
	}
	w.Paint(out.Addr, "%v", h.Code)
	w.Printf(": %s", kind)
	if r.code.Size > 0 {
		w.Printf(" of %s", out.Count(r.code.Size, "byte"))
	}
	r.names(w)
	i := r.code.Info
	if i == nil {
		w.Printf("    it has no CodeInfo\n")
		return
	}
	w.Printf("    CodeInfo %v, %s, %s", i.Addr, out.Count(uint64(i.Bits), "bit"), out.Count(i.StackMaps(), "stack map"))
	for _, f := range r.flags() {
		w.Printf(", %s", f)
	}
	w.Printf("\n    frame of %s, %s, saves %s\n", out.Count(i.FrameSize, "byte"), out.Count(i.DexRegisters, "dex register"),
		strings.Join(r.saved(), " "))
	if r.tables {
		r.writeTables(w)
	}
	for _, m := range r.maps {
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

func (r *compiledRecord) flags() []string {
	var list []string
	for i, name := range codeFlags {
		if r.code.Info.Flags>>i&1 != 0 {
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

func (r *compiledRecord) writeMap(w *out.Writer, m stackMap) {
	w.Paint(out.Addr, "    %v", r.code.Header.Code+core.Addr(m.NativePC))
	w.Printf(" +%#-6x dex pc %04x", m.NativePC, m.DexPC)
	if m.Kind != codeinfo.Default {
		w.Printf(" %v", m.Kind)
	}
	if r.method != nil {
		w.Printf("%s", atLine(r.method, m.DexPC))
	}
	w.Printf("%s", r.registersText(m.regs))
	if len(m.refs) > 0 {
		w.Printf(" references in %s", strings.Join(m.refs, " "))
	}
	w.Printf("\n")
	for _, f := range m.frames {
		w.Printf("        inlined")
		if f.method != nil {
			w.Paint(out.Symbol, " %s", f.method)
			w.Printf(" dex pc %04x%s", f.DexPC, atLine(f.method, f.DexPC))
		} else {
			w.Printf(" Method@%d dex pc %04x", f.Method, f.DexPC)
		}
		w.Printf("%s\n", r.registersText(f.regs))
	}
}

// atLine is the place of a dex pc in the source.
func atLine(m *code.Method, pc uint32) string {
	if n := m.Line(pc); n > 0 && m.File != "" {
		return fmt.Sprintf(" (%s:%d)", m.File, n)
	}
	return ""
}

// registersText lists where dex registers are that are anywhere.
func (r *compiledRecord) registersText(regs []codeinfo.Location) string {
	s := ""
	for i, l := range regs {
		if l.Kind != codeinfo.None {
			s += fmt.Sprintf(" v%d=%s", i, r.place(l))
		}
	}
	return s
}
