package star

import (
	"fmt"
	"reflect"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The largest sequences that one operation may make. Starlark allocates them at once, before the memory can
// be looked at.
const (
	maxItems = 1 << 22 // elements of a range, or of a repeated list or tuple
	maxText  = 1 << 26 // bytes of a repeated string
)

// times is the name of the function that stands for "*". No file can write it.
const times = "*"

// boundedRange is Starlark's range for at most maxItems numbers: list, sorted, enumerate and others take room
// for all of them.
func boundedRange(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
	kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := starlark.Call(t, starlark.Universe["range"], args, kwargs)
	if err == nil && starlark.Len(v) > maxItems {
		return nil, fmt.Errorf("range: %d numbers are too many: at most %d", starlark.Len(v), maxItems)
	}
	return v, err
}

// multiply is "*", which repeats a sequence if one side is one.
func multiply(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
	_ []starlark.Tuple) (starlark.Value, error) {
	x, y := args[0], args[1]
	for _, side := range []struct{ of, by starlark.Value }{{x, y}, {y, x}} {
		by, ok := side.by.(starlark.Int)
		if !ok {
			continue
		}
		most := maxItems
		switch side.of.(type) {
		case starlark.String, starlark.Bytes:
			most = maxText
		case *starlark.List, starlark.Tuple:
		default:
			continue
		}
		n, fits := by.Int64()
		if size := int64(starlark.Len(side.of)); by.Sign() > 0 && size > 0 && (!fits || n > int64(most)/size) {
			return nil, fmt.Errorf("%s * %v is too large: at most %d elements", side.of.Type(), by, most)
		}
	}
	return starlark.Binary(syntax.STAR, x, y)
}

// bound makes each "*" of a file a call of multiply.
func bound(f *syntax.File) error {
	var failed error
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil || failed != nil {
			return false
		}
		if a, ok := n.(*syntax.AssignStmt); ok && a.Op == syntax.STAR_EQ {
			x, ok := a.LHS.(*syntax.Ident)
			if !ok {
				failed = fmt.Errorf("line %d: write x = x * y", a.OpPos.Line)
				return false
			}
			a.Op, a.RHS = syntax.EQ, product(&syntax.Ident{NamePos: x.NamePos, Name: x.Name}, a.RHS, a.OpPos)
		}
		replace(reflect.ValueOf(n).Elem())
		return true
	})
	return failed
}

// replace puts a call in the place of each "*" that a node has as a part.
func replace(node reflect.Value) {
	for i := range node.NumField() {
		field := node.Field(i)
		if !field.CanSet() {
			continue
		}
		switch x := field.Interface().(type) {
		case *syntax.BinaryExpr:
			if x.Op == syntax.STAR && field.Kind() == reflect.Interface {
				field.Set(reflect.ValueOf(product(x.X, x.Y, x.OpPos)))
			}
		case []syntax.Expr:
			for k, e := range x {
				if e, ok := e.(*syntax.BinaryExpr); ok && e.Op == syntax.STAR {
					x[k] = product(e.X, e.Y, e.OpPos)
				}
			}
		}
	}
}

// product is the call of multiply for x * y.
func product(x, y syntax.Expr, at syntax.Position) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: times}, Lparen: at,
		Args: []syntax.Expr{x, y}, Rparen: at}
}
