package cxx

import "fmt"

// find returns what a name stands for in e, and the environment that it has there; nil if
// it is not declared.
func (e Env) findName(name string) (*Decl, Env) {
	if b := e.find(name); b != nil {
		return &Decl{Kind: Template, Name: name}, e
	}
	for s := e.scope; s != nil; s = s.Parent {
		inner := e
		inner.scope = s
		if d, env := inner.inClass(name, 0); d != nil {
			return d, env
		}
	}
	return nil, e
}

// inClass looks a name up in e's scope and the bases of it.
func (e Env) inClass(name string, depth int) (*Decl, Env) {
	s := e.scope
	if d := s.Names[name]; d != nil {
		return d, e
	}
	if depth > 30 {
		return nil, e
	}
	for i, b := range s.Bases {
		if t, err := e.base(i, b); err == nil || t != nil {
			inner := t.env
			inner.scope = t.class.Scope
			inner.depth = e.depth + 1
			if d, env := inner.inClass(name, depth+1); d != nil {
				return d, env
			}
		}
	}
	for _, o := range s.Opened {
		outer := e
		outer.scope = s
		x := &expr{t: o, env: outer}
		if d, _, err := x.path(); err == nil && d != nil && d.Kind == Space && d.Scope != s {
			if f := d.Scope.Names[name]; f != nil {
				return f, e
			}
		}
	}
	return nil, e
}

// base returns the i-th base of e's class.
func (e Env) base(i int, b []Token) (*Type, error) {
	d := e.scope.Decl
	if d == nil || !d.general() {
		return e.baseType(b)
	}
	if t, ok := d.bases[i]; ok {
		if t == nil {
			return nil, fmt.Errorf("base %s is not known", Join(b))
		}
		return t, nil
	}
	if d.bases == nil {
		d.bases = map[int]*Type{}
	}
	d.bases[i] = nil // while it is looked for, it is not found in itself
	t, err := e.baseType(b)
	if err != nil {
		return nil, err
	}
	d.bases[i] = t
	return t, nil
}

// baseType returns the class that a base names, which is looked up outside of the class itself.
func (e Env) baseType(b []Token) (*Type, error) {
	if e.depth > maxDepth {
		return nil, errDeep
	}
	outside := e
	outside.depth++
	outside.scope = e.scope.Parent
	x := &expr{t: b, env: outside}
	d, env, err := x.path()
	if err != nil || d == nil {
		return nil, fmt.Errorf("base %s is not known", Join(b))
	}
	return outside.deeper(env).classOf(d)
}

// classOf returns the class that d names, without its layout.
func (e Env) classOf(d *Decl) (*Type, error) {
	switch d.Kind {
	case Class:
		return &Type{Name: d.Name, class: d, env: e}, nil
	case Template:
		if b := e.find(d.Name); b != nil && b.typ != nil && b.typ.class != nil {
			return b.typ, nil
		}
	case Alias:
		if e.depth > maxDepth {
			return nil, errDeep
		}
		inside := e
		inside.scope = d.In
		inside.depth++
		x := &expr{t: d.Type, env: inside}
		for x.peek() == "typename" || x.peek() == "const" {
			x.i++
		}
		f, env, err := x.path()
		if err != nil {
			return nil, err
		}
		if f != nil && f != d {
			return inside.deeper(env).classOf(f)
		}
	}
	return nil, fmt.Errorf("%s is not a class", d.Name)
}

