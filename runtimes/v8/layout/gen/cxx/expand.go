package cxx

import (
	"slices"
	"strings"
)

// maxExpansion bounds the tokens that one stretch of text expands to.
const maxExpansion = 4 << 20

// expand replaces the macros in tokens.
func (p *Preprocessor) expand(in []Token) []Token {
	var out []Token
	// work is a stack of the remaining tokens, the next token last.
	work := slices.Clone(in)
	slices.Reverse(work)
	for len(work) > 0 && len(out)+len(work) < maxExpansion {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		m := p.macros[t.Text]
		if t.Kind != Ident || m == nil || t.hide.has(t.Text) {
			out = append(out, t)
			continue
		}
		var args [][]Token
		if m.function {
			n, ok := 0, false
			if args, n, ok = callArgs(work); !ok {
				out = append(out, t)
				continue
			}
			work = work[:len(work)-n]
		}
		body := p.substitute(m, args, t)
		slices.Reverse(body)
		work = append(work, body...)
	}
	return out
}

// callArgs returns the arguments of a call whose parenthesis is on top of the stack
// work, and how many tokens it has.
func callArgs(work []Token) (args [][]Token, n int, ok bool) {
	if len(work) == 0 || work[len(work)-1].Text != "(" {
		return nil, 0, false
	}
	depth := 0
	arg := []Token{}
	for i := len(work) - 1; i >= 0; i-- {
		t := work[i]
		switch t.Text {
		case "(":
			if depth++; depth == 1 {
				continue
			}
		case ")":
			if depth--; depth == 0 {
				return append(args, arg), len(work) - i, true
			}
		case ",":
			if depth == 1 {
				args, arg = append(args, arg), []Token{}
				continue
			}
		}
		arg = append(arg, t)
	}
	return nil, 0, false
}

// joined returns the arguments of a variadic macro as one, with commas between.
func joined(args [][]Token, at Token) []Token {
	var out []Token
	for i, a := range args {
		if i > 0 {
			out = append(out, Token{Kind: Punct, Text: ",", Pos: at.Pos})
		}
		out = append(out, a...)
	}
	return out
}

// substitute returns the body of a macro with its arguments in it.
func (p *Preprocessor) substitute(m *Macro, args [][]Token, at Token) []Token {
	h := &hide{m.Name, at.hide}
	if n := len(m.Params); m.variadic && len(args) > n {
		args = append(args[:n-1:n-1], joined(args[n-1:], at))
	}
	arg := func(t Token) ([]Token, bool) {
		i := slices.Index(m.Params, t.Text)
		if t.Kind != Ident || i < 0 {
			return nil, false
		}
		if i >= len(args) {
			return nil, true
		}
		return args[i], true
	}
	var out []Token
	for i := 0; i < len(m.Body); i++ {
		t := m.Body[i]
		next := func(n int) string {
			if i+n < len(m.Body) {
				return m.Body[i+n].Text
			}
			return ""
		}
		a, isArg := arg(t)
		switch {
		case t.Text == "__VA_OPT__" && next(1) == "(":
			end := closing(m.Body, i+1)
			if len(args) >= len(m.Params) && len(args[len(m.Params)-1]) > 0 {
				sub := &Macro{Name: m.Name, Params: m.Params, Body: m.Body[i+2 : end]}
				out = append(out, p.substitute(sub, args, at)...)
			}
			i = end
		case t.Text == "#" && m.function && next(1) != "":
			text, _ := arg(m.Body[i+1])
			out = append(out, Token{Kind: Text, Text: `"` + strings.ReplaceAll(Join(text), `"`, `\"`) +
				`"`, Pos: at.Pos})
			i++
		case t.Text == "##":
			b, ok := arg(m.Body[min(i+1, len(m.Body)-1)])
			if !ok && i+1 < len(m.Body) {
				b = m.Body[i+1 : i+2]
			}
			out = paste(out, b)
			i++
		case isArg && next(1) == "##":
			out = append(out, a...)
		case isArg:
			out = append(out, p.expand(a)...)
		default:
			out = append(out, t)
		}
	}
	for i := range out {
		if !p.inBody {
			out[i].Pos = at.Pos
		}
		out[i].hide = union(out[i].hide, h)
	}
	return out
}

// paste joins the last token of a with the first of b.
func paste(a, b []Token) []Token {
	if len(a) == 0 || len(b) == 0 {
		return append(a, b...)
	}
	last := &a[len(a)-1]
	if last.Text == "," { // ", ## __VA_ARGS__"
		return append(a, b...)
	}
	last.Text += b[0].Text
	return append(a, b[1:]...)
}

func union(a, b *hide) *hide {
	if a == nil {
		return b
	}
	out := b
	for ; a != nil; a = a.next {
		if !b.has(a.name) {
			out = &hide{a.name, out}
		}
	}
	return out
}
