package original

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"coredbg/core"
	"coredbg/core/find"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/sourcemap"
	"coredbg/runtimes/v8/text"
)

// Maps are the source maps of a process's scripts. They are safe for concurrent use.
type Maps struct {
	objects *object.Reader
	heaps   *heap.Walker
	files   find.Finder // nil: do not look for files
	kept    Kept
	cache   mapCache

	mu sync.Mutex
	of map[layout.Tagged]*scriptMap
}

// Kept returns the source maps in memory that may belong to a script, by its name and its text.
type Kept func(ctx context.Context, name, code string) []sourcemap.Kept

// New returns the source maps of scripts: the maps in their URLs, in files, in the cache of Node, and the maps that
// kept returns. Without files it does not look for files.
func New(objects *object.Reader, heaps *heap.Walker, files find.Finder, kept Kept) *Maps {
	return &Maps{objects: objects, heaps: heaps, files: files, kept: kept, of: map[layout.Tagged]*scriptMap{}}
}

// A scriptMap is the source map of a script, once it was looked for.
type scriptMap struct {
	once sync.Once
	m    *sourcemap.Map // nil if there is none
	from string         // "inline", "cache" for the embedder's own, or the file
	err  error          // why there is none although the script names one
	// refused is set if err is about an existing map that cannot be the script's.
	refused bool
}

// Map gives frames of JavaScript the places that source maps say, and the names where
// these have the code's own.
func (v *Maps) Map(frames []runtimes.SourceFrame) {
	for i := range frames {
		v.MapFrame(&frames[i])
	}
}

// MapFrame is Map for one frame.
func (v *Maps) MapFrame(f *runtimes.SourceFrame) {
	if f.Kind != runtimes.JS || f.Unit == 0 || f.Line == 0 || f.Generated != nil {
		return
	}
	s := v.sourceMap(layout.Tagged(f.Unit))
	if s.m == nil {
		if s.refused && f.Note == "" {
			f.Note = s.err.Error()
		}
		f.Unmapped = s.err != nil || compiled(v.objects.Image, v.objects.Layout, f.File)
		return
	}
	p, ok := s.m.Find(f.Line, f.Column)
	if !ok {
		f.Unmapped = true
		return
	}
	f.Generated = &runtimes.Generated{Name: f.Name, File: f.File, Line: f.Line, Column: f.Column, Map: s.from,
		Ignored: p.Ignored}
	f.File, f.Line, f.Column = sourceName(v.objects.Image, f.File, p.Source), p.Line, p.Column
	f.Name = v.originalName(s.m, f)
}

// Original returns where a function was written, which is what its script was made from if that has a source
// map. Only its name and place are set, and Generated or Unmapped as of a frame.
func (v *Maps) Original(f *object.Function) runtimes.SourceFrame {
	at := runtimes.SourceFrame{Kind: runtimes.JS, Name: f.Name, File: f.File, Line: f.Line, Column: f.Column,
		Function: core.Addr(f.Word), Unit: core.Addr(f.Script)}
	v.MapFrame(&at)
	return at
}

// Place returns the place that the map of a script gives for a place in it, or the place itself.
func (v *Maps) Place(script layout.Tagged, file string, line, column int) (of string, l, c int) {
	s := v.sourceMap(script)
	if s.m == nil {
		return file, line, column
	}
	p, ok := s.m.Find(line, column)
	if !ok {
		return file, line, column
	}
	return sourceName(v.objects.Image, file, p.Source), p.Line, p.Column
}

// OriginalLines returns the first and last line of a function in what it was made from, where at, as Original
// returns it, has its start. It returns false if its end is in no place after that.
func (v *Maps) OriginalLines(f *object.Function, at *runtimes.SourceFrame) (first, last int, ok bool) {
	s := v.sourceMap(f.Script)
	if s.m == nil || at.Generated == nil {
		return 0, 0, false
	}
	end := v.objects.Locate(f.Script, max(f.End-1, f.Start))
	p, found := s.m.Find(end.Line, end.Column)
	if !found || sourceName(v.objects.Image, f.File, p.Source) != at.File || p.Line < at.Line {
		return 0, 0, false
	}
	return at.Line, p.Line, true
}

