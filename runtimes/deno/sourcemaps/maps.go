// Package sourcemaps finds source maps in the memory of Deno.
// Text is in maps.go, decoded tables in maptokens.go.
//
// Deno takes the comment that leads to a source map out of a script before V8 gets it. Rust's memory
// has these remains of maps:
//
//   - the map as text, in a comment or by itself, where the compiler or the reader of a cache had it;
//   - once a place was looked up for the stack of an error, the decoded map: the crate sourcemap's
//     SourceMap {tokens: Vec<RawToken>, names, sources: Vec<Arc<str>>, sources_content: Vec<Option<SourceView>>, …}.
//
// A text may be left over from one that was freed. So the presence of a map does not count: V8's reader
// must prove that it belongs to a script.
package sourcemaps

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/v8/sourcemap"
)

// Bounds of the search.
const (
	mapWindow   = 4 << 20 // bytes that are searched at a time
	maxSearched = 4 << 30 // bytes in all
	maxKept     = 1 << 12 // maps of each form
)

// keptMaps are the maps in memory.
type keptMaps struct {
	texts    []mapText
	comments []core.Addr // where the text of a data: URL begins
	tables   []tokenTable
}

// A mapText is a map of JSON and the names of its sources.
type mapText struct {
	at      core.Addr
	text    []byte
	sources []string
}

// A Finder finds source maps in the memory of a process.
type Finder struct {
	process *core.Process

	mu   sync.Mutex
	kept *keptMaps // nil until a search was done
}

// New returns what finds the source maps in the memory of a process of Deno.
func New(p *core.Process) *Finder { return &Finder{process: p} }

// maps searches the memory of the process for maps, until a search was done. One that is cancelled returns what it
// found, which is not kept.
func (f *Finder) maps(ctx context.Context) *keptMaps {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept != nil {
		return f.kept
	}
	s := &mapSearch{space: f.process.Space.Untraced(), order: f.process.Arch.Order, found: &keptMaps{}}
	s.run(ctx, f.process)
	if ctx.Err() == nil {
		f.kept = s.found
	}
	return s.found
}

// SourceMaps returns the maps in memory that may belong to a script, by its name and its text. If one
// is proven to belong to it, it is the only one.
func (f *Finder) SourceMaps(ctx context.Context, name, code string) []sourcemap.Kept {
	kept := f.maps(ctx)
	if m, ok := f.commentAfter(kept, code); ok {
		return []sourcemap.Kept{{Text: m, Proven: true}}
	}
	var out []sourcemap.Kept
	add := func(text []byte) {
		if text != nil && !slices.ContainsFunc(out, func(m sourcemap.Kept) bool { return bytes.Equal(m.Text, text) }) {
			out = append(out, sourcemap.Kept{Text: text})
		}
	}
	for i := range kept.texts {
		if m := &kept.texts[i]; mayBeOf(m.sources, name) {
			f.touch(m.at, len(m.text))
			add(m.text)
		}
	}
	for i := range kept.tables {
		if t := &kept.tables[i]; mayBeOf(t.sources, name) {
			add(f.tableText(t))
		}
	}
	return out
}

// mayBeOf reports whether a map with sources may belong to a script: a source has the script's name, or
// the script is not a file that has to be compiled.
func mayBeOf(sources []string, name string) bool {
	return slices.ContainsFunc(sources, func(s string) bool { return s == name }) || !typed(name) && len(sources) > 0
}

