package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestMoments: times count from the process's beginning where that is known, and are in
// order; of several loops only what names its loop is placed.
func TestMoments(t *testing.T) {
	const loop, start = `{"type":"uvloop","addr":"0x10","tid":7,"time":5000}`, `{"type":"nodeinfo","uptime":1.5}`
	const worker = `{"type":"uvloop","addr":"0x20","tid":8,"time":4000}`
	const soon = `{"type":"jstimer","timer":"timeout","due":250,"after":300,"at":{"name":"soon","file":"a.js","line":2}}`
	const tick = `{"type":"jstimer","timer":"interval","due":-20,"after":60000}`
	const handle = `{"type":"uvhandle","addr":"0x30","loop":"0x20","handle":"timer","active":true,"due":100}`
	for _, x := range []struct {
		records []string
		want    string
	}{
		{nil, ""},
		{[]string{start}, ""}, // nothing says when that was
		{[]string{loop, start, soon, tick}, "0s the process began; 1.48s interval is due, every 1m0s; 1.5s the event loop of thread 7 looked at the clock last; 1.75s timeout soon (a.js:2) is due"},
		{[]string{loop, soon}, "0s the event loop of thread 7 looked at the clock last; 250ms timeout soon (a.js:2) is due"},
		{[]string{loop, worker, start, soon, handle}, "0s the process began; 500ms the event loop of thread 8 looked at the clock last; 600ms a timer of the loop at 0x20 is due; 1.5s the event loop of thread 7 looked at the clock last"},
		{[]string{loop, `{"type":"uvloop","addr":"0x20","tid":8,"time":9223372036854775807}`, `{"type":"nodeinfo","uptime":1e300}`, `{"type":"jstimer","due":1e300}`}, "0s the event loop of thread 7 looked at the clock last"},
		{[]string{loop, `{"type":"jstimer","timer":"immediate"}`, `{"type":"error"}`}, "0s the event loop of thread 7 looked at the clock last"},
	} {
		var list []stamped
		for _, text := range x.records {
			var s stamped
			if err := json.Unmarshal([]byte(text), &s); err != nil {
				t.Fatal(err)
			}
			list = append(list, s)
		}
		moments, _ := momentsOf(list)
		var got []string
		for _, m := range moments {
			got = append(got, fmt.Sprintf("%v %s", m.at, m.what))
		}
		if s := strings.Join(got, "; "); s != x.want {
			t.Errorf("%v:\n got %s\nwant %s", x.records, s, x.want)
		}
	}
}
