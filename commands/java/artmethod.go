package java

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/dex"
)

var artmethodCommands = []commands.Command{{
	Name: "artmethod", Module: module, Addr: commands.AddrOptional,
	Options: []commands.Option{
		{Letter: 'b', Help: "list its bytecode"},
		{Letter: 'd', Help: "show its local variables, exception handlers and lines"},
		{Letter: 'o', Help: "show its compiled code"},
		{Letter: 'p', Arg: "pc", Help: "mark the instruction at a dex pc, or at a native pc within its compiled code"},
	},
	Args:    "[class.method]",
	Summary: "show an ArtMethod, its bytecode and its compiled code",
	Detail: `Shows the method at the address, or the methods with the name; the class may lack its
package. In the bytecode, registers are v0, v1 and so on,
and the arguments are the last; branches name the dex pc that they lead to, in
code units as stack traces count them; after "//" is the place of a name in the
dex file. With -p the instruction at the pc is marked "=>"; -p of a native pc needs a
place where the compiler left a stack map.`,
	Example: "::artmethod -b demo.Demo.main",
	SeeAlso: []string{"javaclass", "dexfile", "codeinfo", "dis"},
	Run:     runArtMethod,
}}

// methodRecord is an ArtMethod with the requested parts.
type methodRecord struct {
	_         out.Record      `record:"artmethod"`
	Addr      core.Addr       `json:"addr,omitzero"` // absent of one that is known from its dex file only
	Name      string          `json:"name"`
	Signature string          `json:"signature,omitempty"`
	Runtime   bool            `json:"runtime,omitempty"` // one of the runtime's own, which stand for no code of Java
	Class     core.Addr       `json:"class,omitzero"`
	Access    uint32          `json:"access"`
	Modifiers string          `json:"modifiers,omitempty"`
	Index     uint32          `json:"index"`
	File      string          `json:"file,omitempty"`
	Dex       *dexFileRecord  `json:"dex,omitempty"`
	Entry     core.Addr       `json:"entry_point,omitzero"`
	EntryIs   string          `json:"entry_point_is,omitempty"`
	JNI       core.Addr       `json:"jni_code,omitzero"`
	JNIIs     string          `json:"jni_code_is,omitempty"`
	Code      *codeItem       `json:"code,omitempty"`
	Bytecode  []bytecode      `json:"bytecode,omitempty"`
	Tries     []try           `json:"tries,omitempty"`
	Locals    []local         `json:"locals,omitempty"`
	Lines     []line          `json:"lines,omitempty"`
	Compiled  *compiledRecord `json:"compiled,omitempty"`
	Problem   string          `json:"problem,omitempty"`
	method    *code.Method
	at        core.Addr `dot:"nonzero"` // the ArtMethod, or its code item
	mark      int64     // dex pc; -1 for none
	problems  []error
}

type codeItem struct {
	Addr      core.Addr `json:"addr"`
	Insns     core.Addr `json:"insns"`
	Registers int       `json:"registers"`
	Ins       int       `json:"ins"`
	Outs      int       `json:"outs"`
	Units     uint32    `json:"units"` // of two bytes
}

// bytecode is an instruction.
type bytecode struct {
	PC       uint32       `json:"pc"` // in code units
	Addr     core.Addr    `json:"addr"`
	Line     int          `json:"line,omitempty"`
	Op       string       `json:"op"`
	Operands string       `json:"operands,omitempty"`
	Target   *uint32      `json:"target,omitempty"` // dex pc
	Cases    []switchCase `json:"cases,omitempty"`
	Marked   bool         `json:"marked,omitempty"` // it is at the pc of -p
}

type switchCase struct {
	Key    int32 `json:"key"`
	Offset int32 `json:"offset"` // from the switch
}

type try struct {
	Start    uint32    `json:"start"`
	End      uint32    `json:"end"`
	Handlers []handler `json:"handlers"`
}

type handler struct {
	Type string `json:"catches"`
	PC   uint32 `json:"pc"`
}

type local struct {
	Name      string `json:"name"`
	Java      string `json:"java_type"`
	Signature string `json:"signature,omitempty"`
	Register  uint32 `json:"register"`
	Start     uint32 `json:"start"`
	End       uint32 `json:"end"`
}

type line struct {
	PC   uint32 `json:"pc"`
	Line int    `json:"line"`
}

func newMethod(m *code.Method) *methodRecord {
	r := &methodRecord{Addr: m.Addr, Name: m.String(), Signature: m.Signature, Runtime: m.Runtime,
		Class:  m.DeclaringClass,
		Access: m.Access, Modifiers: code.Modifiers(m.Access, true), Index: m.Index, File: m.File, Entry: m.EntryPoint,
		Problem: m.Problem,
		method:  m, at: m.Addr, mark: -1}
	if m.Dex != nil {
		r.Dex = newDexFile(m.Dex)
	}
	if c := m.Code; c != nil {
		r.Code = &codeItem{c.Addr, c.Insns, c.Registers, c.Ins, c.Outs, c.Units}
		if r.at == 0 {
			r.at = c.Addr
		}
	}
	return r
}

func runArtMethod(ctx context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	methods := []core.Addr{c.Dot}
	if !c.HasAddr && len(c.Args) > 0 {
		if methods, err = methodsNamed(ctx, a, c.Text(c.Args[0])); err != nil {
			return err
		}
	}
	for _, at := range methods {
		m := a.Method(at)
		if !a.IsMethod(at) && !m.Runtime {
			return fmt.Errorf("%v is not an ArtMethod: %s", at, m.Problem)
		}
		if err := showMethod(c, a, m); err != nil {
			return err
		}
	}
	return nil
}

