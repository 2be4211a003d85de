package v8_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/runtimes/v8"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/inspect"
	"coredbg/walk"
)

// TestCallbacks: functions of the embedder are frames of their own kind, with the name of the function they
// call and its arguments (api.json; testdata/cores/sources/v8/api.js).
func TestCallbacks(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join(dir, "api.json"))
			if err != nil {
				t.Fatal(err)
			}
			var want []calledBack
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			p, _, v := openLive(t, filepath.Join(dir, "core"))
			n := 0
			for m, err := range walk.NewTarget(p, walk.Options{}).Walk(t.Context(), p.Threads[0],
				v.Frames.Begin(p.Threads[0])) {
				if err != nil {
					break
				}
				frames, _ := v.Frames.Decode(&m)
				for _, f := range frames {
					if f.Kind != runtimes.API {
						continue
					}
					if n >= len(want) {
						t.Errorf("one more: %s, which calls %s", f.Name, f.Callback)
					} else {
						want[n].check(t, v, &m, f)
					}
					n++
				}
			}
			if n < len(want) {
				t.Errorf("%d of %d frames", n, len(want))
			}
		})
	}
}

// A calledBack is a callback as api.js records it.
type calledBack struct {
	name, function, self string
	arguments            []string // nil if they are not told
}

func (c *calledBack) UnmarshalJSON(b []byte) error {
	fields := []any{&c.name, &c.function, &c.self, &c.arguments}
	return json.Unmarshal(b, &fields)
}

func (c *calledBack) check(t *testing.T, v *v8.V8, m *walk.Frame, f runtimes.SourceFrame) {
	if !strings.Contains(f.Name, c.name) || c.name == "" && !strings.HasSuffix(f.Name, "<anonymous>") ||
		!strings.Contains(f.Callback, c.function) {
		t.Errorf("%q calls %q; want %+v", f.Name, f.Callback, c)
	}
	values := v.Frames.Values(m)
	if len(values) != 1 || !values[0].Receiver.Known() || values[0].More > 0 {
		t.Errorf("values of %s: %+v", f.Name, values)
		return
	}
	if c.arguments == nil {
		return
	}
	text := func(l frame.Local) string {
		o := inspect.FormatOptions{Dialect: v.Values.Dialect()}
		return v.Values.InspectSlot(l.Slot, inspect.DefaultInspect()).Format(o)
	}
	var got []string
	for _, a := range values[0].Args {
		got = append(got, text(a))
	}
	self := text(values[0].Receiver)
	if c.self != "" && self != c.self || !slices.Equal(got, c.arguments) {
		t.Errorf("%s is called with %s %q, want %s %q", f.Name, self, got, c.self, c.arguments)
	}
}
