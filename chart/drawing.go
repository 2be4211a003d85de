package chart

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
)

// A Drawing says how a tree is drawn.
type Drawing struct {
	Title string // the heading
	Note  string // a line below it
	// Unit writes a weight, for people: "1.2 MB". Nil writes the number.
	Unit func(weight uint64) string
	// Least is the least share of the whole that gets its own box; 0 means the smallest visible share.
	Least float64
}

// The page, in units that a browser maps to pixels.
const (
	pageWidth = 1200
	margin    = 12
	headSpace = 58 // above the boxes
	charWidth = 7.25
	colours   = 12

	headColumns = 120 // of text at the top
	noteColumns = 160
)

// A canvas writes the file.
type canvas struct {
	*Drawing
	w     *bufio.Writer
	total uint64
}

// begin writes the header of an SVG file of the given height.
func (d *Drawing) begin(w io.Writer, total uint64, height float64) *canvas {
	c := &canvas{Drawing: d, w: bufio.NewWriter(w), total: total}
	c.printf(`<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%s" viewBox="0 0 %d %s" role="img" aria-labelledby="title">
<title id="title">%s</title>
<style>
`, pageWidth, length(height), pageWidth, length(height), c.text(d.Title))
	c.styles()
	c.printf(`</style>
<rect class="page" width="100%%" height="100%%"/>
<text class="head" x="%d" y="26">%s</text>
<text class="note" x="%d" y="45">%s</text>
`, margin, markup(fit(plain(d.Title, maxName), headColumns)), margin, markup(fit(plain(d.Note, maxName), noteColumns)))
	return c
}

// styles writes the colours for light and dark pages, and for the frame around the drawing.
func (c *canvas) styles() {
	io.WriteString(c.w, `svg { max-width: 100%; height: auto; color-scheme: light dark; background: #fff }
text { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1a1a1a; pointer-events: none; white-space: pre }
text.head { font-size: 16px; font-weight: bold }
text.note, text.size { fill: #555 }
.page { fill: #fff }
rect { stroke: #fff; stroke-width: .6 }
g:hover > rect { stroke: #000; stroke-width: 1.4 }
.in > rect { fill-opacity: .45 }
.n > rect { fill: #dcdcdc }
`)
	for i := range colours {
		fmt.Fprintf(c.w, ".c%d > rect { fill: hsl(%d, 62%%, 80%%) }\n", i, i*360/colours)
	}
	io.WriteString(c.w, `@media (prefers-color-scheme: dark) {
svg { background: #15171a }
text { fill: #f0f0f0 }
text.note, text.size { fill: #bbb }
.page { fill: #15171a }
rect { stroke: #15171a }
g:hover > rect { stroke: #fff }
.n > rect { fill: #3c3f44 }
`)
	for i := range colours {
		fmt.Fprintf(c.w, ".c%d > rect { fill: hsl(%d, 34%%, 32%%) }\n", i, i*360/colours)
	}
	io.WriteString(c.w, "}\n")
}

// end finishes the file.
func (c *canvas) end() error {
	c.printf("</svg>\n")
	if err := c.w.Flush(); err != nil {
		return fmt.Errorf("chart: %w", err)
	}
	return nil
}

func (c *canvas) printf(format string, args ...any) { fmt.Fprintf(c.w, format, args...) }

// text makes any text a part of the document.
func (c *canvas) text(s string) string { return markup(plain(s, maxName)) }

// unit writes a weight.
func (c *canvas) unit(n uint64) string {
	if c.Unit == nil {
		return strconv.FormatUint(n, 10)
	}
	return c.Unit(n)
}

// percent writes a part of the whole.
func (c *canvas) percent(n uint64) string {
	return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(max(c.total, 1)))
}

// hover writes the text that a box shows when the reader points at it.
func (c *canvas) hover(b *box) {
	c.printf("<title>%s\n%s, %s", c.text(b.name), c.text(c.unit(b.weight)), c.percent(b.weight))
	if c.Unit != nil {
		c.printf(" (%d)", b.weight)
	}
	if own := b.own(); len(b.kids) > 0 && own > 0 {
		c.printf("\n%s not in the boxes below", c.text(c.unit(own)))
	}
	for _, l := range b.detail {
		c.printf("\n%s", c.text(l))
	}
	c.printf("</title>")
}

// colour returns the class with a group's colour.
func colour(group string) string {
	if group == "" {
		return "n"
	}
	h := fnv.New32a()
	io.WriteString(h, group)
	return "c" + strconv.Itoa(int(h.Sum32()%colours))
}

// length writes a length without invisible digits.
func length(x float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
}
