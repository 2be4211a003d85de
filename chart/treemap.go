package chart

import (
	"cmp"
	"io"
	"slices"
)

const (
	mapHeight  = 720
	headerSize = 17 // of the name above what is in a box
	inset      = 2
	// mapLeast is the least share of a box: some 20 by 20 pixels.
	mapLeast = 1. / 2000
	// goesOn is the least share of a box that its only child needs to be merged with it. Without merging, a
	// chain of boxes would be all frames.
	goesOn = 0.9
)

// Treemap draws a tree as a treemap: each node is a rectangle with its children in it, whose areas are
// proportional to their weights. It returns the height of the drawing in pixels, and fails only with an error of w.
func (d *Drawing) Treemap(w io.Writer, root *Node) (height int, err error) {
	least := d.Least
	if least == 0 {
		least = mapLeast
	}
	top := boxes(root, least)
	height = headSpace + mapHeight + margin
	c := d.begin(w, top.weight, float64(height))
	c.tile(top, rectangle{margin, headSpace, pageWidth - 2*margin, mapHeight})
	return height, c.end()
}

type rectangle struct{ x, y, w, h float64 }

// only returns the one box that is nearly all of another; nil if there is none.
func (b *box) only() *box {
	if len(b.kids) == 1 && float64(b.kids[0].weight) >= goesOn*float64(b.weight) {
		return b.kids[0]
	}
	return nil
}

// joined merges a box with children that are nearly all of it.
func joined(b *box) *box {
	if b.depth == 0 {
		return b // it says what the whole is
	}
	for k := b.only(); k != nil; k = b.only() {
		one := *k
		one.name, one.weight = b.name+" › "+k.name, b.weight
		one.detail = append(append([]string(nil), b.detail...), k.detail...)
		b = &one
	}
	return b
}

// tile draws a box and its children.
func (c *canvas) tile(b *box, r rectangle) {
	b = joined(b)
	inner := rectangle{r.x + inset, r.y + headerSize, r.w - 2*inset, r.h - headerSize - inset}
	opens := len(b.kids) > 0 && inner.w >= 12 && inner.h >= 12
	class := colour(b.group)
	if opens {
		class += " in"
	}
	c.printf("<g class=\"%s\">", class)
	c.hover(b)
	c.printf(`<rect x="%s" y="%s" width="%s" height="%s" rx="2"/>`, length(r.x), length(r.y), length(r.w), length(r.h))
	c.labels(b, r, opens)
	if opens {
		c.printf("\n")
		items := b.kids
		if own := b.own(); own > 0 {
			items = append(append([]*box(nil), items...), &box{weight: own, depth: -1})
		}
		squarify(items, inner, func(k *box, r rectangle) {
			if k.depth >= 0 && r.w > 0 && r.h > 0 {
				c.tile(k, r)
			}
		})
	}
	c.printf("</g>\n")
}

// labels writes the name of a box, and how heavy it is.
func (c *canvas) labels(b *box, r rectangle, opens bool) {
	if r.h < 14 {
		return
	}
	room := int((r.w - 6) / charWidth)
	name, size := plain(b.name, maxName), c.unit(b.weight)
	if opens || r.h < 2*headerSize {
		name += "  " + size
	}
	label := fit(name, room)
	if label == "" {
		return
	}
	c.printf(`<text x="%s" y="%s">%s</text>`, length(r.x+3), length(r.y+13), markup(label))
	if size = fit(size, room); !opens && r.h >= 2*headerSize && size != "" {
		c.printf(`<text class="size" x="%s" y="%s">%s</text>`, length(r.x+3), length(r.y+13+headerSize), markup(size))
	}
}

// squarify divides a rectangle among boxes so that they are as square as can be had, the
// heaviest first.
func squarify(items []*box, r rectangle, visit func(*box, rectangle)) {
	items = slices.SortedStableFunc(slices.Values(items),
		func(a, b *box) int { return -cmp.Compare(a.weight, b.weight) })
	left := 0.
	for _, b := range items {
		left += float64(b.weight)
	}
	for len(items) > 0 && left > 0 && min(r.w, r.h) > 0 {
		scale := r.w * r.h / left // area of a weight
		side := min(r.w, r.h)
		n, weight := 1, float64(items[0].weight)
		for n < len(items) {
			more := weight + float64(items[n].weight)
			if worst(items[:n+1], more, scale, side) > worst(items[:n], weight, scale, side) {
				break
			}
			weight = more
			n++
		}
		r = row(items[:n], weight, scale, r, visit)
		items, left = items[n:], left-weight
	}
}

// worst returns how far from square the worst of a row is.
func worst(items []*box, weight, scale, side float64) float64 {
	thick := weight * scale / side
	w := 0.
	for _, b := range items {
		long := float64(b.weight) * scale / thick
		w = max(w, thick/long, long/thick)
	}
	return w
}

// row lays out one row of boxes along the shorter side of r and returns the remaining rectangle.
func row(items []*box, weight, scale float64, r rectangle, visit func(*box, rectangle)) rectangle {
	thick := weight * scale / min(r.w, r.h)
	at := 0.
	for _, b := range items {
		long := float64(b.weight) * scale / thick
		if r.w < r.h {
			visit(b, rectangle{r.x + at, r.y, long, thick})
		} else {
			visit(b, rectangle{r.x, r.y + at, thick, long})
		}
		at += long
	}
	if r.w < r.h {
		return rectangle{r.x, r.y + thick, r.w, r.h - thick}
	}
	return rectangle{r.x + thick, r.y, r.w - thick, r.h}
}
