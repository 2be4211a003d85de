package java

import (
	"cmp"
	"fmt"
	"strings"

	"coredbg/commands/out"
)

// Text writes the method and the requested parts.
func (r *methodRecord) Text(w *out.Writer) {
	w.Paint(out.Addr, "%v", r.at)
	w.Printf(": ")
	if r.Modifiers != "" && !r.Runtime {
		w.Printf("%s ", r.Modifiers)
	}
	w.Paint(out.Symbol, "%s%s", r.Name, r.Signature)
	w.Printf("\n")
	if r.Runtime {
		return
	}
	w.Printf("    ")
	if r.Class != 0 {
		w.Printf("class %v, ", r.Class)
	}
	w.Printf("index %d", r.Index)
	if r.File != "" {
		w.Printf(", %s", r.File)
	}
	w.Printf("\n")
	if r.Dex != nil {
		w.Printf("    dex file %v %s\n", r.Dex.Begin, r.Dex.Location)
	}
	if r.Entry != 0 {
		w.Printf("    entry point %v", r.Entry)
		if r.EntryIs != "" {
			w.Printf(" %s", r.EntryIs)
		}
		w.Printf("\n")
	}
	if r.JNI != 0 {
		w.Printf("    JNI code %v %s\n", r.JNI, r.JNIIs)
	}
	if c := r.Code; c != nil {
		w.Printf("    code item %v: %d registers, %d ins, %d outs, %d units, %d tries\n", c.Addr, c.Registers, c.Ins,
			c.Outs, c.Units, r.method.Code.TryCount)
	}
	if r.Problem != "" {
		w.Paint(out.Error, "    %s", r.Problem)
		w.Printf("\n")
	}
	r.writeCode(w)
	r.writeDetails(w)
	if r.Compiled != nil {
		r.Compiled.Text(w)
	}
}

// writeCode writes the instructions with the lines of the source.
func (r *methodRecord) writeCode(w *out.Writer) {
	targets := r.switchTargets()
	for _, in := range r.Bytecode {
		mark := "  "
		if in.Marked {
			mark = "=>"
		}
		line := ""
		if in.Line != 0 {
			line = fmt.Sprint(in.Line)
		}
		w.Printf(" %s ", mark)
		w.Paint(out.Dim, "%5s", line)
		text, comment, found := strings.Cut(in.Operands, " // ")
		w.Printf(" %04x: %s", in.PC, strings.TrimRight(fmt.Sprintf("%-24s %s", in.Op, text), " "))
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
	for _, in := range r.Bytecode {
		if in.Target != nil && strings.HasSuffix(in.Op, "-switch") {
			switches[*in.Target] = in.PC
		}
	}
	targets := map[uint32][]string{}
	for _, in := range r.Bytecode {
		from, ok := switches[in.PC]
		if !ok {
			continue
		}
		for i, k := range in.Cases {
			if i == maxShownCases {
				targets[in.PC] = append(targets[in.PC], fmt.Sprintf("... %d more", len(in.Cases)-i))
				break
			}
			targets[in.PC] = append(targets[in.PC], fmt.Sprintf("%d -> %04x", k.Key, from+uint32(k.Offset)))
		}
	}
	return targets
}

// writeDetails writes the dex file's data other than the instructions.
func (r *methodRecord) writeDetails(w *out.Writer) {
	for _, t := range r.Tries {
		w.Printf("    try %04x to %04x:", t.Start, t.End)
		for _, h := range t.Handlers {
			w.Printf(" %s -> %04x", h.Type, h.PC)
		}
		w.Printf("\n")
	}
	for _, l := range r.Locals {
		w.Printf("    v%-3d %04x to %04x  %s %s\n", l.Register, l.Start, l.End, cmp.Or(l.Signature, l.Java), l.Name)
	}
	for _, l := range r.Lines {
		w.Printf("    line %-6d from %04x\n", l.Line, l.PC)
	}
}
