package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"coredbg/core/coretest"

	"coredbg"
)

// A goVariable is a record of ::locals for a Go variable.
type goVariable struct {
	Type, Function, Name, State string
	TID, Goroutine, Frame       int
	Value                       any
	Constant                    string
	Constants                   map[string]string
}

// goNames are the constants that values of main have, by their paths.
var goNames = map[string]map[string]string{
	"main.numbers hue": {"": "green"}, "main.times month": {"": "March"}, "main.maps nested": {`["out"]["in"]`: "red"},
	"main.faces path": {"Err": "ENOENT"},
}

// misplaced are values whose recorded place Go 1.18 to 1.20 has meanwhile given to another variable;
// delve 1.27 shows the same values.
var misplaced = regexp.MustCompile(`^govalues-go1\.(18|20)\..*-O main\.square\.measure s$`)

// throughInterfaces are paths that lead through what interfaces of main.faces and of the program have.
var throughInterfaces = map[string]any{
	"err.err.s": "file does not exist", "value.X": 5.0, "*pointer": map[string]any{"X": 7.0, "Y": 8.0},
	"list[4].Y": 2.0, "slice[1]": 1.0,
	"main.Err.Code": 5.0, "main.Face.Side": 1.0,
}

// instances matches what a generic function or type was instantiated with.
var instances = regexp.MustCompile(`\[.*?\]`)

// TestLiveGoValues compares the values of Go variables with the program's output (values.go). Each
// value shown is right, and without optimisation all are known, also in goroutines that no thread runs.
func TestLiveGoValues(t *testing.T) {
	for _, file := range coretest.Live(t) {
		dir := filepath.Dir(file)
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			s := openValues(t, file)
			got, frames := map[string]goVariable{}, map[string]goVariable{}
			list := records[goVariable](t, s, "::walk thread | ::locals -A -l 200")
			for _, r := range append(list, records[goVariable](t, s,
				"::goroutines -s waiting | ::locals -A -l 200")...) {
				r.Function = instances.ReplaceAllString(r.Function, "")
				got[r.Function+" "+r.Name], frames[r.Function] = r, r
			}
			if late := got["main.times late"]; strings.HasSuffix(name, "O0") && late.State != "unknown" {
				t.Errorf("late, which is declared after the call, is %+v", late)
			}
			text, err := os.ReadFile(filepath.Join(dir, "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			for path, want := range throughInterfaces {
				if got, ok := goPath(t, s, frames["main.faces"], path); strings.HasSuffix(name, "O0") &&
					(!ok || !sameJSON(got, want)) {
					t.Errorf("%s is %v, want %v", path, got, want)
				}
			}
			for key, want := range goNames {
				for path, constant := range want {
					if r := got[key]; strings.HasSuffix(name, "O0") &&
						constant != cmp.Or(r.Constants[path], r.Constant) {
						t.Errorf("%s of %s is %q and %v, not %s", path, key, r.Constant, r.Constants, constant)
					}
				}
			}
			known, total := 0, 0
			for line := range strings.Lines(string(text)) {
				part := strings.SplitN(strings.TrimSpace(line), "\t", 3)
				if len(part) != 3 {
					continue
				}
				total++
				r, ok := got[part[0]+" "+part[1]]
				if f, there := frames[part[0]]; !ok && (there || part[0] == "-") {
					r.Value, ok = goPath(t, s, f, part[1])
				}
				want := written(t, part[2])
				switch {
				case ok && !hasUnknown(r.Value):
					if known++; !sameJSON(asMap(r.Value, want), want) &&
						!misplaced.MatchString(name+" "+part[0]+" "+part[1]) {
						text, _ := json.Marshal(r.Value)
						t.Errorf("%s of %s is %s, not %s", part[1], part[0], text, part[2])
					}
				case strings.HasSuffix(name, "O0"):
					t.Errorf("%s of %s is not known: %+v", part[1], part[0], r)
				}
			}
			if t.Logf("%d of %d values", known, total); known < 110 {
				t.Errorf("only %d of %d values are known", known, total)
			}
		})
	}
}

// goPath returns the value that ::print shows for a path in a frame, or for a variable of the program.
func goPath(t *testing.T, s *coredbg.Session, f goVariable, path string) (any, bool) {
	t.Helper()
	if f.Function != "" {
		if f.Goroutine != 0 {
			records[any](t, s, fmt.Sprintf("::goroutine %d", f.Goroutine))
		} else {
			records[any](t, s, fmt.Sprintf("::thread %d", f.TID))
		}
		records[any](t, s, fmt.Sprintf("::frame %d", f.Frame))
	}
	list := records[goVariable](t, s, "::print -l 200 '"+path+"'")
	if len(list) != 1 || list[0].Type != "value" {
		return nil, false
	}
	return list[0].Value, true
}
