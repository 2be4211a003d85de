package native

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/class"
	"coredbg/stack"
	"coredbg/walk"
)

var whatisCommands = []commands.Command{
	{
		Name: "whatis", Addr: commands.AddrRequired,
		Options: []commands.Option{
			{Letter: 'v', Help: "also the registers and threads that hold the address, the frame around it, and managed objects in large heaps"},
		},
		Summary: "describe the memory at an address",
		Detail: `Looks at symbols, thread stacks, the objects of managed runtimes, goroutines
with their stacks, the chunks of the allocator of C, and the mappings, and says all that is found.

A managed object and its memory of the heap of C point at each other: an ArrayBuffer or a Buffer and its backing store, a wrapper
and its object of C++, an External of Node-API, a direct ByteBuffer, an object of Java with a long that is the address of a block.
The property or static field that holds the object is shown, too. A block that nothing else names is shown with the blocks of known
classes that lead to it: the buffer of a bytearray of CPython. If the managed heaps are larger than 256 MiB, -v asks for that.`,
		Example: "main::whatis",
		SeeAlso: []string{"mappings", "ugrep", "chunk", "v8type", "goroutines"},
		Run:     runWhatis,
	},
}

// A whatisRecord is one thing that is true of an address.
type whatisRecord struct {
	_    out.Record `record:"whatis" text:"{addr} is {is}"`
	At   core.Addr  `json:"addr" dot:"always"`
	Kind string     `json:"kind"` // symbol, stack, runtime, chunk, external, mapping, register, tag, none
	Is   string     `json:"is"`
	TID  int        `json:"tid,omitempty"`
	*chunkFacts
	*externalFacts
}

// chunkFacts is the C allocator's description of an address.
type chunkFacts struct {
	Chunk  core.Addr `json:"chunk"`           // what malloc returned
	Size   uint64    `json:"size"`            // usable bytes
	Offset int64     `json:"offset"`          // of the address in it
	State  string    `json:"state"`           // used, free, top, lost: after a header that was overwritten
	List   string    `json:"list,omitempty"`  // where a free one is kept: tcache, fastbin, bin
	Class  string    `json:"class,omitempty"` // what it is, if that shows
	// Holders are the blocks of known classes that lead to this one, if Class is not known, or is text.
	Holders []commands.BlockHolder `json:"holders,omitempty"`
}

// holdersText names the first holders of a block.
func holdersText(list []commands.BlockHolder) string {
	text := ""
	for i, h := range list[:min(len(list), maxOutside)] {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %s at %v", h.Class, h.At)
	}
	switch more := len(list) - maxOutside; {
	case text == "":
		return ""
	case more > 0:
		return fmt.Sprintf("; pointed to by%s and %d more", text, more)
	}
	return "; pointed to by" + text
}

// inChunk names the chunk of the C allocator that contains the address.
func inChunk(ctx context.Context, c *commands.Call) *whatisRecord {
	s, a := c.Session, c.Dot
	m, ok := s.Process.Mapping(a)
	if !ok || m.Prot&core.Write == 0 || m.Path != "" && m.Path != "[heap]" || s.Process.Module(a) != nil {
		return nil
	}
	h, err := s.Native().Malloc(ctx)
	if err != nil {
		return nil
	}
	f, ok := h.At(ctx, a)
	if !ok {
		return nil
	}
	x := &chunkFacts{Chunk: f.Addr, Size: f.Size, Offset: a.Sub(f.Addr), State: f.State.String(), List: f.List}
	var k class.Class
	if f.State == malloc.Used {
		k = s.Native().BlockClass(ctx, f.Addr, f.Size, false)
		x.Class = k.Name
	}
	words := commands.ChunkWords(&f, a, k)
	if f.State == malloc.Used && f.List == "" && (k.Name == "" || k.Kind == class.Text) {
		x.Holders = s.Native().BlockHolders(ctx, f.Addr)
		words += holdersText(x.Holders)
	}
	return &whatisRecord{At: a, Kind: "chunk", Is: words, chunkFacts: x}
}

