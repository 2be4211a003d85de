package eval

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/syntax"
	"strings"
)

// A class is what makes objects of a class: its text, and where its fields are evaluated.
type class struct {
	node        *syntax.Node
	env         *scope
	constructor *syntax.Node         // nil for the default one
	keys        map[*syntax.Node]Key // of computed fields, which are evaluated with the class
}

func classOf(n *syntax.Node, env *scope) *class {
	c := &class{node: n, env: env, keys: map[*syntax.Node]Key{}}
	for _, p := range n.List {
		if p.Prefix && !p.Static && !p.Computed && p.A.Text == "constructor" {
			c.constructor = p.B
		}
	}
	return c
}

// constructNew is the operator new.
func constructNew(m *Machine, class Value, args []Value) Value {
	return constructFor(m, class, args, class)
}

// constructFor makes an object with a constructor; target is the class that it is made for.
func constructFor(m *Machine, fn Value, args []Value, target Value) Value {
	m.step()
	if m.calls++; m.calls > maxCalls {
		m.Fail("its calls are nested too deep")
	}
	defer func() { m.calls-- }()
	if inner, handler, ok := proxyParts(m, fn); ok {
		if trap := trapOf(m, handler, "construct"); trap != nil {
			return m.call(trap, handler, []Value{inner, array(args...), target})
		}
		return constructFor(m, inner, args, inner)
	}
	switch f := fn.(type) {
	case *Object:
		switch x := f.Function; {
		case x == nil:
		case x.class != nil:
			return instanceOf(m, x.class, fn, args, target)
		case x.make != nil:
			return adopted(m, x.make(m, args, target), fn, target)
		case x.node != nil && !x.node.Arrow && !x.method && x.Kind() == "Function":
			return ordinary(m, target, func(o Value) Value {
				self := &activation{this: o, args: args, target: target, fn: fn}
				return runBody(m, frame{x.env.inner(), self}, x.node, args)
			})
		}
		m.Throw("%s is not a constructor", nameOr(m, fn, "what follows new"))
	case Heap:
		return constructHeap(m, layout.Tagged(f), args, target)
	}
	m.Throw("%s is not a constructor", shownValue(m, fn))
	return nil
}

// constructHeap makes an object with a function of the heap.
func constructHeap(m *Machine, fn layout.Tagged, args []Value, target Value) Value {
	r := m.reader
	if r.IsBound(fn) {
		inner, ok := r.Field(fn, r.Layout.JSBoundFunction.Target)
		if !ok {
			m.Fail("a bound function cannot be read")
		}
		if target == Value(Heap(fn)) {
			target = Heap(inner)
		}
		return constructFor(m, Heap(inner), append(boundArguments(m, fn), args...), target)
	}
	if name := m.intrinsic(Heap(fn)); name != "" {
		if code := constructors[name]; code != nil {
			return adopted(m, code(m, args), Heap(fn), target)
		}
		m.Fail("%s is a class that V8 has and coredbg lacks", strings.TrimPrefix(name, "the builtin "))
	}
	switch kind := r.FunctionType(fn); {
	case kind == "class":
		n := parseClass(m, fn)
		return instanceOf(m, classOf(n, &scope{heap: m.closedOver(fn)}), Heap(fn), args, target)
	case !r.IsFunction(fn):
		m.Throw("what follows new is not a constructor")
	case kind != "Function":
		m.Throw("%s is not a constructor", r.FunctionNameOf(fn))
	}
	if shared, ok := r.ClosureShared(fn); ok {
		if info, ok := r.SharedInfo(shared); !ok || info.Script == 0 {
			name := r.FunctionNameOf(fn)
			if m.kept == nil || name == "" {
				panic(&stop{&NativeError{name}, true})
			}
			m.omit(name)
			return &Object{Proto: prototypeFor(m, target), Embedded: name}
		}
	}
	n := parseFunction(m, fn)
	if n.Arrow {
		m.Throw("%s is not a constructor", r.FunctionNameOf(fn))
	}
	return ordinary(m, target, func(o Value) Value {
		env := &scope{heap: m.closedOver(fn)}
		self := &activation{this: o, args: args, target: target, callee: fn, fn: Heap(fn)}
		return runBody(m, frame{env.inner(), self}, n, args)
	})
}

// adopted gives an object that a builtin made the prototype of the class that it is made for.
func adopted(m *Machine, v, fn, target Value) Value {
	if o, ok := v.(*Object); ok && target != fn && target != nil {
		o.Proto = m.get(target, Key{Name: "prototype"})
	}
	return v
}

// ordinary makes an object for a function that is no class.
func ordinary(m *Machine, target Value, body func(o Value) Value) Value {
	o := &Object{Proto: prototypeFor(m, target)}
	if v := body(o); m.IsObject(v) {
		return v
	}
	return o
}

// prototypeFor is the prototype of the objects that a class makes.
func prototypeFor(m *Machine, target Value) Value {
	if p := m.get(target, Key{Name: "prototype"}); m.IsObject(p) {
		return p
	}
	return prototypeNamed(m, "Object")
}

// instanceOf makes an object of a class.
func instanceOf(m *Machine, c *class, fn Value, args []Value, target Value) Value {
	self := &activation{args: args, target: target, fn: fn, class: c, home: m.get(fn, Key{Name: "prototype"})}
	if h, ok := fn.(Heap); ok {
		self.callee = layout.Tagged(h)
	}
	f := frame{c.env.inner(), self}
	if c.node.A == nil {
		self.this = &Object{Proto: prototypeFor(m, target)}
		makeFields(m, self)
	} else if self.this = (uninitialized{}); c.constructor == nil {
		callSuper(m, f, args)
	}
	if c.constructor != nil {
		if v := runBody(m, f, c.constructor, args); m.IsObject(v) {
			return v
		}
	}
	return thisOf(m, f)
}

