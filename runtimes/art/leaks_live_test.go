package art_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
)

// A leakTruth is a program's own record of its leak: the number of objects of a class, held by a static field
// or a thread, the rule that recognizes it, and the number of objects that other rules find as well.
type leakTruth struct {
	Rule    string         `json:"rule"`
	Class   string         `json:"class"`
	Objects int            `json:"objects"`
	Holder  string         `json:"holder"`
	Also    map[string]int `json:"also"`
}

// TestLiveLeaks: the first suspect of a leaking program is the leak that it recorded, and other programs have
// no suspects.
func TestLiveLeaks(t *testing.T) {
	for _, dir := range liveCores(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var truth struct {
				Art struct {
					Leak  *leakTruth  `json:"leak"`
					Leaks []leakTruth `json:"leaks"` // all of them, the most first
				} `json:"art"`
			}
			text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &truth); err != nil {
				t.Fatal(err)
			}
			_, a := openLive(t, dir)
			g, err := a.Graph(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			list, err := g.Suspects(context.Background(), a.LeakRules()...)
			if err != nil {
				t.Fatal(err)
			}
			if truth.Art.Leaks == nil {
				checkLeak(t, g, list, truth.Art.Leak)
				return
			}
			if len(list) != len(truth.Art.Leaks) {
				t.Fatalf("%d suspects, want %d", len(list), len(truth.Art.Leaks))
			}
			for i := range list {
				checkLeak(t, g, list[i:i+1], &truth.Art.Leaks[i])
			}
		})
	}
}

func checkLeak(t *testing.T, g *graph.Graph, list []graph.Suspect, want *leakTruth) {
	t.Helper()
	if want == nil {
		want = &leakTruth{}
	} else {
		if len(list) == 0 {
			t.Fatal("no suspect")
		}
		s := &list[0]
		if list = list[1:]; s.Rule != want.Rule || s.Class.Class != want.Class {
			t.Errorf("the first suspect is of rule %q, class %s, want %s, %s", s.Rule, s.Class.Class,
				want.Rule, want.Class)
		}
		if s.Objects < want.Objects-want.Objects/50 || s.Objects > want.Objects {
			t.Errorf("%d objects, want %d", s.Objects, want.Objects)
		}
		if held := heldBy(t, g, s); !slices.Contains(held, want.Holder) &&
			(s.Evidence == nil || !strings.Contains(s.Evidence.Why, want.Holder)) {
			t.Errorf("held by %v, %+v, want %s", held, s.Evidence, want.Holder)
		}
	}
	for _, s := range list {
		if s.Rule == "" || want.Also[s.Rule] != s.Objects {
			t.Errorf("rule %q: %d objects of %s retain %d bytes", s.Rule, s.Objects, s.Class.Class, s.Retained)
		}
	}
	if len(list) != len(want.Also) {
		t.Errorf("%d more suspects, want %v", len(list), want.Also)
	}
}

// heldBy returns the static fields on the way to a suspect, as class.field.
func heldBy(t *testing.T, g *graph.Graph, s *graph.Suspect) (out []string) {
	t.Helper()
	ways, err := g.Paths(context.Background(), s.Target(), 1)
	if err != nil || len(ways) == 0 {
		t.Fatalf("%d ways, %v", len(ways), err)
	}
	var path []core.Addr
	for _, o := range ways[0].Objects {
		path = append(path, g.Addr(o))
	}
	for _, x := range g.Source().Steps(path) {
		if field, ok := x.Reference.Variable(); ok {
			out = append(out, field)
		}
	}
	return out
}
