package java

import (
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/runtimes"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/java"
	"coredbg/walk"
)

// Variables reads the variables of frames of Java, and the registers of frames without debug information.
func Variables(s *commands.Session) commands.VariableReader {
	return func(f *walk.Frame, src *runtimes.SourceFrame, n int) ([]commands.Variable, bool) {
		if src.Kind != runtimes.Java {
			return nil, false
		}
		q, ok := f.Record.(*frame.Activation)
		if !ok {
			return otherVariables(s, f, n)
		}
		a, ok := commands.RuntimeOf[*art.ART](s)
		if !ok {
			return nil, false
		}
		var list []commands.Variable
		for _, v := range a.VRegs(q, n, &f.Regs, shallow) {
			x := commands.Variable{Name: v.Name, Kind: variableKind(v.Argument, v.Name), Type: v.Type}
			if x.Name == "" {
				x.Name = "v" + strconv.Itoa(v.Register)
			}
			if v.Value == nil {
				x.Why = v.Missing
			}
			x.Text, x.JSON = vreg(&v)
			list = append(list, x)
		}
		return list, true
	}
}

// variableKind is the Kind of a commands.Variable.
func variableKind(argument bool, name string) string {
	switch {
	case argument && name == "this":
		return "this"
	case argument:
		return "argument"
	}
	return "local"
}

// otherVariables is Variables for a runtime that is not ART.
func otherVariables(s *commands.Session, f *walk.Frame, n int) ([]commands.Variable, bool) {
	r, ok := commands.RuntimeOf[runtimes.JavaVariabler](s)
	if !ok {
		return nil, false
	}
	all, ok := r.JavaVariables(f, n)
	if !ok {
		return nil, false
	}
	objects, ok := r.(java.Objects)
	if !ok {
		return nil, false
	}
	in := java.Inspector{Heap: objects.JavaHeap()}
	var list []commands.Variable
	for i := range all {
		v := &all[i]
		x := commands.Variable{Name: v.Name, Kind: variableKind(v.Argument, v.Name), Type: java.TypeName(v.Type),
			Why: v.Missing}
		if x.Name == "" {
			x.Name = "slot" + strconv.Itoa(v.Slot)
		}
		if v.Missing != "" {
			x.Text = "(" + v.Missing + ")"
			x.JSON, _ = out.Marshal(map[string]string{"$": "unknown", "why": v.Missing})
			list = append(list, x)
			continue
		}
		value := variableValue(in, v)
		x.Text = strings.TrimRight(value.Format(java.FormatOptions{OneLine: true, Addresses: true, Width: 1 << 16}),
			"\n")
		x.JSON = value.AppendJSON(nil)
		list = append(list, x)
	}
	return list, true
}

// variableValue returns the value of a variable that is known.
func variableValue(in java.Inspector, v *runtimes.JavaVariable) *java.Value {
	p := java.PrimitiveOf(v.Type)
	switch {
	case p == java.NotPrimitive && v.Ref == 0:
		return &java.Value{Kind: java.ValueNull}
	case p == java.NotPrimitive:
		return in.Inspect(v.Ref, shallow)
	case v.At != 0:
		return in.InspectSlot(java.Slot{Addr: v.At, Type: v.Type}, shallow)
	}
	return &java.Value{Kind: java.ValueNumber, Type: p.String(), Text: p.Format(v.Bits), Raw: v.Bits}
}
