package malloc

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/malloc/block"
)

var memoryCommands = []commands.Command{{
	Name: "memory", Module: module, Addr: commands.AddrNone,
	Summary: "show where the memory of the process went",
	Detail: `Each byte of the address space counts once, for the first owner that is known: heaps of V8, Java and Go, allocators of C by their
names, stacks, data and code of files, code made at run time, shared memory. The rest is anonymous memory.
SIZE is the bytes that were mapped, and IN CORE the bytes in the core. TOUCHED leaves out the holes of the core file, where a kernel
writes no page that was never touched. USED and FREE are the owner's own account: objects and free space of a runtime's heap, blocks
of an allocator in use and free, stacks above their stack pointers. Memory without any access is reserved, not used. The last line
names the largest use. For an allocator it also names the class of blocks that keeps most of it, and the holder of one block: a managed object, a
variable, a goroutine. Objects of Go that have blocks are among the classes.`,
	Example: "::memory",
	SeeAlso: []string{"malloc", "mappings", "heapstat", "v8spaces", "coverage"},
	Run:     runMemory,
}}

// A memoryRecord is the memory of one owner.
type memoryRecord struct {
	_ out.Record `record:"memory" cols:"Owner Size InCore Touched Used Free Pieces"`
	// v8, art, glibc …, stacks, code, data, files, made code, shared, anonymous, reserved, kernel
	Owner  string `json:"owner" col:"OWNER,24"`
	Size   uint64 `json:"bytes" col:"SIZE,16/12,right"`
	InCore uint64 `json:"in_core" col:"IN CORE,16/12,right"` // bytes that the core has
	// of these, bytes outside the holes of the core: memory that was never touched is a hole
	Touched uint64 `json:"touched" col:"TOUCHED,16/12,right"`
	Used    uint64 `json:"used_bytes,omitempty" col:"USED,16/12,right,zero=-"`
	Free    uint64 `json:"free_bytes,omitempty" col:"FREE,14/11,right,zero=-"`
	Pieces  int    `json:"pieces" col:"PIECES,8,right"` // stretches
}

// A memoryTotal is the sums, and the largest user.
type memoryTotal struct {
	_        out.Record `record:"memorytotal"`
	Size     uint64     `json:"bytes"` // without reserved memory
	InCore   uint64     `json:"in_core"`
	Reserved uint64     `json:"reserved"`
	Largest  string     `json:"largest,omitempty"` // what is used most, in words
	// what objects of heaps own outside of these, in words: other owners have it
	Outside []string `json:"outside,omitempty"`
}

// String is the line for people.
func (r *memoryTotal) String() string {
	s := fmt.Sprintf("%d bytes are mapped, %d of them in the core; %d more are reserved", r.Size, r.InCore, r.Reserved)
	if r.Largest != "" {
		s += "\n" + r.Largest
	}
	for _, o := range r.Outside {
		s += "\n" + o
	}
	return s
}

// An owned stretch is memory of an owner.
type owned struct {
	start, end core.Addr
	owner      string
}

// An account sums up memory by owner.
type account struct {
	p    *core.Process
	rows map[string]*memoryRecord
	of   []owned // in order of address
	runs int
	// outside says what objects of heaps own outside of these.
	outside []string
}

