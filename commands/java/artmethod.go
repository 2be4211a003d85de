package java

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
	Detail: `Shows the method at the address, or those of the name; the class may lack its
package. In the bytecode, registers are v0, v1 and so on,
of which the arguments are the last; branches name the dex pc that they lead to, in
code units as stack traces count them; after "//" is the place of a name in the
dex file. With -p the instruction at the pc is marked "=>"; -p of a native pc needs a
place where the compiler left a stack map.`,
	Example: "::artmethod -b demo.Demo.main",
	SeeAlso: []string{"javaclass", "dexfile", "codeinfo", "dis"},
	Run:     runArtMethod,
}}

// methodRecord is an ArtMethod with what was asked for.
type methodRecord struct {
	method  *code.Method
	entry   string // what the entry point is
	jni     core.Addr
	jniName string
	options [3]bool
	mark    int64 // dex pc; -1 for none

	code     []dex.Instruction
	operands []string
	lines    map[uint32]int
	tries    []dex.Try
	locals   []dex.Local
	compiled *compiledRecord
	problems []error
}

func runArtMethod(ctx context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	methods := []core.Addr{c.Dot}
	if !c.Given && len(c.Args) > 0 {
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

// showMethod emits a method with what was asked for.
func showMethod(c *commands.Call, a *art.ART, m *code.Method) error {
	r := &methodRecord{method: m, mark: -1, options: [3]bool{c.Has('b'), c.Has('d'), c.Has('o')}, entry: entryOf(c, a, m)}
	if at, ok := a.JNICode(m); ok {
		r.jni, r.jniName = at, nativeName(c, at)
	}
	if p, ok := c.Opt('p'); ok {
		pc, err := c.Value(p)
		if err != nil {
			return err
		}
		r.options[0] = true
		if err := r.find(a, pc); err != nil {
			return err
		}
	}
	if r.options[0] || r.options[1] {
		r.readDex()
	}
	if r.options[2] {
		code, err := a.CompiledOf(m, 0)
		if err != nil {
			r.note(err)
		} else {
			r.compiled = newCompiled(a, code, m)
			r.note(r.compiled.fill(nil))
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

// find sets the mark to a dex pc, or to that of a native pc in the method's
// compiled code.
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

// readDex reads what the dex file says of the method's code.
func (r *methodRecord) readDex() {
	m := r.method
	if m.Code == nil {
		if !m.Native() && !m.Abstract() && !m.Runtime {
			r.note(fmt.Errorf("it has no code that can be read: %s", m.Problem))
		}
		return
	}
	f := m.Dex.File
	lines, err := f.Lines(m.Code)
	r.note(err)
	r.lines = map[uint32]int{}
	for _, l := range lines {
		r.lines[l.PC] = l.Line
	}
	r.tries, err = f.Tries(m.Code)
	r.note(err)
	r.locals, err = f.Locals(m.Code, m.Index, m.Static())
	r.note(err)
	if !r.options[0] {
		return
	}
	units, err := f.Instructions(m.Code)
	r.note(err)
	r.code, err = dex.Disassemble(units)
	r.note(err)
	for _, in := range r.code {
		r.operands = append(r.operands, f.Operands(in))
	}
}

// Addr returns the ArtMethod; of a method that is known from its dex file only,
// the code item.
func (r *methodRecord) Addr() (core.Addr, bool) {
	switch m := r.method; {
	case m.Addr != 0:
		return m.Addr, true
	case m.Code != nil:
		return m.Code.Addr, true
	}
	return 0, false
}

// Text writes the method and what was asked for.
func (r *methodRecord) Text(w *out.Writer) {
	m := r.method
	at, _ := r.Addr()
	w.Paint(out.Addr, "%v", at)
	w.Printf(": ")
	if s := code.Modifiers(m.Access, true); s != "" && !m.Runtime {
		w.Printf("%s ", s)
	}
	w.Paint(out.Symbol, "%s%s", m, m.Signature)
	w.Printf("\n")
	if m.Runtime {
		return
	}
	w.Printf("    ")
	if m.DeclaringClass != 0 {
		w.Printf("class %v, ", m.DeclaringClass)
	}
	w.Printf("index %d", m.Index)
	if m.File != "" {
		w.Printf(", %s", m.File)
	}
	w.Printf("\n")
	if m.Dex != nil {
		w.Printf("    dex file %v %s\n", m.Dex.Begin, m.Dex.Location)
	}
	if m.EntryPoint != 0 {
		w.Printf("    entry point %v", m.EntryPoint)
		if r.entry != "" {
			w.Printf(" %s", r.entry)
		}
		w.Printf("\n")
	}
	if r.jni != 0 {
		w.Printf("    JNI code %v %s\n", r.jni, r.jniName)
	}
	if c := m.Code; c != nil {
		w.Printf("    code item %v: %d registers, %d ins, %d outs, %d units, %d tries\n", c.Addr, c.Registers, c.Ins, c.Outs, c.Units, c.TryCount)
	}
	if m.Problem != "" {
		w.Paint(out.Error, "    %s", m.Problem)
		w.Printf("\n")
	}
	r.bytecode(w)
	if r.options[1] {
		r.details(w)
	}
	if r.compiled != nil {
		r.compiled.Text(w)
	}
}

// bytecode writes the instructions with the lines of the source.
func (r *methodRecord) bytecode(w *out.Writer) {
	targets := r.switchTargets()
	for i, in := range r.code {
		mark := "  "
		if int64(in.PC) == r.mark {
			mark = "=>"
		}
		line := ""
		if n, ok := r.lines[in.PC]; ok {
			line = fmt.Sprint(n)
		}
		w.Printf(" %s ", mark)
		w.Paint(out.Dim, "%5s", line)
		text, comment, found := strings.Cut(r.operands[i], " // ")
		w.Printf(" %04x: %s", in.PC, strings.TrimRight(fmt.Sprintf("%-24s %s", in.Name, text), " "))
		if found {
			w.Paint(out.Dim, " // %s", comment)
		}
		w.Printf("\n")
		for _, t := range targets[in.PC] {
			w.Printf("%16s%s\n", "", t)
		}
	}
}

// maxShownCases bounds the cases of a switch that are written.
const maxShownCases = 64

// switchTargets returns the cases of each switch by the dex pc of its payload:
// a payload's offsets count from the switch that uses it.
func (r *methodRecord) switchTargets() map[uint32][]string {
	switches := map[uint32]uint32{}
	for _, in := range r.code {
		if in.HasTarget && strings.HasSuffix(in.Name, "-switch") {
			switches[in.Target] = in.PC
		}
	}
	targets := map[uint32][]string{}
	for _, in := range r.code {
		from, ok := switches[in.PC]
		if in.Payload == nil || !ok {
			continue
		}
		for i, k := range in.Payload.Cases {
			if i == maxShownCases {
				targets[in.PC] = append(targets[in.PC], fmt.Sprintf("... %d more", len(in.Payload.Cases)-i))
				break
			}
			targets[in.PC] = append(targets[in.PC], fmt.Sprintf("%d -> %04x", k.Key, from+uint32(k.Offset)))
		}
	}
	return targets
}

// details writes what the dex file has besides the instructions.
func (r *methodRecord) details(w *out.Writer) {
	for _, t := range r.tries {
		w.Printf("    try %04x to %04x:", t.Start, t.End)
		for _, h := range t.Handlers {
			w.Printf(" %s -> %04x", r.typeName(h.Type), h.PC)
		}
		w.Printf("\n")
	}
	for _, l := range r.locals {
		name := l.Type
		if l.Signature != "" {
			name = l.Signature
		} else {
			name = dex.TypeName(name)
		}
		w.Printf("    v%-3d %04x to %04x  %s %s\n", l.Register, l.Start, l.End, name, l.Name)
	}
	for _, pc := range r.linePCs() {
		w.Printf("    line %-6d from %04x\n", r.lines[pc], pc)
	}
}

func (r *methodRecord) linePCs() []uint32 {
	var list []uint32
	for pc := range r.lines {
		list = append(list, pc)
	}
	slices.Sort(list)
	return list
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
