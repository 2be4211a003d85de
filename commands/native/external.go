package native

import (
	"cmp"
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/malloc/managed"
)

// externalFacts is a pointer of an object of a managed heap to memory outside of it.
type externalFacts struct {
	Runtime string    `json:"runtime"`
	Object  core.Addr `json:"object"`
	Memory  core.Addr `json:"memory"`
	Bytes   uint64    `json:"memory_bytes,omitempty"` // as the object says
	Pointer string    `json:"pointer"`                // what it is: "backing store"
	HeldBy  string    `json:"held_by,omitempty"`      // what holds the object
}

const (
	// managedLimit is how large managed heaps may be, in bytes, to be searched for the owner of one address.
	managedLimit = 256 << 20
	maxOutside   = 4  // pointers that are shown
	maxHops      = 64 // references of an object that are followed
)

// outside names the managed objects that lead to the memory at the address, and the memory that an object at
// the address leads to.
func outside(ctx context.Context, c *commands.Call, block *chunkFacts) []*whatisRecord {
	s, a := c.Session, c.Dot
	r, ok := commands.RuntimeOf[runtimes.ExternalHolder](s)
	if !ok || !c.Flag('v') && managedBytes(ctx, s) > managedLimit {
		return nil
	}
	x, err := s.Native().Managed(ctx)
	if err != nil {
		c.Session.Warn(core.Unknown(fmt.Errorf("which objects of %s have memory outside of its heap is not known: %w",
			r.Name(), err)))
		return nil
	}
	var start core.Addr
	var size uint64
	if block != nil && block.State == "used" {
		start, size = block.Chunk, block.Size
	}
	var found []*whatisRecord
	list := x.Holding(a, start, size)
	for i := range list[:min(len(list), maxOutside)] {
		found = append(found, holds(ctx, &list[i], a))
	}
	if more := len(list) - maxOutside; more > 0 {
		c.Warn("%s more lead to the memory at %v", out.Count(uint64(more), "managed object"), a)
	}
	if len(list) == 0 && size > 0 {
		for _, b := range x.Through(ctx, start) {
			if len(found) == maxOutside {
				break
			}
			r := holds(ctx, &b.Pointer, b.At)
			k := s.Native().BlockClass(ctx, b.Block, b.Bytes, false)
			r.At = a
			r.Is = fmt.Sprintf("in a block that %s at %v leads to, which is %s",
				cmp.Or(commands.ClassWords(k), "a block"), b.Block, r.Is)
			found = append(found, r)
		}
	}
	return append(found, leads(ctx, s, x, a)...)
}

// managedBytes returns the size of the heaps whose objects may have memory outside of them, in bytes.
func managedBytes(ctx context.Context, s *commands.Session) (n uint64) {
	for _, r := range s.Found() {
		if _, ok := r.(runtimes.ExternalHolder); !ok {
			continue
		}
		if h, ok := r.(runtimes.HeapSizer); ok {
			if bytes, _, err := h.HeapSize(ctx); err == nil {
				n += bytes
				continue
			}
		}
		if o, ok := r.(runtimes.MemoryOwner); ok {
			if mem, err := o.OwnMemory(ctx); err == nil {
				for _, g := range mem.Spans {
					n += uint64(g.End - g.Start)
				}
			}
		}
	}
	return n
}

// holds describes the pointer of an object to the memory with an address.
func holds(ctx context.Context, p *managed.Pointer, a core.Addr) *whatisRecord {
	f := factsOf(p)
	text := ""
	if a != p.At {
		text = fmt.Sprintf("%d bytes into ", a.Sub(p.At))
		if a < p.At {
			text = fmt.Sprintf("in the block that has, %d bytes further on, ", p.At.Sub(a))
		}
	}
	text += fmt.Sprintf("the %s of %s", p.Name, describeObject(ctx, p))
	if p.Size > 0 {
		text += fmt.Sprintf(", %d bytes", p.Size)
	}
	if g, id, ok := nodeOf(ctx, p.Runtime, p.Object); ok {
		if f.HeldBy = managed.HeldBy(ctx, g, id); f.HeldBy != "" {
			text += ", held by " + f.HeldBy
		}
	}
	return &whatisRecord{At: a, Kind: "external", Is: text, externalFacts: f}
}

func factsOf(p *managed.Pointer) *externalFacts {
	return &externalFacts{Runtime: p.Runtime.Name(), Object: p.Object, Memory: p.At, Bytes: p.Size, Pointer: p.Name}
}

// leads describes the memory that the object at an address leads to, or the objects that it refers to.
func leads(ctx context.Context, s *commands.Session, x *managed.Pointers, a core.Addr) (found []*whatisRecord) {
	add := func(by string, list []managed.Pointer) {
		for i := range list {
			if len(found) == maxOutside {
				return
			}
			if text := memoryAt(ctx, s, &list[i]); text != "" {
				is := fmt.Sprintf("an object whose %s%s is %s", by, list[i].Name, text)
				found = append(found, &whatisRecord{At: a, Kind: "external", Is: is, externalFacts: factsOf(&list[i])})
			}
		}
	}
	add("", x.From(a))
	for _, r := range s.Found() {
		g, id, ok := nodeOf(ctx, r, a)
		if !ok || len(found) > 0 {
			continue
		}
		n := 0
		g.Source().References(g.Addr(id), g.Size(id), func(ref heap.Edge) {
			if n++; n <= maxHops && !ref.Weak {
				name := ref.String()
				if ref.Kind == heap.Property || ref.Kind == heap.Part {
					name = ref.Name
				}
				add(name+"'s ", x.From(ref.To))
			}
		})
	}
	return found
}

// nodeOf returns the object at an address in the graph of a runtime's heap.
func nodeOf(ctx context.Context, r runtimes.Runtime, at core.Addr) (*heap.Graph, heap.ID, bool) {
	x, ok := r.(runtimes.Grapher)
	if !ok {
		return nil, heap.None, false
	}
	if _, ok := r.(runtimes.ExternalHolder); !ok {
		return nil, heap.None, false
	}
	g, err := x.Graph(ctx)
	if err != nil {
		return nil, heap.None, false
	}
	id, ok := g.ID(g.Source().Start(at))
	return g, id, ok
}

// describeObject names an object: "ArrayBuffer at 0x21f8 (v8)".
func describeObject(ctx context.Context, p *managed.Pointer) string {
	name := "an object"
	if g, id, ok := nodeOf(ctx, p.Runtime, p.Object); ok {
		name = g.ClassOf(id)
	}
	return fmt.Sprintf("%s at %v (%s)", name, p.Object, p.Runtime.Name())
}

// memoryAt says what is at the memory of a pointer; "" if the process has no memory there.
func memoryAt(ctx context.Context, s *commands.Session, p *managed.Pointer) string {
	m, ok := s.Process.Mapping(p.At)
	if !ok {
		return ""
	}
	text := fmt.Sprintf("%v", p.At)
	if p.Size > 0 {
		text += fmt.Sprintf(", %d bytes", p.Size)
	}
	if h, err := s.Native().Malloc(ctx); err == nil {
		if f, ok := h.At(ctx, p.At); ok {
			return text + ": " + commands.ChunkWords(&f, p.At, s.Native().BlockClass(ctx, f.Addr, f.Size, false))
		}
	}
	if p.Size == 0 {
		return "" // a word that is no pointer to memory of the heap of C, such as a tag in constant data
	}
	return text + ": in " + describeMapping(m)
}
