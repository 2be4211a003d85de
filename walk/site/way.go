package site

import (
	"coredbg/core"
	"coredbg/walk/isa"
)

// wayOut returns the frame at s as the way from there to the function's return
// takes it down, if there is one without a call: straight ahead before jumps.
func (t *Text) wayOut(s *Site) *isa.Shape {
	if !s.exact || !s.Exec || t.Set.Apply == nil {
		return nil
	}
	seen := map[core.Addr]bool{}
	for pending := []isa.Point{{At: s.PC, Way: isa.NewWay(t.Process.Arch)}}; len(pending) > 0; {
		p := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for at, o := p.At, p.Way; !seen[at] && len(seen) < isa.MaxWay; {
			seen[at] = true
			code, _ := t.Process.Space.Slice(at, isa.LongestInsn)
			c, left := t.Set.Step(&o, code)
			if left {
				if shape, ok := o.Shape(c.Pop); ok {
					return &shape
				}
				break
			}
			switch c.Kind {
			case isa.Branches:
				pending = append(pending, isa.Point{At: at.Add(c.Target), Way: o.Clone()})
				at += core.Addr(c.Size)
			case isa.Jumps:
				at = at.Add(c.Target)
			case isa.Passes:
				at += core.Addr(c.Size)
			}
		}
	}
	return nil
}
