package v8

import (
	"context"
	"slices"
	"testing"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

// TestLeaksOfHelpers puts a word into the stack of a real thread, as compiling leaves one behind. On the stack of
// a thread that runs no JavaScript it changes nothing: testdata/cores/sources/v8/leaks.js says how many variables
// are unused. On the main thread's it may belong to a function that runs, and the variable counts as used.
func TestLeaksOfHelpers(t *testing.T) {
	eachLive(t, func(t *testing.T, path string) {
		const unused = 3000 // many / 10 of leaks.js
		v, _ := openPatched(t, path, nil)
		lines, g := unusedLines(t, v)
		if len(lines) != unused {
			t.Fatalf("%d unused variables, want %d", len(lines), unused)
		}
		id, ok := g.ID(lines[unused/2])
		if !ok || len(g.In(id)) == 0 {
			t.Fatalf("nothing refers to %#x", uint64(lines[unused/2]))
		}
		scope := layout.Tag(g.Addr(g.In(id)[0]))
		main, helper := v.Process.Thread(v.Process.PID), helperOf(t, v)
		for _, c := range []struct {
			name   string
			thread *core.Thread
			word   layout.Tagged
			want   int
		}{
			{"a scope on a helper's stack", helper, scope, unused},
			{"a dead function on a helper's stack", helper, deadPrint(t, v, g), unused},
			{"a scope on the main thread's stack", main, scope, unused - 1},
		} {
			v, _ := openPatched(t, path, map[int64]uint64{unusedWord(t, v, c.thread): uint64(c.word)})
			if lines, _ := unusedLines(t, v); len(lines) != c.want {
				t.Errorf("%s: %d unused variables, want %d", c.name, len(lines), c.want)
			}
		}
	})
}

// helperOf returns a thread that is no isolate's own.
func helperOf(t *testing.T, v *V8) *core.Thread {
	t.Helper()
	h, err := v.Heaps.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	isolates := h.Isolates(t.Context())
	for _, x := range v.Process.Threads {
		if !slices.ContainsFunc(isolates, func(i heap.Isolate) bool { return i.Thread == x }) {
			return x
		}
	}
	t.Fatal("each thread is an isolate's own")
	return nil
}

// unusedLines returns the values of unused variables, and the graph that has them.
func unusedLines(t *testing.T, v *V8) ([]core.Addr, *graph.Graph) {
	t.Helper()
	g, err := v.Graph(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	rules := v.LeakRules()
	i := slices.IndexFunc(rules, func(r graph.Rule) bool { return r.ID == "unused-variables" })
	if i < 0 {
		t.Fatal("no rule finds unused variables")
	}
	list, err := rules[i].Find(context.Background(), g)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d findings, %v", len(list), err)
	}
	return list[0].Objects, g
}

// deadPrint returns a function of leaks.js that nothing refers to, and that uses what is unused otherwise.
func deadPrint(t *testing.T, v *V8, g *graph.Graph) (print layout.Tagged) {
	t.Helper()
	g.Each(func(id graph.ID, at core.Addr) bool {
		o := layout.Tag(at)
		if !g.Reachable(id, graph.Loose) && v.IsFunction(o) {
			if f, err := v.Objects.Function(o); err == nil && f.Name == "print" {
				print = o
			}
		}
		return print == 0
	})
	if print == 0 {
		t.Fatal("no function print is dead")
	}
	return print
}

// unusedWord returns the offset in the core of a word of a thread's stack that is zero.
func unusedWord(t *testing.T, v *V8, thread *core.Thread) int64 {
	t.Helper()
	for _, s := range layout.Stacks(v.Process, thread) {
		for a := s.Start; a+8 <= s.End; a += 8 {
			if w, ok := v.Word(a); ok && w == 0 {
				in, _ := v.Space.Find(a)
				return in.Off + int64(a-in.Start)
			}
		}
	}
	t.Fatalf("no word is zero on the stack of thread %d", thread.TID)
	return 0
}
