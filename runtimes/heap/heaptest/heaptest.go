// Package heaptest makes small heaps for tests of packages that use graphs.
package heaptest

import (
	"fmt"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/heap/heapsnapshot"
)

const snapshot = `{"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count"],
"node_types":[["synthetic","object"],"string","number","number","number"],
"edge_fields":["type","name_or_index","to_node"],"edge_types":[["property"],"string_or_number","node"]},
"node_count":6,"edge_count":5},
"nodes":[0,0,1,0,2, 1,1,3,10,1, 1,2,5,20,1, 1,2,7,20,1, 1,3,9,7,0, 1,3,11,5,0],
"edges":[0,4,5, 0,4,25, 0,5,10, 0,6,15, 0,7,20],
"strings":["","%s","Entry","Text","cache","head","next","text"]}`

// Cache returns the graph of a heap of a root, an object of a class with a list of two of class Entry
// (cache, head, next), and a Text of the root's own. The second Entry has a Text, too. Their sizes are
// 10, 20, 20, 7 and 5 bytes.
func Cache(t *testing.T, class string) *heap.Graph {
	t.Helper()
	s, err := heapsnapshot.Read(t.Context(), core.Bytes(fmt.Sprintf(snapshot, class)))
	if err != nil {
		t.Fatal(err)
	}
	g, err := heap.Build(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
