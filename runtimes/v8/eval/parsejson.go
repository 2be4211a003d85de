package eval

import (
	"fmt"
	"strconv"
	"strings"

	"coredbg/runtimes/v8/syntax"
)

func init() {
	register(map[string]builtin{"JSON.parse": func(m *Machine, _ Value, args []Value) Value {
		p := &jsonParser{m: m, src: m.text(arg(args, 0))}
		m.spend(len(p.src) / 16)
		v := p.value()
		if p.space(); p.at < len(p.src) {
			p.unexpected()
		}
		if m.typeOf(arg(args, 1)) == "function" {
			holder := &Object{}
			holder.Set(Key{}, v)
			return revived(m, holder, Key{}, args[1])
		}
		return v
	}})
}

// revived is what the reviver of JSON.parse makes of a value.
func revived(m *Machine, holder Value, k Key, reviver Value) Value {
	v := m.get(holder, k)
	if m.IsObject(v) {
		for _, inner := range m.keys(v) {
			if x := revived(m, v, inner, reviver); x == nil {
				m.delete(v, inner)
			} else {
				m.defineOwn(v, inner, &Prop{Value: x})
			}
		}
	}
	return m.call(reviver, holder, []Value{k.Name, v})
}

// A jsonParser parses a text of JSON.
type jsonParser struct {
	m   *Machine
	src string
	at  int
}

func (p *jsonParser) space() {
	for p.at < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.at]) >= 0 {
		p.at++
	}
}

// unexpected throws what V8 does where a text is no JSON.
func (p *jsonParser) unexpected() {
	if p.at >= len(p.src) {
		p.m.throwAs("SyntaxError", "Unexpected end of JSON input")
	}
	from := max(p.at-10, 0)
	to := min(p.at+10, len(p.src))
	shown := fmt.Sprintf("%q is not valid JSON", p.src)
	if len(p.src) > 40 {
		shown = fmt.Sprintf("..%q.. is not valid JSON", p.src[from:to])
	}
	p.m.throwAs("SyntaxError", "Unexpected token '%c', %s", p.src[p.at], shown)
}

func (p *jsonParser) take(c byte) bool {
	if p.space(); p.at < len(p.src) && p.src[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *jsonParser) expect(c byte) {
	if !p.take(c) {
		p.unexpected()
	}
}

func (p *jsonParser) value() Value {
	m := p.m
	m.step()
	if m.calls++; m.calls > maxCalls {
		m.Fail("its values are nested too deep")
	}
	defer func() { m.calls-- }()
	p.space()
	for word, v := range map[string]Value{"true": true, "false": false, "null": Null{}} {
		if strings.HasPrefix(p.src[p.at:], word) {
			p.at += len(word)
			return v
		}
	}
	if p.at >= len(p.src) {
		p.unexpected()
	}
	switch c := p.src[p.at]; {
	case c == '"':
		return p.text()
	case c == '[':
		return p.array()
	case c == '{':
		return p.object()
	case c == '-' || c >= '0' && c <= '9':
		n := len(p.src[p.at:]) - len(strings.TrimLeft(p.src[p.at:], "0123456789+-.eE"))
		f, err := strconv.ParseFloat(p.src[p.at:p.at+n], 64)
		if err != nil && f == 0 || c == '0' && n > 1 && p.src[p.at+1] >= '0' && p.src[p.at+1] <= '9' {
			p.unexpected()
		}
		p.at += n
		return f
	}
	p.unexpected()
	return nil
}

func (p *jsonParser) array() Value {
	out := array()
	p.at++
	if p.take(']') {
		return out
	}
	for {
		if out.List = append(out.List, p.value()); len(out.List) > maxItems {
			p.m.Fail("an array is too long")
		}
		if p.take(']') {
			return out
		}
		p.expect(',')
	}
}

func (p *jsonParser) object() Value {
	o := &Object{}
	p.at++
	if p.take('}') {
		return o
	}
	for {
		if p.space(); p.at >= len(p.src) || p.src[p.at] != '"' {
			p.unexpected()
		}
		name := p.text()
		p.expect(':')
		o.Set(Key{Name: name}, p.value())
		if p.take('}') {
			return o
		}
		p.expect(',')
	}
}

// text parses a string, which is one of JavaScript, too.
func (p *jsonParser) text() string {
	end := p.at + 1
	for ; end < len(p.src) && p.src[end] != '"'; end++ {
		if p.src[end] < ' ' {
			p.at = end
			p.unexpected()
		}
		if p.src[end] == '\\' {
			end++
		}
	}
	if end >= len(p.src) {
		p.m.throwAs("SyntaxError", "Unterminated string in JSON at position %d", len(p.src))
	}
	literal := p.src[p.at : end+1]
	if !strings.Contains(literal, "\\") {
		p.at = end + 1
		return literal[1 : len(literal)-1]
	}
	n, err := syntax.ParseExpression(literal)
	if err != nil || n.Kind != syntax.String {
		p.unexpected()
	}
	p.at = end + 1
	return n.Text
}