// compiled reports whether a script's language, by the name of its file, is one that V8 cannot run, so that the
// running code was compiled from it. Node blanks types out itself since release 22, and all else stays where it
// is.
func compiled(img *layout.Image, l *layout.Layout, name string) bool {
	if !ownScript(name) {
		return false
	}
	name, _, _ = strings.Cut(name, "?")
	switch path.Ext(name) {
	case ".tsx", ".jsx":
		return true
	case ".ts", ".mts", ".cts":
		return !strings.HasPrefix(img.Embedder, "-node.") || l.Inspect.RunsTypeScript == 0
	}
	return false
}

// sourceName returns the name of an original source relative to the script: Deno calls files by URL everywhere.
func sourceName(img *layout.Image, script, source string) string {
	const file = "file://"
	switch {
	case !img.OfDeno() || !strings.HasPrefix(script, file) || !strings.HasPrefix(source, "/"):
		return source
	case sourcemap.Resolve(script, script) == source:
		return script
	}
	return (&url.URL{Scheme: "file", Path: source}).String()
}

// originalName returns the name of a function in the original source: the name that is mapped at the very word
// that V8 took its own name from. If the original name is the same, V8's name stays, with its class and other
// parts.
//
// Node takes the name that is mapped where the function begins (lib/internal/source_map/
// prepare_stack_trace.js: getOriginalSymbolName). In an arrow function that is the name of its first parameter.
func (v *Maps) originalName(m *sourcemap.Map, f *runtimes.SourceFrame) string {
	shared, ok := layout.Tagged(f.Function), true
	if !v.objects.IsSharedFunctionInfo(shared) {
		shared, ok = v.objects.ClosureShared(shared)
	}
	own := v.objects.SharedName(shared)
	if !ok || own == "" || strings.Contains(own, ".") { // none, or one that V8 inferred
		return f.Name
	}
	start, _ := v.objects.Extent(shared)
	const enough = 256 // what may be between a name and the function, in code units
	from := max(start-enough, 0)
	before, err := v.objects.Source(layout.Tagged(f.Unit), from, start, enough)
	if err != nil {
		return f.Name
	}
	back, ok := nameBefore(before, own)
	if !ok {
		return f.Name
	}
	at := v.objects.Locate(layout.Tagged(f.Unit), start-back)
	p, ok := m.Find(at.Line, at.Column)
	if !ok || !p.Exact || p.Name == "" || p.Name == own {
		return f.Name
	}
	if strings.HasPrefix(f.Name, "new ") {
		return "new " + p.Name
	}
	return p.Name
}

// nameBefore finds the word that names a function in the text before its parameters, as in
// "function NAME(", "NAME(" of a method and "NAME = async (", and returns how many UTF-16
// code units it begins before the end.
func nameBefore(text, name string) (back int, ok bool) {
	rest := strings.TrimRight(text, " \t\r\n")
	for _, word := range []string{"(", "*", "function", "async", "("} {
		if !endsIn(rest, name) {
			rest = strings.TrimRight(strings.TrimSuffix(rest, word), " \t\r\n")
		}
	}
	if i := len(rest) - 1; i > 0 && (rest[i] == '=' || rest[i] == ':') {
		rest = strings.TrimRight(rest[:i], " \t\r\n")
	}
	if !endsIn(rest, name) {
		return 0, false
	}
	return len(utf16.Encode([]rune(text[len(rest)-len(name):]))), true
}

// endsIn reports whether a text ends in a whole word.
func endsIn(text, word string) bool {
	head, ok := strings.CutSuffix(text, word)
	r, _ := utf8.DecodeLastRuneInString(head)
	return ok && (head == "" || r != '$' && r != '_' && r != '\\' && !unicode.IsLetter(r) && !unicode.IsDigit(r))
}

// SourceLines returns the lines from first to last, from 1, of a frame's source: the original source, if the
// map has its text, otherwise the script.
func (v *Maps) SourceLines(f *runtimes.SourceFrame, first, last int) (lines []object.SourceLine) {
	if f.Generated == nil {
		return v.objects.ScriptLines(layout.Tagged(f.Unit), first, last)
	}
	s := v.sourceMap(layout.Tagged(f.Unit))
	if s.m == nil {
		return nil
	}
	n := 0
	for line := range strings.Lines(cmp.Or(s.m.Content(f.File), s.m.Content(sourcemap.Resolve("", f.File)))) {
		if n++; n >= first && n <= last {
			lines = append(lines, object.SourceLine{Number: n,
				Text: text.Clip(strings.TrimRight(line, "\r\n"), maxLine)})
		}
	}
	return lines
}

