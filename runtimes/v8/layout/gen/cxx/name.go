package cxx

import (
	"errors"
	"fmt"
	"slices"
)

// name evaluates what begins with a name.
func (x *expr) name(t Token) (int64, error) {
	switch t.Text {
	case "true":
		x.i++
		return 1, nil
	case "false", "nullptr":
		x.i++
		return 0, nil
	case "static_cast", "reinterpret_cast", "const_cast":
		return x.cast()
	case "sizeof", "alignof":
		return x.sizeof()
	case "offsetof", "__builtin_offsetof":
		return x.offsetof()
	}
	if x.env.scope == nil {
		x.i++
		if x.peek() == "(" {
			x.i = closing(x.t, x.i) + 1
		}
		return 0, nil
	}
	start := x.i
	d, env, err := x.path()
	switch {
	case err != nil:
		return 0, err
	case d == nil:
		x.i = start
		return x.construct(t)
	case d.Kind == Template:
		if b := env.find(d.Name); b != nil && b.typ == nil && x.peek() != "(" && x.peek() != "{" {
			return b.n, nil
		}
		x.i = start
		return x.construct(t)
	case d.Kind == Const:
		if x.peek() == "." {
			return x.method(d, env)
		}
		return x.env.deeper(env).constant(d)
	case d.Kind == Func && x.peek() == "(":
		return x.call(d, env)
	}
	x.i = start
	return x.construct(t)
}

// deeper returns env one step deeper than e.
func (e Env) deeper(env Env) Env {
	env.depth = e.depth + 1
	return env
}

// constant returns the value of a constant that was found in e.
func (e Env) constant(d *Decl) (int64, error) {
	if e.depth > maxDepth {
		return 0, errDeep
	}
	if d.Init == nil {
		if d.Prev == nil {
			return 0, nil
		}
		// Enumerations are long: the nearest that has a value is counted from.
		n := int64(0)
		for d.Init == nil && d.Prev != nil {
			d = d.Prev
			n++
		}
		if d.Init == nil {
			return n, nil
		}
		v, err := e.constant(d)
		return v + n, err
	}
	if d.value != nil {
		return *d.value, nil
	}
	if len(d.Dims) > 0 {
		return 0, fmt.Errorf("%s is an array", d.Path())
	}
	inside := e
	inside.depth++
	inside.scope = d.In
	init := d.Init
	if init[0].Text == "{" && len(init) > 2 {
		init = init[1 : len(init)-1]
	}
	v, err := inside.eval(init)
	switch {
	case errors.Is(err, errDeep):
		return 0, err // which has as many names as steps
	case err != nil:
		return 0, fmt.Errorf("%s: %w", d.Path(), err)
	}
	if len(d.Type) > 0 {
		if t, err := inside.typeOf(d.Type); err == nil {
			v = t.truncate(v)
		}
	}
	if d.general() {
		d.value = &v
	}
	return v, nil
}

func (x *expr) cast() (int64, error) {
	x.i++
	end := angleEnd(x.t, x.i)
	typ, err := x.env.typeOf(x.t[x.i+1 : end])
	if err != nil {
		return 0, err
	}
	x.i = end + 1
	if x.peek() != "(" {
		return 0, fmt.Errorf("%s: no operand of a cast", Join(x.t))
	}
	end = closing(x.t, x.i)
	v, err := x.env.eval(x.t[x.i+1 : end])
	x.i = end + 1
	return typ.truncate(v), err
}

func (x *expr) sizeof() (int64, error) {
	what := x.t[x.i].Text
	x.i++
	if x.peek() != "(" {
		return 0, fmt.Errorf("%s: sizeof without parentheses", Join(x.t))
	}
	end := closing(x.t, x.i)
	t, err := x.env.typeOf(x.t[x.i+1 : end])
	x.i = end + 1
	if err != nil {
		return 0, err
	}
	if what == "alignof" {
		return int64(t.Align), nil
	}
	return int64(t.Size), nil
}

// offsetof reads offsetof(C, a) and offsetof(C, a.b).
func (x *expr) offsetof() (int64, error) {
	x.i++
	if x.peek() != "(" {
		return 0, fmt.Errorf("%s: offsetof without parentheses", Join(x.t))
	}
	end := closing(x.t, x.i)
	args := splitCommas(x.t[x.i+1 : end])
	x.i = end + 1
	if len(args) != 2 {
		return 0, fmt.Errorf("%s: offsetof needs a class and a field", Join(x.t))
	}
	t, err := x.env.typeOf(args[0])
	sum := 0
	for _, f := range args[1] {
		if err != nil {
			return 0, err
		}
		if f.Kind != Ident {
			continue
		}
		var m *Member
		if m, err = t.Member(f.Text); err == nil {
			sum += m.Offset
			t = m.Type
		}
	}
	return int64(sum), err
}

// construct reads T(v) and T{v}, where t is a type.
func (x *expr) construct(t Token) (int64, error) {
	start := x.i
	i := start
	for i < len(x.t) && (x.t[i].Kind == Ident || x.t[i].Text == "::" || x.t[i].Text == "<") {
		if x.t[i].Text == "<" {
			end := angleEnd(x.t, i)
			if end == i {
				break
			}
			i = end
		}
		i++
	}
	if i < len(x.t) && (x.t[i].Text == "(" || x.t[i].Text == "{") {
		end := closing(x.t, i)
		if typ, err := x.env.typeOf(x.t[start:i]); err == nil {
			x.i = end + 1
			if end == i+1 {
				return 0, nil
			}
			v, err := x.env.eval(x.t[i+1 : end])
			return typ.truncate(v), err
		}
		if v, ok, err := x.library(x.t[start:i], x.t[i+1:end]); ok {
			x.i = end + 1
			return v, err
		}
	}
	return 0, fmt.Errorf("%s is not declared", Join(x.t[start:max(i, start+1)]))
}

