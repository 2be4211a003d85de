package out

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// search reads a pattern and goes to the next line that matches it. An empty one is the
// one before.
func (p *Pager) search(back, end bool) {
	text := "/"
	if back {
		text = "?"
	}
	for {
		io.WriteString(p.w, "\r\x1b[K"+Clean(text, false))
		k, err := p.key()
		switch {
		case err != nil, k == "\x03", k[0] == '\x1b', k == "\x7f" && len(text) == 1, k == "\b" && len(text) == 1:
			io.WriteString(p.w, "\r\x1b[K")
			return
		case k == "\r", k == "\n":
			io.WriteString(p.w, "\r\x1b[K")
			if len(text) > 1 {
				p.find = pattern(text[1:])
			}
			p.back = back
			p.next(back, end)
			return
		case k == "\x7f", k == "\b":
			_, n := utf8.DecodeLastRuneInString(text)
			text = text[:len(text)-n]
		case k[0] >= ' ':
			text += k
		}
	}
}

// pattern compiles what was typed: a regular expression, or else the text as it is. Small
// letters match large ones unless there is a large one in it.
func pattern(text string) *regexp.Regexp {
	flags := ""
	if strings.ToLower(text) == text {
		flags = "(?i)"
	}
	if re, err := regexp.Compile(flags + text); err == nil {
		return re
	}
	return regexp.MustCompile(flags + regexp.QuoteMeta(text))
}

// next goes to the next line that matches, which may yet have to come.
func (p *Pager) next(back, end bool) {
	if p.find == nil {
		p.said = "No pattern: / searches"
		return
	}
	top := p.top()
	at := top
	if p.hit > top && p.hit < p.shown {
		at = p.hit // the screen could not begin with it
	}
	for i := at - 1; back && i >= 0; i-- {
		if p.find.MatchString(plainText(p.lines[i])) {
			p.hit = i
			p.repaint(i)
			return
		}
	}
	for i := at + 1; !back && i < len(p.lines); i++ {
		if p.find.MatchString(plainText(p.lines[i])) {
			p.hit = i
			p.repaint(i)
			return
		}
	}
	if back || end {
		p.said = "Pattern not found"
		return
	}
	p.from, p.shown, p.skip = top, len(p.lines), skipFind
}

// marked returns a line with the search's matches in reverse.
func (p *Pager) marked(line string) string {
	if p.find == nil {
		return line
	}
	text := plainText(line)
	found := p.find.FindAllStringIndex(text, -1)
	if found == nil {
		return line
	}
	var b strings.Builder
	at := 0 // in text
	for i := 0; i < len(line); {
		if line[i] == '\x1b' {
			n := strings.IndexByte(line[i:], 'm') + 1
			if n == 0 {
				break
			}
			b.WriteString(line[i : i+n])
			if len(found) > 0 && at > found[0][0] {
				b.WriteString("\x1b[7m") // colours may have ended it
			}
			i += n
			continue
		}
		if len(found) > 0 && at == found[0][0] && found[0][1] > at {
			b.WriteString("\x1b[7m")
		}
		b.WriteByte(line[i])
		i++
		at++
		if len(found) > 0 && at >= found[0][1] {
			if found[0][1] > found[0][0] {
				b.WriteString("\x1b[27m")
			}
			found = found[1:]
		}
	}
	return b.String()
}

// stripColors returns the text without the sequences that Style writes.
func stripColors(b []byte) []byte {
	var text []byte
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\x1b')
		if i < 0 {
			return append(text, b...)
		}
		text = append(text, b[:i]...)
		b = b[i:]
		if m := bytes.IndexByte(b, 'm'); m >= 0 {
			b = b[m+1:]
		} else {
			b = nil
		}
	}
	return text
}