// showMethod emits a method with the requested parts.
func showMethod(c *commands.Call, a *art.ART, m *code.Method) error {
	r := newMethod(m)
	r.EntryIs = entryOf(c, a, m)
	if at, ok := a.JNICode(m); ok {
		r.JNI, r.JNIIs = at, nativeName(c, at)
	}
	if p, ok := c.Opt('p'); ok {
		pc, err := c.Value(p)
		if err != nil {
			return err
		}
		if err := r.find(a, pc); err != nil {
			return err
		}
	}
	r.readDex(c.Flag('b') || c.Flag('p'), c.Flag('d'))
	if c.Flag('o') {
		code, err := a.CompiledOf(m, 0)
		if err != nil {
			r.note(err)
		} else {
			r.Compiled = newCompiled(a, code, m)
			r.note(r.Compiled.fill(nil))
		}
	}
	err := c.Emit(r)
	for _, p := range r.problems {
		c.Warn("%v: %w", m, p)
	}
	return err
}

func (r *methodRecord) note(err error) {
	if err != nil {
		r.problems = append(r.problems, err)
	}
}

// entryOf says what a method's entry point is.
func entryOf(c *commands.Call, a *art.ART, m *code.Method) string {
	if m.EntryPoint == 0 {
		return ""
	}
	if code, err := a.CompiledOf(m, 0); err == nil && code.Header.Code == m.EntryPoint {
		if code.JIT {
			return "JIT code"
		}
		return "oat code"
	}
	return nativeName(c, m.EntryPoint)
}

// nativeName says what a native address is.
func nativeName(c *commands.Call, at core.Addr) string {
	if s, off, ok := c.Session.Symbols.Lookup(at); ok && off == 0 {
		return s.Name
	}
	if lib := c.Session.Process.Module(at); lib != nil {
		return "in " + lib.Name()
	}
	return ""
}

// find sets the mark to a dex pc, or to the dex pc of a native pc in the method's compiled code.
func (r *methodRecord) find(a *art.ART, pc uint64) error {
	m := r.method
	if m.Code != nil && pc < uint64(m.Code.Units) {
		r.mark = int64(pc)
		return nil
	}
	code, err := a.CompiledOf(m, core.Addr(pc))
	if err != nil || code.Info == nil {
		return fmt.Errorf("%#x is neither a dex pc of %v nor in its compiled code", pc, m)
	}
	s, ok, err := code.Info.Find(uint32(core.Addr(pc)-code.Header.Code), code.Align)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("the compiled code of %v has no stack map at %#x", m, pc)
	}
	r.mark = int64(s.DexPC)
	return nil
}

// readDex reads the method's code from the dex file: its instructions, its variables, handlers and lines.
func (r *methodRecord) readDex(instructions, details bool) {
	m := r.method
	if !instructions && !details {
		return
	}
	if m.Code == nil {
		if !m.Native() && !m.Abstract() && !m.Runtime {
			r.note(fmt.Errorf("it has no code that can be read: %s", m.Problem))
		}
		return
	}
	f := m.Dex.File
	list, err := f.Lines(m.Code)
	r.note(err)
	lines := map[uint32]int{}
	for _, l := range list {
		lines[l.PC] = l.Line
	}
	tries, err := f.Tries(m.Code)
	r.note(err)
	locals, err := f.Locals(m.Code, m.Index, m.Static())
	r.note(err)
	if details {
		r.addDetails(tries, locals, lines)
	}
	if !instructions {
		return
	}
	units, err := f.Instructions(m.Code)
	r.note(err)
	code, err := dex.Disassemble(units)
	r.note(err)
	for _, in := range code {
		r.add(&in, f.Operands(in), lines[in.PC])
	}
}

func (r *methodRecord) addDetails(tries []dex.Try, locals []dex.Local, lines map[uint32]int) {
	for _, t := range tries {
		x := try{Start: t.Start, End: t.End, Handlers: []handler{}}
		for _, h := range t.Handlers {
			x.Handlers = append(x.Handlers, handler{r.typeName(h.Type), h.PC})
		}
		r.Tries = append(r.Tries, x)
	}
	for _, l := range locals {
		r.Locals = append(r.Locals, local{l.Name, dex.TypeName(l.Type), l.Signature, l.Register, l.Start, l.End})
	}
	for _, pc := range slices.Sorted(maps.Keys(lines)) {
		r.Lines = append(r.Lines, line{pc, lines[pc]})
	}
}

// add adds an instruction.
func (r *methodRecord) add(in *dex.Instruction, operands string, line int) {
	b := bytecode{PC: in.PC, Line: line, Op: in.Name, Operands: operands, Marked: int64(in.PC) == r.mark}
	if r.Code != nil {
		b.Addr = r.Code.Insns + core.Addr(in.PC)*2
	}
	if in.HasTarget {
		b.Target = &in.Target
	}
	if in.Payload != nil {
		for _, k := range in.Payload.Cases {
			b.Cases = append(b.Cases, switchCase(k))
		}
	}
	r.Bytecode = append(r.Bytecode, b)
}

// typeName is a type that a handler catches.
func (r *methodRecord) typeName(i uint32) string {
	if i == dex.NoIndex {
		return "any"
	}
	s, err := r.method.Dex.File.Type(i)
	if err != nil && s == "" {
		return fmt.Sprintf("type@%04x", i)
	}
	return dex.TypeName(s)
}