func runMemory(ctx context.Context, c *commands.Call) error {
	x := &account{p: c.Session.Process, rows: map[string]*memoryRecord{}}
	x.runtimes(ctx, c)
	var all []known
	if h, err := c.Session.Native().Malloc(ctx); err == nil {
		for _, a := range h.All {
			all = append(all, known{a, a.Heap(ctx)})
		}
	}
	for _, k := range all {
		x.allocator(k)
	}
	x.stacks()
	if err := ctx.Err(); err != nil {
		return err
	}
	slices.SortStableFunc(x.of, func(a, b owned) int { return cmp.Compare(a.start, b.start) })
	x.mappings()
	total := &memoryTotal{Outside: x.outside}
	var list []*memoryRecord
	for _, r := range x.rows {
		if r.Size == 0 {
			continue
		}
		list = append(list, r)
		if r.Owner == reserved {
			total.Reserved += r.Size
			continue
		}
		total.Size += r.Size
		total.InCore += r.InCore
	}
	slices.SortFunc(list, func(a, b *memoryRecord) int {
		return cmp.Or(cmp.Compare(b2i(a.Owner == reserved), b2i(b.Owner == reserved)), -cmp.Compare(a.Size, b.Size),
			cmp.Compare(a.Owner, b.Owner))
	})
	total.Largest = largest(ctx, c, list, all)
	if err := commands.EmitAll(c, list); err != nil {
		return err
	}
	return c.Emit(total)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// row returns the row of an owner.
func (x *account) row(owner string) *memoryRecord {
	r := x.rows[owner]
	if r == nil {
		r = &memoryRecord{Owner: owner}
		x.rows[owner] = r
	}
	return r
}

// runtimes adds the heaps of runtimes.
func (x *account) runtimes(ctx context.Context, c *commands.Call) {
	for _, r := range c.Session.Found() {
		o, ok := r.(runtimes.MemoryOwner)
		if !ok {
			continue
		}
		mem, err := o.OwnMemory(ctx)
		if err != nil {
			c.Session.Warn(core.Unknown(fmt.Errorf("the heap of %s is counted as anonymous memory: %w", r.Name(), err)))
			continue
		}
		for _, s := range mem.Spans {
			x.of = append(x.of, owned{s.Start, s.End, r.Name()})
		}
		for _, s := range mem.Stacks {
			x.of = append(x.of, owned{s.Start, s.End, "stacks"})
		}
		row := x.row(r.Name())
		row.Used, row.Free = mem.Used, mem.Free
		for _, o := range mem.Outside {
			x.outside = append(x.outside, fmt.Sprintf("%s of %s: %s outside of its heap, in other rows",
				out.Count(o.Count, o.What), r.Name(), mega(o.Bytes)))
		}
	}
}

// allocator adds the memory of an allocator of C.
func (x *account) allocator(k known) {
	for i := range k.heap.Regions {
		r := &k.heap.Regions[i]
		x.of = append(x.of, owned{r.Start, r.End, k.Name()})
	}
	s := k.heap.Sum(block.All)
	row := x.row(k.Name())
	row.Used, row.Free = s.UsedBytes, s.FreeBytes+s.Top
}

// largest says what is used most, and of an allocator which blocks that are.
func largest(ctx context.Context, c *commands.Call, list []*memoryRecord, all []known) string {
	var most *memoryRecord
	for _, r := range list {
		if r.Owner != reserved && (most == nil || busy(r) > busy(most)) {
			most = r
		}
	}
	if most == nil {
		return ""
	}
	text := fmt.Sprintf("most is %s: %s", most.Owner, mega(busy(most)))
	for _, k := range all {
		if k.Name() == most.Owner {
			text = fmt.Sprintf("most is %s: %s in use of %s%s", most.Owner, mega(most.Used), mega(most.Size),
				commonest(c, k))
			text += keeper(ctx, c, most.Used)
		}
	}
	return text
}

// busy returns how much of an owner's memory is used, as far as that is known.
func busy(r *memoryRecord) uint64 {
	if r.Used != 0 {
		return r.Used
	}
	return r.Touched
}

// commonest says which blocks of one size have the most bytes in use.
func commonest(c *commands.Call, k known) string {
	type sum struct {
		count int
		first core.Addr
	}
	sizes := map[uint64]sum{}
	var best uint64
	k.heap.Each(func(_ block.Ref, p *block.Packed) bool {
		if p.State() != block.Used {
			return true
		}
		n := p.Size()
		s := sizes[n]
		if s.count++; s.count == 1 {
			s.first = p.At
		}
		sizes[n] = s
		if b := uint64(s.count) * n; best == 0 || b > best*uint64(sizes[best].count) {
			best = n
		}
		return true
	})
	if best == 0 {
		return ""
	}
	s := sizes[best]
	text := fmt.Sprintf(", %s of it in %d × %d bytes", mega(uint64(s.count)*best), s.count, best)
	if name := c.Session.Native().Classes().Of(s.first, best).Name; name != "" {
		text += ", such as " + name
	}
	return text
}

// mega writes bytes for people.
func mega(n uint64) string {
	if n < 10<<20 {
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
