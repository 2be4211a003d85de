package v8_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/runtimes"
)

// TestCallbacks: functions of the embedder are frames of a kind of their own,
// with the name of the function that they call (api.json;
// testdata/cores/sources/v8/api.js).
func TestCallbacks(t *testing.T) {
	for _, dir := range liveCores(t, "api") {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join(dir, "api.json"))
			if err != nil {
				t.Fatal(err)
			}
			var want [][2]string
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			p, _, v := openLive(t, filepath.Join(dir, "core"))
			frames, _ := stackOf(p, v, p.Threads[0])
			n := 0
			for _, f := range frames {
				if f.Kind != runtimes.API {
					continue
				}
				if n >= len(want) {
					t.Errorf("one more: %s, which calls %s", f.Name, f.Callback)
				} else if w := want[n]; !strings.Contains(f.Name, w[0]) || w[0] == "" && f.Name != "" || !strings.Contains(f.Callback, w[1]) {
					t.Errorf("frame %d is %q, which calls %q; want %q", n, f.Name, f.Callback, w)
				}
				n++
			}
			if n < len(want) {
				t.Errorf("%d of %d frames", n, len(want))
			}
		})
	}
}
