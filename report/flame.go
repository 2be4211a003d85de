package report

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"coredbg/chart"
	"coredbg/commands"
	"coredbg/runtimes"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/heap/heapmap"
)

// A Flame is a flame graph or a treemap, which the page holds as a page of its own.
type Flame struct {
	Title string
	URL   template.URL
	Tall  int // pixels
}

// draw makes the flame graph of a tree; nil if nothing is in it.
func draw(root *chart.Node, d chart.Drawing) (*Flame, error) {
	return drawn(root, &d, d.Flame)
}

// drawn makes a picture of a tree; nil if nothing is in it.
func drawn(root *chart.Node, d *chart.Drawing, picture func(io.Writer, *chart.Node) (height int,
	err error)) (*Flame, error) {
	if len(root.Children) == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	height, err := picture(&b, root)
	if err != nil {
		return nil, fmt.Errorf("drawing %q: %w", d.Title, err)
	}
	return &Flame{Title: d.Title, Tall: height,
		URL: template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(b.Bytes()))}, nil
}

// heapFlame draws the retainers of the heap. The graph exists already: the section above the flame
// graph needed it, and gives the reason if it could not be built. heapFlame fails only with an error of
// ctx.
func heapFlame(ctx context.Context, s *commands.Session) (*Flame, error) {
	r, ok := commands.RuntimeOf[runtimes.Grapher](s)
	if !ok {
		return nil, nil
	}
	g, err := r.Graph(ctx)
	if err != nil {
		return nil, ctx.Err()
	}
	tree, err := heapmap.Tree(ctx, g, heap.None)
	if err != nil {
		return nil, err
	}
	return draw(tree, chart.Drawing{Title: "What retains the heap", Unit: heapmap.Unit, Least: 1. / 1000,
		Note: "as wide as what it retains, below what dominates it; a click zooms"})
}
