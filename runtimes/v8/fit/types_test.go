package fit

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

func tableOf(t *testing.T, v layout.Version) *layout.Table {
	t.Helper()
	list, err := layout.Tables(layout.Variant{TaggedSize: 8}, v)
	if err != nil || list[0].Version != v {
		t.Fatalf("no table of %v: %v", v, err)
	}
	return list[0]
}

// TestTypesByMaps: the types of one version, found by aligning its read-only maps with another version's, equal
// the types in V8's sources (layout/gen) or in the image's constants.
func TestTypesByMaps(t *testing.T) {
	for _, c := range []struct {
		known, seen layout.Version
		least       int // right of 100
	}{{layout.V(14, 6), layout.V(15, 0), 90}, {layout.V(15, 0), layout.V(14, 6), 88},
		{layout.V(14, 1), layout.V(14, 6), 95}, {layout.V(14, 6), layout.V(14, 6), 100}} {
		known, seen := tableOf(t, c.known), tableOf(t, c.seen)
		types := alignBothOrders(romapsOf(known), romapsOf(seen), true)[0]
		right, total := 0, 0
		for name, n := range known.Constants {
			want, ok := seen.Constants[name]
			got, mapped := types[n]
			if !strings.HasPrefix(name, "type_") || !ok || !mapped {
				continue
			}
			total++
			if got == want {
				right++
			} else {
				t.Logf("%v to %v: %s is %d, want %d", c.known, c.seen, name, got, want)
			}
		}
		t.Logf("%v to %v: %d of %d types are right", c.known, c.seen, right, total)
		if total < 100 || 100*right < c.least*total {
			t.Errorf("%v to %v: %d of %d types are right", c.known, c.seen, right, total)
		}
		for _, name := range []string{"type_Map__MAP_TYPE", "type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE",
			"type_ScopeInfo__SCOPE_INFO_TYPE",
			"type_BytecodeArray__BYTECODE_ARRAY_TYPE", "type_FeedbackVector__FEEDBACK_VECTOR_TYPE"} {
			if got := types[known.Constants[name]]; got != seen.Constants[name] {
				t.Errorf("%v to %v: %s is %d, want %d", c.known, c.seen, name, got, seen.Constants[name])
			}
		}
	}
}

// TestWithTypes: what fields show takes a number from whatever had it.
func TestWithTypes(t *testing.T) {
	table := &layout.Table{Constants: map[string]int{"type_Script__SCRIPT_TYPE": 166,
		"type_ScriptOrModule__SCRIPT_OR_MODULE_TYPE": 167, "TaggedSize": 167}}
	got := withTypes(table, map[string]int{"type_Script__SCRIPT_TYPE": 167}).Constants
	if len(got) != 2 || got["type_Script__SCRIPT_TYPE"] != 167 || got["TaggedSize"] != 167 ||
		len(table.Constants) != 3 {
		t.Errorf("%v, of %v", got, table.Constants)
	}
}

// TestTypesByNumbers: if the maps of the read-only heap are in another order, types are found in the order of
// their numbers.
func TestTypesByNumbers(t *testing.T) {
	known := romapsOf(tableOf(t, layout.V(14, 6)))
	seen := slices.Clone(known)
	slices.Reverse(seen)
	types := alignBothOrders(known, seen, true)[0]
	for _, m := range known {
		if got := types[m.typ]; got != m.typ {
			t.Errorf("%d is %d", m.typ, got)
		}
	}
}

// TestNumberType: the map that NaN, infinity and -0 have in common says what the type of heap numbers is.
func TestNumberType(t *testing.T) {
	le := binary.LittleEndian
	const start, typ = core.Addr(0x7f00_1234_0000), 8
	for _, width := range []int{4, 8} {
		data := make([]byte, 0x400)
		put := func(at int, m int, number uint64) {
			le.PutUint64(data[at+width:], number)
			if to := uint64(start) + uint64(m) | 1; width == 4 {
				le.PutUint32(data[at:], uint32(to))
			} else {
				le.PutUint64(data[at:], to)
			}
		}
		le.PutUint16(data[0x100+typ:], 131)
		le.PutUint16(data[0x140+typ:], 204)
		put(0x200, 0x100, readOnlyNumbers[0])
		put(0x210, 0x140, readOnlyNumbers[0]) // another object that happens to look like one
		put(0x220, 0x100, readOnlyNumbers[1])
		if n, ok := numberTypeIn(data, start, width, typ, le); ok {
			t.Errorf("%d: two numbers say %d", width, n)
		}
		put(0x230, 0x100, readOnlyNumbers[2])
		if n, ok := numberTypeIn(data, start, width, typ, le); !ok || n != 131 {
			t.Errorf("%d: %d, %v; want 131", width, n, ok)
		}
		put(0x230, 0x3fe, readOnlyNumbers[2]) // a map whose type is beyond the chunk
		if n, ok := numberTypeIn(data, start, width, typ, le); ok {
			t.Errorf("%d: a map that is not there says %d", width, n)
		}
	}
	types := map[int]int{10: 204, 20: 131}
	exchange(types, 10, 131)
	if types[10] != 131 || types[20] != 204 {
		t.Errorf("exchanged: %v", types)
	}
}
