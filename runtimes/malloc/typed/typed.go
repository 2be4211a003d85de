package typed

import (
	"bytes"
	"context"

	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/class"
	"coredbg/runtimes/malloc/leaks"
)

// A Variable is one that a frame has, with its value.
type Variable struct {
	Name  string // with its function: "r of handle"
	Value dwarf.Value
	// Begun says that the program has passed its declaration, so that its value is not left over.
	Begun bool
}

// Input is what the types of blocks are found by.
type Input struct {
	Process *core.Process
	Symbols *sym.Table
	Heaps   []*block.Heap
	Classes *class.Namer
	// Only has the addresses of the only blocks to begin with, in order; nil for all blocks and variables.
	Only []core.Addr
	// Unused says that only Blocks.Unused will be called: pointers that lead to no container are not followed.
	Unused bool
	// Variables calls visit for the variables of all frames, until it returns false; it may be nil.
	Variables func(ctx context.Context, visit func(*Variable) bool)
}

// Blocks says what blocks are.
type Blocks struct {
	Index   *block.Index
	Scanner *leaks.Scanner // it passes over Unused

	p       *core.Process
	symbols *sym.Table
	classes *class.Namer
	shapes  *shapes
	kind    []int32            // shapes, by block
	filled  map[int]core.Addr  // where the values in a container's buffer end, by block
	virtual []uint64           // a bit for each block that has a table of virtual functions
	globals map[core.Addr]*Use // variables of modules, by address
	stack   []Use              // variables of frames, by address
	types   bool               // whether a module has DWARF
}

// A Use is a place of the program that has pointers.
type Use struct {
	Start, End core.Addr
	Name       string // of the variable
	Source     string // the file that defines it; "" if that is not known
	Line       int
	shape      *shape
	count      uint64 // of the shape
}

// work is a piece of memory whose pointers are to be followed.
type work struct {
	at    core.Addr
	shape *shape
	count uint64
	begun bool // see Variable
}

// A maker follows pointers.
type maker struct {
	*Blocks
	c     *core.Cursor
	w     core.Addr
	work  []work
	last  int
	known map[string]*shape // of classes with virtual functions, by name
	// unused is Input.Unused.
	unused bool
}

// Find finds the types of all blocks. The only error is ctx's.
func Find(ctx context.Context, in Input) (*Blocks, error) {
	b := &Blocks{Index: block.NewIndex(in.Heaps), p: in.Process, symbols: in.Symbols, classes: in.Classes,
		globals: map[core.Addr]*Use{}, filled: map[int]core.Addr{}}
	b.Scanner = leaks.NewScanner(ctx, in.Process, in.Heaps, b.Index)
	b.kind, b.virtual = make([]int32, b.Index.Len()), make([]uint64, (b.Index.Len()+63)/64)
	m := &maker{Blocks: b, c: in.Process.Cursor(), known: map[string]*shape{}, unused: in.Unused}
	m.w = core.Addr(m.c.PtrSize())
	b.shapes = newShapes(uint64(m.w))
	if b.Index.Len() == 0 || in.Symbols == nil {
		return b, ctx.Err()
	}
	if in.Only != nil {
		for _, at := range in.Only {
			if id := b.Index.Find(at, &m.last); id >= 0 {
				m.object(id, b.Index.Chunk(id))
			}
		}
		m.follow(ctx)
		return b, ctx.Err()
	}
	for _, seed := range []func(context.Context, *Input){m.objects, m.variables, m.frames} {
		seed(ctx, &in)
		m.follow(ctx)
	}
	b.Scanner.PassOver(b.Unused())
	return b, ctx.Err()
}

// follow goes on from block to block.
func (m *maker) follow(ctx context.Context) {
	n := 0
	for len(m.work) > 0 {
		w := m.work[len(m.work)-1]
		m.work = m.work[:len(m.work)-1]
		for i := range w.count {
			if n++; n&1023 == 0 && ctx.Err() != nil {
				return
			}
			at := w.at + core.Addr(i*w.shape.size)
			for k := range w.shape.fields {
				m.field(at, &w.shape.fields[k], w.begun)
			}
		}
	}
}

