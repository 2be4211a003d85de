package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// jsCases are lines as typed with their output for values.js, whose source is the truth: a part of the
// output or, after an equals sign, all of it.
var jsCases = []struct{ line, want string }{
	{"::jsprint -b T.gadget", "=Gadget { id: 8888, name: 'widget8888', next: null, weight: 8888.5, flag: true }\n"},
	{"::jsprint -d 0 T.map", " { 'k1' => 'v1', 2 => [Object] }\n"},
	{"::jsprint -n 2 T.arrSmi", "=[ 1, 2, ... 1 more item ]\n"},
	{"::jsprint T.privat", "=Priv { pub: 2, #secret: 13 }\n"},
	{"::jsprint T.gen", "<suspended in g1 at "},
	{"::jsprint T.wm", "next: null } => 'weak value'"},
	{"::jsprint T.smi T.dict.kobj.inDict", "=T.smi: 42\nT.dict.kobj.inDict: true\n"},
	{"::jsprint -b T.widget.nothing", "="},
	{"::jsglobal keep", "keep: { widgets: [Array], gadgets: [Array], old: [Array], lits: [Array]"},
	{"::jsprint -b T.gadget | ::jsconstructor", "=Gadget\n"},
	{"::jsprint -b T.closure | ::jsclosure", "=count: 5\nlabel: 'ctr'\n"},
	{"::jsprint -b T.closure | ::jscontext", "    count: 5\n    label: 'ctr'\n"},
	{"::jsprint -b T.closure | ::jscontext | ::v8scopeinfo", "function  makeCounter\n"},
	{"::jsprint -b T.fn | ::jsfunction", "values.js:"},
	{"::jsprint -b T.fn | ::v8function -d", "bytecode"},
	{"::jsprint -b T.fn | ::jssource", " function makeCounter(start) {\n"},
	{"::jsprint -b T.klass | ::jssource", " class Gadget extends Widget {\n"},
	{"::jsprint -b T.err | ::jserror", "TypeError: my error message\n    at "},
	{"::jsprint -b T.buf | ::nodebuffer", ": Buffer, 11 bytes at "},
	{"::jsprint -b T.arrObj | ::walk jselement | ::jsprint -b", "='a'\n{ z: 1 }\nnull\n"},
	{"::jsprint -b T.old | ::walk jsprop | ::jsprint -b", "='olda'\n{ nested: 'olda' }\n"},
	{"::jsprint -b T.arrDbl | ::jsarray -i", "=   0: 1.5\n   1: 2.5\n   2: 3.5\n"},
	{"::jsprint -b T.fn | ::v8print", " JSFunction {\n"},
	{"::jsprint -b T.fn | ::v8print", "elements = "},
	{"::jsprint -b T.map | ::v8internal", "="},
	{"::v8classes -v SharedFunctionInfo", "name_or_scope_info"},
	{"::v8types", "JS_FUNCTION_TYPE"},
	{"::v8frametypes", "Construct\n"},
}

// TestLiveJS runs the commands over values of JavaScript on the cores of
// Node.
func TestLiveJS(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{Stdout: &stdout, Stderr: &stderr})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Process.Close()
			for _, c := range jsCases {
				stdout.Reset()
				_ = s.Run(context.Background(), c.line)
				got := stdout.String()
				whole, exact := strings.CutPrefix(c.want, "=")
				if exact && got != whole || !exact && !strings.Contains(got, c.want) {
					t.Errorf("%s shows\n%swant\n%s", c.line, got, whole)
				}
			}
			s.JSON = true
			stdout.Reset()
			_ = s.Run(context.Background(), "::jsprint T.map")
			var rec struct {
				Type, Addr string
				Value      struct {
					Kind    string `json:"$"`
					Entries [][2]any
				}
			}
			if err := json.Unmarshal(stdout.Bytes(), &rec); err != nil || rec.Type != "jsvalue" ||
				rec.Value.Kind != "Map" || len(rec.Value.Entries) != 2 {
				t.Errorf("::jsprint T.map in JSON is %s, %v", stdout.Bytes(), err)
			}
		})
	}
}

// TestLiveCollection: commands that count objects warn of a process that died within
// a collection of garbage, and of no other.
func TestLiveCollection(t *testing.T) {
	warnings := map[string]string{"scavenge": " was in a collection (scavenge): ",
		"evacuate": " was in a collection (mark-compact): ", "plain": ""}
	for _, dir := range coretest.Live(t) {
		want := warnings[dir[strings.LastIndexByte(dir, '-')+1:]]
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{Stdout: &stdout, Stderr: &stderr})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Process.Close()
			for _, line := range []string{"::v8heap", "::v8spaces", "::findjsobjects -s"} {
				stderr.Reset()
				if err := s.Run(context.Background(), line); err != nil {
					t.Errorf("%s: %v", line, err)
				}
				got := stderr.String()
				if !strings.Contains(got, want) || want == "" && strings.Contains(got, "in a collection") {
					t.Errorf("%s warns %q, want %q in it", line, got, want)
				}
			}
		})
	}
}
