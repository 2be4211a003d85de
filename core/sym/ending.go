package sym

import (
	"bytes"
	"strings"

	"coredbg/core"
)

// Ending returns the functions whose readable name ends in name behind a "." or a "::", as main.main and
// app::main do for "main": at most most, the executable's first. A function "NAME.NAME" comes before the
// others of its module. In a big module only a part is tried, see maxTried.
func (t *Table) Ending(name string, most int) (out []Symbol) {
	if name == "" {
		return nil
	}
	part := []byte(lastIdentifier(name))
	for _, m := range t.modulesNamed("") {
		x, bias, tried, first := t.module(m).index(), m.Facts().Bias, 0, len(out)
		for i := range x.len() {
			spelt := x.name(i)
			if !bytes.Contains(spelt, part) {
				continue
			}
			readable := string(spelt)
			if mangled(spelt) {
				if tried++; tried > maxTried {
					break
				}
				readable = Demangle(readable, true)
			}
			e := x.at(i)
			if e.kind != core.SymFunc || e.unnamed ||
				!strings.HasSuffix(readable, "."+name) && !strings.HasSuffix(readable, "::"+name) {
				continue
			}
			if s := e.place(m, bias); readable == name+"."+name && len(out) > first {
				out = append(out[:first], append([]Symbol{s}, out[first:]...)...)
			} else {
				out = append(out, s)
			}
		}
	}
	out = out[:min(len(out), most)]
	for _, s := range out {
		t.answers.note(s)
	}
	return out
}
