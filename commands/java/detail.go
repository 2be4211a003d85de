package java

import (
	"fmt"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/inspect"
	"coredbg/runtimes/java"
	"coredbg/stack"
	"coredbg/walk"
)

// detail adds to frames what -v and -l ask for.
type detail struct {
	a               *art.ART
	verbose, locals bool
	thread          *frame.Thread // nil if it is not known

	last  *frame.Activation
	index int // of the frame, in last
}

// shallow are the limits for values in frames: one level, few members.
var shallow = java.Options{Depth: 0, MaxItems: 20, MaxString: 200, MaxValues: 200}

// add adds to a frame of Java; the frames of an activation come one after the
// other.
func (d *detail) add(r *stack.Frame, f *walk.Frame, src *runtimes.SourceFrame) {
	q, ok := f.Record.(*frame.Activation)
	if !ok || src == nil || src.Kind != runtimes.Java {
		return
	}
	if d.last != q {
		d.last, d.index = q, 0
	} else {
		d.index++
	}
	if d.verbose {
		d.facts(r, q)
		d.locks(r, q, &f.Regs)
	}
	if d.locals {
		d.values(r, q, &f.Regs)
	}
}

// facts adds what the frame runs, and where.
func (d *detail) facts(r *stack.Frame, q *frame.Activation) {
	line := func(format string, args ...any) { r.ExtraText = append(r.ExtraText, fmt.Sprintf(format, args...)) }
	key := func(k string, v any) {
		if b, err := out.Marshal(v); err == nil {
			r.Extra = append(r.Extra, stack.Extra{Key: k, Value: b})
		}
	}
	m, pc, known := q.Method, q.DexPC, q.HasDexPC
	if d.index < len(q.Inlined) {
		m, pc, known = q.Inlined[d.index].Method, q.Inlined[d.index].DexPC, true
	}
	line("code:   %s", q.Kind)
	line("method: %v %s", m.Addr, m.Signature)
	if known && !m.Native() {
		line("dex pc: %#x", pc)
		key("dex_pc", pc)
	}
	if m.Dex != nil {
		line("dex:    %s, method %d", m.Dex.Location, m.Index)
	}
	line("frame:  %v", q.At)
	if m.Signature != "" {
		key("signature", m.Signature)
	}
	key("frame", q.At)
}

// values adds the variables and registers.
func (d *detail) values(r *stack.Frame, q *frame.Activation, regs *core.Regs) {
	var list []commands.Variable
	for _, v := range d.a.VRegs(q, d.index, regs, shallow) {
		x := commands.Variable{Name: v.Name}
		if x.Name == "" {
			x.Name = "v" + strconv.Itoa(v.Register)
		}
		x.Text, x.JSON = vreg(&v)
		list = append(list, x)
	}
	addVariables(r, list)
}

// addVariables adds variables to a frame; as JSON they are one object, in order.
func addVariables(r *stack.Frame, list []commands.Variable) {
	object := []byte{'{'}
	for _, v := range list {
		r.ExtraText = append(r.ExtraText, v.Name+": "+v.Text)
		key, err := out.Marshal(v.Name)
		if err != nil {
			continue
		}
		if len(object) > 1 {
			object = append(object, ',')
		}
		object = append(append(append(object, key...), ':'), v.JSON...)
	}
	r.Extra = append(r.Extra, stack.Extra{Key: "locals", Value: append(object, '}')})
}

// vreg gives a register as text and as JSON. One that is not known is an object
// with the reason.
func vreg(v *inspect.VReg) (string, []byte) {
	if v.Value == nil {
		b, _ := out.Marshal(map[string]string{"$": "unknown", "why": v.Missing})
		return "(" + v.Missing + ")", b
	}
	text := v.Value.Format(java.FormatOptions{OneLine: true, Addresses: true, Width: 1 << 16})
	if v.Type == "" {
		text += fmt.Sprintf(" (%#x)", uint32(v.Value.Raw))
	}
	return strings.TrimRight(text, "\n"), v.Value.AppendJSON(nil)
}
