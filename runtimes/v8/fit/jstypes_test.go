package fit

import (
	"maps"
	"testing"
)

// TestJSAnchors: a constructor's type is the type of most of its maps. If several types have equally many maps,
// the type is unknown.
func TestJSAnchors(t *testing.T) {
	for name, c := range map[string]struct {
		seen map[int]map[string]int
		want map[string]int
	}{
		"most": {map[int]map[string]int{2060: {"Map": 4}, 2061: {"Map": 1, "": 9}}, map[string]int{"JS_MAP": 2060}},
		"tie": {map[int]map[string]int{2093: {"Iterator": 1}, 2094: {"Iterator": 1}, 2070: {"Set": 1}},
			map[string]int{"JS_SET": 2070}},
		"same": {map[int]map[string]int{2061: {"Uint8Array": 2, "Float64Array": 2}},
			map[string]int{"JS_TYPED_ARRAY": 2061}},
		"programs": {map[int]map[string]int{1057: {"Widget": 40, "Object": 3}, 2065: {callableObject: 9}},
			map[string]int{"JS_OBJECT": 1057}},
	} {
		if got := jsAnchors(c.seen); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
