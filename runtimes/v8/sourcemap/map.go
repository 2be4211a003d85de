package sourcemap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// MaxSize is how large a map may be, in bytes.
const MaxSize = 256 << 20

// A Map leads from generated code to its original. It is safe for concurrent use.
type Map struct {
	sections []section // in the order of where they begin
	// First takes the first of several segments that are at the very place that is looked for, as the crate
	// sourcemap does (utils.rs: greatest_lower_bound), and not the last, as Node does
	// (lib/internal/source_map/source_map.js: findEntry).
	First bool
}

// A section is a map for the generated text from a line and column on, both from 0.
type section struct {
	line, column int
	sources      []source
	names        []string
	mappings
}

// A source is an original file.
type source struct {
	name    string // "" if the map has null for it
	content string // "" if the map does not have it
	ignored bool
}

// A Position is a place in an original file.
type Position struct {
	// Source is a path, or a URL that is not a file URL.
	Source       string
	Line, Column int // from 1; the column in UTF-16 code units
	// Name is what the original calls what is at the place; "" if the map does not say.
	Name string
	// Exact is set if a mapping begins at the place, and not before it.
	Exact bool
	// Ignored is set for code that its author wants left out of stacks, such as a library's.
	Ignored bool
}

// raw is a map as JSON has it (ECMA-426, section 10).
type raw struct {
	Version    json.Number `json:"version"`
	SourceRoot string      `json:"sourceRoot"`
	Sources    []*string   `json:"sources"`
	Contents   []*string   `json:"sourcesContent"`
	Names      []any       `json:"names"`
	Mappings   *string     `json:"mappings"`
	Ignore     []int       `json:"ignoreList"`
	IgnoreX    []int       `json:"x_google_ignoreList"` // its name before it was in the specification
	Sections   []struct {
		Offset struct{ Line, Column int } `json:"offset"`
		Map    *raw                       `json:"map"`
	} `json:"sections"`
}

// A Fit reports whether a generated file has a place, both numbers from 0.
type Fit func(line, column int) bool

// Read reads a map. Sources are relative to base, the URL or path of the map, or of the
// script that it is in. With fits, a map with a mapping of a place that the generated file
// does not have is not the map of that file, and an error.
func Read(b []byte, base string, fits Fit) (*Map, error) {
	if len(b) > MaxSize {
		return nil, fmt.Errorf("source map: %d bytes are more than %d", len(b), MaxSize)
	}
	// A prefix keeps a browser from running it as a script: )]}' and the rest of the line.
	if bytes.HasPrefix(b, []byte(")]}")) {
		_, b, _ = bytes.Cut(b, []byte("\n"))
	}
	if err := bounded(b); err != nil {
		return nil, err
	}
	var r raw
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, fmt.Errorf("source map: %w", err)
	}
	if v := r.Version.String(); v != "3" {
		return nil, fmt.Errorf("source map: version %q, not 3", v)
	}
	m := &Map{}
	if r.Mappings != nil || len(r.Sections) == 0 {
		return m, m.add(&r, 0, 0, base, fits)
	}
	for i, s := range r.Sections {
		if s.Map == nil || s.Offset.Line < 0 || s.Offset.Column < 0 {
			return nil, fmt.Errorf("source map: section %d has no map or no place", i)
		}
		if err := m.add(s.Map, s.Offset.Line, s.Offset.Column, base, fits); err != nil {
			return nil, fmt.Errorf("section %d: %w", i, err)
		}
	}
	slices.SortStableFunc(m.sections, func(a, b section) int {
		if a.line != b.line {
			return a.line - b.line
		}
		return a.column - b.column
	})
	return m, nil
}

func (m *Map) add(r *raw, line, column int, base string, fits Fit) error {
	if r.Mappings == nil {
		return errors.New("source map: it has no mappings")
	}
	s := section{line: line, column: column}
	for i, name := range r.Sources {
		var of source
		if name != nil {
			of.name = Resolve(base, rooted(r.SourceRoot, *name))
		}
		if i < len(r.Contents) && r.Contents[i] != nil {
			of.content = *r.Contents[i]
		}
		s.sources = append(s.sources, of)
	}
	for _, i := range append(r.Ignore, r.IgnoreX...) {
		if i >= 0 && i < len(s.sources) {
			s.sources[i].ignored = true
		}
	}
	for _, n := range r.Names {
		name, _ := n.(string)
		s.names = append(s.names, name)
	}
	s.text = *r.Mappings
	err := s.index(func(at *segment) error {
		switch {
		case at.mapped() && (at.source < 0 || at.source >= len(s.sources)):
			return fmt.Errorf("source %d of %d", at.source, len(s.sources))
		case at.named && (at.name < 0 || at.name >= len(s.names)):
			return fmt.Errorf("name %d of %d", at.name, len(s.names))
		case at.mapped() && (at.originalLine < 0 || at.originalColumn < 0):
			return fmt.Errorf("original place %d:%d", at.originalLine, at.originalColumn)
		case fits != nil:
			if l, c := s.place(at); !fits(l, c) {
				return fmt.Errorf("the generated file has no line %d with a column %d", l+1, c+1)
			}
		}
		return nil
	})
	m.sections = append(m.sections, s)
	return err
}

// rooted puts a source below the root of sources.
func rooted(root, name string) string {
	if root != "" && !strings.HasSuffix(root, "/") {
		root += "/"
	}
	return root + name
}

// place returns where a segment is in the whole generated file.
func (s *section) place(at *segment) (line, column int) {
	if at.line == 0 {
		return s.line, s.column + at.column
	}
	return s.line + at.line, at.column
}

// Find returns the original of a place in the generated file, both numbers from 1, the column in UTF-16 code
// units. It returns false if the place is not mapped.
func (m *Map) Find(line, column int) (Position, bool) {
	line, column = line-1, column-1
	i := sort.Search(len(m.sections), func(i int) bool {
		s := &m.sections[i]
		return s.line > line || s.line == line && s.column > column
	}) - 1
	if i < 0 || line < 0 || column < 0 {
		return Position{}, false
	}
	s := &m.sections[i]
	if line -= s.line; line == 0 {
		column -= s.column
	}
	at, ok := s.find(line, column, m.First)
	if !ok || !at.mapped() || s.sources[at.source].name == "" {
		return Position{}, false
	}
	of := s.sources[at.source]
	p := Position{Source: of.name, Line: at.originalLine + 1, Column: at.originalColumn + 1, Ignored: of.ignored,
		Exact: at.column == column}
	if at.named {
		p.Name = s.names[at.name]
	}
	return p, true
}

// Content returns the text of an original, by the name that Find gives it; "" if the map
// does not have it.
func (m *Map) Content(name string) string {
	for i := range m.sections {
		for _, of := range m.sections[i].sources {
			if of.name == name && of.content != "" {
				return of.content
			}
		}
	}
	return ""
}
