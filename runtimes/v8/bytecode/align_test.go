package bytecode

import (
	"slices"
	"testing"

	"coredbg/runtimes/v8/layout"
)

// TestOfSizes: the sizes of a version that is known lead to its bytecodes, with the set
// of the version before as the nearest. Names of bytecodes that have the same sizes as
// their neighbours may be off: the sizes must not be.
func TestOfSizes(t *testing.T) {
	sets := Sets()
	named := 0
	total := 0
	for i, s := range sets {
		near := sets[max(i-1, 0)].Version
		got, ok := OfSizes(s.Sizes(), near)
		if !ok || len(got.names) != len(s.names) {
			t.Fatalf("%v: %v, %d bytecodes, want %d", s.Version, ok, len(got.names), len(s.names))
		}
		if !got.Fits(s.Sizes()) || !slices.Equal(got.Sizes(), s.Sizes()) {
			t.Errorf("%v: the sizes are others", s.Version)
		}
		for k, name := range s.names {
			total++
			if got.names[k] == name {
				named++
			}
		}
	}
	if 100*named < 97*total {
		t.Errorf("%d of %d bytecodes have their names", named, total)
	}
}

// TestOfSizesUnknown: bytecodes that no version has get a name of their own, and data that is not a table of
// sizes is refused.
func TestOfSizesUnknown(t *testing.T) {
	s := Sets()[len(Sets())-1]
	row := len(s.names)
	sizes := s.Sizes()
	var more []byte
	for i := range 3 {
		more = append(more, sizes[i*row:i*row+20]...)
		more = append(more, 9, 0, 0)
		more = append(more, sizes[i*row+20:(i+1)*row]...)
	}
	for i := range 3 { // one bytecode of 9 bytes in all scales, not three of them
		at := i*(row+3) + 20
		more[at], more[at+1], more[at+2] = 9, 9, 9
	}
	got, ok := OfSizes(more, s.Version)
	if !ok || len(got.names) != row+3 || got.names[20] != "Bytecode20" || got.names[23] != s.names[20] {
		t.Errorf("%v, %d bytecodes: %v", ok, len(got.names), got.names[18:min(26, len(got.names))])
	}
	for _, bad := range [][]byte{nil, {1, 2}, make([]byte, 3*300)} {
		if _, ok := OfSizes(bad, layout.V(14, 0)); ok {
			t.Errorf("a table of %d bytes is taken", len(bad))
		}
	}
}
