package pattern

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits for an expression of a core.
const (
	maxSource = 1 << 14
	maxDepth  = 200
	maxGroups = 1000
)

// flags are what a part of an expression is matched with.
type flags struct {
	ignoreCase, multiline, dotAll, unicode bool
	back                                   bool // it is matched from its end, as what is looked behind for
}

// A parser makes matchers of the source of an expression.
type parser struct {
	src   string
	at    int
	depth int
	flags flags
	sets  bool // the flag v
	named bool // \k names a group
	names []string
	total int // groups of the whole expression
}

// A SyntaxError says what is wrong with an expression.
type SyntaxError struct{ Source, Flags, Reason string }

// Error says so as V8 does.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("Invalid regular expression: /%s/%s: %s", e.Source, e.Flags, e.Reason)
}

// Compile compiles an expression.
func Compile(source, letters string) (r *Regexp, err error) {
	p := &parser{src: source}
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *SyntaxError:
			x.Flags, err = letters, x
		default:
			panic(x)
		}
	}()
	if len(source) > maxSource {
		p.fail("Regular expression too large")
	}
	for i, c := range letters {
		if !strings.ContainsRune("dgimsuvy", c) || strings.ContainsRune(letters[:i], c) {
			return nil, &SyntaxError{source, letters, "Invalid flags"}
		}
	}
	p.flags = flags{ignoreCase: strings.Contains(letters, "i"), multiline: strings.Contains(letters, "m"),
		dotAll: strings.Contains(letters, "s"), unicode: strings.ContainsAny(letters, "uv")}
	p.sets = strings.Contains(letters, "v")
	p.names = []string{""}
	p.count()
	m := p.choices()
	if p.at < len(p.src) {
		p.fail("Unmatched ')'")
	}
	return &Regexp{Groups: len(p.names), Names: p.names, match: m}, nil
}

func (p *parser) fail(reason string) { panic(&SyntaxError{Source: p.src, Reason: reason}) }

func (p *parser) deeper() {
	if p.depth++; p.depth > maxDepth {
		p.fail("Regular expression too large")
	}
}

func (p *parser) rest() string { return p.src[p.at:] }

func (p *parser) take(c byte) bool {
	if p.at >= len(p.src) || p.src[p.at] != c {
		return false
	}
	p.at++
	return true
}

func (p *parser) takeText(text string) bool {
	if !strings.HasPrefix(p.rest(), text) {
		return false
	}
	p.at += len(text)
	return true
}

// next reads a character of the source.
func (p *parser) next() rune {
	c, size := utf8.DecodeRuneInString(p.rest())
	p.at += size
	return c
}

// count counts the groups, which references may name before they begin.
func (p *parser) count() {
	class := false
	for i := 0; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '(' && !class:
			rest := p.src[i:]
			named := strings.HasPrefix(rest, "(?<") && !strings.HasPrefix(rest, "(?<=") &&
				!strings.HasPrefix(rest, "(?<!")
			p.named = p.named || named
			if named || !strings.HasPrefix(rest, "(?") {
				p.total++
			}
		}
	}
	if p.total > maxGroups {
		p.fail("Too many captures")
	}
}

// choices parses parts with bars between them.
func (p *parser) choices() matcher {
	p.deeper()
	defer func() { p.depth-- }()
	list := []matcher{p.sequence()}
	for p.take('|') {
		list = append(list, p.sequence())
	}
	return choice(list)
}

func (p *parser) sequence() matcher {
	var parts []matcher
	for p.at < len(p.src) && p.src[p.at] != '|' && p.src[p.at] != ')' {
		parts = append(parts, p.term())
	}
	return sequence(p.flags.back, parts)
}

// term parses a part, and how often it is there.
func (p *parser) term() matcher {
	first := len(p.names)
	m, in := p.atom()
	least, most, lazy, ok := p.quantifier()
	switch {
	case !ok && in != nil:
		return one(p.flags, in)
	case !ok:
		return m
	case in != nil:
		return many(p.flags, in, least, most, lazy)
	}
	return repeat(m, least, most, lazy, first, len(p.names))
}

