package pattern

import (
	"strings"
	"unicode"
)

// A set reports which characters it has.
type set func(c rune) bool

func isLine(c rune) bool { return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029 }

func isDigit(c rune) bool { return c >= '0' && c <= '9' }

func isWord(c rune) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

func isSpace(c rune) bool {
	return c == 0xfeff || isLine(c) || c == '\t' || c == '\v' || c == '\f' || unicode.Is(unicode.Zs, c)
}

func not(in set) set { return func(c rune) bool { return !in(c) } }

// folded is a set where case does not count.
func (f *flags) folded(in set) set {
	if !f.ignoreCase {
		return in
	}
	return func(c rune) bool {
		if in(c) {
			return true
		}
		want := f.canonical(c)
		for x := unicode.SimpleFold(c); x != c; x = unicode.SimpleFold(x) {
			if f.canonical(x) == want && in(x) {
				return true
			}
		}
		return false
	}
}

// escapedSet is the set of \d and the like; ok is false for other letters.
func escapedSet(c byte) (set, bool) {
	switch c {
	case 'd':
		return isDigit, true
	case 'D':
		return not(isDigit), true
	case 'w':
		return isWord, true
	case 'W':
		return not(isWord), true
	case 's':
		return isSpace, true
	case 'S':
		return not(isSpace), true
	}
	return nil, false
}

// property is the set of \p{name}.
func property(name string) (set, bool) {
	if _, value, ok := strings.Cut(name, "="); ok {
		name = value
	}
	switch name {
	case "Any":
		return func(rune) bool { return true }, true
	case "ASCII":
		return func(c rune) bool { return c < 0x80 }, true
	case "Alphabetic", "Alpha":
		return func(c rune) bool {
			return unicode.IsLetter(c) || unicode.Is(unicode.Nl, c) ||
				unicode.Is(unicode.Other_Alphabetic, c)
		}, true
	case "Uppercase", "Upper":
		return unicode.IsUpper, true
	case "Lowercase", "Lower":
		return unicode.IsLower, true
	}
	if long := longCategories[name]; long != "" {
		name = long
	}
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts, unicode.Properties} {
		if t := tables[name]; t != nil {
			return func(c rune) bool { return unicode.Is(t, c) }, true
		}
	}
	return nil, false
}

// longCategories are the categories of characters that Go knows by their short names.
var longCategories = map[string]string{"Letter": "L", "Lowercase_Letter": "Ll", "Uppercase_Letter": "Lu",
	"Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Number": "N",
	"Decimal_Number": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P",
	"Symbol":      "S",
	"Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Separator": "Z", "Space_Separator": "Zs", "Other": "C",
	"Control": "Cc", "Format": "Cf"}

// class parses a set in brackets, whose bracket has been read.
func (p *parser) class() set {
	negated := p.take('^')
	in := p.classContents()
	folded := p.flags.folded(in)
	if negated {
		return not(folded)
	}
	return folded
}

// classContents parses the members of a set up to its bracket.
func (p *parser) classContents() set {
	var parts []set
	for !p.take(']') {
		if p.at >= len(p.src) {
			p.fail("Unterminated character class")
		}
		if p.sets && (strings.HasPrefix(p.rest(), "--") || strings.HasPrefix(p.rest(), "&&")) {
			subtract := p.rest()[0] == '-'
			p.at += 2
			left, right := anyOf(parts), p.classMember()
			if in := right.in; subtract {
				parts = []set{func(c rune) bool { return left(c) && !in(c) }}
			} else {
				parts = []set{func(c rune) bool { return left(c) && in(c) }}
			}
			continue
		}
		m := p.classMember()
		if strings.HasPrefix(p.rest(), "-") && !strings.HasPrefix(p.rest(), "-]") && m.single &&
			!(p.sets && strings.HasPrefix(p.rest(), "--")) {
			p.at++
			to := p.classMember()
			if !to.single {
				parts = append(parts, m.in, func(c rune) bool { return c == '-' }, to.in)
				continue
			}
			if m.c > to.c {
				p.fail("Range out of order in character class")
			}
			from, last := m.c, to.c
			parts = append(parts, func(c rune) bool { return c >= from && c <= last })
			continue
		}
		parts = append(parts, m.in)
	}
	return anyOf(parts)
}

func anyOf(parts []set) set {
	return func(c rune) bool {
		for _, in := range parts {
			if in(c) {
				return true
			}
		}
		return false
	}
}

// A member is one of a set: a character or a set.
type member struct {
	single bool
	c      rune
	in     set
}

func char(c rune) member { return member{true, c, func(x rune) bool { return x == c }} }

func (p *parser) classMember() member {
	p.deeper()
	defer func() { p.depth-- }()
	if p.sets && p.take('[') {
		negated := p.take('^')
		in := p.classContents()
		if negated {
			in = not(in)
		}
		return member{in: in}
	}
	if !p.take('\\') {
		return char(p.next())
	}
	if p.at >= len(p.src) {
		p.fail("\\ at end of pattern")
	}
	c := p.src[p.at]
	if in, ok := escapedSet(c); ok {
		p.at++
		return member{in: in}
	}
	switch {
	case c == 'b':
		p.at++
		return char('\b')
	case (c == 'p' || c == 'P') && p.flags.unicode:
		return member{in: p.property()}
	case c == '-':
		p.at++
		return char('-')
	}
	return char(p.escape())
}

// property parses \p{name} from its letter on.
func (p *parser) property() set {
	negated := p.src[p.at] == 'P'
	p.at++
	end := strings.IndexByte(p.rest(), '}')
	if !p.take('{') || end < 0 {
		p.fail("Invalid property name")
	}
	in, ok := property(p.src[p.at : p.at+end-1])
	if !ok {
		p.fail("Invalid property name")
	}
	p.at += end
	if negated {
		return not(in)
	}
	return in
}
