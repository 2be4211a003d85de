package inspect

import (
	"fmt"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// inherited decodes the members of prototypes that util.inspect shows with showHidden: members that are not
// methods, up to three levels and no further than the first built-in class. The prototype of x is first.
func (b *tree) inherited(x *Value, c object.Class, first layout.Tagged, depth int) {
	r := b.v
	if c.From == first && c.Builtin || c.From == 0 {
		return
	}
	seen := map[string]bool{"constructor": true}
	for i := range x.Properties {
		seen[x.Properties[i].Key.String()] = true
	}
	for i := range x.Elements {
		seen[x.Elements[i].Name] = true
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
		b.inheritedOf(x, o, depth, seen)
	}
}

// inheritedOf adds the members of the prototype o. They are at the depth of the members of x, and getters
// run with the prototype. seen has the names that x has already.
func (b *tree) inheritedOf(x *Value, o layout.Tagged, depth int, seen map[string]bool) {
	r := b.v
	holder := &Value{Kind: b.kindOf(o), Word: o}
	add := func(p *object.Property, index bool, i uint64) {
		name := p.Key.String()
		if index {
			name = fmt.Sprint(i)
		}
		if seen[name] {
			return
		}
		seen[name] = true
		if p.Private || !p.Accessor && !p.Native && !p.Value.Raw && r.IsFunction(p.Value.Word) {
			return
		}
		m := b.member(holder, p, depth-1)
		if m.Value.kind() == object.KindFunction {
			return
		}
		if index {
			m.IsIndex, m.Index, m.Name = true, i, name
		}
		x.Inherited = append(x.Inherited, m)
	}
	if s, err := r.objects.Shape(o); err == nil {
		if e, err := r.objects.ElementsOf(o, s); err == nil {
			_ = r.objects.EachElement(e, func(i uint64, p object.Property) bool {
				add(&p, true, i)
				return len(x.Inherited) < b.o.MaxProperties && b.left > 0
			})
		}
	}
	list, _, err := r.objects.Properties(o, b.o.MaxProperties)
	if err != nil {
		x.fail(err)
	}
	for i := range list {
		add(&list[i], false, 0)
	}
}

// kindOf is the kind of an object that has a shape.
func (b *tree) kindOf(o layout.Tagged) object.Kind {
	s, err := b.v.objects.Shape(o)
	if err != nil {
		return object.KindObject
	}
	return b.v.objects.KindOf(o, s)
}
