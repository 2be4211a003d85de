package layout

import (
	"reflect"
	"slices"
	"testing"
)

type numbers struct {
	SDK     int
	Version struct{ Major, Minor int } `layout:"-"`
	Map     struct {
		Bits int `toy:"Map.bits_"`
		Size int
		Name string
	}
	more
	Heap struct {
		Space struct {
			Begin int `toy:"Space.begin_"`
		}
	}
}

type more struct {
	Code struct {
		Body int
	}
}

// TestFill fills the numbers of classes wherever they are declared, and nothing
// else.
func TestFill(t *testing.T) {
	n := numbers{SDK: 1}
	n.Version.Major, n.Map.Size = 2, 24
	facts := Fill(&n, func(_, field reflect.StructField, value int) Fact {
		switch {
		case field.Tag.Get("toy") != "":
			return Fact{Name: field.Tag.Get("toy"), Value: 7, Supplier: FromSymbol, Source: "toy"}
		case value != 0:
			return Fact{Value: value, Supplier: FromTable}
		}
		return Fact{Value: Unknown, Supplier: FromNowhere}
	})
	want := []Fact{
		{"Map", "Bits", "Map.bits_", 7, FromSymbol, "toy"},
		{"Map", "Size", "", 24, FromTable, ""},
		{"Code", "Body", "", Unknown, FromNowhere, ""},
		{"Space", "Begin", "Space.begin_", 7, FromSymbol, "toy"},
	}
	if !slices.Equal(facts, want) {
		t.Errorf("got %+v", facts)
	}
	if n.SDK != 1 || n.Version.Major != 2 || n.Map.Bits != 7 || n.Map.Size != 24 || n.Code.Body != Unknown ||
		n.Heap.Space.Begin != 7 {
		t.Errorf("got %+v", n)
	}
	Set(&n, facts, "Code", "Body", 32, FromProbe)
	if f := facts[2]; n.Code.Body != 32 || f.Value != 32 || f.Supplier != FromProbe {
		t.Errorf("probed: %d, %+v", n.Code.Body, f)
	}
}
