package eval

import (
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/syntax"
)

func classOf(n *syntax.Node, env *ecma.Scope) *ecma.Class {
	c := &ecma.Class{Node: n, Env: env, Keys: map[*syntax.Node]ecma.Key{}}
	for _, p := range n.List {
		if p.Prefix && !p.Static && !p.Computed && p.A.Text == "constructor" {
			c.Constructor = p.B
		}
	}
	return c
}

// constructMade makes an object with a function or a class that the run made.
func constructMade(m *ecma.Machine, fn *ecma.Object, args []ecma.Value, target ecma.Value) ecma.Value {
	x := fn.Function
	if x.Body != nil {
		return instanceOf(m, x.Body, fn, args, target)
	}
	return ecma.Ordinary(m, target, func(o ecma.Value) ecma.Value {
		self := &ecma.Activation{This: o, Args: args, Target: target, Fn: fn}
		return runBody(m, ecma.Frame{Scope: x.Env.Inner(), Self: self}, x.Node, args)
	})
}

// constructScript makes an object with a function or a class of a script of the heap.
func constructScript(m *ecma.Machine, fn layout.Tagged, args []ecma.Value, target ecma.Value) ecma.Value {
	r := m.Reader
	switch kind := r.FunctionType(fn); {
	case kind == "class":
		n := ecma.ParseClass(m, fn)
		return instanceOf(m, classOf(n, &ecma.Scope{Heap: closedOver(m, fn)}), ecma.Heap(fn), args, target)
	case !r.IsFunction(fn):
		m.Throw("what follows new is not a constructor")
	case kind != "Function":
		m.Throw("%s is not a constructor", r.FunctionNameOf(fn))
	}
	if shared, ok := r.ClosureShared(fn); ok {
		if info, ok := r.SharedInfo(shared); !ok || info.Script == 0 {
			name := r.FunctionNameOf(fn)
			if m.Kept == nil || name == "" {
				panic(&ecma.Stop{Err: &ecma.NativeError{Function: name}, Native: true})
			}
			m.Omit(name)
			return &ecma.Object{Proto: ecma.PrototypeFor(m, target), Embedded: name}
		}
	}
	n := ecma.ParseFunction(m, fn)
	if n.Arrow {
		m.Throw("%s is not a constructor", r.FunctionNameOf(fn))
	}
	return ecma.Ordinary(m, target, func(o ecma.Value) ecma.Value {
		env := &ecma.Scope{Heap: closedOver(m, fn)}
		self := &ecma.Activation{This: o, Args: args, Target: target, Callee: fn, Fn: ecma.Heap(fn)}
		return runBody(m, ecma.Frame{Scope: env.Inner(), Self: self}, n, args)
	})
}

// instanceOf makes an object of a class.
func instanceOf(m *ecma.Machine, c *ecma.Class, fn ecma.Value, args []ecma.Value, target ecma.Value) ecma.Value {
	self := &ecma.Activation{Args: args, Target: target, Fn: fn, Class: c, Home: m.Get(fn, ecma.Key{Name: "prototype"})}
	if h, ok := fn.(ecma.Heap); ok {
		self.Callee = layout.Tagged(h)
	}
	f := ecma.Frame{Scope: c.Env.Inner(), Self: self}
	if c.Node.A == nil {
		self.This = &ecma.Object{Proto: ecma.PrototypeFor(m, target)}
		makeFields(m, self)
	} else if self.This = (ecma.Uninitialized{}); c.Constructor == nil {
		callSuper(m, f, args)
	}
	if c.Constructor != nil {
		if v := runBody(m, f, c.Constructor, args); m.IsObject(v) {
			return v
		}
	}
	return thisOf(m, f)
}

// thisOf is the value of this.
func thisOf(m *ecma.Machine, f ecma.Frame) ecma.Value {
	if _, not := f.Self.This.(ecma.Uninitialized); not {
		m.ThrowAs("ReferenceError", "Must call super constructor in derived class before accessing 'this' or "+
			"returning from derived constructor")
	}
	return f.Self.This
}

// callSuper is super(...) in a constructor.
func callSuper(m *ecma.Machine, f ecma.Frame, args []ecma.Value) ecma.Value {
	if f.Self.Class == nil {
		m.Fail("super is not known here")
	}
	if _, first := f.Self.This.(ecma.Uninitialized); !first {
		m.ThrowAs("ReferenceError", "Super constructor may only be called once")
	}
	f.Self.This = ecma.ConstructFor(m, m.Prototype(f.Self.Fn), args, f.Self.Target)
	makeFields(m, f.Self)
	return f.Self.This
}

