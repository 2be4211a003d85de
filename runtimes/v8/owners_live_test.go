package v8_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core/coretest"
	graph "coredbg/runtimes/heap"
)

// An ownersTruth is the account that testdata/cores/sources/v8/owners.js gives of itself.
type ownersTruth struct {
	Leaks []struct {
		Class   string   `json:"class"`
		Objects int      `json:"objects"` // 0 where the release of Node decides
		Owners  []string `json:"owners"`  // outward; "" for one that Node decides
		Rule    string   `json:"rule"`
	} `json:"leaks"`
}

// TestOwners: the leaks that the program declares are found, with their owners and the lines
// that define these.
func TestOwners(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var want ownersTruth
			text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &want); err != nil || len(want.Leaks) == 0 {
				t.Fatal(want, err)
			}
			v, _ := openNode(t, filepath.Join(dir, "core"))
			g, err := v.Graph(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			list, err := g.Suspects(t.Context(), v.LeakRules()...)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) != len(want.Leaks) {
				t.Errorf("%d suspects, want %d", len(list), len(want.Leaks))
			}
			for _, leak := range want.Leaks {
				checkOwners(t, g, list, leak.Class, leak.Rule, leak.Objects, leak.Owners)
			}
		})
	}
}

func checkOwners(t *testing.T, g *graph.Graph, list []graph.Suspect, class, rule string, objects int, want []string) {
	t.Helper()
	for i := range list {
		s := &list[i]
		if class != "" && s.Class.Class != class || s.Rule != rule {
			continue
		}
		if objects > 0 && s.Objects != objects {
			t.Errorf("%d objects of %s, want %d", s.Objects, class, objects)
		}
		owners := g.Owners(t.Context(), s, graph.NewBudget(2000))
		if want[0] == "" && len(owners) > 0 && owners[0].Class != "WritableState" {
			want = want[1:] // an older release keeps what waits in a chain of its own
		}
		for k, w := range want {
			if k >= len(owners) {
				t.Errorf("%s: owners are %+v, want %v", class, owners, want)
				break
			}
			o := &owners[k]
			got := o.Name + " of " + o.Class
			if w != "" && strings.TrimPrefix(got, "prototype.") != w {
				t.Errorf("%s: owner %d is %q, want %q", class, k, got, w)
			}
			place := o.Place
			if !place.Known() && k+1 < len(owners) && owners[k+1].Class == o.Class {
				place = owners[k+1].Place // a prototype, and the function that has it
			}
			if w != "" && !strings.Contains(place.String(), "owners.js:") {
				t.Errorf("%s: %s is defined at %q", class, w, place)
			}
		}
		return
	}
	t.Errorf("nothing is said of %s, rule %q", class, rule)
}
