package java

import (
	"context"
	"encoding/json"
	"fmt"
	"math/bits"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art"
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
	Example: "::codeinfo -v",
	SeeAlso: []string{"artmethod", "dis", "oat"},
	Run:     runCodeInfo,
}}

// compiledRecord is a piece of compiled code.
type compiledRecord struct {
	art    *art.ART
	code   *art.Compiled
	method *art.Method // 0 or 1 of the code's; what stack maps are read against
	maps   []stackMap
	tables bool
}

// stackMap is a stack map with what it leads to.
type stackMap struct {
	codeinfo.StackMap
	regs   []codeinfo.Location
	frames []inlined
}

type inlined struct {
	codeinfo.Inlined
	method *art.Method
	regs   []codeinfo.Location
}

func newCompiled(a *art.ART, code *art.Compiled, m *art.Method) *compiledRecord {
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
		w.Printf(" of %d bytes", r.code.Size)
	}
	r.names(w)
	i := r.code.Info
	if i == nil {
		w.Printf("    it has no CodeInfo\n")
		return
	}
	w.Printf("    CodeInfo %v, %d bits, %d stack maps", i.Addr, i.Bits, i.StackMaps())
	for _, f := range r.flags() {
		w.Printf(", %s", f)
	}
	w.Printf("\n    frame of %d bytes, %d dex registers, saves %s\n", i.FrameSize, i.DexRegisters,
		strings.Join(r.saved(), " "))
	if r.tables {
		r.writeTables(w)
	}
	for _, m := range r.maps {
		r.writeMap(w, m)
	}
}

func (r *compiledRecord) names(w *out.Writer) {
	switch n := len(r.code.Methods); {
	case n > 1:
		w.Printf(", shared by %d methods\n", n)
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
	w.Printf("%s\n", r.registersText(m.regs))
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
func atLine(m *art.Method, pc uint32) string {
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

type registerJSON struct {
	Register int    `json:"register"`
	Kind     string `json:"kind"`
	Value    int32  `json:"value"`
	Place    string `json:"place"`
}

func (r *compiledRecord) registersJSON(regs []codeinfo.Location) []registerJSON {
	var list []registerJSON
	for i, l := range regs {
		if l.Kind != codeinfo.None {
			list = append(list, registerJSON{i, l.Kind.String(), l.Value, r.place(l)})
		}
	}
	return list
}

type inlinedJSON struct {
	Method    string         `json:"method,omitempty"`
	Addr      core.Addr      `json:"method_addr,omitzero"`
	DexPC     uint32         `json:"dex_pc"`
	File      string         `json:"file,omitempty"`
	Line      int            `json:"line,omitempty"`
	Registers []registerJSON `json:"registers,omitempty"`
}

type stackMapJSON struct {
	Addr      core.Addr      `json:"addr"`
	Offset    uint32         `json:"offset"`
	Kind      string         `json:"kind"`
	DexPC     uint32         `json:"dex_pc"`
	Line      int            `json:"line,omitempty"`
	Registers []registerJSON `json:"registers,omitempty"`
	Inlined   []inlinedJSON  `json:"inlined,omitempty"`
}

// MarshalJSON gives {"type":"codeinfo",…}.
func (r *compiledRecord) MarshalJSON() ([]byte, error) {
	j := struct {
		Type      string         `json:"type"`
		Addr      core.Addr      `json:"addr"`
		Size      uint64         `json:"size,omitempty"`
		JIT       bool           `json:"jit,omitempty"`
		Methods   []string       `json:"methods,omitempty"`
		CodeInfo  core.Addr      `json:"codeinfo,omitzero"`
		Flags     []string       `json:"flags,omitempty"`
		FrameSize uint32         `json:"frame_size,omitempty"`
		Saved     []string       `json:"saved,omitempty"`
		Registers uint32         `json:"dex_registers,omitempty"`
		Count     int            `json:"stack_map_count"`
		Maps      []stackMapJSON `json:"stack_maps,omitempty"`
	}{Type: "codeinfo", Addr: r.code.Header.Code, Size: r.code.Size, JIT: r.code.JIT}
	methods := r.code.Methods
	if len(methods) == 0 && r.method != nil {
		methods = []*art.Method{r.method}
	}
	for _, m := range methods {
		j.Methods = append(j.Methods, m.String())
	}
	if i := r.code.Info; i != nil {
		j.CodeInfo, j.Flags, j.FrameSize, j.Registers, j.Count = i.Addr, r.flags(), i.FrameSize, i.DexRegisters, i.StackMaps()
		j.Saved = r.saved()
	}
	for _, m := range r.maps {
		j.Maps = append(j.Maps, r.mapJSON(m))
	}
	return json.Marshal(j)
}

func (r *compiledRecord) mapJSON(m stackMap) stackMapJSON {
	s := stackMapJSON{Addr: r.code.Header.Code + core.Addr(m.NativePC), Offset: m.NativePC, Kind: m.Kind.String(),
		DexPC: m.DexPC, Registers: r.registersJSON(m.regs)}
	if r.method != nil {
		s.Line = r.method.Line(m.DexPC)
	}
	for _, f := range m.frames {
		in := inlinedJSON{DexPC: f.DexPC, Addr: f.ArtMethod, Registers: r.registersJSON(f.regs)}
		if f.method != nil {
			in.Method, in.File, in.Line = f.method.String(), f.method.File, f.method.Line(f.DexPC)
		}
		s.Inlined = append(s.Inlined, in)
	}
	return s
}
