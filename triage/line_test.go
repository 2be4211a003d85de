package triage

import (
	"slices"
	"strings"
	"testing"

	"coredbg/core"
)

// TestThreads: the thread that died is listed, wherever it is.
func TestThreads(t *testing.T) {
	for died, want := range []int{2, 2, 3, 4} {
		p := &core.Process{}
		for i := range 4 {
			p.Threads = append(p.Threads, &core.Thread{TID: i + 1, Crashed: i == died})
		}
		got := Threads(p, 2)
		if len(got) != 2 || got[0].TID != 1 || got[1].TID != want {
			t.Errorf("thread %d died: %d and %d are listed", died+1, got[0].TID, got[1].TID)
		}
		if all := Threads(p, 4); len(all) != 4 || p.Threads[1].TID != 2 {
			t.Errorf("%d of 4 threads; the second is %d", len(all), p.Threads[1].TID)
		}
	}
}

// TestLabels: the pages name functions as ::stack does.
func TestLabels(t *testing.T) {
	list := []Frame{{Kind: "native", Name: "main"}, {Kind: "native", File: "a.c"}, {Kind: "javascript", File: "a.js"},
		{Kind: "javascript", Module: "/bin/node"}}
	var got []string
	for i := range list {
		got = append(got, list[i].Label())
	}
	if want := []string{"main", "?", "<anonymous>", "?"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	a := read("c1", "k1", "2026-11-01T00:00:00Z")
	a.Thread = &Thread{Frames: list}
	for name, page := range siteOf(t, []*Line{a}) {
		if name != "index.html" && !strings.Contains(page, `<li>&lt;anonymous&gt; <span class="at">a.js</span></li>`) {
			t.Errorf("%s has no anonymous function", name)
		}
	}
}
