package layout

import (
	"reflect"
	"testing"

	"coredbg/runtimes/layout"
)

// fieldsOf returns the numbers of a layout by class and field.
func fieldsOf(l *Layout) map[string]int {
	out := map[string]int{}
	layout.Each(l, func(class, field reflect.StructField, p *int) { out[class.Name+"."+field.Name] = *p })
	return out
}

// TestRowsAreFields: each row is for a field of the Layout, no field has two rows, each row has a file, and its
// steps are in order and each change the value.
func TestRowsAreFields(t *testing.T) {
	fields, seen := fieldsOf(&Layout{}), map[string]bool{}
	for _, r := range allRows() {
		if _, ok := fields[r.name]; !ok || seen[r.name] || r.file == "" || len(r.steps) == 0 {
			t.Errorf("%+v: the field is there: %v, a second row: %v", r, ok, seen[r.name])
		}
		seen[r.name] = true
		was, value := Version{Major: -1}, Unknown
		for _, s := range r.steps {
			if !s.since.AtLeast(was.Major, was.Minor+1) || s.value == value {
				t.Errorf("%s: the step at %v follows %v, %d follows %d", r.name, s.since, was, s.value, value)
			}
			was, value = s.since, s.value
		}
	}
}
