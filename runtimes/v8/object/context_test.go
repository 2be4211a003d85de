package object

import (
	"testing"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestIsContext tells contexts from constant pools that begin with a ScopeInfo.
func TestIsContext(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	scope := uint64(h.Object("SCOPE_INFO", 0, 0, 0, 0, 0, 0))
	array := func(words ...uint64) uint64 {
		return uint64(h.Object("FIXED_ARRAY", append([]uint64{v8test.Smi(len(words))}, words...)...))
	}
	native := array(scope, v8test.Smi(0), 0)
	tests := map[string]struct {
		words []uint64
		want  bool
	}{
		"native":                      {[]uint64{scope, v8test.Smi(0), 0}, true},
		"function":                    {[]uint64{scope, native}, true},
		"pool with a name":            {[]uint64{scope, uint64(h.Str("name")), native}, false},
		"pool with another ScopeInfo": {[]uint64{scope, scope}, false},
		"pool with a jump":            {[]uint64{scope, v8test.Smi(31)}, false},
		"short":                       {[]uint64{scope}, false},
		"no ScopeInfo":                {[]uint64{native, native}, false},
	}
	objects := map[string]uint64{}
	for name, test := range tests {
		objects[name] = array(test.words...)
	}
	r := readerOf(h.Memory()).Objects
	for name, test := range tests {
		if got := r.IsContext(layout.Tagged(objects[name])); got != test.want {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}
