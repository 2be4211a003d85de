package v8

import (
	"maps"
	"testing"

	"coredbg/runtimes/v8/layout"
)

// TestTypesTradePlaces checks that types which change places have their new ones in whatever order they are looked at.
func TestTypesTradePlaces(t *testing.T) {
	table := &layout.Table{Constants: map[string]int{
		"type_A__A_TYPE": 1, "type_B__B_TYPE": 2, "type_C__C_TYPE": 3, "type_D__D_TYPE": 4, "type_E__E_TYPE": 5, "other": 3,
	}}
	want := map[string]int{"type_A__A_TYPE": 2, "type_B__B_TYPE": 3, "type_C__C_TYPE": 4, "type_E__E_TYPE": 5, "other": 3}
	for range 64 { // an order of a map's keys that is wrong may be rare
		got := withTypes(table, map[string]int{"type_A__A_TYPE": 2, "type_B__B_TYPE": 3, "type_C__C_TYPE": 4})
		if !maps.Equal(got.Constants, want) {
			t.Fatalf("got %v, want %v", got.Constants, want)
		}
	}
}
