package values

import (
	"errors"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/values/cexpr"
	"coredbg/commands/values/view"
	"coredbg/core/dwarf"
)

var errNoCall = errors.New("a function cannot be called in a core")

// call returns the result of a member function of a container or of a smart pointer that tells what the value shows:
// list.size(). No other function is called.
func (e *evaluator) call(n *cexpr.Node) (dwarf.Value, error) {
	if n.B != nil {
		return e.builtin(n)
	}
	if n.A.Op != cexpr.Member {
		return dwarf.Value{}, errNoCall
	}
	v, err := e.eval(n.A.A)
	if err != nil {
		return v, err
	}
	for range view.MaxWrapped { // "p->size()"
		if t := v.Type.Strip(); t == nil || t.Kind != dwarf.Pointer && t.Kind != dwarf.Reference || t.Own() != "" {
			break
		}
		if v, err = v.Deref(); err != nil {
			return v, err
		}
	}
	switch n.A.Text {
	case "c_str", "data", "as_str", "str":
		if _, ok := e.count(v); ok {
			return v, nil
		}
	case "get", "value", "unwrap", "as_ref", "operator*":
		if inner, ok, err := view.Wrapped(e.s, v); ok || err != nil {
			return inner, err
		}
	case "size", "length", "len", "count":
		if count, ok := e.count(v); ok {
			return e.integer(e.ofC("unsigned long"), uint64(count)), nil
		}
	case "empty", "is_empty":
		if count, ok := e.count(v); ok {
			return e.truth(count == 0), nil
		}
	case "front", "first", "back", "last":
		if count, ok := e.count(v); ok && count > 0 {
			x := view.Step{Kind: '['}
			if n.A.Text == "back" || n.A.Text == "last" {
				x.Index = count - 1
			}
			return x.Take(e.s, v, 0)
		}
	}
	return dwarf.Value{}, errNoCall
}

// builtin returns the result of Go's len and cap, and of the functions that gdb has itself.
func (e *evaluator) builtin(n *cexpr.Node) (dwarf.Value, error) {
	name := n.A.Text
	if n.A.Op != cexpr.Name && n.A.Op != cexpr.Register {
		return dwarf.Value{}, errNoCall
	}
	v, err := e.eval(n.B)
	if err != nil {
		return v, err
	}
	switch {
	case name == "len" && n.C == nil:
		if count, ok := e.count(v); ok {
			return e.integer(e.ofC("long"), uint64(count)), nil
		}
		if count := v.Len(); v.Type.Strip() != nil && v.Type.Strip().Kind == dwarf.Array && count >= 0 {
			return e.integer(e.ofC("long"), uint64(count)), nil
		}
	case name == "cap" && n.C == nil:
		return (view.Step{Kind: '.', Name: "cap"}).Take(e.s, v, 0)
	case n.A.Op == cexpr.Register:
		if r, ok, err := e.gdbFunction(name, v, n.C); ok || err != nil {
			return r, err
		}
	}
	return dwarf.Value{}, errNoCall
}

// count returns the number of a container's elements, or of a text's bytes.
func (e *evaluator) count(v dwarf.Value) (int64, bool) {
	w := view.New(e.s)
	w.Depth, w.Limit = 1, 1
	n := w.View("", v, 0)
	switch {
	case n.Kind == view.Text:
		return int64(len(n.Text)) + n.More, n.More >= 0
	case n.Kind == view.Array && v.Type.Strip().Kind != dwarf.Array && !n.Tuple:
		return int64(len(n.List)) + n.More, n.More >= 0
	}
	return 0, false
}

