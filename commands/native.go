package commands

import (
	"context"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/class"
	"coredbg/runtimes/malloc/graph"
	"coredbg/runtimes/malloc/managed"
	"coredbg/runtimes/malloc/slots"
	"coredbg/runtimes/malloc/typed"
	"coredbg/stack"
	"coredbg/walk"
)

// Native is the memory of a process's allocators: the heaps, their blocks and the classes of these. Each is
// found once. The session has to be complete when it is first asked for them.
type Native struct {
	process *core.Process
	symbols *sym.Table
	stacks  *stack.Engine
	found   func() []runtimes.Runtime
	frames  FrameReader // nil if the variables of frames are not known
	leftOut func(error) // may be nil

	malloc  *malloc.Heap // nil until it is asked for
	classes *class.Namer
	blocks  *typed.Blocks
	heap    *graph.Heap
	managed *managed.Pointers
	both    *typed.Blocks  // of the allocators and of slots
	slots   *[]*slots.Heap // nil until they are asked for
}

// Malloc returns the allocators of the process, which are looked for once.
func (n *Native) Malloc(ctx context.Context) (*malloc.Heap, error) {
	if n.malloc == nil {
		h, err := malloc.Open(ctx, n.process)
		if err != nil {
			return nil, core.Unknown(err)
		}
		n.malloc = h
		n.Classes().Ask(h.All)
	}
	return n.malloc, nil
}

// Classes says what blocks of the allocators are.
func (n *Native) Classes() *class.Namer {
	if n.classes == nil {
		n.classes = class.New(n.process, n.symbols)
	}
	return n.classes
}

// Blocks says what the blocks of the allocators are, by the types of the pointers that lead to them too, which takes
// a look at all of them, once.
func (n *Native) Blocks(ctx context.Context) (*typed.Blocks, error) {
	if n.blocks != nil {
		return n.blocks, nil
	}
	h, err := n.Malloc(ctx)
	if err != nil {
		return nil, err
	}
	heaps := block.Heaps(ctx, h.All)
	for _, x := range n.Slots(ctx) {
		heaps = append(heaps, x.Holes())
	}
	b, err := n.typed(ctx, heaps)
	if err != nil {
		return nil, err
	}
	n.blocks = b
	return b, nil
}

// typed says what the blocks of heaps are.
func (n *Native) typed(ctx context.Context, heaps []*block.Heap) (*typed.Blocks, error) {
	return typed.Find(ctx, n.typedInput(heaps))
}

func (n *Native) typedInput(heaps []*block.Heap) typed.Input {
	in := typed.Input{Process: n.process, Symbols: n.symbols, Heaps: heaps, Classes: n.Classes()}
	if n.frames != nil {
		in.Variables = n.frames.Variables
	}
	return in
}

// Unused returns the parts of blocks that are known to be unused capacity of containers.
func (n *Native) Unused(ctx context.Context) ([]block.Span, error) {
	if n.blocks != nil {
		return n.blocks.Unused(), nil
	}
	h, err := n.Malloc(ctx)
	if err != nil {
		return nil, err
	}
	in := n.typedInput(block.Heaps(ctx, h.All))
	in.Unused = true
	b, err := typed.Find(ctx, in)
	if err != nil {
		return nil, err
	}
	return b.Unused(), nil
}

// Slots returns the heaps of runtimes that know which of their slots have objects. They are read once. A heap
// that cannot be read is left out, with a warning.
func (n *Native) Slots(ctx context.Context) []*slots.Heap {
	if n.slots != nil {
		return *n.slots
	}
	var out []*slots.Heap
	for _, r := range n.found() {
		x, ok := r.(runtimes.Slotter)
		if !ok {
			continue
		}
		h, err := slots.New(ctx, x)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			if n.leftOut != nil {
				n.leftOut(core.Unknown(fmt.Errorf("all memory of %s counts as in use: %w", r.Name(), err)))
			}
		default:
			h.Trim(func(t *core.Thread, start, end core.Addr) core.Addr { return n.lowestFrame(ctx, t, start, end) })
			out = append(out, h)
		}
	}
	n.slots = &out
	return out
}

// lowestFrame returns the lowest stack pointer that frames of a thread have in a part of memory, 0 if there
// may be frames that the walk has not found.
func (n *Native) lowestFrame(ctx context.Context, t *core.Thread, start, end core.Addr) (low core.Addr) {
	for _, f := range n.stacks.Thread(ctx, t, stack.Options{}).Frames {
		if f.Gap || f.Trust == walk.Scanned || f.SP == 0 {
			return 0
		}
		if f.SP >= start && f.SP < end && (low == 0 || f.SP < low) {
			low = f.SP
		}
	}
	return low
}

// BlockText returns the text that a block begins with, cut after some 60 bytes.
func BlockText(of *core.Process, p *block.Packed) string { return typed.Text(of, p) }

