package sourcemaps

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"coredbg/core"
	"coredbg/runtimes/v8/sourcemap"
)

// A tokenTable is a decoded map in memory: its tokens, and the data around the words that lead to them.
type tokenTable struct {
	at      core.Addr // of the words capacity, pointer, length
	tokens  core.Addr
	count   int
	size    int // of a token
	sources []string
	texts   core.Addr // of the vector of the sources' names
}

// A RawToken of the crate sourcemap is
//
//	{dst_line, dst_col, src_line, src_col, src_id, name_id: u32, is_range: bool}
//
// Older releases have no is_range. An id of ^0 means that there is no such part.
const (
	tokenWords = 6
	noID       = ^uint32(0)
)

// Bounds of a map in memory.
const (
	maxTokens     = 1 << 24
	maxSourceName = 1 << 12
	maxOriginal   = 16 << 20 // bytes of an original
	maxSources    = 1 << 14
	nearWords     = 28 // words on each side of a table that belong to the same map
)

// words finds tables of tokens in a piece of memory, by the three words that lead to each.
func (s *mapSearch) words(b []byte, at core.Addr) {
	for i := int(-at & 7); i+24 <= len(b); i += 8 {
		capacity := s.order.Uint64(b[i:])
		if capacity == 0 || capacity > maxTokens {
			continue
		}
		n := s.order.Uint64(b[i+16:])
		ptr := core.Addr(s.order.Uint64(b[i+8:]))
		if n < 2 || n > capacity || ptr < s.low || ptr >= s.high || ptr&3 != 0 {
			continue
		}
		for _, size := range []int{28, 24} {
			if s.isTable(ptr, int(min(n, 64)), size) {
				s.table(&tokenTable{at: at + core.Addr(i), tokens: ptr, count: int(n), size: size})
				break
			}
		}
	}
}

// table adds a table of tokens, if it belongs to a map.
func (s *mapSearch) table(t *tokenTable) {
	if len(s.found.tables) >= maxKept || slices.ContainsFunc(s.found.tables,
		func(x tokenTable) bool { return x.at == t.at }) {
		return
	}
	if t.sources, t.texts = sourcesNear(s.space, s.order.Uint64, t.at); t.texts != 0 {
		s.found.tables = append(s.found.tables, *t)
	}
}

// isTable reports whether the first tokens at an address are sorted and have values that tokens have.
func (s *mapSearch) isTable(at core.Addr, n, size int) bool {
	b, err := core.ReadBytes(s.space, at, uint64(n*size))
	if err != nil {
		return false
	}
	list := parseTokens(b, size, s.order.Uint32)
	return list != nil && list[len(list)-1] != list[0]
}

// parseTokens returns tokens; nil if one cannot be a token or they are not in order.
func parseTokens(b []byte, size int, uint32At func([]byte) uint32) (out [][tokenWords]uint32) {
	for ; len(b) >= size; b = b[size:] {
		var t [tokenWords]uint32
		for i := range t {
			t[i] = uint32At(b[4*i:])
		}
		const most = 1 << 24 // lines, columns and ids
		if t[0] > most || t[1] > most || t[2] > most || t[3] > most || t[4] != noID && t[4] > maxSources ||
			t[5] != noID && t[5] > most {
			return nil
		}
		if size > 4*tokenWords && b[4*tokenWords] > 1 {
			return nil
		}
		if n := len(out); n > 0 && (t[0] < out[n-1][0] || t[0] == out[n-1][0] && t[1] < out[n-1][1]) {
			return nil
		}
		out = append(out, t)
	}
	return out
}

// sourcesNear returns the names in the vector of sources near the words at an address, and the address
// of the vector; 0 if there is no vector.
func sourcesNear(space *core.Space, uint64At func([]byte) uint64, at core.Addr) (names []string, vector core.Addr) {
	b, err := core.ReadBytes(space, at, nearWords*8)
	if err != nil {
		return nil, 0
	}
	for i := 24; i+16 <= len(b); i += 8 {
		ptr, n := core.Addr(uint64At(b[i:])), uint64At(b[i+8:])
		if n == 0 || n > maxSources || ptr&7 != 0 || ptr == 0 {
			continue
		}
		if list := arcTexts(space, uint64At, ptr, int(n)); list != nil && isNames(list) {
			return list, ptr
		}
	}
	return nil, 0
}

