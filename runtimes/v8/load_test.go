package v8

import (
	"strings"
	"testing"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]layout.Version{"12.4": layout.V(12, 4), "11.3.244.8-node.33": {Major: 11, Minor: 3, Build: 244, Patch: 8}, "14.6.202": {Major: 14, Minor: 6, Build: 202, Patch: 0}} {
		if got, ok := ParseVersion(text); !ok || got != want {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "12", "x.y", "12.", "12.4.-1", "99999.1"} {
		if got, ok := ParseVersion(text); ok {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestWarningsOfVersions(t *testing.T) {
	for _, c := range []struct {
		v    layout.Version
		want string
	}{
		{layout.Version{}, "unknown"}, {layout.V(6, 2), "older"}, {layout.V(15, 0), "newer"}, {layout.V(13, 6), ""}, {layout.V(14, 6), ""},
	} {
		v := newV8(v8test.NewHeap(t, c.v).Memory())
		w := v.Warnings()
		if c.want == "" && len(w) != 0 || c.want != "" && (len(w) == 0 || !strings.Contains(w[0].Text, c.want)) {
			t.Errorf("%v: %v", c.v, w)
		}
	}
}
