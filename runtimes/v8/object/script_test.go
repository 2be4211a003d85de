package object

import (
	"reflect"
	"testing"
)

func TestLineEnds(t *testing.T) {
	src := []uint16{'a', '\n', 'b', '\r', '\n', 'c', '\r', 'd', 0x2028, 'e'}
	want := []int{1, 4, 6, 8, 10}
	if got := lineEnds(src); !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	table := &lineTable{ends: want}
	for _, c := range []struct{ offset, line, column int }{{0, 0, 0}, {1, 0, 1}, {2, 1, 0}, {5, 2, 0}, {7, 3, 0},
		{9, 4, 0}, {10, 4, 1}} {
		if l, col, ok := table.line(c.offset); !ok || l != c.line || col != c.column {
			t.Errorf("offset %d: %d:%d, %v", c.offset, l, col, ok)
		}
	}
	if _, _, ok := table.line(11); ok {
		t.Error("an offset after the source has a line")
	}
}
