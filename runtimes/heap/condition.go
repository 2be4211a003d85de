package heap

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"coredbg/core"
)

// An Op compares a field with a value.
type Op string

// The operators.
const (
	Equal     Op = "=="
	NotEqual  Op = "!="
	Less      Op = "<"
	LessEqual Op = "<="
	More      Op = ">"
	MoreEqual Op = ">="
	Match     Op = "~"
)

// A Condition says what a field has to be.
type Condition struct {
	Field string   // as it was written
	Path  []string // names and indices; empty for the object itself
	Op    Op
	Value Value
	match *regexp.Regexp
}

// A Piece is a stretch of a condition as it was typed: quotes are taken off, but it is
// known that they were there.
type Piece struct {
	Text   string
	Quoted bool
}

// spellings are what operators may look like, longest first.
var spellings = []struct {
	text string
	op   Op
}{
	{"===", Equal}, {"!==", NotEqual}, {"==", Equal}, {"!=", NotEqual}, {"<=", LessEqual},
	{">=", MoreEqual}, {"=~", Match},
	{"=", Equal}, {"<", Less}, {">", More}, {"~", Match},
}

const (
	maxConditions = 64
	maxSteps      = 64
)

// Itself is the name of the object that a condition is applied to.
const Itself = "this"

// ParseConditions reads conditions: FIELD OP VALUE, with "and" between them. FIELD is a path of names
// and indices, as in a.b[2]["x y"], or "this". OP is one of == != < <= > >= and ~, which takes a
// regular expression as VALUE, and needs no blanks around it. VALUE is a number, a text in quotes,
// true, false, null, undefined, NaN or Infinity.
func ParseConditions(pieces []Piece) ([]Condition, error) {
	p := conditionParser{pieces: pieces}
	var out []Condition
	for {
		c, err := p.condition()
		if err != nil {
			return nil, err
		}
		if out = append(out, c); len(out) > maxConditions {
			return nil, fmt.Errorf("more than %d conditions", maxConditions)
		}
		p.blanks()
		if p.ended() {
			return out, nil
		}
		switch word := p.word(); word {
		case "and", "&&":
		case "or", "||":
			return nil, fmt.Errorf("conditions can only be joined by and: use another ::find for the part after %s",
				word)
		default:
			return nil, fmt.Errorf("%q comes after a condition, where and or nothing is expected", word+p.rest())
		}
	}
}

// A conditionParser reads pieces: i is the first that is not used up, whose text before
// off is.
type conditionParser struct {
	pieces []Piece
	i, off int
}

// skip moves past pieces that are used up.
func (p *conditionParser) skip() {
	for p.i < len(p.pieces) && !p.pieces[p.i].Quoted && p.off >= len(p.pieces[p.i].Text) {
		p.i, p.off = p.i+1, 0
	}
}

func (p *conditionParser) ended() bool {
	p.skip()
	return p.i >= len(p.pieces)
}

// text returns the rest of a piece without quotes, "" within another or at the end.
func (p *conditionParser) text() string {
	if p.ended() || p.pieces[p.i].Quoted {
		return ""
	}
	return p.pieces[p.i].Text[p.off:]
}

// quoted takes a piece in quotes.
func (p *conditionParser) quoted() (string, bool) {
	if p.ended() || !p.pieces[p.i].Quoted {
		return "", false
	}
	p.i++
	return p.pieces[p.i-1].Text, true
}

func (p *conditionParser) blanks() {
	for {
		t := p.text()
		if t == "" || t[0] != ' ' && t[0] != '\t' {
			return
		}
		p.off++
	}
}

// word takes what there is up to a blank or a quote.
func (p *conditionParser) word() string {
	t := p.text()
	n := strings.IndexAny(t, " \t")
	if n < 0 {
		n = len(t)
	}
	p.off += n
	return t[:n]
}

// rest returns a stretch of the remaining text, for messages.
func (p *conditionParser) rest() string {
	if s, ok := p.quoted(); ok {
		return s
	}
	return p.text()
}

func (p *conditionParser) condition() (c Condition, err error) {
	p.blanks()
	if c.Path, c.Field, err = p.path(); err != nil {
		return c, err
	}
	p.blanks()
	text := p.text()
	for _, s := range spellings {
		if strings.HasPrefix(text, s.text) {
			c.Op = s.op
			p.off += len(s.text)
			break
		}
	}
	if c.Op == "" {
		return c, fmt.Errorf("after field %s one of == != < <= > >= ~ is expected, not %q", c.Field, p.rest())
	}
	p.blanks()
	if c.Op == Match {
		return c, p.pattern(&c)
	}
	return c, p.value(&c)
}

