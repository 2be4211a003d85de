package fit

import (
	"context"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestTypeNames compares what names instance types with one another: V8's own code, the
// constants, the list of the version, and the roots of an isolate.
func TestTypeNames(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) { testTypeNames(t, v8test.Open(t, path)) })
	}
}

func testTypeNames(t *testing.T, target runtimes.Target) {
	p, symbols := target.Process, target.Symbols
	v, _, err := Probe(context.Background(), target)
	if err != nil || v == nil {
		t.Fatalf("Probe: %v, %v", v, err)
	}
	if p.Arch != core.AMD64 {
		t.Skip("its code cannot be followed")
	}
	fn, ok := symbols.Exact(v.Image.Module, layout.SymTypeName)
	if !ok {
		t.Fatalf("no symbol %s", layout.SymTypeName)
	}
	code := layout.TypesByCode(p.Space, fn.Addr)
	if len(code) < 150 {
		t.Fatalf("the code names %d types", len(code))
	}
	numbers := map[string]int{}
	for n, name := range code {
		numbers[name] = n
	}
	for name, n := range v.Image.Constants.Values {
		typ := typeName(name)
		if got, ok := numbers[typ+"_TYPE"]; typ != "" && ok && got != n {
			t.Errorf("%s is %d, and %d by the code", name, n, got)
		}
		if typ != "" && strings.HasPrefix(name, "type_") && code[n] == "" {
			t.Errorf("%s is %d, which the code does not name", name, n)
		}
	}
	if list := layout.Types(v.Image.Version, v.Image.Constants.Values); list != nil && !maps.Equal(list, code) {
		t.Errorf("the list of %v is not what the code names", v.Image.Version)
	}
	roots := rootTypes(v, rootNames(target, v.Image.Module))
	found := map[string]bool{}
	for n, name := range roots {
		found[name] = true
		if got, ok := numbers[name]; ok && got != n {
			t.Errorf("%s is %d by the roots, and %d by the code", name, n, got)
		}
	}
	for _, name := range []string{"PROMISE_REACTION_TYPE", "FUNCTION_TEMPLATE_INFO_TYPE", "FREE_SPACE_TYPE",
		"FILLER_TYPE", "FEEDBACK_METADATA_TYPE",
		"DESCRIPTOR_ARRAY_TYPE", "TRANSITION_ARRAY_TYPE", "BIGINT_TYPE"} {
		if !found[name] {
			t.Errorf("the roots do not show %s", name)
		}
	}
	for _, x := range []struct {
		name string
		n    int
	}{{"BigInt", v.Types.BigInt}, {"JSProxy", v.Types.JSProxy}, {"PromiseReaction", v.Types.PromiseReaction},
		{"PromiseCapability", v.Types.PromiseCapability}, {"FunctionTemplateInfo", v.Types.FunctionTemplateInfo}} {
		if x.n < 0 {
			t.Errorf("the type of %s is not known", x.name)
		}
	}
}

// TestListsOfTypes compares the list of each version with the constants of another build of
// it, and sees that one that does not fit is not taken.
func TestListsOfTypes(t *testing.T) {
	constants := map[string]int{}
	tables, err := layout.Tables(layout.Variant{TaggedSize: 8}, layout.V(13, 6))
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range tables[0].Constants {
		if strings.HasPrefix(name, "type_") && !strings.HasPrefix(name, "type___") {
			constants[name] = n
		}
	}
	list := layout.Types(layout.V(13, 6), constants)
	if list[269] != "HOLE_TYPE" || list[129] != "BIG_INT_BASE_TYPE" ||
		tables[0].Constants["type___BIG_INT_BASE_TYPE"] != 129 {
		t.Errorf("the list of 13.6 has %q at 269, %q at 129", list[269], list[129])
	}
	constants["type_JSPromise__JS_PROMISE_TYPE"]++
	if layout.Types(layout.V(13, 6), constants) != nil {
		t.Error("the list is taken although a type has another number")
	}
	if layout.Types(layout.V(13, 6), nil) != nil || layout.Types(layout.V(13, 5), constants) != nil {
		t.Error("a list is taken that nothing proves, or that is of another version")
	}
}