// library evaluates the few functions of libraries that constants are made with.
func (x *expr) library(name, args []Token) (int64, bool, error) {
	text := Join(name)
	list := splitCommas(args)
	var v []int64
	for _, a := range list {
		n, err := x.env.eval(a)
		if err != nil {
			return 0, false, err
		}
		v = append(v, n)
	}
	switch {
	case text == "std::max" && len(v) == 2:
		return max(v[0], v[1]), true, nil
	case text == "std::min" && len(v) == 2:
		return min(v[0], v[1]), true, nil
	case slices.Contains([]string{"std::numeric_limits<int>::max", "std::numeric_limits<int32_t>::max"}, text):
		return 1<<31 - 1, true, nil
	case text == "std::numeric_limits<uint32_t>::max":
		return 1<<32 - 1, true, nil
	case text == "std::numeric_limits<uint16_t>::max":
		return 1<<16 - 1, true, nil
	case text == "std::numeric_limits<uint8_t>::max":
		return 1<<8 - 1, true, nil
	}
	return 0, false, nil
}

// call evaluates a function: what its first return that counts says.
func (x *expr) call(d *Decl, env Env) (int64, error) {
	end := closing(x.t, x.i)
	args := splitCommas(x.t[x.i+1 : end])
	x.i = end + 1
	var firstErr error
	for f := d; f != nil; f = f.Next {
		if len(f.Args) != len(args) || f.Kind != Func {
			continue
		}
		v, err := x.callOne(f, env, args)
		if err == nil {
			return v, nil
		}
		if firstErr == nil {
			firstErr = err
		}
	}
	if firstErr == nil {
		firstErr = fmt.Errorf("no function %s has %d arguments", d.Path(), len(args))
	}
	return 0, firstErr
}

func (x *expr) callOne(f *Decl, env Env, args [][]Token) (int64, error) {
	if x.env.depth > maxDepth {
		return 0, errDeep
	}
	inside := x.env.deeper(env)
	inside.scope = f.In
	for i, a := range args {
		n, err := x.env.deeper(x.env).eval(a)
		if err != nil {
			return 0, err
		}
		if f.Args[i] != "" {
			inside = inside.bind(f.Args[i], nil, n)
		}
	}
	body := f.Init
	for len(body) > 0 {
		switch body[0].Text {
		case "return":
			end := topLevel(body, ";")
			if end < 0 {
				return 0, fmt.Errorf("%s: no end of return", f.Path())
			}
			return inside.eval(body[1:end])
		case "static_assert", "DCHECK", "using", "CHECK":
			end := topLevel(body, ";")
			if end < 0 {
				return 0, fmt.Errorf("%s: cannot be read", f.Path())
			}
			body = body[end+1:]
		case "if":
			taken, rest, err := inside.branch(body)
			if err != nil {
				return 0, err
			}
			body = append(slices.Clone(taken), rest...)
		default:
			return 0, fmt.Errorf("%s: its body cannot be read", f.Path())
		}
	}
	return 0, fmt.Errorf("%s: no return", f.Path())
}

// branch takes "if (c) { … } else { … }" apart: the statements that are taken, and the statements after it.
func (e Env) branch(t []Token) (taken, rest []Token, err error) {
	i := 1
	if i < len(t) && t[i].Text == "constexpr" {
		i++
	}
	if i >= len(t) || t[i].Text != "(" {
		return nil, nil, fmt.Errorf("%s: no condition", Join(t))
	}
	end := closing(t, i)
	c, err := e.eval(t[i+1 : end])
	if err != nil {
		return nil, nil, err
	}
	yes, after := block(t[end+1:])
	var no []Token
	if len(after) > 0 && after[0].Text == "else" {
		no, after = block(after[1:])
	}
	if c != 0 {
		return yes, after, nil
	}
	return no, after, nil
}

// block splits off the statement that t begins with.
func block(t []Token) (first, rest []Token) {
	if len(t) == 0 {
		return nil, nil
	}
	if t[0].Text == "{" {
		end := closing(t, 0)
		return t[1:end], t[end+1:]
	}
	if t[0].Text == "if" && len(t) > 1 {
		i := slices.IndexFunc(t, func(t Token) bool { return t.Text == "(" })
		end := closing(t, max(i, 0))
		_, rest := block(t[end+1:])
		if len(rest) > 0 && rest[0].Text == "else" {
			_, rest = block(rest[1:])
		}
		return t[:len(t)-len(rest)], rest
	}
	end := topLevel(t, ";")
	if end < 0 {
		return t, nil
	}
	return t[:end+1], t[end+1:]
}

// method evaluates c.f(), where c is a constant of a class and its function f needs only the value that c was
// made from.
func (x *expr) method(d *Decl, env Env) (int64, error) {
	x.i++
	name := x.peek()
	x.i++
	if x.peek() == "(" {
		x.i = closing(x.t, x.i) + 1
	}
	return 0, fmt.Errorf("%s.%s() cannot be read", d.Path(), name)
}