// field follows one pointer of the object at an address.
func (m *maker) field(at core.Addr, f *field, begun bool) {
	to := m.c.Pointer(at + core.Addr(f.off))
	if m.c.Reset() != nil || to == 0 {
		return
	}
	s := f.to
	if s == nil {
		s = m.shapes.of(f.elem)
	}
	if s == nil || m.unused && f.until == 0 && !m.shapes.leads(s) {
		return
	}
	used := ^uint64(0)
	if f.until > 0 {
		end := m.c.Pointer(at + core.Addr(f.until-1))
		if m.c.Reset() != nil || end < to {
			return
		}
		used = uint64(end - to)
		if begun {
			m.fill(to, end, m.c.Pointer(at+core.Addr(f.until-1)+m.w), s)
		}
	}
	m.assign(to, s, used, begun)
}

// assign gives a block a shape if it has no shape yet. At most used bytes of the block are followed.
func (m *maker) assign(to core.Addr, s *shape, used uint64, begun bool) {
	to -= core.Addr(s.back)
	id := m.Index.Find(to, &m.last)
	if id < 0 || m.kind[id] != 0 {
		return
	}
	p := m.Index.Chunk(id)
	if p.At != to || s.size == 0 || s.number == 0 || p.Size() < s.size+s.back {
		return
	}
	m.kind[id] = s.number
	if len(s.fields) == 0 {
		return
	}
	n := uint64(1)
	if s.many {
		if n = s.count(p.Size(), uint64(m.w), m.Index.Rounded(id)); used != ^uint64(0) {
			n = min((p.Size()-s.back)/s.size, used/s.size)
		}
	}
	m.work = append(m.work, work{to + core.Addr(s.back), s, n, begun})
}

// Of returns the class of a block in use.
func (b *Blocks) Of(id int, p *block.Packed) class.Class {
	if p.Own() {
		return class.Class{Name: "(the allocator's own)"}
	}
	s := b.shapes.all[b.kind[id]]
	if s == nil || b.virtual[id>>6]>>(id&63)&1 == 1 {
		k := b.classes.Of(p.At, p.Size())
		if k.Kind == class.Vtable {
			k.Name = Label(k.Name)
		}
		return k
	}
	name := s.name
	if s.many && !s.label && s.count(p.Size(), b.shapes.word, b.Index.Rounded(id)) > 1 {
		name += " []"
	}
	return class.Class{Name: name, Kind: class.Typed}
}

// At says what the block in use at an address is; ok is false if there is none.
func (b *Blocks) At(at core.Addr) (k class.Class, ok bool) {
	last := 0
	id := b.Index.Find(at, &last)
	if id < 0 {
		return k, false
	}
	return b.Of(id, b.Index.Chunk(id)), true
}

// Why says why it is not known what a block is.
func (b *Blocks) Why() string {
	if !b.types {
		return "no module has debugging information with types"
	}
	return "no pointer with a known type leads to it"
}

// Member returns the path of the member that a word of a block is, such as "next" or "[2].name"; "" if that
// is not known.
func (b *Blocks) Member(id int, p *block.Packed, at core.Addr) string {
	s := b.shapes.all[b.kind[id]]
	if s == nil || at < p.At+core.Addr(s.back) {
		return ""
	}
	f, i := s.at(uint64(at-p.At) - s.back)
	return memberName(s, f, i, p.Size() >= 2*s.size+2*uint64(b.shapes.word))
}

func memberName(s *shape, f *field, i uint64, many bool) string {
	name := ""
	if f != nil {
		name = f.name
	}
	if s.many && many {
		name = index(i) + dot(name)
	}
	return name
}

// maxText is how many bytes of a block of text are shown.
const maxText = 60

// Text returns the text that a block begins with, cut after some 60 bytes.
func Text(process *core.Process, p *block.Packed) string {
	data, _ := core.ReadBytes(process.Space, p.At, min(p.Size(), maxText+1))
	if i := bytes.IndexByte(data, 0); i >= 0 {
		data = data[:i]
	}
	if len(data) > maxText {
		return string(data[:maxText]) + "…"
	}
	return string(data)
}
