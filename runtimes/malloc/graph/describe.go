package graph

import (
	"fmt"
	"strconv"

	"coredbg/core"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/class"
	"coredbg/runtimes/malloc/typed"
)

// Shown implements heap.Describer: addresses are as malloc returned them.
func (s *source) Shown(at core.Addr) core.Addr { return at }

// Start implements heap.Describer.
func (s *source) Start(shown core.Addr) core.Addr { return shown }

// Describe implements heap.Describer.
func (s *source) Describe(at core.Addr) string {
	id, p := s.find(at)
	if id < 0 {
		return "no block"
	}
	k := s.b.Of(id, p)
	if k.Kind == class.Text {
		return strconv.Quote(typed.Text(s.h.Process, p))
	}
	return className(k)
}

func (s *source) find(at core.Addr) (int, *block.Packed) {
	last := 0
	id := s.b.Index.Find(at, &last)
	if id < 0 {
		return -1, nil
	}
	return id, s.b.Index.Chunk(id)
}

// References implements heap.Describer.
func (s *source) References(at core.Addr, _ uint64, visit func(heap.Edge)) {
	id, p := s.find(at)
	if id < 0 {
		return
	}
	s.b.Scanner.Clone().Inside(p, func(to int, word core.Addr) {
		visit(heap.Edge{Reference: s.reference(id, p, word), To: s.b.Index.Chunk(to).At})
	})
}

// reference names a word of a block.
func (s *source) reference(id int, p *block.Packed, word core.Addr) heap.Reference {
	name := s.b.Member(id, p, word)
	if name == "" {
		name = fmt.Sprintf("offset %d", word.Sub(p.At))
	}
	return heap.Reference{Name: name}
}

// Steps implements heap.Describer.
func (s *source) Steps(path []core.Addr) []heap.Step {
	out := make([]heap.Step, len(path))
	for i, at := range path {
		out[i].Class = s.Describe(at)
		if i == 0 {
			continue
		}
		id, p := s.find(path[i-1])
		if id < 0 {
			continue
		}
		s.b.Scanner.Clone().Inside(p, func(to int, word core.Addr) {
			if !out[i].Reference.Known() && s.b.Index.Chunk(to).At == at {
				out[i].Reference = s.reference(id, p, word)
			}
		})
	}
	return out
}
