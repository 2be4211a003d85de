package v8_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core/coretest"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/node"
	v8 "coredbg/runtimes/v8"
)

// A contextsTruth is the account that testdata/cores/sources/v8/contexts.js gives of itself.
type contextsTruth struct {
	Suspects int     `json:"suspects"`
	Contexts int     `json:"contexts"`
	Bytes    float64 `json:"bytes"` // growth of the heap by all contexts except the first
	Rule     string  `json:"rule"`
	Why      string  `json:"why"`
	Holds    string  `json:"holds"`
	By       string  `json:"by"`
	Variable string  `json:"variable"`
	Class    string  `json:"class"`
	Worker   string  `json:"worker"`
}

// TestContexts: the first suspect is the contexts, or the timers that hold them, with as many bytes as
// the program measured.
func TestContexts(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var want contextsTruth
			text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &want); err != nil || want.Suspects == 0 {
				t.Fatal(want, err)
			}
			v, reader := openNode(t, filepath.Join(dir, "core"))
			checkContexts(t, v, reader, &want)
		})
	}
}

func checkContexts(t *testing.T, v *v8.V8, reader *node.Reader, want *contextsTruth) {
	t.Helper()
	g, err := v.Graph(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list, err := g.Suspects(t.Context(), v.LeakRules()...)
	if err != nil || len(list) != want.Suspects {
		t.Fatalf("%d suspects, want %d: %+v, %v", len(list), want.Suspects, list, err)
	}
	s := &list[0]
	if s.Rule != want.Rule {
		t.Errorf("rule %q, want %q", s.Rule, want.Rule)
	}
	if want.Class != "" && s.Class.Class != want.Class {
		t.Errorf("class %q, want %q", s.Class.Class, want.Class)
	}
	for _, x := range []struct {
		what, want string
		e          *graph.Evidence
	}{{"why", want.Why, s.Evidence}, {"holds", want.Holds, s.Holds}, {"by", want.By, s.By}} {
		why := ""
		if x.e != nil {
			why = x.e.Why
		}
		if !strings.HasPrefix(why, x.want) {
			t.Errorf("%s: %q, want %q", x.what, why, x.want)
		}
	}
	if want.Variable != "" {
		if reference, _ := holderOf(t, g, s); reference != "variable "+want.Variable {
			t.Errorf("held by %q, want %s", reference, want.Variable)
		}
	}
	if want.Contexts > 1 {
		all := want.Bytes * float64(want.Contexts) / float64(want.Contexts-1)
		if share := float64(s.Retained) / all; share < 0.9 || share > 1.1 {
			t.Errorf("%d bytes, %.2f of the %.0f that the program measured", s.Retained, share, all)
		}
	}
	if thread := v.HeapThread(t.Context(), g.Addr(s.Example)); (thread != nil) != (want.Worker != "") {
		t.Errorf("on the heap of thread %v, want %q", thread, want.Worker)
	} else if thread != nil {
		// Node gives a worker its name from 18.16 on.
		name, ok := reader.WorkerName(thread)
		if ok && name != want.Worker && name != "WorkerThread" || !ok && thread.TID == v.Process.PID {
			t.Errorf("on the heap of %q, thread %d, want %q", name, thread.TID, want.Worker)
		}
	}
}
