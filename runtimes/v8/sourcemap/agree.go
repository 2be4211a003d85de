package sourcemap

import (
	"regexp"
	"strings"
	"unicode/utf16"
)

// A Kept is a source map that the process has in memory.
type Kept struct {
	Text []byte // JSON
	// Proven is set if it is the script's. Else that is to be tried.
	Proven bool
}

// maxCompared bounds the mappings that Agree compares.
const maxCompared = 1 << 14

// Agree compares words of the generated file with the words that the map says they were made from, as far as
// the map has the originals. It returns the number that are the same and the number compared. With the map of
// another text few are the same. If no words are compared, nothing is known.
func (m *Map) Agree(generated string) (same, compared int) {
	lines := split(generated)
	originals := map[string][]string{}
	for i := range m.sections {
		s := &m.sections[i]
		r := &reader{text: s.text}
		for compared < maxCompared {
			if more, err := r.next(); err != nil || !more {
				break
			}
			if !r.mapped() || r.source < 0 || r.source >= len(s.sources) {
				continue
			}
			of := &s.sources[r.source]
			if of.content == "" {
				continue
			}
			if originals[of.name] == nil {
				originals[of.name] = split(of.content)
			}
			line, column := s.place(&r.segment)
			made := word(lines, line, column)
			if made == "" {
				continue
			}
			compared++
			if made == word(originals[of.name], r.originalLine, r.originalColumn) {
				same++
			}
		}
	}
	return same, compared
}

// split returns the lines of a text.
func split(text string) []string { return strings.Split(text, "\n") }

// word returns the word that begins at a place, both numbers from 0, the column in UTF-16 code units. It is ""
// if no word begins there.
func word(lines []string, line, column int) string {
	if line < 0 || line >= len(lines) {
		return ""
	}
	text, at := lines[line], 0
	for i, c := range text {
		if at >= column {
			text = text[i:]
			end := strings.IndexFunc(text, func(c rune) bool {
				return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '$'
			})
			if end < 0 {
				return text
			}
			return text[:end]
		}
		at += utf16.RuneLen(c)
	}
	return ""
}

// Covers reports whether a map reaches the end of the generated file: a mapping is on its last line that has a
// word, or on the one before it, where what ends a block alone is left out.
func (m *Map) Covers(generated string) bool {
	lines := split(generated)
	last := len(lines) - 1
	for last >= 0 && isTail(lines[last]) {
		last--
	}
	for i := len(m.sections) - 1; i >= 0; i-- {
		s := &m.sections[i]
		r, end := &reader{text: s.text}, -1
		if n := len(s.marks); n > 0 {
			k := &s.marks[n-1]
			r = &reader{text: s.text, off: k.off, segment: segment{line: int(k.line), column: int(k.column),
				source:       int(k.source),
				originalLine: int(k.original), originalColumn: int(k.originalAt), name: int(k.name)}}
		}
		for {
			if more, err := r.next(); err != nil || !more {
				break
			}
			end, _ = s.place(&r.segment)
		}
		if end >= last {
			return true
		}
	}
	return false
}

// bareVar is a line that declares variables and sets none. Compilers put the names of enums and namespaces at
// the end so.
var bareVar = regexp.MustCompile(`^(?:var|let) [\w$]+(?:, ?[\w$]+)*;?$`)

// isTail reports whether a line has only ends of blocks, bare variables or a comment, which maps leave out.
func isTail(line string) bool {
	line = strings.TrimSpace(line)
	return bareVar.MatchString(line) || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") ||
		strings.HasPrefix(line, "*") || strings.Trim(line, "})];") == ""
}

// Has reports whether a map has an original of a name, as Find gives it.
func (m *Map) Has(name string) bool {
	for i := range m.sections {
		for _, of := range m.sections[i].sources {
			if of.name == name {
				return true
			}
		}
	}
	return false
}

// Same reports whether two maps lead to the same places.
func (m *Map) Same(o *Map) bool {
	if len(m.sections) != len(o.sections) {
		return false
	}
	for i := range m.sections {
		a, b := &m.sections[i], &o.sections[i]
		if a.line != b.line || a.column != b.column || a.text != b.text || len(a.sources) != len(b.sources) {
			return false
		}
		for j := range a.sources {
			if a.sources[j].name != b.sources[j].name {
				return false
			}
		}
	}
	return true
}