// makeFields makes the fields of an object that a class has.
func makeFields(m *ecma.Machine, self *ecma.Activation) {
	c := self.Class
	f := ecma.Frame{Scope: c.Env, Self: &ecma.Activation{This: self.This, Target: nil, Fn: self.Fn, Home: self.Home,
		Callee: self.Callee}}
	for _, p := range c.Node.List {
		if p.Static || p.Prefix || p.A == nil {
			continue
		}
		makeField(m, f, c, p)
	}
}

// makeField makes a field of this.
func makeField(m *ecma.Machine, f ecma.Frame, c *ecma.Class, p *syntax.Node) {
	v := initialValue(m, f, p.B)
	var k ecma.Key
	switch known, ok := c.Keys[p]; {
	case ok:
		k = known
	case !p.Computed && p.A.Text[0] == '#':
		k = m.Key(privateName(m, f.Scope, p.A.Text, nil))
		m.DefineOwn(f.Self.This, k, &ecma.Prop{Value: v, Hidden: true})
		return
	default:
		k = propertyKey(m, f, p)
	}
	nameFunction(v, k)
	m.DefineOwn(f.Self.This, k, &ecma.Prop{Value: v})
}

func initialValue(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Value {
	if n == nil {
		return nil
	}
	return eval(m, f, n)
}

// newClass makes a class.
func newClass(m *ecma.Machine, f ecma.Frame, n *syntax.Node) ecma.Value {
	f = f.Inner()
	proto := &ecma.Object{}
	fn := &ecma.Object{Function: &ecma.Function{Name: n.Text, Class: true, Extends: n.A != nil, Node: n, Env: f.Scope}}
	if n.A != nil {
		switch parent := eval(m, f, n.A); {
		case ecma.IsNull(parent):
			proto.Proto = ecma.Null{}
		case m.TypeOf(parent) != "function":
			m.Throw("Class extends value %s is not a constructor or null", ecma.ShownValue(m, parent))
		default:
			fn.Proto, proto.Proto = parent, m.Get(parent, ecma.Key{Name: "prototype"})
		}
	}
	c := classOf(n, f.Scope)
	fn.Function.Body = c
	fn.Define(ecma.Key{Name: "prototype"}, &ecma.Prop{Value: proto, Hidden: true})
	proto.Define(ecma.Key{Name: "constructor"}, &ecma.Prop{Value: fn, Hidden: true})
	if n.Text != "" {
		f.Declare(n.Text, fn)
	}
	for _, p := range n.List {
		if p.A != nil && !p.Computed && p.A.Text[0] == '#' && !p.Prefix {
			f.Declare(p.A.Text, &ecma.Symbol{Description: p.A.Text, Named: true})
		}
	}
	for _, p := range n.List {
		defineMethod(m, f, c, p, proto, fn)
	}
	static := ecma.Frame{Scope: f.Scope, Self: &ecma.Activation{This: fn, Home: fn, Fn: fn}}
	for _, p := range n.List {
		switch {
		case p.Static && p.A == nil:
			runBlock(m, static.Inner(), p.B.List)
		case p.Static && !p.Prefix:
			makeField(m, static, c, p)
		}
	}
	return fn
}

// defineMethod makes a method of a class, or evaluates the key of a field.
func defineMethod(m *ecma.Machine, f ecma.Frame, c *ecma.Class, p *syntax.Node, proto, fn *ecma.Object) {
	home := proto
	if p.Static {
		home = fn
	}
	switch {
	case p.A == nil || p.Prefix && p.B == c.Constructor && !p.Static:
		return
	case !p.Prefix:
		if p.Computed {
			c.Keys[p] = propertyKey(m, f, p)
		}
		return
	}
	method := &ecma.Object{Function: &ecma.Function{Name: p.B.Text, Node: p.B, Env: f.Scope, Home: home, Method: true}}
	private := !p.Computed && p.A.Text[0] == '#'
	switch {
	case private && p.Text == "init":
		f.Declare(p.A.Text, method)
	case private:
		pair, _ := f.Vars[p.A.Text]
		if pair == nil {
			f.Declare(p.A.Text, &ecma.Object{})
			pair = f.Vars[p.A.Text]
		}
		(*pair).(*ecma.Object).Accessor(ecma.Key{}, p.Text, method)
	default:
		k := propertyKey(m, f, p)
		nameFunction(method, k)
		if p.Text != "init" {
			method.Function.Name = p.Text + " " + method.Function.Name
		}
		if p.Text == "init" {
			home.Define(k, &ecma.Prop{Value: method, Hidden: true})
			return
		}
		home.Accessor(k, p.Text, method)
		home.Props[k].Hidden = true
	}
}

// nameFunction gives a function without a name the one of its property.
func nameFunction(v ecma.Value, k ecma.Key) {
	if o, ok := v.(*ecma.Object); ok && o.Function != nil && o.Function.Name == "" {
		switch {
		case k.Own != nil:
			o.Function.Name = "[" + k.Own.Description + "]"
		default:
			o.Function.Name = k.Name
		}
	}
}