func runWhatis(ctx context.Context, c *commands.Call) error {
	s, a := c.Session, c.Dot
	if tag := aboutTag(s.Process, a); tag != "" {
		if err := c.Emit(&whatisRecord{At: a, Kind: "tag", Is: tag}); err != nil {
			return err
		}
		a &^= s.Process.Space.Ignored
		c.Dot = a
	}
	var found []*whatisRecord
	say := func(kind string, tid int, format string, args ...any) {
		found = append(found, &whatisRecord{At: a, Kind: kind, Is: fmt.Sprintf(format, args...), TID: tid})
	}
	if y, _, ok := s.Symbols.Lookup(a); ok {
		say("symbol", 0, "%s, in a symbol of %d bytes", symbolic(s, a), y.Size)
	} else if y, off, ok := s.Symbols.Cover(a); ok {
		say("symbol", 0, "%s, %#x bytes into a function of %d bytes whose name was left out of the bundle",
			symbolic(s, a), off, y.Size)
	}
	onStack(ctx, c, say)
	for _, r := range s.Runtimes() {
		if id, ok := r.(runtimes.Identifier); ok {
			if is, ok := id.WhatIs(a); ok {
				say("runtime", 0, "%s: %s", r.Name(), is)
			}
		}
	}
	r := inChunk(ctx, c)
	if r != nil {
		found = append(found, r)
		found = append(found, outside(ctx, c, r.chunkFacts)...)
	} else {
		found = append(found, outside(ctx, c, nil)...)
	}
	if m, ok := s.Process.Mapping(a); ok {
		say("mapping", 0, "%s%#x bytes into %s", describeByte(s.Process, a), uint64(a-m.Start), describeMapping(m))
	} else {
		say("none", 0, "%s", where.Near(s.Process, a))
	}
	if c.Flag('v') {
		inRegisters(s.Process, a, say)
	}
	return commands.EmitAll(c, found)
}

type sayer = func(kind string, tid int, format string, args ...any)

// onStack names the stack that contains the address and, with -v, the frame.
func onStack(ctx context.Context, c *commands.Call, say sayer) {
	s, a := c.Session, c.Dot
	t := stackOf(s, a)
	if t == nil {
		return
	}
	v, _ := t.Regs.Get(s.Process.Arch.SP)
	sp := core.Addr(v)
	words := fmt.Sprintf("on the stack of thread %d, %#x bytes above its stack pointer", t.TID, uint64(a-sp))
	if a < sp {
		words = fmt.Sprintf("below the stack of thread %d, %#x bytes under its stack pointer", t.TID, uint64(sp-a))
	}
	if c.Flag('v') && a >= sp {
		rec := s.Stacks.Thread(ctx, t, stack.Options{})
		for i := range rec.Frames {
			if f := &rec.Frames[i]; f.SP <= a && a < f.CFA && !f.Inlined {
				words += fmt.Sprintf(", in frame #%d, %s", f.Index, f.Symbolic())
				break
			}
		}
	}
	say("stack", t.TID, "%s", words)
}

// stackOf returns the thread whose stack pointer is in the same mapping as a, the
// nearest to it if there are several. Where a runtime knows the bounds of a stack, such as in
// its heap, those count.
func stackOf(s *commands.Session, a core.Addr) *core.Thread {
	p := s.Process
	m, ok := p.Mapping(a)
	if !ok || p.Arch == nil || m.Prot&core.Write == 0 {
		return nil
	}
	var best *core.Thread
	var bestDist uint64
	for _, t := range p.Threads {
		v, ok := t.Regs.Get(p.Arch.SP)
		sp := core.Addr(v)
		if !ok || sp < m.Start || sp >= m.End || beyond(s, sp, a) {
			continue
		}
		d := uint64(a - sp)
		if a < sp {
			d = uint64(sp-a) | 1<<63 // what lies above a stack pointer belongs to it
		}
		if best == nil || d < bestDist {
			best, bestDist = t, d
		}
	}
	return best
}

// beyond reports whether a runtime knows the stack of a stack pointer, and that a is not in it.
func beyond(s *commands.Session, sp, a core.Addr) bool {
	for _, r := range s.Runtimes() {
		if b, ok := r.(walk.Bounder); ok {
			if low, high, ok := b.Stack(sp); ok {
				return a < low || a >= high
			}
		}
	}
	return false
}

func inRegisters(p *core.Process, a core.Addr, say sayer) {
	if p.Arch == nil {
		return
	}
	for _, t := range p.Threads {
		for i, name := range p.Arch.RegNames {
			if v, ok := t.Regs.Get(i); ok && core.Addr(v) == a {
				say("register", t.TID, "in %%%s of thread %d", name, t.TID)
			}
		}
	}
}

// describeByte says what the core lacks there, if it does.
func describeByte(p *core.Process, a core.Addr) string {
	seg, ok := p.Space.Resolve(a)
	if !ok || seg.Kind != core.SegGap {
		return ""
	}
	return fmt.Sprintf("<%v>, ", seg.Gap)
}

// describeMapping says which mapping it is.
func describeMapping(m core.Mapping) string {
	name := m.Path
	if name == "" {
		name = "an anonymous mapping"
	}
	s := fmt.Sprintf("%s, [%x, %x) %v", name, uint64(m.Start), uint64(m.End), m.Prot)
	if m.Path != "" && m.Path[0] != '[' {
		s += fmt.Sprintf(", file offset %#x", m.Off)
	}
	return s
}