// path takes a field.
func (p *conditionParser) path() (path []string, field string, err error) {
	var written strings.Builder
	step := func(name, as string) {
		path = append(path, name)
		written.WriteString(as)
	}
	for len(path) <= maxSteps {
		t := p.text()
		switch {
		case strings.HasPrefix(t, "["):
			name, as, err := p.bracket()
			if err != nil {
				return nil, "", err
			}
			step(name, as)
			continue
		case strings.HasPrefix(t, ".") && len(path) > 0:
			p.off++
			t = t[1:]
			written.WriteString(".")
		case len(path) > 0:
			field = written.String()
			if field == Itself {
				path = nil
			}
			return path, field, nil
		}
		n := strings.IndexAny(t, " \t.[]=!<>~")
		if n < 0 {
			n = len(t)
		}
		if n == 0 {
			return nil, "", fmt.Errorf("the name of a field is expected, not %q", p.rest())
		}
		p.off += n
		step(t[:n], t[:n])
	}
	return nil, "", fmt.Errorf("a field of more than %d steps", maxSteps)
}

// bracket takes [index], ["name"] or [Symbol(d)].
func (p *conditionParser) bracket() (name, as string, err error) {
	p.off++
	if s, ok := p.quoted(); ok {
		if !strings.HasPrefix(p.text(), "]") {
			return "", "", fmt.Errorf("bracket not closed after %q", s)
		}
		p.off++
		return s, "[" + strconv.Quote(s) + "]", nil
	}
	t := p.text()
	n := strings.IndexByte(t, ']')
	if n <= 0 {
		return "", "", fmt.Errorf("a bracket is empty or not closed: %q", "["+t)
	}
	p.off += n + 1
	if name = t[:n]; strings.HasPrefix(name, "Symbol(") {
		name = "[" + name + "]" // as keys of symbols are written
	}
	return name, "[" + t[:n] + "]", nil
}

// pattern takes a regular expression, which needs no quotes where it is one word.
func (p *conditionParser) pattern(c *Condition) (err error) {
	s, ok := p.quoted()
	if !ok {
		if s = p.word(); s == "" {
			return fmt.Errorf("after %s ~ a regular expression is expected", c.Field)
		}
	}
	c.Value = Value{Kind: Text, Text: s}
	if c.match, err = regexp.Compile(s); err != nil {
		return fmt.Errorf("%s ~ %q: %w", c.Field, s, err)
	}
	return nil
}

// words are values that are neither numbers nor texts.
var words = map[string]Value{
	"true": {Kind: Bool, Bool: true}, "false": {Kind: Bool}, "null": {Kind: Null}, "undefined": {Kind: Undefined},
	"NaN": {Kind: Number, Num: math.NaN()}, "Infinity": {Kind: Number, Num: math.Inf(1)},
	"-Infinity": {Kind: Number, Num: math.Inf(-1)},
}

func (p *conditionParser) value(c *Condition) error {
	if s, ok := p.quoted(); ok {
		c.Value = Value{Kind: Text, Text: s}
		return nil
	}
	w := p.word()
	if w == "" {
		return fmt.Errorf("after %s %s a value is expected", c.Field, c.Op)
	}
	v, ok := words[w]
	if !ok {
		if v, ok = parseNumber(w); !ok {
			return fmt.Errorf("%s %s %s: a text needs quotes; other values are numbers, true, false, null and undefined", c.Field, c.Op, w)
		}
	}
	if (v.Kind == Null || v.Kind == Undefined || v.Kind == Bool) && c.Op != Equal && c.Op != NotEqual {
		return fmt.Errorf("%s %s %s: %s is neither less nor more than anything", c.Field, c.Op, w, w)
	}
	c.Value = v
	return nil
}

// maxDigits bounds the digits of a number.
const maxDigits = 4096

// parseNumber reads a number as JavaScript writes it: decimal unless it begins with 0x,
// 0o or 0b; an n at the end of an integer means nothing.
func parseNumber(s string) (Value, bool) {
	if len(s) > maxDigits || !utf8.ValidString(s) {
		return Value{}, false
	}
	whole, base := strings.TrimSuffix(s, "n"), 10
	if d := strings.TrimLeft(whole, "+-"); len(d) > 2 && d[0] == '0' && strings.IndexByte("xXoObB", d[1]) >= 0 {
		base = 0
	}
	if n, ok := new(big.Int).SetString(whole, base); ok && !strings.Contains(whole, "_") {
		return DigitsValue(n.String()), true
	}
	if strings.ContainsAny(s, "xXpP_nNiI") { // what only Go reads as a number
		return Value{}, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return Value{}, false
	}
	return Value{Kind: Number, Num: f}, true
}

// Holds reports whether a value meets the condition. A missing field counts as undefined, which equals,
// or differs from, only undefined itself.
func (c *Condition) Holds(v *Value, there bool, shown func(core.Addr) core.Addr) bool {
	if !there {
		return c.Op == Equal && c.Value.Kind == Undefined
	}
	switch c.Op {
	case Equal:
		return v.equal(&c.Value, shown)
	case NotEqual:
		return !v.equal(&c.Value, shown)
	case Match:
		return v.Kind == Text && c.match.MatchString(v.Text)
	}
	n, ok := v.order(&c.Value)
	switch c.Op {
	case Less:
		return ok && n < 0
	case LessEqual:
		return ok && n <= 0
	case More:
		return ok && n > 0
	}
	return ok && n >= 0
}
