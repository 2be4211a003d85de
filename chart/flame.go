package chart

import "io"

const (
	frameHeight = 18
	// flameLeast is the least share of a box: half a pixel.
	flameLeast = 0.4 / (pageWidth - 2*margin)
)

// Flame draws a tree as a flame graph: the root on top and as wide as the page, below each node its
// children, each as wide as its weight, the heaviest first. A click on a box zooms to it. It returns
// the height in pixels. It fails only with an error of w.
func (d *Drawing) Flame(w io.Writer, root *Node) (height int, err error) {
	least := d.Least
	if least == 0 {
		least = flameLeast
	}
	top := boxes(root, least)
	levels := 0
	top.each(func(b *box) { levels = max(levels, b.depth+1) })
	height = headSpace + levels*frameHeight + margin
	c := d.begin(w, top.weight, float64(height))
	c.printf("<g id=\"frames\" data-total=\"%d\">\n", top.weight)
	top.each(c.frame)
	c.printf("</g>\n<script><![CDATA[%s]]></script>\n", Script)
	return height, c.end()
}

// each calls visit for a box and those below it.
func (b *box) each(visit func(*box)) {
	visit(b)
	for _, k := range b.kids {
		k.each(visit)
	}
}

// frame writes one box.
func (c *canvas) frame(b *box) {
	scale := (pageWidth - 2*margin) / float64(max(c.total, 1))
	x, width := margin+float64(b.start)*scale, float64(b.weight)*scale
	y := headSpace + float64(b.depth)*frameHeight
	name := plain(b.name, maxName)
	size := c.unit(b.weight)
	c.printf("<g class=\"f %s\" data-s=\"%d\" data-n=\"%d\" data-l=\"%s\">", colour(b.group), b.start, b.weight,
		markup(name+"  "+plain(size, maxName)))
	c.hover(b)
	c.printf(`<rect x="%s" y="%s" width="%s" height="%d" rx="1.5"/>`, length(x), length(y),
		length(max(width, .3)), frameHeight-1)
	if label := fit(name+"  "+plain(size, maxName), int((width-6)/charWidth)); label != "" {
		c.printf(`<text x="%s" y="%s">%s</text>`, length(x+3), length(y+13), markup(label))
	}
	c.printf("</g>\n")
}

// Script is the script of a flame graph: a click on a frame makes it as wide as the page, one on a frame above
// it goes back there. Names come from attributes and go to text only.
const Script = `
(function () {
  var box = document.getElementById('frames'), left = 12, wide = 1176, char = 7.25;
  var frames = Array.prototype.map.call(box.querySelectorAll('g.f'), function (g) {
    return { g: g, s: +g.getAttribute('data-s'), n: +g.getAttribute('data-n'), l: Array.from(g.getAttribute('data-l')), rect: g.querySelector('rect'), text: g.querySelector('text') };
  });
  function show(to) {
    frames.forEach(function (f) {
      var above = f.s <= to.s && f.s + f.n >= to.s + to.n && +f.rect.getAttribute('y') <= +to.rect.getAttribute('y');
      var x = above ? 0 : (f.s - to.s) / to.n * wide, w = above ? wide : f.n / to.n * wide;
      var seen = above || f.s >= to.s && f.s + f.n <= to.s + to.n && w >= 0.3;
      f.g.style.display = seen ? '' : 'none';
      if (!seen) return;
      f.g.style.opacity = above && f !== to ? 0.6 : '';
      f.rect.setAttribute('x', left + x);
      f.rect.setAttribute('width', w);
      var most = Math.floor((w - 6) / char), label = f.l.length <= most ? f.l.join('') : most < 4 ? '' : f.l.slice(0, most - 1).join('') + '…';
      if (!f.text) {
        f.text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
        f.text.setAttribute('y', +f.rect.getAttribute('y') + 13);
        f.g.appendChild(f.text);
      }
      f.text.setAttribute('x', left + x + 3);
      f.text.textContent = label;
    });
  }
  frames.forEach(function (f) {
    f.g.style.cursor = 'pointer';
    f.g.addEventListener('click', function () { show(f); });
  });
})();
`