// isNames reports whether texts are names of files, and not words of a program.
func isNames(list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool {
		return slices.ContainsFunc([]byte(s), func(c byte) bool { return c == '/' || c == '.' || c == '\\' })
	})
}

// arcTexts returns the texts of a vector of Arc<str>; nil if it is not one.
func arcTexts(space *core.Space, uint64At func([]byte) uint64, vector core.Addr, n int) (out []string) {
	b, err := core.ReadBytes(space, vector, uint64(16*n))
	if err != nil {
		return nil
	}
	for ; len(b) >= 16; b = b[16:] {
		s, ok := arcText(space, uint64At, core.Addr(uint64At(b)), uint64At(b[8:]), maxSourceName)
		if !ok {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// arcText returns the text of an Arc<str>: two reference counts, then its bytes.
func arcText(space *core.Space, uint64At func([]byte) uint64, arc core.Addr, n, most uint64) (string, bool) {
	if n == 0 || n > most || arc&7 != 0 || arc == 0 {
		return "", false
	}
	head, err := core.ReadBytes(space, arc, 16)
	const references = 1 << 32
	if err != nil || uint64At(head)-1 >= references || uint64At(head[8:])-1 >= references {
		return "", false
	}
	b, err := core.ReadBytes(space, arc+16, n)
	if err != nil || !utf8.Valid(b) || slices.Contains(b, 0) {
		return "", false
	}
	return string(b), true
}

// tableText writes a decoded map as JSON again; nil if it cannot be read.
func (f *Finder) tableText(t *tokenTable) []byte {
	space, order := f.process.Space, f.process.Arch.Order
	f.touch(t.at, nearWords*8)
	b, err := core.ReadBytes(space, t.tokens, uint64(t.count)*uint64(t.size))
	if err != nil {
		return nil
	}
	list := parseTokens(b, t.size, order.Uint32)
	sources := arcTexts(space, order.Uint64, t.texts, len(t.sources))
	if len(list) != t.count || sources == nil {
		return nil
	}
	var tokens []sourcemap.Token
	for _, w := range list {
		x := sourcemap.Token{Line: int(w[0]), Column: int(w[1]), Source: -1}
		if w[4] != noID {
			if int(w[4]) >= len(sources) {
				return nil
			}
			x.Source, x.OriginalLine, x.OriginalColumn = int(w[4]), int(w[2]), int(w[3])
		}
		tokens = append(tokens, x)
	}
	text, err := json.Marshal(map[string]any{"version": 3, "mappings": sourcemap.Encode(tokens), "sources": sources,
		"names":          []string{},
		"sourcesContent": f.originals(t)})
	if err != nil {
		return nil
	}
	return text
}

// originals returns the texts of a map's sources, null for missing ones. They are in a vector of as
// many elements; at the same word, each begins with an Arc<str> or nothing.
func (f *Finder) originals(t *tokenTable) []*string {
	space, order := f.process.Space, f.process.Arch.Order
	near, err := core.ReadBytes(space, t.at, nearWords*8)
	if err != nil {
		return nil
	}
	for i := 24; i+16 <= len(near); i += 8 {
		ptr, n := core.Addr(order.Uint64(near[i:])), order.Uint64(near[i+8:])
		if int(min(n, maxSources+1)) != len(t.sources) || ptr == t.texts || ptr&7 != 0 || ptr == 0 {
			continue
		}
		const longest = 16 // words of an element
		for stride := 3; stride <= longest; stride++ {
			for word := range stride - 1 {
				if out := f.column(ptr, len(t.sources), stride, word); out != nil {
					return out
				}
			}
			if len(t.sources) == 1 && stride == 8 {
				break
			}
		}
	}
	return nil
}

// column returns the texts at a word of each element of a vector; nil if one has another thing there,
// or no element has a text.
func (f *Finder) column(vector core.Addr, n, stride, word int) (out []*string) {
	space, order := f.process.Space, f.process.Arch.Order
	some := false
	for i := range n {
		at := vector.Add(int64(8 * (i*stride + word)))
		b, err := core.ReadBytes(space, at, 16)
		if err != nil {
			return nil
		}
		if order.Uint64(b) == 0 {
			out = append(out, nil)
			continue
		}
		s, ok := arcText(space, order.Uint64, core.Addr(order.Uint64(b)), order.Uint64(b[8:]), maxOriginal)
		if !ok {
			return nil
		}
		out, some = append(out, &s), true
	}
	if !some {
		return nil
	}
	return out
}
