package e2e

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"coredbg"
)

// An artLocals says which values named variables of a frame have, counted among
// the Java frames of its thread from the innermost.
type artLocals struct {
	Thread, Method string
	Frame          int
	Values         map[string]any
}

// checkValues checks what commands print as JSON against what the program's source
// assigns: variables, static fields, the dex files of class loaders.
func checkValues(t *testing.T, path string, o coredbg.Options, truth *artTruth) {
	t.Helper()
	if len(truth.Locals)+len(truth.Statics)+len(truth.Loaders) == 0 {
		return
	}
	var out bytes.Buffer
	o.Stdout = &out
	s, err := coredbg.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Process.Close()
	s.JSON = true
	ask := func(command string) (records []map[string]any) {
		out.Reset()
		if err := s.Run(t.Context(), command); err != nil {
			t.Errorf("%s: %v", command, err)
		}
		for line := range strings.Lines(out.String()) {
			var r map[string]any
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatalf("%s: %v in %q", command, err, line)
			}
			records = append(records, r)
		}
		return records
	}
	if len(truth.Locals) > 0 {
		checkLocals(t, ask("::javathreads | ::javastack -l"), truth.Locals)
	}
	for _, class := range slices.Sorted(maps.Keys(truth.Statics)) {
		r := ask("::javaclass -s " + class)
		if len(r) != 1 || !within(r[0]["statics"], truth.Statics[class]) {
			t.Errorf("static fields of %s: %v, want %v", class, r, truth.Statics[class])
		}
	}
	for class, names := range truth.Loaders {
		found := slices.ContainsFunc(ask("::classloaders"), func(r map[string]any) bool {
			return r["class"] == class && reflect.DeepEqual(r["dex_files"], names)
		})
		if !found {
			t.Errorf("::classloaders has no %s with %v:\n%s", class, names, &out)
		}
	}
}

func checkLocals(t *testing.T, threads []map[string]any, want []artLocals) {
	t.Helper()
	for _, w := range want {
		i := slices.IndexFunc(threads, func(r map[string]any) bool { return r["name"] == w.Thread })
		if i < 0 {
			t.Errorf("no thread %q", w.Thread)
			continue
		}
		frames, _ := threads[i]["frames"].([]any)
		if w.Frame >= len(frames) {
			t.Errorf("%s has %d Java frames, want more than %d", w.Thread, len(frames), w.Frame)
			continue
		}
		f, _ := frames[w.Frame].(map[string]any)
		got, _ := f["locals"].(map[string]any)
		if f["name"] != w.Method {
			t.Errorf("%s: frame %d is %v, want %s", w.Thread, w.Frame, f["name"], w.Method)
		}
		for name, v := range w.Values {
			if g, ok := got[name]; !ok || !within(g, v) && !inFloat(g) {
				t.Errorf("%s: %s is %v, want %v", w.Method, name, g, v)
			}
		}
	}
}

// inFloat reports whether a value says that it was in a floating-point register,
// where compiled code may keep it and nothing saves it for the frames above.
func inFloat(got any) bool {
	g, _ := got.(map[string]any)
	why, _ := g["why"].(string)
	return g["$"] == "unknown" && strings.Contains(why, "floating-point register")
}

// within reports whether got is want, where its objects may have more keys, such
// as addresses.
func within(got, want any) bool {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		for k, v := range w {
			if ok = ok && within(g[k], v); !ok {
				return false
			}
			if _, has := g[k]; !has {
				return false
			}
		}
		return ok
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(g, w, within)
	}
	return reflect.DeepEqual(got, want)
}
