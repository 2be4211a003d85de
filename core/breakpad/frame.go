package breakpad

import (
	"coredbg/core"
	"coredbg/core/debugframe"
)

// debugFrame writes the section .debug_frame of the STACK records.
func (t *table) debugFrame(arch *core.Arch, base uint64) []byte {
	if arch == nil || len(t.frames) == 0 && len(t.wins) == 0 {
		return nil
	}
	w := &frameWriter{debugframe.New(arch, nil), arch}
	for i := range t.frames {
		f := &t.frames[i]
		w.FDE(base+f.addr, f.size, func() {
			w.rules(f.rules)
			at := f.addr
			for _, c := range f.changes {
				if c.addr < at {
					continue
				}
				w.Advance(c.addr - at)
				at = c.addr
				w.rules(c.rules)
			}
		})
	}
	if arch == core.I386 {
		for i := range t.wins {
			t.wins[i].write(w, base)
		}
	}
	return w.Bytes()
}

// A frameWriter writes rules.
type frameWriter struct {
	*debugframe.Writer
	arch *core.Arch
}
