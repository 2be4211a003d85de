package bytecode

import "testing"

func TestBegins(t *testing.T) {
	sizes := []byte{
		1, 1, 1, 1, 1, 2,
		0, 0, 0, 0, 1, 3,
		0, 0, 0, 0, 1, 5,
	}
	for _, c := range []struct {
		name string
		code []byte
		want []int
		ok   bool
	}{
		{"plain", []byte{4, 5, 9, 4}, []int{0, 1, 3}, true},
		{"wide", []byte{0, 5, 9, 9, 4}, []int{0, 4}, true},
		{"extra wide of the debugger", []byte{3, 5, 9, 9, 9, 9, 4}, []int{0, 6}, true},
		{"cut", []byte{4, 5}, []int{0, 1}, false},
		{"only a prefix", []byte{4, 1}, []int{0, 1}, false},
		{"two prefixes", []byte{0, 1, 4}, []int{0}, false},
		{"none", []byte{4, 6, 4}, []int{0, 1}, false},
		{"empty", nil, nil, true},
	} {
		begins, ok := Begins(c.code, sizes)
		if ok != c.ok {
			t.Errorf("%s: %v, want %v", c.name, ok, c.ok)
		}
		n := 0
		for i, b := range begins {
			if b {
				if n >= len(c.want) || c.want[n] != i {
					t.Errorf("%s: a bytecode begins at %d, want %v", c.name, i, c.want)
				}
				n++
			}
		}
		if n != len(c.want) {
			t.Errorf("%s: %d bytecodes, want %d", c.name, n, len(c.want))
		}
	}
	if _, ok := Begins([]byte{4}, nil); ok {
		t.Error("bytecodes without sizes")
	}
}

// TestFit: the sizes are right if each position belongs to a bytecode and the last one ends with the code.
func TestFit(t *testing.T) {
	sizes := []byte{
		1, 1, 1, 1, 1, 2,
		0, 0, 0, 0, 1, 3,
		0, 0, 0, 0, 1, 5,
	}
	code := []byte{4, 5, 9, 4}
	for _, c := range []struct {
		name string
		code []byte
		at   []int
		want bool
	}{
		{"each begins", code, []int{0, 1, 3}, true},
		{"the function's entry", code, []int{-1, 1}, true},
		{"none", code, nil, true},
		{"within one", code, []int{0, 2}, false},
		{"after the code", code, []int{4}, false},
		{"the last is cut", code[:2], []int{0}, false},
	} {
		var positions []PositionEntry
		for _, at := range c.at {
			positions = append(positions, PositionEntry{Code: at})
		}
		if got := Fit(c.code, sizes, positions); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
