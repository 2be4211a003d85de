package inspect

import "coredbg/runtimes/v8/object"

// inherited decodes what util.inspect shows of prototypes with showHidden:
// members that are not methods, up to three levels and no further than the
// first built-in class.
func (b *tree) inherited(x *Value, c object.Class, depth int) {
	r := b.v
	first := r.objects.PrototypeOf(x.Word)
	if c.From == first && c.Builtin || c.From == 0 {
		return
	}
	seen := map[string]bool{"constructor": true}
	for i := range x.Properties {
		seen[x.Properties[i].Key.String()] = true
	}
	start := first
	if c.From == x.Word {
		start = x.Word
	}
	for o, level := start, 0; level < 3; level++ {
		if level > 0 || o == x.Word {
			if o = r.objects.PrototypeOf(o); o == 0 {
				return
			}
			if k, ok := r.objects.OwnProperty(o, "constructor"); ok && r.objects.IsBuiltinObject(k.Value) {
				return
			}
		}
		list, _, err := r.objects.Properties(o, b.o.MaxProperties)
		if err != nil {
			x.fail(err)
		}
		for i := range list {
			p := &list[i]
			if p.Private {
				continue
			}
			if name := p.Key.String(); seen[name] {
				continue
			} else {
				seen[name] = true
			}
			if !p.Accessor && !p.Native && !p.Value.Raw && r.IsFunction(p.Value.Word) {
				continue
			}
			x.Inherited = append(x.Inherited, b.member(x, p, depth))
		}
	}
}
