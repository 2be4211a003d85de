package commands

import (
	"context"
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/class"
)

// Malloc returns the allocators of the process, which are looked for once.
func (s *Session) Malloc(ctx context.Context) (*malloc.Heap, error) {
	if s.malloc == nil {
		h, err := malloc.Open(ctx, s.Process)
		if err != nil {
			return nil, core.Unknown(err)
		}
		s.malloc = h
	}
	return s.malloc, nil
}

// Classes says what blocks of the allocators are.
func (s *Session) Classes() *class.Namer {
	if s.classes == nil {
		s.classes = class.New(s.Process, s.Symbols)
	}
	return s.classes
}

// ChunkWords describes an address in a chunk: its offset, the chunk's state, size and class.
func (s *Session) ChunkWords(f *malloc.Found, a core.Addr) string {
	in := ""
	if off := a.Sub(f.Addr); off != 0 {
		in = fmt.Sprintf("%d bytes into ", off)
	}
	of := f.Allocator.Name()
	if f.Mapped {
		of += ", mapped for itself"
	} else if f.ArenaName != "" {
		if c := f.ArenaName[0]; c >= '0' && c <= '9' {
			of += ", arena"
		} else {
			of += ","
		}
		of += " " + f.ArenaName
	} else if f.Arena != 0 {
		of += fmt.Sprintf(", arena %v", f.Arena)
	}
	switch f.State {
	case malloc.Top:
		return fmt.Sprintf("%sthe %d bytes that no chunk has, the rest of the heap (%s)", in, f.Size, of)
	case malloc.Lost:
		return fmt.Sprintf("%smemory of the heap after a header that was overwritten (%s)", in, of)
	case malloc.Free:
		return fmt.Sprintf("%sa free chunk of %d (%s, in a %s)", in, f.Size, of, f.List)
	}
	text := fmt.Sprintf("%sa used chunk of %d (%s)", in, f.Size, of)
	if f.List != "" {
		return text + ", the allocator's own: " + f.List
	}
	if k := s.Classes().Of(f.Addr, f.Size); k.Name != "" {
		text += fmt.Sprintf(", %s", ClassWords(k))
	}
	return text
}

// ClassWords says what a block is, and how that is known.
func ClassWords(k class.Class) string {
	switch k.Kind {
	case class.Vtable:
		return "a " + k.Name + " (vtable)"
	case class.Constant:
		return "a block " + k.Name
	case class.Text:
		return "text"
	}
	return k.Name
}
