package typed

import (
	"cmp"
	"context"
	"path"
	"slices"

	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
	"coredbg/runtimes/malloc/block"
)

const (
	maxVariables = 1 << 20
	maxVariable  = 1 << 30 // bytes of one whose pointers are followed
)

// objects gives each block with a table of virtual functions the table's class.
func (m *maker) objects(ctx context.Context, in *Input) {
	n := 0
	m.Index.Each(func(id int, p *block.Packed) bool {
		if n++; n&4095 == 0 && ctx.Err() != nil {
			return false
		}
		m.object(id, p)
		return true
	})
}

// object gives a block the type of its table of virtual functions, if it has one.
func (m *maker) object(id int, p *block.Packed) {
	name := m.classes.Virtual(p.At, p.Size())
	if name == "" {
		return
	}
	m.virtual[id>>6] |= 1 << (id & 63)
	s, ok := m.known[name]
	if !ok {
		s = m.named(name)
		m.known[name] = s
	}
	if s != nil && s.size <= p.Size() && !(m.unused && !m.shapes.leads(s)) {
		m.assign(p.At, s, ^uint64(0), true)
	}
}

// named returns the shape of a class, of the first module that has it.
func (m *maker) named(name string) *shape {
	for _, mod := range m.p.Modules {
		d, err := m.symbols.Data(mod)
		if err != nil {
			continue
		}
		for _, t := range d.FindTypes(name) {
			if t.Composite() {
				if s := m.shapes.of(t); s != nil {
					return s
				}
			}
		}
	}
	return nil
}

// variables begins with the variables of modules that have pointers to blocks.
func (m *maker) variables(ctx context.Context, _ *Input) {
	type found struct {
		mod  *core.Module
		data *dwarf.Data
	}
	var now found
	end := core.Addr(0)
	m.Scanner.Memory(func(from, to core.Addr) {
		mod := m.p.Module(from)
		if mod == nil || ctx.Err() != nil {
			return
		}
		if now.mod != mod {
			if mod.Exe {
				m.symbols.Fetch(mod, sym.DebugInfo)
			}
			now.mod, now.data = mod, nil
			if d, err := m.symbols.Data(mod); err == nil {
				now.data, m.types = d, true
			}
		}
		if now.data == nil {
			return
		}
		m.Scanner.Range(from, to, func(_ int, at core.Addr) {
			if at < end || len(m.globals) >= maxVariables {
				return
			}
			v, off, ok := variableAt(mod, now.data, at)
			if !ok {
				return
			}
			u := m.use(v.Name, at-core.Addr(off), v.Type())
			if file := m.symbols.Declared(mod, v); file != "" {
				u.Source, u.Line = path.Base(file), v.Line
			}
			m.globals[u.Start] = u
			end = u.End
			m.push(u, true)
		})
	})
}

// use returns a variable of a type at an address.
func (m *maker) use(name string, at core.Addr, t *dwarf.Type) *Use {
	u := &Use{Start: at, End: at + 1, Name: name}
	if n, ok := t.Size(); ok && n > 0 {
		u.End = at + core.Addr(n)
	}
	if s := t.Strip(); s != nil && s.Kind == dwarf.Array {
		t = s.Elem()
	}
	if u.shape = m.shapes.of(t); u.shape != nil && u.shape.size > 0 {
		u.count = min(uint64(u.End-u.Start), maxVariable) / u.shape.size
	}
	return u
}

func (m *maker) push(u *Use, begun bool) {
	if u.shape != nil && len(u.shape.fields) > 0 {
		m.work = append(m.work, work{u.Start, u.shape, u.count, begun})
	}
}

// frames goes on with the variables of frames.
func (m *maker) frames(ctx context.Context, in *Input) {
	if in.Variables == nil {
		return
	}
	var later []func()
	push := func(v *Variable, f func()) {
		if v.Begun {
			f()
			return
		}
		later = append(later, f)
	}
	in.Variables(ctx, func(v *Variable) bool {
		m.types = true
		t := v.Value.Type.Strip()
		if t == nil {
			return true
		}
		if at, ok := v.Value.Addr(); ok {
			u := m.use(v.Name, at, v.Value.Type)
			m.stack = append(m.stack, *u)
			push(v, func() { m.push(u, v.Begun) })
		} else if t.Kind == dwarf.Pointer {
			if to, err := v.Value.Pointer(); err == nil && to != 0 {
				if s := m.shapes.of(t.Elem()); s != nil {
					push(v, func() { m.assign(to, s, ^uint64(0), v.Begun) })
				}
			}
		}
		return len(m.stack) < maxVariables && ctx.Err() == nil
	})
	// Variables that may be left over come last: they name only blocks that no other variable leads to.
	m.follow(ctx)
	for _, f := range later {
		f()
	}
	slices.SortStableFunc(m.stack, func(a, b Use) int { return cmp.Compare(a.Start, b.Start) })
}

// Variable returns the variable that has the word at an address, with the path of the member; nil if no
// variable is known.
func (b *Blocks) Variable(at core.Addr) (u *Use, member string) {
	if u = b.global(at); u == nil {
		i, ok := slices.BinarySearchFunc(b.stack, at, func(u Use, a core.Addr) int { return cmp.Compare(u.Start, a) })
		if !ok {
			i--
		}
		for k := i; k >= 0 && k > i-8; k-- {
			if v := &b.stack[k]; at >= v.Start && at < v.End {
				u = v
				break
			}
		}
	}
	if u == nil {
		return nil, ""
	}
	if u.shape != nil {
		f, i := u.shape.at(uint64(at - u.Start))
		member = memberName(u.shape, f, i, u.count > 1)
	}
	return u, member
}

// global returns the variable of a module that has the word at an address; nil if it is not known.
func (b *Blocks) global(at core.Addr) *Use {
	mod := b.p.Module(at)
	if mod == nil || b.symbols == nil {
		return nil
	}
	d, err := b.symbols.Data(mod)
	if err != nil {
		return nil
	}
	_, off, ok := variableAt(mod, d, at)
	if !ok {
		return nil
	}
	return b.globals[at-core.Addr(off)]
}

// variableAt returns the variable of a module that has the byte at an address, and the byte's offset in it.
func variableAt(mod *core.Module, d *dwarf.Data, at core.Addr) (v *dwarf.Variable, off uint64, ok bool) {
	link, _ := mod.LinkAddr(at) // without a known bias it is as good as one of 0
	return d.VariableAt(link)
}
