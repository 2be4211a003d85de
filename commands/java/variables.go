package java

import (
	"strconv"

	"coredbg/commands"
	"coredbg/runtimes"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/frame"
	"coredbg/walk"
)

// Variables reads the variables of frames of Java, and the registers of those without debug
// information.
func Variables(s *commands.Session) commands.VariableReader {
	return func(f *walk.Frame, src *runtimes.SourceFrame, n int) ([]commands.Variable, bool) {
		q, ok := f.Record.(*frame.Activation)
		if !ok || src.Kind != runtimes.Java {
			return nil, false
		}
		a, ok := commands.RuntimeOf[*art.ART](s)
		if !ok {
			return nil, false
		}
		var list []commands.Variable
		for _, v := range a.VRegs(q, n, &f.Regs, shallow) {
			x := commands.Variable{Name: v.Name, Kind: "local", Type: v.Type}
			switch {
			case v.Argument && v.Name == "this":
				x.Kind = "this"
			case v.Argument:
				x.Kind = "argument"
			}
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
