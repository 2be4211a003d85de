package cxx

import (
	"maps"
	"slices"
	"strings"
)

// A Preprocessor reads headers as a compiler would: conditions, macros, files that are
// included.
type Preprocessor struct {
	// Open returns the text of a file by the name that it is included by, "" and
	// false for one that is not to be read.
	Open func(name string) (string, bool)

	macros  map[string]*Macro
	gone    map[string]*Macro // undefined macros
	guarded map[string]bool   // files that are read once, and were
	out     []Token
	depth   int
	inBody  bool // tokens keep the place in the macro that they are from
}

// A Macro is a macro's definition.
type Macro struct {
	Name     string
	Params   []string
	Body     []Token
	Pos      Pos
	function bool
	variadic bool
}

// NewPreprocessor returns one that knows the given macros, each "NAME" or "NAME=text".
func NewPreprocessor(defines []string, open func(string) (string, bool)) *Preprocessor {
	p := &Preprocessor{Open: open, macros: map[string]*Macro{}, gone: map[string]*Macro{}, guarded: map[string]bool{}}
	for _, d := range defines {
		name, body, given := strings.Cut(d, "=")
		if !given {
			body = "1"
		}
		p.macros[name] = &Macro{Name: name, Body: Lex(body)}
	}
	return p
}

// Macro returns the current definition of a macro, or nil.
func (p *Preprocessor) Macro(name string) *Macro { return p.macros[name] }

// Tokens returns what was read so far.
func (p *Preprocessor) Tokens() []Token { return p.out }

// Expand returns text with the macros replaced that are defined now.
func (p *Preprocessor) Expand(text string) []Token { return p.expand(Lex(text)) }

// A Row is a line of a list that is kept as a macro, V(name, …).
type Row struct {
	Args [][]Token
	Pos  Pos
}

// Rows returns the lines of such a list, also of one that was undefined again; args are
// given to it after the macro that each line is handed to. Where there is no such list it returns none.
func (p *Preprocessor) Rows(list string, macros int, args ...string) []Row {
	const each = "ROW__"
	call := list + "(" + each
	for range macros - 1 {
		call += ", " + each
	}
	for _, a := range args {
		call += ", " + a
	}
	all := maps.Clone(p.gone)
	maps.Copy(all, p.macros)
	if all[list] == nil {
		return nil
	}
	q := &Preprocessor{macros: all, inBody: true}
	t := q.expand(Lex(call + ")"))
	var rows []Row
	for i := 0; i+1 < len(t); i++ {
		if t[i].Text == each && t[i+1].Text == "(" {
			end := closing(t, i+1)
			rows = append(rows, Row{splitCommas(t[i+2 : end]), t[min(i+2, end)].Pos})
			i = end
		}
	}
	return rows
}

// maxIncludes bounds how deeply files include each other.
const maxIncludes = 200

// Include reads a file and the files it includes. It reports whether the file exists.
func (p *Preprocessor) Include(name string) bool {
	if p.guarded[name] || p.depth > maxIncludes {
		return true
	}
	text, ok := p.Open(name)
	if !ok {
		return false
	}
	p.depth++
	defer func() { p.depth-- }()
	f := reader{Preprocessor: p, lex: lexer{file: name, s: text, line: 1}}
	if strings.Contains(text, "#pragma once") || hasGuard(text) {
		p.guarded[name] = true
	}
	f.run()
	return true
}

// hasGuard reports whether a text begins with #ifndef X and #define X.
func hasGuard(text string) bool {
	x := lexer{s: text}
	var guard string
	for {
		line, ok := x.logicalLine()
		switch {
		case !ok:
			return false
		case len(line) == 0:
		case guard == "":
			if len(line) != 3 || line[0].Text != "#" || line[1].Text != "ifndef" {
				return false
			}
			guard = line[2].Text
		default:
			return len(line) >= 3 && line[1].Text == "define" && line[2].Text == guard
		}
	}
}

