package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"coredbg/core"
)

// TestMoments: times count from the process's beginning where that is known, and are in
// order; of several loops only what names its loop is placed.
func TestMoments(t *testing.T) {
	const loop, start = `{"type":"uvloop","addr":"0x10","tid":7,"time":5000}`, `{"type":"nodeinfo","uptime":1.5}`
	const worker = `{"type":"uvloop","addr":"0x20","tid":8,"time":4000}`
	const soon = `{"type":"jstimer","timer":"timeout","due":250,"after":300,"at":{"name":"soon","file":"a.js","line":2}}`
	const tick = `{"type":"jstimer","timer":"interval","due":-20,"after":60000}`
	const handle = `{"type":"uvhandle","addr":"0x30","loop":"0x20","handle":"timer","active":true,"due":100}`
	const sooner = `{"type":"jstimer","timer":"timeout","deadline":100015.5,"at":{"name":"sooner","file":"b.js","line":3}}`
	const later = `{"type":"jstimer","timer":"interval","deadline":160516,"after":60000}`
	for _, x := range []struct {
		records []string
		want    string
	}{
		{nil, ""},
		{[]string{start}, ""}, // nothing says when that was
		{[]string{loop, start, soon, tick}, "0s the process began; 1.48s interval is due, every 1m0s; 1.5s the event loop of thread 7 looked at the clock last; 1.75s timeout soon (a.js:2) is due"},
		{[]string{loop, soon}, "0s the event loop of thread 7 looked at the clock last; 250ms timeout soon (a.js:2) is due"},
		{[]string{loop, worker, start, soon, handle},
			"0s the process began; 500ms the event loop of thread 8 looked at the clock last; 600ms a timer of the loop at 0x20 is due; 1.5s the event loop of thread 7 looked at the clock last"},
		{[]string{loop, `{"type":"uvloop","addr":"0x20","tid":8,"time":9223372036854775807}`,
			`{"type":"nodeinfo","uptime":1e300}`, `{"type":"jstimer","due":1e300}`},
			"0s the event loop of thread 7 looked at the clock last"},
		{[]string{later, sooner, `{"type":"jstimer","timer":"timeout","deadline":1e300}`},
			"0s timeout sooner (b.js:3) is due; 1m0.5005s interval is due, every 1m0s"},
		{[]string{loop, `{"type":"jstimer","timer":"immediate"}`, `{"type":"error"}`},
			"0s the event loop of thread 7 looked at the clock last"},
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

// TestDated: times of day join moments that count from the beginning of the process, and are
// notes beside others.
func TestDated(t *testing.T) {
	began := time.Date(2026, 11, 25, 13, 41, 41, 0, time.UTC)
	written, turn := began.Add(2*time.Second), moment{1500 * time.Millisecond, "turn", "::uvloop"}
	node := []moment{{0, "the process began", "::nodeinfo"}, turn}
	const atStart, atEnd = "the process began, 2026-11-25 13:41:41 UTC", "the core was written, 2026-11-25 13:41:43 UTC"
	for _, c := range []struct {
		moments        []moment
		fromStart      bool
		began, written time.Time
		want, notes    string
	}{
		{nil, false, time.Time{}, time.Time{}, "", ""},
		{nil, false, began, written, "0s " + atStart + "; 2s " + atEnd, ""},
		{nil, false, began, time.Time{}, "0s " + atStart, ""},
		{nil, false, time.Time{}, written, "", atEnd},
		{nil, false, time.Unix(1<<32-1, 0), time.Unix(1, 0), "0s the process began, 2106-02-07 06:28:15 UTC",
			"the core was written, 1970-01-01 00:00:01 UTC"},
		{node, true, began, written, "0s " + atStart + "; 1.5s turn; 2s " + atEnd, ""},
		{node, true, time.Time{}, time.Time{}, "0s the process began; 1.5s turn", ""},
		{[]moment{turn}, false, began, written, "1.5s turn", atStart + "; " + atEnd},
	} {
		got, _, notes := dated(slices.Clone(c.moments), c.fromStart, c.began, c.written)
		var list []string
		for _, m := range got {
			list = append(list, fmt.Sprintf("%v %s", m.at, m.what))
		}
		if s, n := strings.Join(list, "; "), strings.Join(notes, "; "); s != c.want || n != c.notes {
			t.Errorf("%v, %v, %v: %q, %q, want %q, %q", c.moments, c.began, c.written, s, n, c.want, c.notes)
		}
	}
}

// TestFolded: timers of one place that are due at one time are one line.
func TestFolded(t *testing.T) {
	at := func(us int, what string) moment {
		return moment{time.Duration(us) * time.Microsecond, what, "::timers"}
	}
	list := folded([]moment{at(0, "a"), at(5000, "b"), at(5100, "b"), at(5900, "b"), at(7000, "b"), at(7000, "a")})
	want := []moment{at(0, "a"), at(5000, "b, 3 times"), at(7000, "b"), at(7000, "a")}
	if !slices.Equal(list, want) || folded(nil) != nil {
		t.Errorf("%v, want %v", list, want)
	}
}

// TestBars: as wide as the times are, the longest first; no more than there is room for.
func TestBars(t *testing.T) {
	p, name := &core.Process{}, func(t *core.Thread) string { return t.Name }
	if bars(p, name) != nil {
		t.Error("there are bars of no thread")
	}
	for i := range 40 {
		p.Threads = append(p.Threads, &core.Thread{TID: i, CPU: &core.CPUTime{User: time.Duration(i) * time.Second,
			System: time.Duration(i) * time.Second}})
	}
	p.Threads = append(p.Threads, &core.Thread{TID: 99},
		&core.Thread{TID: 100, Name: "main", CPU: &core.CPUTime{User: 100 * time.Second, Most: true}})
	b := bars(p, name)
	if len(b.Rows) != maxBars || b.Rows[0] != (Bar{"100 main", "at most 100.000 s", barWide, 0}) ||
		b.Rows[1] != (Bar{"39", "78.000 s", 390, 390}) {
		t.Errorf("%+v", b.Rows[:2])
	}
}
