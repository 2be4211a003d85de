package report

import (
	"encoding/base64"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
)

// TestMemoryTree: each owner is as large as the memory that it touched, whatever its own account says.
func TestMemoryTree(t *testing.T) {
	root := memoryTree([]memoryRow{
		{Type: "memory", Owner: "glibc", Touched: 1000, Used: 600, Free: 300},
		{Type: "memory", Owner: "go", Touched: 100, Used: 500, Free: 5000}, // mostly untouched
		{Type: "memory", Owner: "files", Touched: 40},
		{Type: "memory", Owner: "reserved"},
		{Type: "memorytotal"},
	})
	want := map[string][3]uint64{"glibc": {100, 600, 300}, "go": {0, 100, 0}, "files": {40, 0, 0}}
	for _, n := range root.Children {
		got := [3]uint64{n.Own}
		for _, k := range n.Children {
			switch k.Name {
			case n.Name + ", in use":
				got[1] = k.Own
			case n.Name + ", free":
				got[2] = k.Own
			}
		}
		if got != want[n.Name] {
			t.Errorf("%s: %v, want %v", n.Name, got, want[n.Name])
		}
		delete(want, n.Name)
	}
	if len(want) > 0 {
		t.Errorf("no box for %v", want)
	}
}

// TestMemorySection: the page of a program that leaks has the table of ::memory, and a treemap with the allocator.
func TestMemorySection(t *testing.T) {
	s, err := coredbg.Open(filepath.Join("..", "testdata", "cores", "leaky.cdb"), coredbg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p, err := New(t.Context(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, sec := range p.Sections {
		if sec.ID != "memory" {
			continue
		}
		if len(sec.Rows) == 0 || !strings.Contains(sec.Text, "most is glibc") || sec.Flame == nil {
			t.Fatalf("%+v", sec)
		}
		_, coded, _ := strings.Cut(string(sec.Flame.URL), "base64,")
		svg, err := base64.StdEncoding.DecodeString(coded)
		if err != nil || !strings.Contains(string(svg), "glibc, in use") {
			t.Errorf("no box of glibc: %v", err)
		}
		return
	}
	t.Error("the page has no section of memory")
}