// A reader reads one file.
type reader struct {
	*Preprocessor
	lex     lexer
	pending []Token
	conds   []cond
}

// A cond is an #if that is open: whether its text counts now, and whether one of its
// branches was taken.
type cond struct{ live, taken, outer bool }

func (f *reader) live() bool { return len(f.conds) == 0 || f.conds[len(f.conds)-1].live }

func (f *reader) run() {
	for {
		line, ok := f.lex.logicalLine()
		if !ok {
			break
		}
		if len(line) > 0 && line[0].Text == "#" {
			f.directive(line[1:])
		} else if f.live() {
			f.pending = append(f.pending, line...)
		}
	}
	f.flush()
}

// flush expands what was read since the macros changed.
func (f *reader) flush() {
	if len(f.pending) > 0 {
		f.out = append(f.out, f.expand(f.pending)...)
		f.pending = nil
	}
}

func (f *reader) directive(line []Token) {
	if len(line) == 0 {
		return
	}
	rest := line[1:]
	switch line[0].Text {
	case "ifdef", "ifndef":
		known := len(rest) > 0 && f.macros[rest[0].Text] != nil
		f.push(known == (line[0].Text == "ifdef"))
	case "if":
		f.push(f.live() && f.condition(rest))
	case "elif":
		if n := len(f.conds); n > 0 {
			c := &f.conds[n-1]
			c.live = c.outer && !c.taken && f.condition(rest)
			c.taken = c.taken || c.live
		}
	case "else":
		if n := len(f.conds); n > 0 {
			c := &f.conds[n-1]
			c.live = c.outer && !c.taken
			c.taken = true
		}
	case "endif":
		f.conds = f.conds[:max(0, len(f.conds)-1)]
	case "define", "undef", "include":
		if f.live() && len(rest) > 0 {
			f.flush()
			f.change(line[0].Text, rest)
		}
	}
}

func (f *reader) push(taken bool) {
	outer := f.live()
	f.conds = append(f.conds, cond{live: outer && taken, taken: taken, outer: outer})
}

func (f *reader) change(what string, rest []Token) {
	switch what {
	case "define":
		m := parseMacro(rest)
		f.macros[m.Name] = m
	case "undef":
		if m := f.macros[rest[0].Text]; m != nil {
			f.gone[m.Name] = m
		}
		delete(f.macros, rest[0].Text)
	default:
		f.Include(strings.Trim(rest[0].Text, `"`))
	}
}

func parseMacro(def []Token) *Macro {
	m := &Macro{Name: def[0].Text, Body: def[1:], Pos: def[0].Pos}
	if len(def) < 2 || def[1].Text != "(" || def[1].space {
		return m
	}
	m.function = true
	end := slices.IndexFunc(def, func(t Token) bool { return t.Text == ")" })
	if end < 0 {
		end = len(def) - 1
	}
	for _, t := range def[2:end] {
		switch t.Text {
		case ",":
		case "...":
			m.variadic = true
			m.Params = append(m.Params, "__VA_ARGS__")
		default:
			m.Params = append(m.Params, t.Text)
		}
	}
	m.Body = def[end+1:]
	return m
}

// condition reports whether the condition of an #if holds. An unknown name is 0.
func (f *reader) condition(line []Token) bool {
	var in []Token
	for i := 0; i < len(line); i++ {
		name := line[i].Text
		if name != "defined" && !strings.HasPrefix(name, "__has_") {
			in = append(in, line[i])
			continue
		}
		args, next := line[i+1:min(i+2, len(line))], i+1
		if i+1 < len(line) && line[i+1].Text == "(" {
			end := closing(line, i+1)
			args, next = line[i+2:end], end
		}
		v := "0"
		if name == "defined" && len(args) > 0 && f.macros[args[0].Text] != nil {
			v = "1"
		}
		in = append(in, Token{Kind: Number, Text: v, Pos: line[i].Pos})
		i = next
	}
	v, err := evalPlain(f.expand(in))
	return err == nil && v != 0
}
