package e2e

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands/out"
	"coredbg/core/coretest"
)

// A variableRecord is a record of ::locals.
type variableRecord struct {
	Type, Function, Name, State string
	Value                       any
}

// TestLiveVariables compares values of variables with the programs' output before they called the next
// function: a value that is shown is right, and without optimisation each is known.
func TestLiveVariables(t *testing.T) {
	known, total := 0, 0
	for _, file := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			some, all := compareVariables(t, file)
			known += some
			total += all
		})
	}
	if total == 0 || coretest.OpenLive(t).Whole() && total < 1500 {
		t.Errorf("the programs wrote down %d values", total)
	}
	t.Logf("%d of %d values are known", known, total)
	if known*100 < total*85 {
		t.Errorf("only %d of %d values are known", known, total)
	}
}

// TestLiveKinds compares values of all shapes of Fortran, Ada, Pascal and D with their sources: a value that
// is shown is right, and without optimisation each is known, fifty of a language at least.
func TestLiveKinds(t *testing.T) {
	for _, file := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			if some, all := compareVariables(t, file); all < 50 || strings.Contains(file, "-O0") && some < 50 {
				t.Errorf("%d of %d values are known", some, all)
			}
		})
	}
}

// compareVariables compares the values of variables with the list in out.txt, and returns how many of how many are
// known and right.
func compareVariables(t *testing.T, file string) (some, total int) {
	dir := filepath.Dir(file)
	name := filepath.Base(dir)
	s := openValues(t, file)
	got := map[string]variableRecord{}
	for _, r := range records[variableRecord](t, s, "::locals -A -l 100") {
		got[r.Function+" "+r.Name] = r
	}
	text, err := os.ReadFile(filepath.Join(dir, "out.txt"))
	if err != nil {
		t.Fatal(err)
	}
	plain := !strings.Contains(name, "-O") && !strings.Contains(name, "opt-level") || strings.Contains(name, "-O0")
	for line := range strings.Lines(string(text)) {
		part := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		if len(part) != 3 {
			continue
		}
		total++
		r, ok := got[functionKey(got, part[0], part[1])]
		if part[0] == "-" {
			if all := records[variableRecord](t, s, "::print "+part[1]); len(all) == 1 {
				r, ok = all[0], true
				r.State = "known" // or its value says why not
			}
		}
		switch {
		case ok && r.State == "known":
			if checkVariable(t, part, r.Value) {
				some++
			}
		case plain && !unrecorded(name, part):
			t.Errorf("%s of %s is not known: %+v", part[1], part[0], r)
		}
	}
	t.Logf("%d values", some)
	return some, total
}

// unrecorded reports whether a compiler records no place for a variable although it does not optimise: LLVM drops the
// place of a reference of D that only an inner function uses.
func unrecorded(core string, part []string) bool {
	return strings.HasPrefix(core, "kinds-ldc-") && part[1] == "byRef"
}

// openValues opens a core with the options in its truth. Without options it uses only the program, as
// its libraries' own variables are not tested.
func openValues(t *testing.T, file string) *coredbg.Session {
	t.Helper()
	var truth liveCore
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &truth); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(file)
	o := liveOptions(t, dir, truth.Args)
	o.Executable = filepath.Join(dir, truth.Exe)
	s, err := coredbg.Open(filepath.Join(dir, truth.Core), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// records runs a line and returns its records.
func records[T any](t *testing.T, s *coredbg.Session, line string) []T {
	t.Helper()
	var b bytes.Buffer
	s.JSON = true
	s.Out = out.NewBuffered(&b)
	if err := s.Run(t.Context(), line); err != nil {
		t.Logf("%s: %v", line, err)
	}
	var list []T
	for d := json.NewDecoder(&b); d.More(); {
		var r T
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// functionKey returns the key of a variable whose function the program knows by its plain name.
func functionKey(got map[string]variableRecord, function, name string) string {
	for key := range got {
		f, v, _ := strings.Cut(key, " ")
		if i := strings.LastIndexByte(key, ' '); i >= 0 {
			f, v = key[:i], key[i+1:]
		}
		f, _, _ = strings.Cut(f, "(")
		f = f[strings.LastIndexByte(f, ':')+1:]
		f, _, _ = strings.Cut(f, "!") // what a template of D was made with
		if v == name && strings.TrimSuffix(f, ".cold") == function {
			return key
		}
	}
	return ""
}

// checkVariable compares a value with the program's output.
func checkVariable(t *testing.T, part []string, got any) bool {
	t.Helper()
	want := written(t, part[2])
	if hasUnknown(got) {
		return false
	}
	if !sameJSON(got, want) {
		text, _ := json.Marshal(got)
		t.Errorf("%s of %s is %s, not %s", part[1], part[0], text, part[2])
		return false
	}
	return true
}

// written returns the JSON value that a program wrote.
func written(t *testing.T, text string) any {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return numbers(t, v)
}

// numbers gives the numbers of a JSON value the form that records have: integers beyond 2^53 are
// strings.
func numbers(t *testing.T, v any) any {
	t.Helper()
	switch v := v.(type) {
	case json.Number:
		const limit = 1 << 53
		if n, ok := new(big.Int).SetString(v.String(), 10); ok && n.CmpAbs(big.NewInt(limit)) > 0 {
			return v.String()
		}
		f, err := v.Float64()
		if err != nil {
			t.Fatal(err)
		}
		return f
	case []any:
		for i := range v {
			v[i] = numbers(t, v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(t, v[k])
		}
	}
	return v
}

// hasUnknown reports whether a part of a value is not known.
func hasUnknown(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		if e, ok := v["error"]; ok && len(v) == 1 {
			_, text := e.(string)
			return text
		}
		for _, x := range v {
			if hasUnknown(x) {
				return true
			}
		}
	case []any:
		for _, x := range v {
			if hasUnknown(x) {
				return true
			}
		}
	}
	return false
}

// sameJSON compares values; floating-point numbers were written with nine digits at least.
func sameJSON(a, b any) bool {
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		return ok && (x == y || math.Abs(x-y) <= 1e-8*math.Abs(y))
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !sameJSON(x[i], y[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k := range x {
			if _, there := y[k]; !there || !sameJSON(x[k], y[k]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}
