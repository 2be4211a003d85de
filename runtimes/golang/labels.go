package golang

import (
	"unicode/utf8"

	"coredbg/core"
)

// A Label is one of those that runtime/pprof has given to a goroutine.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

const (
	maxLabels    = 64
	maxLabelText = 256
)

// labels returns those of a set that g.labels points to, as it is from Go 1.24 on: a slice of pairs of
// strings (runtime/pprof/label.go, LabelSet; internal/runtime/pprof/label in Go 1.26). Before it was a map, of which
// nothing here would be a slice.
func (s *scheduler) labels(set core.Addr) (out []Label) {
	if set == 0 {
		return nil
	}
	c := s.t.Process.Cursor()
	list, n, room := c.Pointer(set), c.Word(set+s.word), c.Word(set+2*s.word)
	if c.Err() != nil || n > room || n > maxLabels {
		return nil
	}
	for i := range core.Addr(n) {
		at := list + 4*i*s.word
		key, ok := s.text(c, at)
		value, too := s.text(c, at+2*s.word)
		if !ok || !too || key == "" {
			return nil
		}
		out = append(out, Label{key, value})
	}
	return out
}

// text reads a string by its header.
func (s *scheduler) text(c *core.Cursor, at core.Addr) (string, bool) {
	p, n := c.Pointer(at), c.Word(at+s.word)
	if c.Err() != nil || n > maxLabelText {
		return "", false
	}
	b := make([]byte, n)
	if n > 0 {
		c.Bytes(b, p)
	}
	return string(b), c.Err() == nil && utf8.Valid(b)
}
