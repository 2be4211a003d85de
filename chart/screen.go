package chart

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// A Screen draws a session in a terminal.
type Screen struct {
	Title string   // for readers who do not see the picture
	Lines []string // a line that begins with "$ " was typed, one that begins with ">" is marked
}

// The measures of a screen, in units that a browser maps to pixels.
const (
	screenColumns = 84
	screenLine    = 19
	screenTop     = 34 // above the first line
	maxScreen     = 200
)

// WriteSVG writes the picture. Lines may be hostile: their characters are never markup.
func (s *Screen) WriteSVG(w io.Writer) error {
	b := bufio.NewWriter(w)
	lines := s.Lines[:min(len(s.Lines), maxScreen)]
	width, height := screenColumns*charWidth+2*margin, float64(screenTop+screenLine*len(lines)+margin)
	fmt.Fprintf(b, `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img" aria-labelledby="title">
<title id="title">%[3]s</title>
<style>
svg { max-width: 100%%; height: auto }
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; fill: #1f2328 }
.frame { fill: #f6f8fa; stroke: #d0d7de }
.dot { fill: #d0d7de }
.typed { font-weight: bold; fill: #0550ae }
.mark { fill: #a40e26; font-weight: bold }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.frame { fill: #161b22; stroke: #30363d }
.dot { fill: #30363d }
.typed { fill: #79c0ff }
.mark { fill: #ff7b72 }
}
</style>
<rect class="frame" x="0.5" y="0.5" width="%[4]s" height="%[5]s" rx="8"/>
<circle class="dot" cx="18" cy="16" r="5"/>
<circle class="dot" cx="36" cy="16" r="5"/>
<circle class="dot" cx="54" cy="16" r="5"/>
`, length(width), length(height), markup(plain(s.Title, maxName)), length(width-1), length(height-1))
	for i, l := range lines {
		class := ""
		switch {
		case strings.HasPrefix(l, "$ "):
			class = ` class="typed"`
		case strings.HasPrefix(l, ">"):
			class = ` class="mark"`
		}
		fmt.Fprintf(b, "<text xml:space=\"preserve\" x=\"%d\" y=\"%d\"%s>%s</text>\n", margin,
			screenTop+screenLine*(i+1)-5, class, markup(fit(plain(l, maxName), screenColumns)))
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}
