package lang

import (
	"strconv"
	"strings"
)

// A directive is a step of a format list: a letter with its count, or quoted
// text.
type directive struct {
	count  uint64
	letter *Letter
	text   string
}

// initial is the format list of "/" and "?" without one: X^"= "i.
func initial() []directive {
	return []directive{
		{1, letterOf('X'), ""}, {1, letterOf('^'), ""}, {1, nil, "= "}, {1, letterOf('i'), ""},
	}
}

// A compiler collects directives. A count applies to the next letter, wherever
// that is.
type compiler struct {
	list    []directive
	count   uint64
	counted bool
}

// compile turns the arguments of a format command into directives.
func compile(s *stage) ([]directive, error) {
	c := compiler{count: 1}
	for i, w := range s.words {
		for _, p := range w {
			switch {
			case p.Expr != nil:
				c.count, c.counted = s.args[i].Num, true
			case p.Quote != 0:
				c.add(directive{text: p.Text})
			default:
				if err := c.letters(p.Text); err != nil {
					return nil, err
				}
			}
		}
	}
	if c.counted {
		return nil, usage("a format count comes before its letter")
	}
	return c.list, nil
}

func (c *compiler) add(d directive) {
	d.count = c.count
	c.list = append(c.list, d)
	c.count, c.counted = 1, false
}

// letters reads counts and letters.
func (c *compiler) letters(text string) error {
	for text != "" {
		rest := strings.TrimLeft(text, "0123456789")
		if digits := text[:len(text)-len(rest)]; digits != "" {
			v, err := strconv.ParseUint(digits, 10, 64)
			if err != nil {
				return usage("format count %s is too large", digits)
			}
			c.count, c.counted = v, true
			text = rest
			continue
		}
		l := letterOf(text[0])
		if l == nil {
			return usage("unknown format letter %s (::formats lists them)", strconv.QuoteRune([]rune(text)[0]))
		}
		c.add(directive{letter: l})
		text = text[1:]
	}
	return nil
}
