package heap

import "testing"

// TestTypes: a type keeps its number, a number that no type has is none, and a view sees types that came
// after it was made.
func TestTypes(t *testing.T) {
	type named struct {
		name   string
		number int32
	}
	var all Types[string, named]
	get := func(name string) *named {
		return all.Get(name, func(n int32) *named { return &named{name, n} })
	}
	view := TypeView[string, named]{Types: &all}
	a, b := get("a"), get("b")
	if a.number != 0 || b.number != 1 || get("a") != a || len(all.All()) != 2 {
		t.Errorf("a is %v, b is %v of %d", a, b, len(all.All()))
	}
	if view.Of(1) != b || all.Of(0) != a {
		t.Errorf("number 1 is %v, number 0 is %v", view.Of(1), all.Of(0))
	}
	for _, n := range []int32{-1, 2, 1 << 30} {
		if view.Of(n) != nil || all.Of(n) != nil {
			t.Errorf("number %d is a type", n)
		}
	}
	if c := get("c"); view.Of(2) != c {
		t.Errorf("number 2 is %v, want c", view.Of(2))
	}
}
