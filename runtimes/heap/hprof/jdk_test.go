package hprof

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/heap"
)

// row is a line of HotSpot's own histogram: number, objects, bytes, class.
var row = regexp.MustCompile(`(?m)^\s*\d+:\s+(\d+)\s+(\d+)\s+(\S+)`)

// TestJDK compares dumps that HotSpot wrote with its own histogram of the same process, which
// has the true sizes: objects and bytes of each class. Class data sharing is off, as its archive
// has the java.lang.Class of classes that are not loaded, which no dump has.
func TestJDK(t *testing.T) {
	java, err := exec.LookPath("java")
	if err != nil || testing.Short() {
		t.Skip("it runs java, which has to be there")
	}
	for name, flags := range map[string][]string{"default": {"-Xshare:off"},
		"large references": {"-XX:-UseCompressedOops"},
		"large classes":    {"-XX:-UseCompressedOops", "-XX:-UseCompressedClassPointers"}} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "nodes.hprof")
			text, err := exec.Command(java, append(flags, "-XX:TieredStopAtLevel=1", "-Xmx256m", "testdata/Nodes.java",
				file)...).Output()
			if err != nil {
				t.Fatalf("java: %v", err)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			g, err := open(data)
			if err != nil {
				t.Fatal(err)
			}
			if d := g.Damage(); d != nil {
				t.Errorf("damage: %+v", d)
			}
			compare(t, g, string(text))
		})
	}
}

func open(data []byte) (*heap.Graph, error) {
	d, err := Read(context.Background(), core.Bytes(data))
	if err != nil {
		return nil, err
	}
	return heap.Build(context.Background(), d)
}

// compare allows for objects that the process made or dropped between dump and histogram.
func compare(t *testing.T, g *heap.Graph, text string) {
	t.Helper()
	list, err := g.Counts(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]heap.Class{}
	for _, c := range list {
		got[c.Class] = c
	}
	want := map[string]heap.Class{}
	for _, m := range row.FindAllStringSubmatch(text, -1) {
		c := want[plain(m[3])]
		n, _ := strconv.Atoi(m[1])
		b, _ := strconv.ParseUint(m[2], 10, 64)
		c.Objects, c.Shallow = c.Objects+n, c.Shallow+b
		want[plain(m[3])] = c
	}
	if w := want["Nodes$Node"]; w.Objects != 20000 || got["Nodes$Node"].Shallow != w.Shallow {
		t.Errorf("20000 nodes: the histogram has %d of %d bytes, the dump %d of %d", w.Objects, w.Shallow,
			got["Nodes$Node"].Objects, got["Nodes$Node"].Shallow)
	}
	for name, w := range want {
		c := got[name]
		if w.Objects < 1000 {
			continue
		}
		// HotSpot fills holes of the heap with arrays of int (CollectedHeap::fill_with_array), which
		// its histogram counts and its dump has not.
		if name == "int[]" && c.Shallow <= w.Shallow {
			w.Shallow = c.Shallow
		}
		if off(uint64(c.Objects), uint64(w.Objects)) || off(c.Shallow, w.Shallow) {
			t.Errorf("%s: %d objects of %d bytes, in the histogram %d of %d", name, c.Objects, c.Shallow,
				w.Objects, w.Shallow)
		}
	}
}

// off reports whether a number is more than 1 % from another.
func off(a, b uint64) bool { return max(a, b)-min(a, b) > b/100 }

func plain(name string) string {
	n := 0
	for name[n] == '[' {
		n++
	}
	if n == 0 {
		return name
	}
	name = elementName(name[n:])
	for range n {
		name += "[]"
	}
	return name
}