// cast is (T)A.
func (e *evaluator) cast(n *cexpr.Node) (dwarf.Value, error) {
	name, refers := strings.CutSuffix(strings.TrimSpace(n.Text), "&")
	t, err := e.typeNamed(strings.TrimSuffix(name, "&"))
	if err != nil {
		return dwarf.Value{}, err
	}
	v, err := e.eval(n.A)
	if err != nil {
		return v, err
	}
	if refers || t.Strip().Composite() {
		return upcast(v, t), nil
	}
	s := t.Strip()
	if s == nil {
		return v, fmt.Errorf("a value cannot become a %s", n.Text)
	}
	switch s.Kind {
	case dwarf.Base, dwarf.Enum, dwarf.Pointer:
	case dwarf.Reference, dwarf.RvalueReference:
		return v.As(t.Elem()), nil
	default:
		return v.As(t), nil // the same bytes
	}
	x, err := e.number(v)
	if err != nil {
		return v, err
	}
	if s.Kind == dwarf.Base && s.Encoding == dwarf.EncFloat {
		return e.floatOf(t, x.float())
	}
	if s.Kind == dwarf.Base && s.Encoding == dwarf.EncBoolean {
		return e.integer(t, map[bool]uint64{true: 1}[x.truth()]), nil
	}
	if x.real {
		if x.u = uint64(int64(x.f)); x.f >= 1<<63 {
			x.u = uint64(x.f)
		}
	}
	r := e.integer(t, x.u)
	if f := v.Frame(); f != nil && s.Kind == dwarf.Pointer { // what it leads to is read as the program's values are
		b, _ := r.Bytes(int64(e.made.Arch.PtrSize))
		r = f.Made(t, b)
	}
	return r, nil
}

// upcast returns the base of a class that a value has, or else the same bytes as another type.
func upcast(v dwarf.Value, t *dwarf.Type) dwarf.Value {
	if s := v.Type.Strip(); s != nil && (s.Kind == dwarf.Reference || s.Kind == dwarf.RvalueReference) {
		if to, err := v.Deref(); err == nil {
			v = to
		}
	}
	want := t.Strip().Complete()
	list := []dwarf.Value{v}
	for i := 0; i < len(list) && i < view.MaxWrapped; i++ {
		of := list[i].Type.Strip().Complete()
		if of == want {
			return list[i]
		}
		members := of.Members()
		for k := range members {
			if members[k].Inherited {
				list = append(list, list[i].As(of).Member(&members[k]))
			}
		}
	}
	return v.As(t)
}

// slice is A[B:C]: the elements from B on, in front of C.
func (e *evaluator) slice(n *cexpr.Node) (dwarf.Value, error) {
	v, err := e.eval(n.A)
	if err != nil {
		return v, err
	}
	bounds := [2]int64{}
	if count, ok := e.count(v); ok {
		bounds[1] = count
	} else if t := v.Type.Strip(); t != nil && t.Kind == dwarf.Array {
		bounds[1] = v.Len()
	}
	for i, b := range []*cexpr.Node{n.B, n.C} {
		if b == nil {
			continue
		}
		x, err := e.eval(b)
		if err != nil {
			return x, err
		}
		number, err := e.number(x)
		if err != nil {
			return x, err
		}
		bounds[i] = int64(number.u)
	}
	if bounds[0] < 0 || bounds[1] <= bounds[0] || bounds[1]-bounds[0] > view.MaxElements {
		return v, fmt.Errorf("there are no elements from %d to %d", bounds[0], bounds[1])
	}
	first, err := (view.Step{Kind: '[', Index: bounds[0]}).Take(e.s, v, 0)
	if err != nil {
		return first, err
	}
	last, err := (view.Step{Kind: '[', Index: bounds[1] - 1}).Take(e.s, v, 0)
	if err != nil {
		return last, err
	}
	from, ok := first.Addr()
	to, known := last.Addr()
	size, _ := first.Type.Size()
	if !ok || !known || int64(to-from) != size*(bounds[1]-bounds[0]-1) {
		return v, errors.New("the elements do not lie one after the other")
	}
	elem := first.Type
	if _, text := e.textIn(v, false); text && size == 1 {
		elem = e.ofC("char")
	}
	return first.Frame().At(elem.ArrayOf(bounds[1]-bounds[0]), from), nil
}

// textOf returns the text that a value is or leads to, or else the value as ::print shows it.
func textOf(s *commands.Session, v dwarf.Value) string {
	n := view.New(s).View("", v, 0)
	switch {
	case n.HasStr:
		return n.Str
	case n.Kind == view.Text:
		return n.Text
	}
	return strings.TrimSpace((view.Form{}).Text(n, 0))
}
