package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// fits has the causes that a misuse may have, and the kinds of faults, by the beginning of its name. The rest
// of a cell, which is in testdata/harm, is how much of that is found.
var fits = []struct {
	how    string
	causes string
	kinds  string
}{
	{"over-", "abort heap-corruption wild-pointer", "overrun header"},
	{"under", "abort heap-corruption wild-pointer", "underrun header"},
	{"double-", "abort double-free", "freelist header"},
	{"after-read", "abort use-after-free", ""},
	{"after-reuse", "wild-pointer use-after-free", ""},
	{"after-write", "abort use-after-free heap-corruption", "freelist"},
	{"interior", "abort invalid-free", "freelist"},
	{"stack", "invalid-free", ""},
	{"wrong", "invalid-free", ""},
	{"uninit", "wild-pointer null-dereference", ""}, // the block has what was in it before
}

// A harm is a misuse as harm.c says it has done.
type harm struct {
	how      string
	culprit  uint64
	survived bool // the program has aborted itself
}

// TestLiveHarm: no verdict and no fault names another block than the one that harm.c has misused, nor another
// kind of misuse. The files in testdata/harm list the findings by allocator: the cause, and the kinds of
// faults with the block as "culprit" or "not known".
func TestLiveHarm(t *testing.T) {
	for _, path := range coretest.Live(t) {
		name := strings.TrimPrefix(filepath.Base(path), "harm-")
		t.Run(name, func(t *testing.T) {
			cores, err := filepath.Glob(filepath.Join(path, "*.core"))
			if err != nil || len(cores) < 23 {
				t.Fatalf("%d cores, %v", len(cores), err)
			}
			var out bytes.Buffer
			for _, core := range cores {
				fmt.Fprintf(&out, "%s: %s\n", strings.TrimSuffix(filepath.Base(core), ".core"), harmed(t, path, core))
			}
			golden := filepath.Join("testdata", "harm", name)
			if *update {
				if err := os.WriteFile(golden, out.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || out.String() != string(want) {
				t.Errorf("%v: found\n%swant\n%s", err, &out, want)
			}
		})
	}
}

// harmed returns what is found in one core.
func harmed(t *testing.T, path, core string) string {
	t.Helper()
	h := readHarm(t, strings.TrimSuffix(core, "core")+"txt")
	var out bytes.Buffer
	o := coredbg.Options{Stdout: &out}
	if root := filepath.Join(path, "root"); exists(root) {
		o.Sysroot = root
	}
	s, err := coredbg.Open(core, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.JSON = true
	if err := s.Run(t.Context(), "::analyze"); err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), "::heapcheck"); err != nil && !strings.Contains(err.Error(), "no header and no list") {
		t.Logf("%s: %v", core, err) // a part of the heap cannot be read
	}
	cell := ""
	for d := json.NewDecoder(&out); d.More(); {
		var r struct {
			Type, Cause, Kind, Culprit, Confidence string
			Evidence                               []string
		}
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		switch r.Type {
		case "verdict":
			h.fits(t, core, r.Cause, "")
			h.blames(t, core, r.Evidence)
			cell = r.Cause + ", " + r.Confidence
		case "heapfault":
			h.fits(t, core, "", r.Kind)
			who := "not known"
			if r.Culprit != "" {
				who = "culprit"
				if at, err := strconv.ParseUint(strings.TrimPrefix(r.Culprit, "0x"), 16, 64); err != nil ||
					at != h.culprit {
					t.Errorf("%s: the block at %s is blamed, it was %#x", core, r.Culprit, h.culprit)
				}
			}
			if fault := "; " + r.Kind + ", " + who; !strings.Contains(cell, fault) {
				cell += fault
			}
		}
	}
	return cell
}

func exists(name string) bool { _, err := os.Stat(name); return err == nil }

func readHarm(t *testing.T, name string) (h harm) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := fmt.Sscanf(string(text), "harm %s 0x%x", &h.how, &h.culprit); n != 2 {
		t.Fatalf("%s says %q", name, text)
	}
	h.survived = bytes.Contains(text, []byte("survived"))
	return h
}

// fits reports a cause or a kind that the misuse cannot have.
func (h *harm) fits(t *testing.T, core, cause, kind string) {
	t.Helper()
	for _, f := range fits {
		if strings.HasPrefix(h.how, f.how) {
			if h.survived && cause == "abort" {
				return
			}
			if cause != "" && !slices.Contains(strings.Fields(f.causes), cause) ||
				kind != "" && !slices.Contains(strings.Fields(f.kinds), kind) {
				t.Errorf("%s: it is called %s", core, cause+kind)
			}
			return
		}
	}
	t.Errorf("%s: no row for %q", core, h.how)
}

// blames reports evidence that is sure of a block and names another one.
func (h *harm) blames(t *testing.T, core string, evidence []string) {
	t.Helper()
	for _, e := range evidence {
		sure := strings.Contains(e, "which was overrun") || strings.Contains(e, "the write came from the other side") ||
			strings.Contains(e, "; it is the block of")
		if sure && !strings.Contains(e, fmt.Sprintf("%#x", h.culprit)) {
			t.Errorf("%s: %s; it was %#x", core, e, h.culprit)
		}
	}
}
