package v8

import (
	"strings"
	"testing"

	"coredbg/runtimes/v8/fit"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

func TestWarningsOfVersions(t *testing.T) {
	for _, c := range []struct {
		v    layout.Version
		want string
	}{
		{layout.Version{}, "unknown"}, {layout.V(6, 2), "older"}, {layout.V(15, 0), "newer"}, {layout.V(13, 6), ""},
		{layout.V(14, 6), ""},
	} {
		v := newV8(fit.New(v8test.NewHeap(t, c.v).Memory()), nil)
		w := v.Warnings()
		if c.want == "" && len(w) != 0 || c.want != "" && (len(w) == 0 || !strings.Contains(w[0].Text, c.want)) {
			t.Errorf("%v: %v", c.v, w)
		}
	}
}
