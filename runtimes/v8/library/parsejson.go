package library

import (
	"fmt"
	"strconv"
	"strings"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/syntax"
)

func init() {
	register(map[string]ecma.Builtin{"JSON.parse": func(m *ecma.Machine, _ ecma.Value,
		args []ecma.Value) ecma.Value {
		p := &jsonParser{m: m, src: m.Text(ecma.Arg(args, 0))}
		m.Spend(len(p.src) / 16)
		v := p.value()
		if p.space(); p.at < len(p.src) {
			p.unexpected()
		}
		if m.TypeOf(ecma.Arg(args, 1)) == "function" {
			holder := &ecma.Object{}
			holder.Set(ecma.Key{}, v)
			return revived(m, holder, ecma.Key{}, args[1])
		}
		return v
	}})
}

// revived is what the reviver of JSON.parse makes of a value.
func revived(m *ecma.Machine, holder ecma.Value, k ecma.Key, reviver ecma.Value) ecma.Value {
	v := m.Get(holder, k)
	if m.IsObject(v) {
		for _, inner := range m.OwnKeys(v) {
			if x := revived(m, v, inner, reviver); x == nil {
				m.Delete(v, inner)
			} else {
				m.DefineOwn(v, inner, &ecma.Prop{Value: x})
			}
		}
	}
	return m.Call(reviver, holder, []ecma.Value{k.Name, v})
}

// A jsonParser parses a text of JSON.
type jsonParser struct {
	m   *ecma.Machine
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
		p.m.ThrowAs("SyntaxError", "Unexpected end of JSON input")
	}
	from := max(p.at-10, 0)
	to := min(p.at+10, len(p.src))
	shown := fmt.Sprintf("%q is not valid JSON", p.src)
	if len(p.src) > 40 {
		shown = fmt.Sprintf("..%q.. is not valid JSON", p.src[from:to])
	}
	p.m.ThrowAs("SyntaxError", "Unexpected token '%c', %s", p.src[p.at], shown)
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

func (p *jsonParser) value() ecma.Value {
	m := p.m
	m.Step()
	if m.Calls++; m.Calls > ecma.MaxCalls {
		m.Fail("its values are nested too deep")
	}
	defer func() { m.Calls-- }()
	p.space()
	for word, v := range map[string]ecma.Value{"true": true, "false": false, "null": ecma.Null{}} {
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

func (p *jsonParser) array() ecma.Value {
	out := ecma.Array()
	p.at++
	if p.take(']') {
		return out
	}
	for {
		if out.List = append(out.List, p.value()); len(out.List) > ecma.MaxItems {
			p.m.Fail("an array is too long")
		}
		if p.take(']') {
			return out
		}
		p.expect(',')
	}
}

func (p *jsonParser) object() ecma.Value {
	o := &ecma.Object{}
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
		o.Set(ecma.Key{Name: name}, p.value())
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
		p.m.ThrowAs("SyntaxError", "Unterminated string in JSON at position %d", len(p.src))
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
