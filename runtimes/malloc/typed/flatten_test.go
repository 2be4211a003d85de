package typed

import "testing"

// TestSameName: two units may have different types of one name. Each has one shape, however often it is met:
// a type that holds a container of itself has no end otherwise.
func TestSameName(t *testing.T) {
	x := newShapes(8)
	small, large := x.add(&shape{name: "Node", size: 24}), x.add(&shape{name: "Node", size: 40})
	if small == large || small.number == large.number {
		t.Fatalf("shapes of 24 and 40 bytes: %+v, %+v", small, large)
	}
	for range 2 {
		if x.add(&shape{name: "Node", size: 40}) != large || x.add(&shape{name: "Node", size: 24}) != small {
			t.Fatal("a shape that is known is added again")
		}
	}
	if len(x.all) != 3 {
		t.Errorf("%d shapes", len(x.all)-1)
	}
}
