package heap

import (
	"strings"
	"testing"
)

// TestSample: classes of objects on some spans, by size.
func TestSample(t *testing.T) {
	var objects []func(f *fake, i int)
	for range 10 {
		objects = append(objects, object(32, 1), object(96, 2), object(16, 0))
	}
	types := []Type{{Class: "Small"}, {Class: "Entry", Place: Place{File: "a.js", Line: 1}},
		{Class: "(table)", Internal: true}}
	classes, err := Sample(t.Context(), laid(types, objects...))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range classes {
		names = append(names, c.Class)
	}
	if got := strings.Join(names, " "); got != "(table) Entry Small" || classes[1].Objects != 10 ||
		classes[1].Shallow != 320 {
		t.Errorf("%s, %+v", got, classes)
	}
}
