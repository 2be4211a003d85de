package sourcemap

import (
	"runtime"
	"strings"
	"testing"
)

// TestBounds: maps that are made to cost much are refused before they do.
func TestBounds(t *testing.T) {
	many := strings.Repeat(`{},`, maxValues)
	texts := strings.Repeat(`",[{",`, maxValues/4) // what is in strings does not count
	unsorted := strings.Repeat("CAAA,DAAA,", maxUnsorted/10+1)
	for _, c := range []struct{ text, want string }{
		{`{"version":3,"sources":[],"names":[` + many + `0],"mappings":""}`, "values of JSON"},
		{`{"version":3,"sections":[` + many + `{}]}`, "values of JSON"},
		{`{"version":3,"sources":[],"names":[` + texts + `"\"[[["],"mappings":""}`, ""},
		{`{"version":3,"sources":["a"],"names":[],"mappings":"` + unsorted + `"}`, "do not rise"},
		{`{"version":3,"sources":["a"],"names":[],"mappings":"` + unsorted[:1000] + `"}`, ""},
	} {
		b := []byte(c.text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(b, "", nil)
		runtime.ReadMemStats(&after)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%.60s…: %v, want %q", c.text, err, c.want)
		}
		if took := after.TotalAlloc - before.TotalAlloc; c.want == "values of JSON" && took > 1<<20 {
			t.Errorf("%.60s…: %d bytes were allocated for what is refused", c.text, took)
		}
	}
}
