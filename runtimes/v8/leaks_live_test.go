package v8_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	graph "coredbg/runtimes/heap"
	v8 "coredbg/runtimes/v8"
)

// A leakTruth is the record that testdata/cores/sources/v8/leaks.js writes: the class of the leaked objects,
// the variable that holds them, declared on that line, and the rule that recognizes the leak by a line of the
// program; "" if no rule should.
type leakTruth struct {
	Kind     string  `json:"kind"`
	Healthy  bool    `json:"healthy"`
	Class    string  `json:"class"`
	Variable string  `json:"variable"`
	Line     int     `json:"line"`
	Objects  int     `json:"objects"`
	Rule     *string `json:"rule"`
	Place    int     `json:"place"`
	Unused   string  `json:"unused"` // a variable that a closure keeps, which nothing uses
	// Says is what the rule has to tell, in the program's own numbers and addresses.
	Says []string `json:"says"`
}

// TestLeaks: the first suspect of a leaking program is the leak that the program recorded. A program without a
// leak has no suspects.
func TestLeaks(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var want leakTruth
			text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &want); err != nil || want.Kind == "" {
				t.Fatal(want, err)
			}
			v, _ := openNode(t, filepath.Join(dir, "core"))
			checkSuspects(t, v, &want)
		})
	}
}

func checkSuspects(t *testing.T, v *v8.V8, want *leakTruth) {
	t.Helper()
	g, err := v.Graph(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	list, err := g.Suspects(context.Background(), v.LeakRules()...)
	if err != nil {
		t.Fatal(err)
	}
	if want.Healthy {
		for _, s := range list {
			t.Errorf("rule %q: %d objects of %s retain %d bytes, where nothing leaks", s.Rule, s.Objects,
				s.Class.Class, s.Retained)
		}
		return
	}
	if len(list) == 0 {
		t.Fatal("no suspect")
	}
	s := list[0]
	if want.Class != "" && s.Class.Class != want.Class {
		t.Errorf("the first suspect is of class %s, want %s", s.Class.Class, want.Class)
	}
	if want.Objects > 0 && (s.Objects < want.Objects || s.Objects > want.Objects+want.Objects/50+2) {
		t.Errorf("%d objects, want %d", s.Objects, want.Objects)
	}
	checkRule(t, list, want)
	if want.Variable == "" {
		return
	}
	reference, place := holderOf(t, g, &s)
	if reference != "variable "+want.Variable && reference != "global "+want.Variable {
		t.Errorf("held by %q, want %s", reference, want.Variable)
	}
	if end := fmt.Sprintf("leaks.js:%d", want.Line); strings.HasPrefix(reference, "variable ") &&
		!strings.HasSuffix(place, end) {
		t.Errorf("%s is declared at %q, want %s", reference, place, end)
	}
}

// checkRule compares the rule of the first suspect, and wants it to be said once.
func checkRule(t *testing.T, list []graph.Suspect, want *leakTruth) {
	t.Helper()
	if want.Rule == nil {
		return // a core of an older program
	}
	s := &list[0]
	if s.Rule != *want.Rule {
		t.Errorf("the first suspect is of rule %q, want %q", s.Rule, *want.Rule)
	}
	for _, x := range list[1:] {
		if s.Rule != "" {
			t.Errorf("beside that of rule %s: rule %q, %d objects of %s", s.Rule, x.Rule, x.Objects, x.Class.Class)
		}
	}
	for _, says := range want.Says {
		if s.Evidence == nil || !strings.Contains(s.Evidence.Why, says) {
			t.Errorf("%+v, want %q", s.Evidence, says)
		}
	}
	if want.Place == 0 {
		return
	}
	end := fmt.Sprintf("leaks.js:%d", want.Place)
	if s.Evidence == nil || !strings.HasSuffix(s.Evidence.Place.String(), end) {
		t.Errorf("%+v, want the place %s", s.Evidence, end)
	}
	if want.Unused != "" && (s.Evidence == nil || !strings.Contains(s.Evidence.Why, "the variable "+want.Unused+",")) {
		t.Errorf("%+v, want the variable %s", s.Evidence, want.Unused)
	}
}

// holderOf returns the last variable on the path to the holder of a suspect, and its declaration.
func holderOf(t *testing.T, g *graph.Graph, s *graph.Suspect) (reference, place string) {
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
		if _, ok := x.Reference.Variable(); ok {
			reference, place = x.Reference.String(), x.Reference.Place.String()
		}
	}
	return reference, place
}
