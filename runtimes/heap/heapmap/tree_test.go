package heapmap

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"coredbg/chart"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/heap/heaptest"
)

// lines writes a tree: a line for each node with its own weight.
func lines(n *chart.Node, depth int) []string {
	out := []string{fmt.Sprintf("%s%s %d", strings.Repeat(" ", depth), n.Name, n.Own)}
	for _, k := range n.Children {
		out = append(out, lines(k, depth+1)...)
	}
	return out
}

func TestTree(t *testing.T) {
	g := heaptest.Cache(t, "Cache")
	cache := heap.None
	for id := range heap.ID(g.Len()) {
		if g.Type(id).Class == "Cache" {
			cache = id
		}
	}
	for name, c := range map[string]struct {
		below heap.ID
		want  []string
	}{
		"all":         {heap.None, []string{"(roots) 0", " Cache 10", "  Entry ×2 40", "   text: Text 7", " Text 5"}},
		"one of them": {cache, []string{"Cache 10", " Entry ×2 40", "  text: Text 7"}},
	} {
		tree, err := Tree(context.Background(), g, c.below)
		if err != nil {
			t.Fatal(err)
		}
		if got := lines(tree, 0); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("stopped"))
	if _, err := Tree(ctx, g, heap.None); err == nil || err.Error() != "stopped" {
		t.Errorf("interrupted: %v", err)
	}
}

// TestHostile: the name of a class is text of a drawing, and nothing else.
func TestHostile(t *testing.T) {
	class := `</title><script>alert(1)</script>]]>\u0007\u202e\" onload=\"x`
	tree, err := Tree(context.Background(), heaptest.Cache(t, class), heap.None)
	if err != nil {
		t.Fatal(err)
	}
	for name, draw := range map[string]func(*chart.Drawing, io.Writer) error{
		"treemap": func(d *chart.Drawing, w io.Writer) error { _, err := d.Treemap(w, tree); return err },
		"flame":   func(d *chart.Drawing, w io.Writer) error { _, err := d.Flame(w, tree); return err },
	} {
		var b bytes.Buffer
		if err := draw(&chart.Drawing{Title: class}, &b); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(b.String(), "\u0007\u202e") {
			t.Errorf("%s: a control character of a name is in it", name)
		}
		dec := xml.NewDecoder(&b)
		for {
			tok, err := dec.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			start, ok := tok.(xml.StartElement)
			if !ok {
				continue
			}
			if start.Name.Local == "script" && name == "treemap" {
				t.Errorf("%s: a name became a script", name)
			}
			for _, a := range start.Attr {
				if strings.HasPrefix(a.Name.Local, "on") {
					t.Errorf("%s: a name became %s", name, a.Name.Local)
				}
			}
		}
	}
}

func TestUnit(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 B", 999: "999 B", 1000: "1.00 kB", 9994: "9.99 kB", 9996: "10.0 kB",
		99960:  "100 kB",
		999499: "999 kB", 999500: "1.00 MB", 4970753: "4.97 MB", 1 << 40: "1.10 TB", 1<<64 - 1: "18.4 EB"} {
		if got := Unit(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