// Managed returns the pointers of managed objects to memory outside of their heaps, which are gathered once.
// That takes a look at all objects.
func (n *Native) Managed(ctx context.Context) (*managed.Pointers, error) {
	if n.managed != nil {
		return n.managed, nil
	}
	var heaps []*block.Heap
	if h, err := n.Malloc(ctx); err == nil {
		heaps = block.Heaps(ctx, h.All)
	}
	all, err := managed.Find(ctx, n.process, n.found(), heaps)
	if err != nil {
		return nil, err
	}
	n.managed = all
	return all, nil
}

// Heap returns the blocks of the allocators as a heap whose graph can be made.
func (n *Native) Heap(ctx context.Context) (runtimes.Grapher, error) {
	if n.heap == nil {
		h, err := n.Malloc(ctx)
		if err != nil {
			return nil, err
		}
		n.heap = &graph.Heap{Process: n.process, Symbols: n.symbols, Allocators: h.All, Blocks: n.Blocks,
			Managed: n.Managed}
		for _, r := range n.found() {
			if o, ok := r.(runtimes.MemoryOwner); ok {
				n.heap.Owners = append(n.heap.Owners, o)
			}
		}
		for _, x := range n.Slots(ctx) {
			n.heap.Stacks, n.heap.Internal = append(n.heap.Stacks, x.Stacks()...), x.Internal
			if x.Large() {
				continue
			}
			n.heap.Allocators = append(n.heap.Allocators[:len(n.heap.Allocators):len(n.heap.Allocators)], x)
			n.Classes().Ask([]block.Allocator{x})
			n.heap.Blocks = n.joined
		}
	}
	return n.heap, nil
}

// joined says what the blocks of the allocators and the objects of runtimes' slots are.
func (n *Native) joined(ctx context.Context) (*typed.Blocks, error) {
	if n.both == nil {
		b, err := n.typed(ctx, block.Heaps(ctx, n.heap.Allocators))
		if err != nil {
			return nil, err
		}
		n.both = b
	}
	return n.both, nil
}

// smallHeap is how much memory a process may have, in bytes, for all its blocks to be looked at for the sake of one.
const smallHeap = 64 << 20

// BlockClass says what the block in use at an address is. In a process with much memory only its own contents
// count, unless whole is set.
func (n *Native) BlockClass(ctx context.Context, at core.Addr, size uint64, whole bool) class.Class {
	if whole || anonymous(n.process) <= smallHeap {
		blocks := n.Blocks
		if _, err := n.Heap(ctx); err == nil {
			blocks = n.heap.Blocks // pointers of a runtime's objects say what blocks are, too
		}
		if b, err := blocks(ctx); err == nil {
			if k, ok := b.At(at); ok {
				return k
			}
		}
	}
	return n.Classes().Of(at, size)
}

// A BlockHolder is a block of a known class that leads to another block.
type BlockHolder struct {
	At    core.Addr `json:"addr"`
	Class string    `json:"class"`
}

// BlockHolders returns the blocks of known classes that lead to a block, the most retaining first. In a
// process with much memory they are not looked for.
func (n *Native) BlockHolders(ctx context.Context, at core.Addr) (out []BlockHolder) {
	if anonymous(n.process) > smallHeap {
		return nil
	}
	r, err := n.Heap(ctx)
	if err != nil {
		return nil
	}
	g, err := r.Graph(ctx)
	if err != nil {
		return nil
	}
	id, ok := g.ID(at)
	if !ok {
		return nil
	}
	for _, h := range g.Holders(id, maxHolders) {
		if name := g.Type(h).Class; !strings.HasPrefix(name, "(") {
			out = append(out, BlockHolder{g.Addr(h), name})
		}
	}
	return out
}

// maxHolders is how many blocks with a pointer to one are looked at.
const maxHolders = 64

// anonymous returns how many bytes of memory of no file the process could write.
func anonymous(p *core.Process) (n uint64) {
	for _, m := range p.Mappings {
		if m.Prot&core.Write != 0 && (m.Path == "" || m.Path == "[heap]") {
			n += min(uint64(m.End-m.Start), max(m.Dumped, 1))
		}
	}
	return n
}

// ChunkWords describes an address in a chunk of a class: its offset, the chunk's state and size.
func ChunkWords(f *malloc.Found, a core.Addr, k class.Class) string {
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
	if k.Name != "" {
		text += fmt.Sprintf(", %s", ClassWords(k))
	}
	return text
}

// ClassWords says what a block is, and how that is known.
func ClassWords(k class.Class) string {
	switch k.Kind {
	case class.Vtable:
		return article(k.Name) + " (vtable)"
	case class.Constant:
		return "a block " + k.Name
	case class.Text:
		return "text"
	case class.Typed:
		return article(k.Name) + " (by a pointer to it)"
	}
	return k.Name
}

// article puts one before a name.
func article(name string) string {
	if name != "" && strings.ContainsRune("AEIOaeio", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}
