package dap

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	protocol "github.com/google/go-dap"

	"coredbg/cmd/coredbg/ask"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
)

// sources are the source files that the editor has seen in frames.
type sources struct {
	places []place        // the index + 1 is the reference
	of     map[string]int // the index in places, by kind and file
}

// A place is a source file with a frame in it.
type place struct {
	thread *core.Thread
	frame  int
	source protocol.Source
}

// maxSources bounds the files that are remembered.
const maxSources = 10_000

// sourceOf returns the source of a frame: by a reference if the core or a folder of sources has the text, by
// its path if the file is on this machine.
func (s *Server) sourceOf(q *ask.Query, t *core.Thread, f *stack.Frame) *protocol.Source {
	managed := f.Kind != runtimes.Native
	key := fmt.Sprint(managed, f.File)
	if i, ok := s.sources.of[key]; ok {
		return &s.sources.places[i].source
	}
	file := strings.TrimPrefix(f.File, "file://")
	x := protocol.Source{Name: out.Clean(path.Base(file), false), Path: out.Clean(file, false)}
	there := false
	if filepath.IsAbs(file) && out.Clean(file, false) == file {
		st, err := os.Stat(file)
		there = err == nil && st.Mode().IsRegular()
	}
	if !there || managed {
		switch {
		case has(q, t, f.Index):
			x.SourceReference = len(s.sources.places) + 1
			x.Origin = "the core, or a folder of sources"
		case !there:
			x.PresentationHint, x.Origin = "deemphasize", "not here"
		}
	}
	if len(s.sources.places) >= maxSources {
		x.SourceReference = 0
		return &x
	}
	if s.sources.of == nil {
		s.sources.of = map[string]int{}
	}
	s.sources.of[key] = len(s.sources.places)
	s.sources.places = append(s.sources.places, place{t, f.Index, x})
	return &s.sources.places[len(s.sources.places)-1].source
}

// lines asks for the source of a frame.
func lines(q *ask.Query, t *core.Thread, frame, around int, do func(number int, text string)) error {
	return in(q, t, frame, func() error {
		return failed(q.Records(fmt.Sprintf("::source -f 0t%d -n 0t%d", frame, around), func(r commands.Record) error {
			b, err := out.Marshal(r)
			if err != nil {
				return err
			}
			var x struct {
				Type, Text string
				Line       int
			}
			if json.Unmarshal(b, &x) == nil && x.Type == "source" {
				do(x.Line, x.Text)
			}
			return nil
		}))
	})
}

// has reports whether the source of a frame can be had.
func has(q *ask.Query, t *core.Thread, frame int) bool {
	n := 0
	err := lines(q, t, frame, 0, func(int, string) { n++ })
	return err == nil && n > 0
}

// The bounds of the text of a source.
const (
	maxLines  = 200_000
	maxSource = 16 << 20 // bytes
)

// source returns the text of a source.
func (s *Server) source(q *ask.Query, m *protocol.SourceRequest) (*protocol.SourceResponseBody, error) {
	i := m.Arguments.SourceReference
	if m.Arguments.Source != nil && i == 0 {
		i = m.Arguments.Source.SourceReference
	}
	if i < 1 || i > len(s.sources.places) {
		return nil, fmt.Errorf("there is no source %d", i)
	}
	p := &s.sources.places[i-1]
	var b strings.Builder
	next := 1
	err := lines(q, p.thread, p.frame, maxLines, func(number int, text string) {
		for ; next < number && next < maxLines; next++ {
			b.WriteString("\n")
		}
		if b.Len() < maxSource {
			b.WriteString(text + "\n")
		}
		next = number + 1
	})
	if err != nil {
		return nil, err
	}
	if b.Len() == 0 {
		return nil, fmt.Errorf("%s: its text is not in the core, and the file is not here", p.source.Path)
	}
	return &protocol.SourceResponseBody{Content: out.Clean(b.String(), true)}, nil
}