// path reads a name with its qualifiers and template arguments. The declaration is nil if it is not declared;
// then the position is unspecified.
func (x *expr) path() (*Decl, Env, error) {
	env := x.env
	if x.accept("::") {
		for env.scope.Parent != nil {
			env.scope = env.scope.Parent
		}
	}
	var d *Decl
	for first := true; ; first = false {
		x.accept("template")
		if x.i >= len(x.t) || x.t[x.i].Kind != Ident {
			return nil, env, nil
		}
		name := x.t[x.i].Text
		x.i++
		if first {
			d, env = env.findName(name)
		} else {
			d, env = env.inClass(name, 0)
		}
		if d == nil {
			return nil, env, nil
		}
		if x.peek() == "<" && len(d.Params) > 0 || d.Kind == Class && len(d.Params) > 0 ||
			d.Kind == Alias && len(d.Params) > 0 {
			var err error
			if env, err = x.arguments(d, env); err != nil {
				return nil, env, err
			}
			d = x.env.deeper(env).special(d)
		}
		if x.peek() != "::" {
			return d, env, nil
		}
		x.i++
		if d.Kind == Space {
			env.scope = d.Scope
			continue
		}
		t, err := x.env.deeper(env).classOf(d)
		if err != nil {
			return nil, env, err
		}
		env = t.env
		env.scope = t.class.Scope
	}
}

// arguments binds the arguments of a template, which may come next.
func (x *expr) arguments(d *Decl, env Env) (Env, error) {
	var args [][]Token
	if x.peek() == "<" {
		end := angleEnd(x.t, x.i)
		if end == x.i {
			return env, nil // less than
		}
		args = splitCommas(x.t[x.i+1 : end])
		x.i = end + 1
	}
	out := env
	for i, p := range d.Params {
		from, arg := x.env, p.Default
		if i < len(args) && !p.Pack {
			arg = args[i]
		} else {
			from = out
			from.scope = d.In
		}
		if arg == nil || p.Name == "" {
			continue
		}
		from.depth = x.env.depth + 1
		if p.IsType {
			from.lazy = true
			t, err := from.typeOf(arg)
			if err != nil {
				t = &Type{Name: Join(arg)} // one that is only named
			}
			out = out.bind(p.Name, t, 0)
			continue
		}
		n, err := from.eval(arg)
		if err != nil {
			continue // it may not be asked for
		}
		out = out.bind(p.Name, nil, n)
	}
	return out, nil
}

// className returns a class that is being defined.
func (e Env) className(t []Token) (*Type, error) {
	x := &expr{t: t, env: e}
	d, env, err := x.path()
	if err != nil || d == nil {
		return nil, fmt.Errorf("%s is not a class", Join(t))
	}
	return e.deeper(env).classOf(d)
}

// special returns the specialisation of a class template that fits the arguments that e
// binds, else the template.
func (e Env) special(d *Decl) *Decl {
	if d.Kind != Class || d.In == nil {
		return d
	}
	for f := d.In.Names[d.Name+"<>"]; f != nil; f = f.Next {
		args := splitCommas(f.Type)
		fits := len(args) > 0
		for i, p := range d.Params {
			if i >= len(args) {
				break
			}
			b := e.find(p.Name)
			if p.Name == "" || b == nil {
				fits = false
				break
			}
			there := Env{scope: d.In, depth: e.depth + 1}
			if b.typ != nil {
				there.lazy = true
				t, err := there.typeOf(args[i])
				fits = fits && err == nil && t.Name == b.typ.Name
			} else {
				n, err := there.eval(args[i])
				fits = fits && err == nil && n == b.n
			}
		}
		if fits {
			return f
		}
	}
	return d
}

// Declared returns the declarations of e's scope, in no order.
func (e Env) Declared() []*Decl {
	out := make([]*Decl, 0, len(e.scope.Names))
	for _, d := range e.scope.Names {
		out = append(out, d)
	}
	return out
}

// Value returns the value of a constant.
func (e Env) Value(d *Decl) (int64, error) { return e.constant(d) }

// IsA reports whether a class is the one named base, or one that derives from it.
func (e Env) IsA(d *Decl, base string) bool {
	t := &Type{Name: d.Name, class: d, env: e}
	for range 40 {
		if t.class.Name == base {
			return true
		}
		if len(t.class.Scope.Bases) == 0 {
			return false
		}
		inside := t.env
		inside.scope, inside.depth = t.class.Scope, 0
		next, err := inside.base(0, t.class.Scope.Bases[0])
		if err != nil {
			return false
		}
		t = next
	}
	return false
}
