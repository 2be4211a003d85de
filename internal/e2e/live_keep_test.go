package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveKeep: maps, channels, interfaces and slices of Go hold what the program has written down
// (keep.go), in each release.
func TestLiveKeep(t *testing.T) {
	for _, file := range coretest.Live(t) {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			s := openValues(t, file)
			written, err := os.ReadFile(filepath.Join(filepath.Dir(file), "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			seen := 0
			for line := range strings.Lines(string(written)) {
				name, text, ok := strings.Cut(strings.TrimSpace(line), " ")
				var want any
				if !ok || json.Unmarshal([]byte(text), &want) != nil {
					break // the runtime's own words
				}
				if name[0] >= 'A' && name[0] <= 'Z' {
					name = "main." + name
				}
				seen++
				got := records[struct{ Value any }](t, s, "::print -l 100000 '"+name+"'")
				if len(got) != 1 || !reflect.DeepEqual(asMap(got[0].Value, want), want) {
					t.Errorf("%s is %v, want %v", name, got, want)
				}
			}
			if seen < 25 {
				t.Errorf("%d values", seen)
			}
		})
	}
}

// asMap returns a value in the form of the one wanted: a list of pairs as an object, whose keys Go
// writes as text.
func asMap(got, want any) any {
	switch want := want.(type) {
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return got
		}
		out := make([]any, len(list))
		for i := range list {
			out[i] = asMap(list[i], want[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		switch got := got.(type) {
		case map[string]any:
			for k, v := range got {
				out[k] = asMap(v, want[k])
			}
		case []any:
			for _, x := range got {
				pair, ok := x.([]any)
				if !ok || len(pair) != 2 {
					return got
				}
				k := fmt.Sprint(pair[0])
				out[k] = asMap(pair[1], want[k])
			}
		}
		return out
	}
	return got
}
