package sym

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"coredbg/core"
)

// Find returns the symbol of the given name (mangled, or demangled with or without parameters). Symbols
// of the executable come first, then global ones, then symbols of the module at the lowest address.
// Object restricts the search to modules with that path, base name, or base name up to a dot ("libc"),
// or to the executable ("a.out"); "" searches all. A name of the form obj`sym says its module itself,
// one of the form obj`file.c`sym the file too. Without an object, symbols that were added come first.
func (t *Table) Find(object, name string) (Symbol, bool) {
	if i := strings.LastIndexByte(name, '`'); i >= 0 && object == "" {
		object, name = name[:i], name[i+1:]
		if object, file, ok := strings.Cut(object, "`"); ok {
			return t.FindInFile(object, file, name)
		}
	}
	if name == "" {
		return Symbol{}, false
	}
	if s, ok := t.privateNamed(name); ok && object == "" {
		return s, true
	}
	mods := t.modulesNamed(object)
	if s, ok := t.findWith(mods, func(m *module) *entry { return m.names().find(name) }); ok {
		return s, true
	}
	if Demangle(name, true) != name {
		return Symbol{}, false // no symbol is spelt so in readable form
	}
	q := newQuery(name)
	return t.findWith(mods, func(m *module) *entry { return q.search(t, m.index()) })
}

// Exact returns the symbol of m whose name, mangled if it is, is exactly that one.
// Where it is absent, that costs less than Find, which then demangles names.
func (t *Table) Exact(m *core.Module, name string) (Symbol, bool) {
	e := t.module(m).names().find(name)
	if e == nil {
		return Symbol{}, false
	}
	s := e.place(m, m.Facts().Bias)
	t.answers.note(s)
	return s, true
}

// findWith asks each module in turn and chooses as Find promises.
func (t *Table) findWith(mods []*core.Module, ask func(*module) *entry) (Symbol, bool) {
	var local *entry
	var in *core.Module
	for _, m := range mods {
		e := ask(t.module(m))
		if e == nil {
			continue
		}
		if global := e.global || m.Exe; global || local == nil {
			local, in = e, m
			if global {
				break
			}
		}
	}
	if local == nil {
		return Symbol{}, false
	}
	s := local.place(in, in.Facts().Bias)
	t.answers.note(s)
	return s, true
}

// modulesNamed returns the modules that a name means, the executable first.
func (t *Table) modulesNamed(name string) []*core.Module {
	var out []*core.Module
	for _, exe := range []bool{true, false} {
		for _, m := range t.p.Modules {
			if m.Exe == exe && Matches(m, name) {
				out = append(out, m)
			}
		}
	}
	if t.p.Made == nil {
		return out
	}
	for _, m := range t.p.Made.Modules() {
		if Matches(m, name) {
			out = append(out, m)
		}
	}
	return out
}

// Matches reports whether name means m, as the MDB language has it: what
// MatchesPath says, "a.out" for the executable, or "" for any module.
func Matches(m *core.Module, name string) bool {
	return name == "" || MatchesPath(m.Path, name) || name == "a.out" && m.Exe
}

// MatchesPath reports whether name means the module at path: it is the full path,
// the base name, or the base name up to a dot. A library in an archive is called
// by its own name, with or without the archive's.
func MatchesPath(path, name string) bool {
	if path == "" || name == "" {
		return false
	}
	base := core.BaseName(path)
	own := base[strings.LastIndexByte(base, '!')+1:]
	stem, _, _ := strings.Cut(own, ".")
	return name == path || name == base || name == own || name == stem
}

// Prefix calls yield for each defined symbol of m whose mangled name begins
// with prefix, in order of name, until it returns false. Names that were left out of a
// bundle are not among them; see Unnamed.
func (t *Table) Prefix(m *core.Module, prefix string, yield func(Symbol) bool) error {
	x := t.module(m).index()
	var hits []*entry
	x.begin([]byte(prefix), func(e *entry) bool {
		hits = append(hits, e)
		return true
	})
	slices.SortStableFunc(hits, func(a, b *entry) int { return bytes.Compare(a.name, b.name) })
	bias := m.Facts().Bias
	for _, e := range hits {
		s := e.place(m, bias)
		t.answers.note(s)
		if !yield(s) {
			return nil
		}
	}
	return x.err
}

// A query looks for a demangled name. Demangling each name of a big program
// would take a third of a second, so a symbol is demangled only if its mangled
// name spells the query's last identifier the way that all three manglings do:
// its length in decimal, then the identifier (Itanium C++ ABI 5.1.3
// <source-name>; Rust RFC 2603 <identifier>, with "_" between where the
// identifier starts with a digit or an underscore).
type query struct {
	name  string // without blanks
	spelt [][]byte
}

// maxTried bounds how many names one query demangles in one module.
const maxTried = 20000

func newQuery(name string) *query {
	q := &query{name: strings.ReplaceAll(name, " ", "")}
	if id := lastIdentifier(name); id != "" {
		n := strconv.Itoa(len(id))
		q.spelt = append(q.spelt, []byte(n+id))
		if id[0] == '_' {
			q.spelt = append(q.spelt, []byte(n+"_"+id))
		}
	}
	return q
}

// lastIdentifier returns the last identifier of a demangled name that is
// outside of parameters, template arguments and operator names, or "".
func lastIdentifier(name string) string {
	id, depth := "", 0
	for i := 0; i < len(name); {
		switch c := name[i]; {
		case c == '(' || c == '<' || c == '{' || c == '[':
			depth++
			i++
		case c == ')' || c == '>' || c == '}' || c == ']':
			depth--
			i++
		case identifierByte(c):
			j := i
			for j < len(name) && identifierByte(name[j]) {
				j++
			}
			word := name[i:j]
			if depth == 0 && word == "operator" {
				return id
			}
			if depth == 0 && word != "const" {
				id = word
			}
			i = j
		default:
			i++
		}
	}
	return id
}

func identifierByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func (q *query) search(t *Table, x *index) *entry {
	var best *entry
	tried := 0
	for i := range x.len() {
		name := x.name(i)
		if !mangled(name) || !q.maySpell(name) {
			continue
		}
		e := x.at(i)
		if best != nil && (best.global || !e.global) {
			continue
		}
		if tried++; tried > maxTried {
			break
		}
		if q.matches(string(e.name)) {
			best = e
		}
	}
	return best
}

func (q *query) maySpell(name []byte) bool {
	for _, s := range q.spelt {
		if bytes.Contains(name, s) {
			return true
		}
	}
	return len(q.spelt) == 0
}

func (q *query) matches(name string) bool {
	short := strings.ReplaceAll(Demangle(name, true), " ", "")
	if short == q.name || withoutTags(short) == q.name {
		return true
	}
	return strings.ContainsRune(q.name, '(') && strings.ReplaceAll(Demangle(name, false), " ", "") == q.name
}

// withoutTags returns a demangled name without its ABI tags, as the program's source has it:
// "table" for "table[abi:cxx11]" (GCC's attribute abi_tag).
func withoutTags(name string) string {
	for {
		before, rest, tagged := strings.Cut(name, "[abi:")
		_, after, closed := strings.Cut(rest, "]")
		if !tagged || !closed {
			return name
		}
		name = before + after
	}
}
