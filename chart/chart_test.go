package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// drawn draws a tree in both ways, and checks that what was written is XML.
func drawn(t *testing.T, d *Drawing, root *Node) (flame, treemap string) {
	t.Helper()
	var f, m bytes.Buffer
	height, err := d.Flame(&f, root)
	tall, err2 := d.Treemap(&m, root)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf(` height="%d"`, tall); !strings.Contains(m.String(), want) {
		t.Errorf("the treemap has no%s", want)
	}
	if want := fmt.Sprintf(` height="%d"`, height); !strings.Contains(f.String(), want) {
		t.Errorf("the flame graph has no%s", want)
	}
	for _, b := range []*bytes.Buffer{&f, &m} {
		dec := xml.NewDecoder(bytes.NewReader(b.Bytes()))
		for {
			if _, err := dec.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v in\n%.2000s", err, b)
			}
		}
	}
	return f.String(), m.String()
}

func TestSums(t *testing.T) {
	root := &Node{Name: "all", Children: []*Node{
		{Name: "big", Group: "g", Own: 10, Children: []*Node{{Name: "inside", Own: 70}}},
		{Name: "small", Own: 15}, {Name: "dust", Own: 2}, {Name: "mote", Own: 3},
	}}
	top := boxes(root, 0.1)
	var got []string
	top.each(func(b *box) { got = append(got, fmt.Sprintf("%s %d at %d", b.name, b.weight, b.start)) })
	want := "all 100 at 0, big 80 at 0, inside 70 at 0, small 15 at 80"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
	flame, _ := drawn(t, &Drawing{Title: "t", Unit: func(n uint64) string { return fmt.Sprint(n, " B") }}, root)
	for _, want := range []string{`data-total="100"`, "big\n80 B, 80.0% (80)\n10 B not in the boxes below",
		"dust\n2 B, 2.0%"} {
		if !strings.Contains(flame, want) {
			t.Errorf("no %q in\n%s", want, flame)
		}
	}
}

// TestHostileNames: a name is text, whatever is in it.
func TestHostileNames(t *testing.T) {
	const evil = "</title><script>alert(1)</script>]]>\"'&\x1b[31m\xff\u202e\x00"
	flame, treemap := drawn(t, &Drawing{Title: evil, Note: evil},
		&Node{Name: evil, Own: 1, Group: evil, Detail: []string{evil}, Children: []*Node{{Name: evil, Own: 9}}})
	for _, s := range []string{flame, treemap} {
		if strings.Contains(s, "<script>alert") || strings.ContainsAny(s, "\x1b\x00\u202e") ||
			strings.Contains(s, "\xff") {
			t.Errorf("a name is not text in\n%s", s)
		}
	}
	if n := strings.Count(flame, "<script>"); n != 1 {
		t.Errorf("%d scripts", n)
	}
}

// TestShapes: trees that are nothing, deep, wide, and too heavy for a number.
func TestShapes(t *testing.T) {
	deep := &Node{Name: "end", Own: 1}
	for range 5000 {
		deep = &Node{Name: "f", Children: []*Node{deep}}
	}
	wide := &Node{Name: "wide"}
	for i := range 20000 {
		wide.Children = append(wide.Children, &Node{Name: "leaf", Own: uint64(i)})
	}
	heavy := &Node{Name: "heavy", Own: 1 << 63, Children: []*Node{{Name: "too", Own: 1<<64 - 1}}}
	for _, root := range []*Node{{}, {Name: "one"}, deep, wide, heavy} {
		flame, treemap := drawn(t, &Drawing{}, root)
		if most := 4 << 20; len(flame) > most || len(treemap) > most {
			t.Errorf("%s: %d and %d bytes", root.Name, len(flame), len(treemap))
		}
		again, _ := drawn(t, &Drawing{}, root)
		if again != flame {
			t.Errorf("%s: two drawings differ", root.Name)
		}
	}
}

// TestAround: what a frame shows around a drawing has the page's colour. The pages were looked at in
// Chromium, which showed white strips on a dark page.
func TestAround(t *testing.T) {
	var b strings.Builder
	if _, err := (&Drawing{Title: "memory"}).Treemap(&b, &Node{Name: "a", Own: 3}); err != nil {
		t.Fatal(err)
	}
	light, dark, ok := strings.Cut(b.String(), "(prefers-color-scheme: dark) {")
	if !ok || !strings.Contains(light, "color-scheme: light dark; background: #fff }") {
		t.Errorf("%s", light)
	}
	if !strings.HasPrefix(dark, "\nsvg { background: #15171a }") {
		t.Errorf("%s", dark)
	}
}
