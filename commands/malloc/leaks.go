package malloc

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/class"
	"coredbg/runtimes/malloc/leaks"
	"coredbg/runtimes/malloc/managed"
	"coredbg/runtimes/malloc/typed"
)

var leakCommands = []commands.Command{{
	Name: "findleaks", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'v', Help: "each lost block that no other lost block holds, with the blocks it holds"},
		{Letter: 'w', Help: "then the code that makes objects of the lost classes, on x86-64"},
		{Letter: 'c', Help: "conservative: what free chunks, dead stacks and unused capacity hold counts, too"},
	},
	Summary: "find blocks of the heap of C that nothing points to",
	Detail: `A block in use is lost if nothing points into it: no register, no stack above its stack pointer, no thread-local or global
data, no mapped memory, no object of a managed heap, and no other block in use that is itself not lost. Dead parts of stacks, free chunks and, where
DWARF says what a std::vector is, its unused capacity do not count; with -c they do. Lost blocks are grouped by class and size, the largest sum first. COUNT is the number of blocks that no other lost block points
to, such as the head of a list. HELD is the number of lost blocks that only these point to. BYTES covers both. The last line has the sums.

Slots of Go's heap without an object, and parts of goroutines' stacks that are not in use, lead to nothing, either.
A word counts as a pointer if it looks like one, so a number may keep a block by chance: there may be more lost blocks than shown.
-w finds code by the table of virtual functions whose address it takes, as constructors do, which may be inlined.
There cannot be fewer, unless the program hides its pointers. Valgrind calls the two kinds definitely and indirectly lost.`,
	Example:   "::findleaks -v",
	SeeAlso:   []string{"chunk", "malloc", "cxxobjects", "leaks"},
	EmptyText: "every block is reached from somewhere",
	Run:       runFindleaks,
}}

// A leakRecord is lost blocks of a kind.
type leakRecord struct {
	_     out.Record `record:"cleak" cols:"First Size Count Held Bytes name"`
	First core.Addr  `json:"addr" col:"FIRST,16/12,right,%x" ink:"addr" dot:"always"` // one of them
	Size  uint64     `json:"size" col:"SIZE,10/8,right"`                              // usable bytes of each
	// that no other lost block leads to
	Count int    `json:"count" col:"COUNT,10/8,right"`
	Held  int    `json:"held,omitempty" col:"HELD,10/8,right"` // lost blocks that only these lead to
	Bytes uint64 `json:"bytes" col:"BYTES,14/11,right"`        // of all of these
	Class string `json:"class,omitempty"`                      // what they are, if that shows
	// how that is known: vtable, type, object, constant, text
	Kind class.Kind `json:"class_by,omitempty"`
	Ring bool       `json:"ring,omitempty"` // they go round in a circle

	name string `col:"WHAT" ink:"symbol"`
}

// A leaksRecord is the sums of the lost blocks.
type leaksRecord struct {
	_         out.Record `record:"cleaks" text:"{Count} blocks of {Bytes} bytes are lost, of {Used} of {UsedBytes} bytes in use"`
	Count     int        `json:"count"`
	Bytes     uint64     `json:"bytes"`
	Used      int        `json:"used"`
	UsedBytes uint64     `json:"used_bytes"`
}

func runFindleaks(ctx context.Context, c *commands.Call) error {
	all, err := heapsOf(ctx, c)
	if err != nil {
		return err
	}
	var heaps []*block.Heap
	for _, k := range all {
		heaps = append(heaps, k.heap)
	}
	o := leaks.Options{Conservative: c.Flag('c')}
	if !o.Conservative {
		for _, x := range c.Session.Native().Slots(ctx) {
			heaps = append(heaps, x.Holes())
		}
	}
	switch objects, err := c.Session.Native().Managed(ctx); {
	case err == nil:
		o.Held = func(mark func(core.Addr)) { objects.All(func(p *managed.Pointer) { mark(p.At) }) }
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		c.Session.Warn(core.Unknown(fmt.Errorf("blocks that only objects of a managed heap hold may be called lost: %w",
			err)))
	}
	if !o.Conservative {
		if o.Unused, err = c.Session.Native().Unused(ctx); err != nil {
			return err
		}
	}
	res, err := leaks.Find(ctx, c.Session.Process, heaps, o)
	if err != nil {
		return err
	}
	if res.Missing > 0 {
		c.Session.Warn(core.Unknown(fmt.Errorf("%d bytes that may lead to blocks are not in the core: blocks that only they lead to are called lost", res.Missing)))
	}
	var rows []*leakRecord
	if res.Count > 0 {
		// No variable leads to a lost block: only lost blocks can say what others are.
		in := typed.Input{Process: c.Session.Process, Symbols: c.Session.Symbols, Heaps: heaps,
			Classes: c.Session.Native().Classes(), Only: []core.Addr{}}
		for i := range res.Clusters {
			in.Only = append(in.Only, res.Clusters[i].Addr)
		}
		b, err := typed.Find(ctx, in)
		if err != nil {
			return err
		}
		rows = leakRows(b, res, c.Flag('v'))
		if err := commands.EmitAll(c, rows); err != nil {
			return err
		}
	}
	if err := c.Emit(&leaksRecord{Count: res.Count, Bytes: res.Bytes, Used: res.Used,
		UsedBytes: res.UsedBytes}); err != nil || !c.Flag('w') {
		return err
	}
	return emitMakers(ctx, c, rows)
}

// leakRows groups the clusters; each is a row of its own if all are wanted.
func leakRows(b *typed.Blocks, res *leaks.Result, each bool) []*leakRecord {
	type key struct {
		class class.Class
		size  uint64
		at    core.Addr
	}
	rows := map[key]*leakRecord{}
	var list []*leakRecord
	for i := range res.Clusters {
		x := &res.Clusters[i]
		k := key{size: x.Size}
		k.class, _ = b.At(x.Addr)
		if each {
			k.at = x.Addr
		}
		r := rows[k]
		if r == nil {
			r = &leakRecord{First: x.Addr, Size: x.Size, Class: k.class.Name, Kind: k.class.Kind,
				name: cmp.Or(k.class.Name, "-")}
			rows[k] = r
			list = append(list, r)
		}
		r.Count++
		r.Held += x.Held
		r.Bytes += x.Bytes
		r.Ring = r.Ring || x.Ring
	}
	slices.SortStableFunc(list, func(a, b *leakRecord) int { return -cmp.Compare(a.Bytes, b.Bytes) })
	return list
}