// quantifier parses how often a part is there; most is -1 for any number.
func (p *parser) quantifier() (least, most int, lazy, ok bool) {
	switch {
	case p.take('*'):
		least, most = 0, -1
	case p.take('+'):
		least, most = 1, -1
	case p.take('?'):
		least, most = 0, 1
	case strings.HasPrefix(p.rest(), "{"):
		end := strings.IndexByte(p.rest(), '}')
		if end < 0 {
			return 0, 0, false, false
		}
		a, b, two := strings.Cut(p.src[p.at+1:p.at+end], ",")
		n, err := strconv.Atoi(a)
		if err != nil || n < 0 {
			return 0, 0, false, false
		}
		least, most = n, n
		if two {
			most = -1
			if b != "" {
				if most, err = strconv.Atoi(b); err != nil || most < 0 {
					return 0, 0, false, false
				}
			}
		}
		if most >= 0 && most < least {
			p.fail("numbers out of order in {} quantifier")
		}
		p.at += end + 1
	default:
		return 0, 0, false, false
	}
	return least, most, p.take('?'), true
}

// atom parses one part: a matcher, or the set of a single character.
func (p *parser) atom() (matcher, set) {
	switch c := p.src[p.at]; c {
	case '^', '$':
		p.at++
		return p.lineEdge(c == '^'), nil
	case '(':
		p.at++
		return p.parenthesis(), nil
	case '.':
		p.at++
		if p.flags.dotAll {
			return nil, func(rune) bool { return true }
		}
		return nil, not(isLine)
	case '[':
		p.at++
		return nil, p.class()
	case '\\':
		p.at++
		return p.escaped()
	case '*', '+', '?':
		p.fail("Nothing to repeat")
	}
	c, f := p.next(), p.flags
	want := f.canonical(c)
	if c > 0xffff && !f.unicode { // two code units
		a, b := surrogates(c)
		return sequence(f.back, []matcher{one(f, char(a).in), one(f, char(b).in)}), nil
	}
	return nil, func(x rune) bool { return f.canonical(x) == want }
}

func surrogates(c rune) (a, b rune) { return 0xd800 + (c-0x10000)>>10, 0xdc00 + (c-0x10000)&0x3ff }

func (p *parser) lineEdge(start bool) matcher {
	lines := p.flags.multiline
	if start {
		return edge(func(s *state, at int) bool { return at == 0 || lines && isLine(rune(s.text[at-1])) })
	}
	return edge(func(s *state, at int) bool { return at == len(s.text) || lines && isLine(rune(s.text[at])) })
}

// parenthesis parses what a bracket begins.
func (p *parser) parenthesis() matcher {
	outer := p.flags
	defer func() { p.flags = outer }()
	var m matcher
	switch {
	case p.takeText("?:"):
		m = p.choices()
	case p.takeText("?="), p.takeText("?!"):
		negative := p.src[p.at-1] == '!'
		p.flags.back = false
		m = look(negative, p.choices())
	case p.takeText("?<="), p.takeText("?<!"):
		negative := p.src[p.at-1] == '!'
		p.flags.back = true
		m = look(negative, p.choices())
	case p.takeText("?<"):
		end := strings.IndexByte(p.rest(), '>')
		if end <= 0 {
			p.fail("Invalid capture group name")
		}
		name := p.src[p.at : p.at+end]
		p.at += end + 1
		m = p.capture(name)
	case p.take('?'):
		p.modifiers()
		m = p.choices()
	default:
		m = p.capture("")
	}
	if !p.take(')') {
		p.fail("Unterminated group")
	}
	return m
}

func (p *parser) capture(name string) matcher {
	n := len(p.names)
	p.names = append(p.names, name)
	return group(n, p.flags.back, p.choices())
}