// maxLine bounds the characters of a line that SourceLines returns.
const maxLine = 512

// sourceMap returns the source map of a script, which it looks for once.
func (v *Maps) sourceMap(script layout.Tagged) *scriptMap {
	v.mu.Lock()
	s := v.of[script]
	if s == nil {
		s = &scriptMap{}
		v.of[script] = s
	}
	v.mu.Unlock()
	s.once.Do(func() {
		if v.findMap(s, script); s.m != nil {
			s.m.First = v.objects.Image.OfDeno()
		}
	})
	return s
}

// findMap looks for the map that a script names: in the URL itself, else in a file, else among the maps that
// Node has read and keeps.
func (v *Maps) findMap(s *scriptMap, script layout.Tagged) {
	at := v.objects.SourceMappingURL(script, sourcemap.MaxSize)
	if at == "" {
		s.keep(v, script)
		return
	}
	base, fits := v.objects.ScriptName(script), sourcemap.Fit(v.objects.HasPlace(script))
	if sourcemap.IsData(at) {
		s.from = "inline"
		var b []byte
		if b, s.err = sourcemap.Data(at); s.err == nil {
			s.m, s.err = readMap(b, base, fits)
		}
		s.refused = s.err != nil
		return
	}
	if v.mapInFile(s, base, sourcemap.Resolve(base, at), fits); s.m == nil {
		if m := v.cachedMap(script, base, fits); m != nil {
			s.m, s.from, s.err, s.refused = m, "cache", nil, false
		}
	}
	if s.m == nil {
		s.keep(v, script)
	}
}

// keep looks for the map of a script among the maps that the embedder has in memory.
func (s *scriptMap) keep(v *Maps, script layout.Tagged) {
	if v.cache.left.Load() {
		return
	}
	switch m, err := keptMap(v.objects, script, v.kept); {
	case m != nil:
		s.m, s.from, s.err, s.refused = m, "cache", nil, false
	case err != nil:
		s.err = err
	}
}

// mapInFile reads the map in the file at a path or URL that the script base names, if it is
// found.
func (v *Maps) mapInFile(s *scriptMap, base, at string, fits sourcemap.Fit) {
	if v.files == nil {
		return
	}
	got := v.files.Find(context.Background(), find.Want{Kind: find.Data, Path: sourcemap.Path(at),
		Within: sourcemap.Folders(base), Check: func(src core.Source) error {
			b, err := wholeFile(src)
			if err == nil {
				s.m, err = readMap(b, at, fits)
			}
			return err
		}})
	if got.Source == nil {
		s.m, s.err = nil, fmt.Errorf("source map %s: not found", at)
		if len(got.Refused) > 0 {
			s.err, s.refused = got.Refused[0], true
		}
		return
	}
	s.from = got.From
	_ = got.Source.Close()
}

// readMap reads a map; what cannot be one of the script is an error and no map.
func readMap(b []byte, base string, fits sourcemap.Fit) (*sourcemap.Map, error) {
	m, err := sourcemap.Read(b, base, fits)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// wholeFile reads a file of at most sourcemap.MaxSize bytes.
func wholeFile(src core.Source) ([]byte, error) {
	n := src.Size()
	if n > sourcemap.MaxSize {
		return nil, fmt.Errorf("source map: %d bytes are more than %d", n, sourcemap.MaxSize)
	}
	b, err := core.SourceSlice(src, 0, int(n))
	if err != nil {
		return nil, fmt.Errorf("source map: %w", err)
	}
	return b, nil
}

// MapError says why the script of a frame has no source map although it names one; nil if
// it has one, or names none.
func (v *Maps) MapError(f *runtimes.SourceFrame) error {
	if f.Kind != runtimes.JS || f.Unit == 0 {
		return nil
	}
	return v.sourceMap(layout.Tagged(f.Unit)).err
}
