package pprof

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/pprof/profile"

	"coredbg/core"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/heap/heapsnapshot"
)

// snapshot is a root, a Cache with a list of two Entries, the second of which has a Text, and
// a Text of the root's own.
const snapshot = `{"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count"],
"node_types":[["synthetic","object"],"string","number","number","number"],
"edge_fields":["type","name_or_index","to_node"],"edge_types":[["property"],"string_or_number","node"]},
"node_count":6,"edge_count":5},
"nodes":[0,0,1,0,2, 1,1,3,10,1, 1,2,5,20,1, 1,2,7,20,1, 1,3,9,7,0, 1,3,11,5,0],
"edges":[0,0,5, 0,0,25, 0,0,10, 0,0,15, 0,0,20],
"strings":["","Cache","Entry","Text"]}`

func TestWrite(t *testing.T) {
	ctx := context.Background()
	s, err := heapsnapshot.Read(ctx, core.Bytes(snapshot))
	if err != nil {
		t.Fatal(err)
	}
	g, err := heap.Build(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(ctx, &b, g); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range p.Sample {
		line := fmt.Sprint(s.Value)
		for _, l := range s.Location {
			line += " " + l.Line[0].Function.Name
		}
		got = append(got, line)
	}
	want := []string{"[2 40] Entry Cache", "[1 10] Cache", "[1 7] Text Entry Cache", "[1 5] Text"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
