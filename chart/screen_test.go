package chart

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// TestScreenHostile: a name in a session is text of the picture, whatever it is.
func TestScreenHostile(t *testing.T) {
	const bad = "</text><script>alert(1)</script>"
	s := Screen{Title: bad, Lines: []string{"$ coredbg core", bad, "a\x1b[31mb\u202ec\xff & 'd' \"e\"",
		strings.Repeat("x", 500), "> 42 f(a < b)"}}
	var b strings.Builder
	if err := s.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, x := range []string{"<script", "\x1b", "\u202e", "\xff", strings.Repeat("x", 200)} {
		if strings.Contains(text, x) {
			t.Errorf("the picture has %q", x)
		}
	}
	lines := 0
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := tok.(xml.StartElement); ok {
			switch e.Name.Local {
			case "text":
				lines++
			case "svg", "title", "style", "rect", "circle":
			default:
				t.Errorf("an element %s", e.Name.Local)
			}
		}
	}
	if lines != len(s.Lines) {
		t.Errorf("%d lines of %d", lines, len(s.Lines))
	}
	for _, want := range []string{`class="typed">$ coredbg core`, `class="mark">&gt; 42 f(a &lt; b)`,
		`a\u001b[31mb\u202ec\xff &amp; &#39;d&#39; &quot;e&quot;`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
}
