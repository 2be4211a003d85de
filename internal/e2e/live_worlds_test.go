package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// A worldRecord is a record of ::whatis or ::gcroot, as far as it says which managed object has memory of the
// heap of C.
type worldRecord struct {
	Type    string `json:"type"`
	Kind    string `json:"kind"`
	Is      string `json:"is"`
	Addr    string `json:"addr"`
	Name    string `json:"name"`
	Class   string `json:"class"`
	Object  string `json:"object"`
	Memory  string `json:"memory"`
	HeldBy  string `json:"held_by"`
	Holders []struct {
		Addr  string `json:"addr"`
		Class string `json:"class"`
	} `json:"holders"`
	Root struct {
		Kind   string `json:"kind"`
		Class  string `json:"class"`
		HeldBy string `json:"held_by"`
	} `json:"root"`
	Path []struct {
		Addr string `json:"addr"`
	} `json:"path"`
}

// TestLiveWorlds: memory of the heap of C and the managed objects that have it point at each other. The
// programs have written down the address of each such memory, its size, the class of the object and its
// holder (sources/v8/worlds.js, sources/hotspot/Worlds.java). The class is "-" if a block of native code is
// between the two.
func TestLiveWorlds(t *testing.T) {
	eachWorld(t, "", func(t *testing.T, dir string, f []string, ask asker) {
		if strings.Contains(dir, "node-16") && f[3] == "-" {
			return // V8 9.4 has the value of an External in another object
		}
		w := world{what: f[0], addr: f[1], class: f[3], holder: strings.Join(f[4:], " ")}
		w.check(t, ask)
	})
}

// An asker runs a line and returns its records.
type asker = func(line string) []worldRecord

// eachWorld calls check with the fields of each line of the worlds.txt that is the truth of a core. Sysroot
// is a folder next to the core.
func eachWorld(t *testing.T, sysroot string, check func(t *testing.T, dir string, f []string, ask asker)) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			truth, err := os.ReadFile(filepath.Join(dir, "worlds.txt"))
			if err != nil {
				t.Fatal(err)
			}
			if len(truth) == 0 {
				t.Fatal("worlds.txt is empty")
			}
			root := sysroot
			if root != "" {
				root = filepath.Join(dir, root)
			}
			ask := worldsOf(t, dir, root)
			for line := range strings.Lines(string(truth)) {
				f := strings.Fields(line)
				if len(f) < 5 {
					t.Fatalf("truth %q", line)
				}
				check(t, dir, f, ask)
			}
		})
	}
}

// worldsOf opens the core in a folder, and returns what asks it.
func worldsOf(t *testing.T, dir, sysroot string) asker {
	var text bytes.Buffer
	s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{Stdout: &text, Sysroot: sysroot})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.JSON = true
	return func(line string) (out []worldRecord) {
		text.Reset()
		if err := s.Run(t.Context(), line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		for dec := json.NewDecoder(&text); dec.More(); {
			var r worldRecord
			if err := dec.Decode(&r); err != nil {
				t.Fatal(err)
			}
			out = append(out, r)
		}
		return out
	}
}

// TestLiveBuffers: memory of malloc that objects of CPython have names these objects. The program has written
// down the address of each such memory and of its object (array.buffer_info and id,
// sources/native/worlds.py). An object may have a header of the collector before it, of 16 bytes.
func TestLiveBuffers(t *testing.T) {
	eachWorld(t, "root", func(t *testing.T, _ string, f []string, ask asker) {
		at, err := strconv.ParseUint(f[4], 0, 64)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, r := range ask(f[1] + "::whatis") {
			for _, h := range r.Holders {
				found = found || h.Class == f[3] && (h.Addr == fmt.Sprintf("%#x", at) ||
					h.Addr == fmt.Sprintf("%#x", at-16))
			}
		}
		if !found {
			t.Errorf("%s at %s: ::whatis does not name the %s at %s", f[0], f[1], f[3], f[4])
		}
	})
}

// TestLiveCgo: memory of C that objects of Go have. The program has written down the address of each such
// memory, and the class and address of the object, whose member pixels leads there (sources/native/worlds.go.in).
func TestLiveCgo(t *testing.T) {
	eachWorld(t, "", func(t *testing.T, _ string, f []string, ask asker) {
		found := false
		for _, r := range ask(f[1] + "::refby") {
			found = found || r.Type == "heapref" && r.Addr == f[4] && r.Class == "main."+f[3] && r.Name == "pixels"
		}
		if !found {
			t.Errorf("%s at %s: ::refby does not name the %s at %s", f[0], f[1], f[3], f[4])
		}
	})
}

// A world is memory of the heap of C that a managed object has.
type world struct{ what, addr, class, holder string }

func (w *world) check(t *testing.T, ask asker) {
	var object string
	for _, r := range ask(w.addr + "::whatis") {
		if r.Kind != "external" || !strings.HasPrefix(r.HeldBy, w.holder) {
			continue
		}
		between := w.class == "-" && strings.Contains(r.Is, "in a block that ")
		if between || strings.Contains(r.Is, " of "+w.class+" at ") && r.Memory == w.addr {
			object = r.Object
		}
	}
	if object == "" {
		t.Errorf("%s at %s: ::whatis names no %s that %s holds", w.what, w.addr, w.class, w.holder)
		return
	}
	back := false
	for _, r := range ask(object + "::whatis") {
		back = back || r.Kind == "external" && (r.Memory == w.addr || w.class == "-")
	}
	if !back {
		t.Errorf("%s at %s: ::whatis of its object %s does not lead back", w.what, w.addr, object)
	}
	ways := ask(w.addr + "::gcroot -n 1")
	if len(ways) > 0 && ways[0].Type == "warning" {
		ways = ways[1:]
	}
	if len(ways) < 2 || !strings.HasPrefix(ways[0].Root.Kind, "object of ") ||
		!strings.HasPrefix(ways[0].Root.HeldBy, w.holder) {
		t.Errorf("%s at %s: ::gcroot has %+v", w.what, w.addr, ways)
		return
	}
	if path := ways[1].Path; len(path) == 0 || path[len(path)-1].Addr != object {
		t.Errorf("%s at %s: the way of ::gcroot does not go on to %s: %+v", w.what, w.addr, object, path)
	}
}