// modifiers parses flags that hold inside a group, as in (?i-s:x).
func (p *parser) modifiers() {
	on := true
	for !p.take(':') {
		if p.at >= len(p.src) {
			p.fail("Invalid group")
		}
		switch p.next() {
		case 'i':
			p.flags.ignoreCase = on
		case 'm':
			p.flags.multiline = on
		case 's':
			p.flags.dotAll = on
		case '-':
			on = false
		default:
			p.fail("Invalid group")
		}
	}
}

// escaped parses what a backslash begins.
func (p *parser) escaped() (matcher, set) {
	if p.at >= len(p.src) {
		p.fail("\\ at end of pattern")
	}
	c, f := p.src[p.at], p.flags
	if in, ok := escapedSet(c); ok {
		p.at++
		return nil, in
	}
	switch {
	case c == 'b' || c == 'B':
		p.at++
		return edge(func(s *state, at int) bool {
			before := at > 0 && isWord(rune(s.text[at-1]))
			after := at < len(s.text) && isWord(rune(s.text[at]))
			return (before != after) == (c == 'b')
		}), nil
	case (c == 'p' || c == 'P') && f.unicode:
		return nil, f.folded(p.property())
	case c == 'k' && (p.named || f.unicode):
		p.at++
		end := strings.IndexByte(p.rest(), '>')
		if !p.take('<') || end < 0 {
			p.fail("Invalid named reference")
		}
		name := p.src[p.at : p.at+end-1]
		p.at += end
		return again(f, func() (list []int) {
			for i, n := range p.names {
				if n == name {
					list = append(list, i)
				}
			}
			return list
		}), nil
	case c >= '1' && c <= '9':
		digits := len(p.rest()) - len(strings.TrimLeft(p.rest(), "0123456789"))
		if n, err := strconv.Atoi(p.src[p.at : p.at+min(digits, 4)]); err == nil && n <= p.total {
			p.at += min(digits, 4)
			return again(f, func() []int { return []int{n} }), nil
		}
	}
	want := f.canonical(p.escape())
	return nil, func(x rune) bool { return f.canonical(x) == want }
}

// escape parses the character that a backslash stands before.
func (p *parser) escape() rune {
	c := p.next()
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'v':
		return '\v'
	case 'f':
		return '\f'
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n := c - '0'
		for !p.flags.unicode && p.at < len(p.src) && p.src[p.at] >= '0' && p.src[p.at] <= '7' &&
			n*8+rune(p.src[p.at]-'0') <= 0o377 {
			n = n*8 + p.next() - '0'
		}
		return n
	case 'c':
		if p.at < len(p.src) {
			return p.next() & 31
		}
	case 'x':
		if n, ok := p.hex(2); ok {
			return n
		}
	case 'u':
		if p.flags.unicode && strings.HasPrefix(p.rest(), "{") {
			if end := strings.IndexByte(p.rest(), '}'); end > 0 {
				if n, err := strconv.ParseUint(p.src[p.at+1:p.at+end], 16, 21); err == nil {
					p.at += end + 1
					return rune(n)
				}
			}
			p.fail("Invalid Unicode escape")
		}
		if n, ok := p.hex(4); ok {
			return p.pair(n)
		}
	}
	return c
}

// pair is a character whose first half has been read.
func (p *parser) pair(high rune) rune {
	if !p.flags.unicode || high < 0xd800 || high >= 0xdc00 || !strings.HasPrefix(p.rest(), "\\u") {
		return high
	}
	was := p.at
	p.at += 2
	if low, ok := p.hex(4); ok && low >= 0xdc00 && low < 0xe000 {
		return (high-0xd800)<<10 + low - 0xdc00 + 0x10000
	}
	p.at = was
	return high
}

func (p *parser) hex(n int) (rune, bool) {
	if p.at+n > len(p.src) {
		return 0, false
	}
	v, err := strconv.ParseUint(p.src[p.at:p.at+n], 16, 32)
	if err != nil {
		return 0, false
	}
	p.at += n
	return rune(v), true
}
