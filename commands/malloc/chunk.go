package malloc

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/class"
	"coredbg/runtimes/malloc/typed"
)

var chunkCommands = []commands.Command{{
	Name: "chunk", Module: module, Addr: commands.AddrRequired,
	Options: []commands.Option{{Letter: 'n', Arg: "count", Help: "show this many words (default 8)"}},
	Summary: "show the chunk of the allocator that holds an address",
	Detail: `Shows the usable bytes of the chunk, its state, its first words and its neighbours. Its class is shown if it is known: an object
of C++ by its table of virtual functions, any block by the type of the pointers that lead to it from variables, a struct by a
pointer to named constant data, text. Any address in the chunk or its header
will do.`,
	Example: "::cxxobjects Request | ::head -n 2 | ::chunk",
	SeeAlso: []string{"whatis", "malloc", "cxxobjects"},
	Run:     runChunk,
}}

// A neighbour is a chunk in few words.
type neighbour struct {
	At    core.Addr `json:"addr"`
	Size  uint64    `json:"size"`  // usable bytes
	State string    `json:"state"` // used, free, top, lost
	List  string    `json:"list,omitempty"`
	Class string    `json:"class,omitempty"`
}

// A chunkRecord is a chunk.
type chunkRecord struct {
	_     out.Record `record:"chunk"`
	At    core.Addr  `json:"addr" dot:"always"` // what malloc returned
	Size  uint64     `json:"size"`              // usable bytes
	State string     `json:"state"`             // used, free, top, lost: after a header that was overwritten
	List  string     `json:"list,omitempty"`    // where a free one is kept: tcache, fastbin, bin
	Class string     `json:"class,omitempty"`   // what it is, if that shows
	// how that is known: vtable, type, object, shape, constant, text
	Kind      string      `json:"class_by,omitempty"`
	Why       string      `json:"class_unknown,omitempty"` // why it is not
	Allocator string      `json:"allocator"`
	Arena     string      `json:"arena"`            // its address; mapped for a chunk that was mapped for itself
	Before    *neighbour  `json:"before,omitempty"` // the chunk before
	After     *neighbour  `json:"after,omitempty"`
	Words     []core.Addr `json:"words"` // the first ones

	symbols []string
	words   string
	width   int
}

const defaultWords = 8

func runChunk(ctx context.Context, c *commands.Call) error {
	n, err := c.Int('n', defaultWords)
	if err != nil {
		return err
	}
	h, err := c.Session.Native().Malloc(ctx)
	if err != nil {
		return err
	}
	f, ok := h.Find(ctx, c.Dot)
	// an address in the header of a chunk stands for that
	if header := core.Addr(2 * c.Session.Process.Cursor().PtrSize()); !ok {
		f, ok = h.Find(ctx, c.Dot+header)
		ok = ok && f.Addr > c.Dot
	}
	if !ok {
		return fmt.Errorf("no known allocator has a chunk at %v", c.Dot)
	}
	r := &chunkRecord{At: f.Addr, Size: f.Size, State: f.State.String(), List: f.List, Allocator: f.Allocator.Name(),
		Arena: arenaName(f.Heap, f.Heap.Regions[f.Ref.Region].Arena), Words: []core.Addr{}}
	b, err := c.Session.Native().Blocks(ctx)
	if err != nil {
		return err
	}
	var k class.Class
	if f.State == malloc.Used {
		k, _ = b.At(f.Addr)
		if r.Class, r.Kind = k.Name, string(k.Kind); k.Name == "" {
			r.Why = b.Why()
		}
	}
	r.words = commands.ChunkWords(&f, f.Addr, k)
	if r.Why != "" {
		r.words += "; what it is is not known: " + r.Why
	}
	r.Before, r.After = near(b, &f, -1), near(b, &f, 1)
	r.read(c.Session, n)
	return c.Emit(r)
}

// near returns the neighbour of a chunk.
func near(b *typed.Blocks, f *malloc.Found, by int) *neighbour {
	i := f.Ref.Index + by
	if i < 0 || i >= len(f.Heap.Regions[f.Ref.Region].Chunks) {
		return nil
	}
	x := f.Heap.Chunk(block.Ref{Region: f.Ref.Region, Index: i})
	n := &neighbour{At: x.Addr, Size: x.Size, State: x.State.String(), List: x.List}
	if x.State == malloc.Used {
		k, _ := b.At(x.Addr)
		n.Class = k.Name
	}
	return n
}

// read reads the first words.
func (r *chunkRecord) read(s *commands.Session, n int) {
	cur := s.Process.Cursor()
	w := core.Addr(cur.PtrSize())
	r.width = 2 * int(w)
	for i := range core.Addr(n) {
		if uint64((i+1)*w) > r.Size {
			break
		}
		v := cur.Pointer(r.At + i*w)
		if cur.Reset() != nil {
			break
		}
		name := ""
		if y, off, ok := s.Symbols.Lookup(v); ok {
			if name = sym.Demangle(y.Name, true); off != 0 {
				name += fmt.Sprintf("+%#x", off)
			}
		}
		r.Words, r.symbols = append(r.Words, v), append(r.symbols, name)
	}
}

// Text writes the chunk, its words and its neighbours.
func (r *chunkRecord) Text(w *out.Writer) {
	if r.Before != nil {
		r.Before.text(w, "before")
	}
	w.Paint(out.Addr, "%v", r.At)
	w.Printf(" is %s\n", out.Clean(r.words, false))
	for i, v := range r.Words {
		w.Printf("  +%-6d %0*x", i*r.width/2, r.width, uint64(v))
		if r.symbols[i] != "" {
			w.Printf("  ")
			w.Paint(out.Symbol, "%s", out.Clean(r.symbols[i], false))
		}
		w.Printf("\n")
	}
	if r.After != nil {
		r.After.text(w, "after")
	}
}

func (n *neighbour) text(w *out.Writer, where string) {
	w.Printf("%s: ", where)
	w.Paint(out.Addr, "%v", n.At)
	w.Printf(", %d bytes, %s", n.Size, n.State)
	if n.List != "" {
		w.Printf(" (%s)", n.List)
	}
	if n.Class != "" {
		w.Printf(", %s", out.Clean(n.Class, false))
	}
	w.Printf("\n")
}

// walkChunks yields the addresses of all chunks in use.
func walkChunks(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	all, err := heapsOf(ctx, c)
	if err != nil {
		return err
	}
	more := true
	for _, k := range all {
		k.heap.Each(func(_ block.Ref, p *block.Packed) bool {
			more = p.State() != block.Used || yield(p.At)
			return more
		})
		if !more {
			break
		}
	}
	return nil
}
