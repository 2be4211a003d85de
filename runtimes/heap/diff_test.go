package heap

import "testing"

func TestDiff(t *testing.T) {
	class := func(name, place string, objects int, bytes uint64) Class {
		return Class{Type: Type{Class: name, Place: Place{File: place}}, Objects: objects, Shallow: bytes}
	}
	before := []Class{class("A", "/old/a.js", 1, 10), class("B", "", 5, 50), class("Gone", "", 2, 20),
		class("Same", "", 7, 70),
		class("T", "/x/t.js", 1, 8), class("T", "/y/t.js", 2, 16)}
	after := []Class{class("A", "/new/a.js", 3, 30), class("B", "", 4, 90), class("New", "", 1, 5),
		class("Same", "", 7, 70),
		class("T", "/x/t.js", 1, 8), class("T", "/y/t.js", 3, 24)}
	want := []struct {
		class string
		grew  int64
		count int
	}{{"B", 40, -1}, {"A", 20, 2}, {"T", 8, 1}, {"New", 5, 1}, {"Gone", -20, -2}}
	got := Diff(before, after)
	if len(got) != len(want) {
		t.Fatalf("%d classes changed, want %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		if x := got[i]; x.Class != w.class || x.Grew() != w.grew || x.New.Objects-x.Old.Objects != w.count {
			t.Errorf("%s grew by %d bytes, %d objects; want %+v", x.Class, x.Grew(), x.New.Objects-x.Old.Objects, w)
		}
	}
}