// typed reports whether a name is one of a file that has to be compiled, which is then its own source.
func typed(name string) bool {
	name, _, _ = strings.Cut(name, "?")
	for _, end := range []string{".ts", ".tsx", ".mts", ".cts", ".jsx"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// commentAfter returns the map in the comment that follows the text of a script, as it was before Deno cut it off.
func (f *Finder) commentAfter(kept *keptMaps, code string) ([]byte, bool) {
	if code == "" {
		return nil, false
	}
	for _, at := range kept.comments {
		start := at - core.Addr(len(mapComment))
		// Between the script and the comment may be the end of a line.
		for _, gap := range []int{0, 1} {
			from := start - core.Addr(len(code)+gap)
			if from > start {
				continue
			}
			b, err := core.ReadBytes(f.process.Space.Untraced(), from, uint64(len(code)))
			if err != nil || string(b) != code {
				continue
			}
			f.touch(from, len(code)+gap+len(mapComment))
			text := base64At(f.process.Space, at)
			if m, err := sourcemap.Data(mapComment[len(commentStart):] + string(text)); err == nil && len(m) > 0 {
				return m, true
			}
		}
	}
	return nil, false
}

// touch reads memory, so that it is recorded as read.
func (f *Finder) touch(at core.Addr, n int) {
	_, _ = core.ReadBytes(f.process.Space, at, uint64(n))
}

// How the map of a script is announced in its text, and how one of JSON begins.
const (
	commentStart = "//# sourceMappingURL="
	mapComment   = commentStart + "data:application/json;base64,"
	mapStart     = `{"version":3,`
)

// base64At returns the text of base64 at an address, of at most the bytes of a map.
func base64At(space *core.Space, at core.Addr) (out []byte) {
	const step = 64 << 10
	for len(out) < sourcemap.MaxSize {
		b, _ := core.ReadBytes(space, at+core.Addr(len(out)), step)
		n := bytes.IndexFunc(b, func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '+' &&
				c != '/' && c != '='
		})
		if n >= 0 {
			return append(out, b[:n]...)
		}
		out = append(out, b...)
		if len(b) < step {
			break
		}
	}
	return out
}

// A mapSearch looks for maps in memory that belongs to no image.
type mapSearch struct {
	space *core.Space
	order binary.ByteOrder
	low   core.Addr // of the range that is searched
	high  core.Addr
	found *keptMaps
	ended core.Addr // where the last map of JSON ends
}

// run searches the memory that the process wrote.
func (s *mapSearch) run(ctx context.Context, p *core.Process) {
	var list []core.Segment
	for _, g := range p.Space.Segments() {
		if g.Kind == core.SegCore && (g.ProtUnknown || g.Prot&core.Write != 0) {
			list = append(list, g)
		}
	}
	if len(list) == 0 {
		return
	}
	s.low, s.high = list[0].Start, list[len(list)-1].End
	left := int64(maxSearched)
	for i := range list {
		g := &list[i]
		for at := g.NextData(g.Start); at < g.End && left > 0 && ctx.Err() == nil; {
			n := min(mapWindow, uint64(g.End-at))
			b, err := core.ReadBytes(s.space, at, n)
			s.window(b, at)
			left -= int64(n)
			switch {
			case err != nil || uint64(len(b)) < n:
				at = (at + core.Addr(len(b))).Align(core.TracePage) + core.TracePage
			case n < mapWindow:
				at = g.End
			default: // markers and triples of words may straddle windows
				at = g.NextData(at + mapWindow - 64)
			}
		}
	}
}

// window searches one piece of memory.
func (s *mapSearch) window(b []byte, at core.Addr) {
	each(b, mapComment, func(i int) {
		if a := at + core.Addr(i+len(mapComment)); len(s.found.comments) < maxKept &&
			!slices.Contains(s.found.comments, a) {
			s.found.comments = append(s.found.comments, a)
			if m, err := sourcemap.Data(mapComment[len(commentStart):] + string(base64At(s.space, a))); err == nil {
				s.text(m, a)
			}
		}
	})
	each(b, mapStart, func(i int) {
		if a := at + core.Addr(i); a >= s.ended {
			m := jsonAt(s.space, a)
			s.ended = a + core.Addr(len(m))
			s.text(m, a)
		}
	})
	s.words(b, at)
}

// text adds a map of JSON.
func (s *mapSearch) text(m []byte, at core.Addr) {
	var has struct {
		Sources  []string `json:"sources"`
		Mappings string   `json:"mappings"`
	}
	if len(s.found.texts) >= maxKept || json.Unmarshal(m, &has) != nil || has.Mappings == "" || len(has.Sources) == 0 {
		return
	}
	if slices.ContainsFunc(s.found.texts, func(t mapText) bool { return bytes.Equal(t.text, m) }) {
		return
	}
	s.found.texts = append(s.found.texts, mapText{at: at, text: m, sources: has.Sources})
}

// each yields where a text begins in b.
func each(b []byte, text string, yield func(i int)) {
	for from := 0; ; from++ {
		i := bytes.Index(b[from:], []byte(text))
		if i < 0 {
			return
		}
		from += i
		yield(from)
	}
}

// jsonAt returns the value of JSON that begins at an address; nil if there is none of at most the size of a map.
func jsonAt(space *core.Space, at core.Addr) []byte {
	for n := uint64(64 << 10); n <= sourcemap.MaxSize; n *= 4 {
		b, err := core.ReadBytes(space, at, n)
		var v json.RawMessage
		if json.NewDecoder(bytes.NewReader(b)).Decode(&v) == nil {
			return v
		}
		if err != nil || uint64(len(b)) < n {
			return nil
		}
		// A text that contains a zero byte is not JSON however much more is read.
		if bytes.IndexByte(b, 0) >= 0 {
			return nil
		}
	}
	return nil
}
