package native

import (
	"encoding/json"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestDumpJSON finds only bytes that were read and asked for in the object of a row.
func TestDumpJSON(t *testing.T) {
	p := coretest.New(core.AMD64).Map(0x1000, []byte("ab")).Map(0x1008, []byte("cdefghij")).Process()
	for _, c := range []struct {
		at   core.Addr
		hide int // bytes at the start that were not asked for
		want string
	}{
		{0x1008, 0, `{"type":"dump","addr":"0x1008","runs":[{"addr":"0x1008","bytes":"Y2RlZmdoaWo="}],"missing":true}`},
		{0x1000, 0, `{"type":"dump","addr":"0x1000","runs":[{"addr":"0x1000","bytes":"YWI="},{"addr":"0x1008","bytes":"Y2RlZmdoaWo="}],"missing":true}`},
		{0x1000, 9, `{"type":"dump","addr":"0x1000","runs":[{"addr":"0x1009","bytes":"ZGVmZ2hpag=="}],"missing":true}`},
		{0x5000, 0, `{"type":"dump","addr":"0x5000","missing":true}`},
	} {
		r := readRow(p.Space, c.at, &dumpForm{width: 16, group: 4})
		for i := range r.show {
			r.show[i] = i >= c.hide
		}
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		json.Unmarshal(b, &got)
		if got["missing"] == nil {
			t.Errorf("%s: does not say what is missing", b)
		}
		got["missing"] = true
		if got["bytes"] != nil { // a run from the start
			got["runs"] = []any{map[string]any{"addr": got["addr"], "bytes": got["bytes"]}}
			delete(got, "bytes")
		}
		var want map[string]any
		json.Unmarshal([]byte(c.want), &want)
		a, _ := json.Marshal(got)
		w, _ := json.Marshal(want)
		if string(a) != string(w) {
			t.Errorf("%v: %s, want %s", c.at, a, w)
		}
	}
}
