package fit

import "testing"

// TestElementsUnit: maps of typed arrays say where their kind of elements begins, of 8.7, 9.2 and 11.3.
func TestElementsUnit(t *testing.T) {
	for _, c := range []struct{ shift, first, low int }{{3, 17, 1}, {2, 17, 1}, {2, 18, 0}} {
		least := map[string]byte{"": 3, "Float64Array": 200}
		for i, name := range typedConstructors {
			least[name] = byte((c.first+i)<<c.shift | c.low)
		}
		if shift, first, ok := elementsUnit(least); !ok || shift != c.shift || first != c.first {
			t.Errorf("of %v: %d, %d, %v", c, shift, first, ok)
		}
		least["Int16Array"]++
		if shift, _, ok := elementsUnit(least); ok {
			t.Errorf("of kinds that are not consecutive: %d", shift)
		}
	}
	if _, _, ok := elementsUnit(nil); ok {
		t.Error("of no maps something is known")
	}
}
