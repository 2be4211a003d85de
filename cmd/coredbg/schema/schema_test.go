package schema

import (
	"encoding/json"
	"testing"
)

// TestOf: a part has what its types need, and nothing else.
func TestOf(t *testing.T) {
	types, err := Types()
	if err != nil || len(types) < 100 {
		t.Fatal(len(types), err)
	}
	text, err := For("thread", "verdict")
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"thread", "verdict", "frame"} {
		if d.Defs[name] == nil {
			t.Errorf("no definition of %s", name)
		}
	}
	if len(d.Any) != 2 || d.Defs["mapping"] != nil {
		t.Errorf("%d types, mapping %s", len(d.Any), d.Defs["mapping"])
	}
	if _, err := For("nosuch"); err == nil {
		t.Error("an unknown type is no error")
	}
	if _, err := Defs("nosuch"); err == nil {
		t.Error("an unknown type is no error")
	}
}
