package hotspot_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/runtimes/hotspot"
	"coredbg/runtimes/java"
)

// TestLiveValues compares what is in the static fields of the class Heap, and an exception, with the values
// that the program has written by Java's own interfaces.
func TestLiveValues(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s, err := coredbg.Open(filepath.Join(dir, "core"), filesOf(dir))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			h := hotSpot(t, s)
			checkValues(t, h, readText(t, filepath.Join(dir, "values.txt")))
			checkExceptions(t, h, readText(t, filepath.Join(dir, "exceptions.txt")))
		})
	}
}

func checkValues(t *testing.T, h *hotspot.HotSpot, truth string) {
	t.Helper()
	values := 0
	for line := range strings.Lines(truth) {
		name, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		slot, err := java.StaticSlot(t.Context(), h, "Heap."+name)
		if err != nil {
			t.Error(err)
			continue
		}
		v := java.Inspector{Heap: h.JavaHeap()}.InspectSlot(slot, java.Options{Depth: 3, MaxItems: 100, MaxString: 100,
			MaxValues: 1000})
		got := string(v.AppendJSON(nil))
		if !reflect.DeepEqual(decoded(t, got), decoded(t, want)) {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
		values++
	}
	if values < 60 {
		t.Errorf("%d values are compared, want at least 60", values)
	}
}

// decoded is JSON without the addresses, which the program does not know.
func decoded(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return bare(v)
}

func bare(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "addr")
		delete(v, "$addr")
		for k := range v {
			v[k] = bare(v[k])
		}
	case []any:
		for i := range v {
			v[i] = bare(v[i])
		}
	}
	return v
}

// checkExceptions looks at two exceptions of the same call: one trace is in StackTraceElements, the other in the JVM's
// own form.
func checkExceptions(t *testing.T, h *hotspot.HotSpot, want string) {
	t.Helper()
	for _, name := range []string{"Heap.failed", "Heap.inner"} {
		slot, err := java.StaticSlot(t.Context(), h, name)
		if err != nil {
			t.Fatal(err)
		}
		at, _ := h.Ref(slot.Addr)
		x, err := java.Reader{Heap: h.JavaHeap()}.Throwable(at)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := written(x); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

// written is a throwable as the program has written it.
func written(x *java.Throwable) string {
	var b strings.Builder
	b.WriteString(x.Object.Class.Name)
	if x.HasMessage {
		b.WriteString(": " + x.Message)
	}
	b.WriteString("\n")
	for _, e := range x.Trace {
		fmt.Fprintf(&b, "\t%s(%s:%d)\n", e.Method, e.File, e.Line)
	}
	for _, s := range x.Suppressed {
		b.WriteString(written(s))
	}
	if x.Cause != nil {
		b.WriteString(written(x.Cause))
	}
	return b.String()
}
