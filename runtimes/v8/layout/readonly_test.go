package layout

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
)

// readOnlyNames returns the names of the instance types of the maps in a table's read-only heap, in their order, and
// the numbers of the types. Both start and end with a place that has no map.
func readOnlyNames(table *Table) (names []string, numbers []int) {
	by, list := map[int]string{}, TypeList(V(table.Version.Major, table.Version.Minor))
	for _, row := range sortedNames(table.Constants) {
		if rest, ok := strings.CutPrefix(row, "type_"); ok {
			_, by[table.Constants[row]], _ = strings.Cut(rest, "__")
		}
	}
	names, numbers = append(names, ""), append(numbers, -1)
	for _, m := range table.ReadOnlyMaps() {
		n := m & 0xffff
		names, numbers = append(names, cmp.Or(list[n], by[n], fmt.Sprint(n))), append(numbers, n)
	}
	return append(names, ""), append(numbers, 1<<16)
}

// strays are maps that have neither neighbour in another table, in a version of a table.
var strays = map[string]bool{
	"8.7-ptr4 DESCRIPTOR_ARRAY_TYPE": true, "8.7-ptr4 WEAK_FIXED_ARRAY_TYPE": true, "8.7-ptr4 BIGINT_TYPE": true,
	"8.7-ptr4 WASM_TYPE_INFO_TYPE": true, "8.7-ptr4 WEAK_ARRAY_LIST_TYPE": true,
	"8.7-ptr4 ON_HEAP_BASIC_BLOCK_PROFILER_DATA_TYPE": true, "13.6 CONTEXT_SIDE_PROPERTY_CELL_TYPE": true,
	"14.1 CPP_HEAP_EXTERNAL_OBJECT_TYPE": true, "11.8 FIXED_ARRAY_TYPE": true, "11.8 BIG_INT_BASE_TYPE": true, "11.8 SYMBOL_TYPE": true,
}

// eldest is the table that is far from all others: what follows what is rarely the same.
const eldest = "8.7-ptr4"

// TestReadOnlyMaps: a map of the read-only heap comes after the same type, or before the same type, as in another
// table. In the eldest table it may also be between its neighbours by the number of its type, as types of a list
// are.
func TestReadOnlyMaps(t *testing.T) {
	tables := allTables(t)
	if at := neighbours(t, tables); at < 2000 {
		t.Errorf("%d maps were compared", at)
	}
}

// neighbours checks the neighbours of each map, and returns how many there are.
func neighbours(t interface{ Errorf(string, ...any) }, tables map[string]*Table) (compared int) {
	seen := map[[2]string]map[string]bool{}
	for name, table := range tables {
		names, _ := readOnlyNames(table)
		for i := range names[1:] {
			pair := [2]string{names[i], names[i+1]}
			if seen[pair] == nil {
				seen[pair] = map[string]bool{}
			}
			seen[pair][name] = true
		}
	}
	for name, table := range tables {
		names, numbers := readOnlyNames(table)
		for i := 1; i < len(names)-1; i++ {
			compared++
			before, after := seen[[2]string{names[i-1], names[i]}], seen[[2]string{names[i], names[i+1]}]
			ordered := name == eldest && numbers[i-1] < numbers[i] && numbers[i] < numbers[i+1]
			if len(before) < 2 && len(after) < 2 && !ordered && !strays[name+" "+names[i]] {
				t.Errorf("%s: %s is between %s and %s, as in no other table", name, names[i], names[i-1], names[i+1])
			}
		}
	}
	return compared
}