// thisOf is the value of this.
func thisOf(m *Machine, f frame) Value {
	if _, not := f.self.this.(uninitialized); not {
		m.throwAs("ReferenceError", "Must call super constructor in derived class before accessing 'this' or "+
			"returning from derived constructor")
	}
	return f.self.this
}

// callSuper is super(...) in a constructor.
func callSuper(m *Machine, f frame, args []Value) Value {
	if f.self.class == nil {
		m.Fail("super is not known here")
	}
	if _, first := f.self.this.(uninitialized); !first {
		m.throwAs("ReferenceError", "Super constructor may only be called once")
	}
	f.self.this = constructFor(m, m.prototype(f.self.fn), args, f.self.target)
	makeFields(m, f.self)
	return f.self.this
}

// makeFields makes the fields of an object that a class has.
func makeFields(m *Machine, self *activation) {
	c := self.class
	f := frame{c.env, &activation{this: self.this, target: nil, fn: self.fn, home: self.home, callee: self.callee}}
	for _, p := range c.node.List {
		if p.Static || p.Prefix || p.A == nil {
			continue
		}
		makeField(m, f, c, p)
	}
}

// makeField makes a field of this.
func makeField(m *Machine, f frame, c *class, p *syntax.Node) {
	v := initialValue(m, f, p.B)
	var k Key
	switch known, ok := c.keys[p]; {
	case ok:
		k = known
	case !p.Computed && p.A.Text[0] == '#':
		k = m.key(privateName(m, f.scope, p.A.Text, nil))
		m.defineOwn(f.self.this, k, &Prop{Value: v, Hidden: true})
		return
	default:
		k = propertyKey(m, f, p)
	}
	nameFunction(v, k)
	m.defineOwn(f.self.this, k, &Prop{Value: v})
}

func initialValue(m *Machine, f frame, n *syntax.Node) Value {
	if n == nil {
		return nil
	}
	return m.eval(f, n)
}

// newClass makes a class.
func newClass(m *Machine, f frame, n *syntax.Node) Value {
	f = f.inner()
	proto := &Object{}
	fn := &Object{Function: &Function{Name: n.Text, Class: true, Extends: n.A != nil, node: n, env: f.scope}}
	if n.A != nil {
		switch parent := m.eval(f, n.A); {
		case isNull(parent):
			proto.Proto = Null{}
		case m.typeOf(parent) != "function":
			m.Throw("Class extends value %s is not a constructor or null", shownValue(m, parent))
		default:
			fn.Proto, proto.Proto = parent, m.get(parent, Key{Name: "prototype"})
		}
	}
	c := classOf(n, f.scope)
	fn.Function.class = c
	fn.define(Key{Name: "prototype"}, &Prop{Value: proto, Hidden: true})
	proto.define(Key{Name: "constructor"}, &Prop{Value: fn, Hidden: true})
	if n.Text != "" {
		f.declare(n.Text, fn)
	}
	for _, p := range n.List {
		if p.A != nil && !p.Computed && p.A.Text[0] == '#' && !p.Prefix {
			f.declare(p.A.Text, &Symbol{Description: p.A.Text, named: true})
		}
	}
	for _, p := range n.List {
		defineMethod(m, f, c, p, proto, fn)
	}
	static := frame{f.scope, &activation{this: fn, home: fn, fn: fn}}
	for _, p := range n.List {
		switch {
		case p.Static && p.A == nil:
			runBlock(m, static.inner(), p.B.List)
		case p.Static && !p.Prefix:
			makeField(m, static, c, p)
		}
	}
	return fn
}

// defineMethod makes a method of a class, or evaluates the key of a field.
func defineMethod(m *Machine, f frame, c *class, p *syntax.Node, proto, fn *Object) {
	home := proto
	if p.Static {
		home = fn
	}
	switch {
	case p.A == nil || p.Prefix && p.B == c.constructor && !p.Static:
		return
	case !p.Prefix:
		if p.Computed {
			c.keys[p] = propertyKey(m, f, p)
		}
		return
	}
	method := &Object{Function: &Function{Name: p.B.Text, node: p.B, env: f.scope, home: home, method: true}}
	private := !p.Computed && p.A.Text[0] == '#'
	switch {
	case private && p.Text == "init":
		f.declare(p.A.Text, method)
	case private:
		pair, _ := f.vars[p.A.Text]
		if pair == nil {
			f.declare(p.A.Text, &Object{})
			pair = f.vars[p.A.Text]
		}
		(*pair).(*Object).accessor(Key{}, p.Text, method)
	default:
		k := propertyKey(m, f, p)
		nameFunction(method, k)
		if p.Text != "init" {
			method.Function.Name = p.Text + " " + method.Function.Name
		}
		if p.Text == "init" {
			home.define(k, &Prop{Value: method, Hidden: true})
			return
		}
		home.accessor(k, p.Text, method)
		home.Props[k].Hidden = true
	}
}

// nameFunction gives a function without a name the one of its property.
func nameFunction(v Value, k Key) {
	if o, ok := v.(*Object); ok && o.Function != nil && o.Function.Name == "" {
		switch {
		case k.Own != nil:
			o.Function.Name = "[" + k.Own.Description + "]"
		default:
			o.Function.Name = k.Name
		}
	}
}

func isNull(v Value) bool {
	_, null := v.(Null)
	return null
}
