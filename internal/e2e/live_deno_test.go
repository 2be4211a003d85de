package e2e

import (
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// A denoTruth is what waits.mjs said that it waits for; see testdata/cores/make.d/embedders.sh.
type denoTruth struct {
	Resources map[string]string
	Ops       []struct {
		ID int
		Op string
	}
	Unref  []int // the numbers of ops
	Timers []struct {
		Name           string
		At, After      float64 // milliseconds
		Repeats, Unref bool
	}
	Child     int
	Addresses map[string]string
}

type denoOp struct {
	ID      int
	Op      string
	Promise string
	Ref     *bool
	For     struct{ Name, File string } `json:"awaited_for"`
}

type denoResource struct {
	RID      uint32
	Resource string
	Owners   []struct{ Addr, Class string }
	Details  []string
}

type denoTimer struct {
	Timer    string
	Deadline float64
	After    float64
	Ref      bool
	At       struct{ Name string }
}

// TestLiveDeno compares the waits of a process of Deno with Deno's own account: its table of resources,
// the ops that it traced, the timers that the program made.
func TestLiveDeno(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth denoTruth
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			s := openLive(t, path)
			checkDenoOps(t, records[denoOp](t, s, "::requests"), &truth)
			checkDenoResources(t, records[denoResource](t, s, "::handles"), &truth)
			checkDenoTimers(t, records[denoTimer](t, s, "::timers"), &truth)
			type loop struct {
				Ops, Timers, Resources int
				Unref                  int `json:"unref_timers"`
				UnrefOps               int `json:"unref_ops"`
			}
			want := loop{len(truth.Ops), len(truth.Timers), len(truth.Resources), 1, len(truth.Unref)}
			if got := records[loop](t, s, "::uvloop"); len(got) != 1 || got[0] != want {
				t.Errorf("::uvloop counts %v, want %v", got, want)
			}
		})
	}
}

func checkDenoOps(t *testing.T, got []denoOp, truth *denoTruth) {
	t.Helper()
	ops, want, waits := map[int]string{}, map[int]string{}, map[[2]string]bool{}
	var unref []int
	for _, x := range got {
		ops[x.ID] = x.Op
		switch {
		case x.Ref == nil:
			t.Errorf("it is not known whether op %d is referenced", x.ID)
		case !*x.Ref:
			unref = append(unref, x.ID)
		}
		if x.Promise == "" {
			t.Errorf("op %d has no promise", x.ID)
		}
		waits[[2]string{x.Op, x.For.Name}] = true
	}
	for _, x := range truth.Ops {
		want[x.ID] = x.Op
	}
	if len(want) < 256 || !maps.Equal(ops, want) {
		t.Errorf("%d ops are %v, want %d: %v", len(ops), ops, len(want), want)
	}
	if slices.Sort(truth.Unref); len(unref) < 40 || !slices.Equal(unref, truth.Unref) {
		t.Errorf("unreferenced ops are %v, want %v", unref, truth.Unref)
	}
	// The waiting functions of waits.mjs, with the ops that they wait for.
	for _, w := range [][2]string{{"op_net_accept_tcp", "accepts"}, {"op_net_accept_tcp", "lurks"},
		{"op_read", "reads"}, {"op_fetch_send", "fetches"}, {"op_spawn_wait", "status"}} {
		if !waits[w] {
			t.Errorf("no %s waits for %s", w[1], w[0])
		}
	}
}

func checkDenoResources(t *testing.T, got []denoResource, truth *denoTruth) {
	t.Helper()
	list := map[string]string{}
	owners := map[string]string{}
	var details []string
	for _, x := range got {
		list[strconv.Itoa(int(x.RID))] = x.Resource
		if len(x.Owners) > 0 {
			owners[x.Resource] = x.Owners[0].Class
		}
		details = append(details, x.Details...)
	}
	if len(truth.Resources) < 256 || !maps.Equal(list, truth.Resources) {
		t.Errorf("%d resources are %v, want %d: %v", len(list), list, len(truth.Resources), truth.Resources)
	}
	for name, class := range map[string]string{"tcpListener": "Listener", "tcpStream": "TcpConn",
		"child": "ChildProcess", "fsFile": "FsFile"} {
		if owners[name] != class {
			t.Errorf("a %s is a %s, want %s", name, owners[name], class)
		}
	}
	for _, want := range []string{"addr " + truth.Addresses["listener"], "localAddr " + truth.Addresses["connection"],
		"listener addr " + truth.Addresses["server"], "pid " + strconv.Itoa(truth.Child)} {
		if !slices.Contains(details, want) {
			t.Errorf("no resource shows %q", want)
		}
	}
}

func checkDenoTimers(t *testing.T, got []denoTimer, truth *denoTruth) {
	t.Helper()
	if len(got) != len(truth.Timers) {
		t.Fatalf("%d timers, want %d: %v", len(got), len(truth.Timers), got)
	}
	const slack = 100 // milliseconds between the program's clock and the timers' clock
	for i, w := range truth.Timers {
		x := &got[i]
		kind := map[bool]string{false: "timeout", true: "interval"}[w.Repeats]
		if !strings.HasPrefix(x.At.Name, w.Name) || x.Timer != kind || x.Ref == w.Unref ||
			x.After != 0 && x.After != w.After || w.Repeats && x.After == 0 {
			t.Errorf("timer %d is %+v, want %+v", i, *x, w)
		}
		if apart, want := x.Deadline-got[0].Deadline,
			w.At+w.After-truth.Timers[0].At-truth.Timers[0].After; math.Abs(apart-want) > slack {
			t.Errorf("timer %s is due %v ms after the first, want %v", w.Name, apart, want)
		}
	}
}
