package malloc

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/runtimes/malloc/block"
)

var sumCommands = []commands.Command{{
	Name: "malloc", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'v', Help: "then chunks and bytes by size"},
		{Letter: 't', Help: "then what the blocks in use are, as ::cxxobjects -a"},
	},
	Summary: "sum up the heap of C by arena",
	Detail: `One line for each arena of each allocator, and one for all. USED and FREE are chunks, with their bytes as malloc_usable_size
counts them. CACHED is the part of FREE that only one thread, processor or size can use (tcaches, fastbins, thread,
processor and transfer caches). TOP is the unused end of the heaps: also address space that jemalloc retains, spans that tcmalloc returned, and pages
of mimalloc without blocks. LARGEST is the largest piece that one call could get. SYSTEM is the memory that the allocator got from the
system, headers included. Chunks with a mapping of their own are in no arena. If FREE is large and LARGEST is small, the heap is fragmented.

Known allocators are glibc's malloc, jemalloc 5.1 to 5.3, mimalloc 2.0.9 to 3.4, musl's mallocng and oldmalloc, the tcmalloc of gperftools 2.8 to 2.18 and Google's,
and pymalloc, which has the objects of CPython 3.7 to 3.14 up to 512 bytes. A process may have several. jemalloc's arenas have its numbers, and mimalloc's the threads that own the memory. An allocator without
symbols is found by the shape of its records.`,
	Example: "::malloc -v",
	SeeAlso: []string{"chunk", "findleaks", "cxxobjects", "heapstat"},
	Run:     runMalloc,
}}

// A sumRecord is the sums of an arena.
type sumRecord struct {
	_           out.Record `record:"malloc" cols:"Arena Used UsedBytes Free FreeBytes CachedBytes Top Largest Mapped name"`
	Allocator   string     `json:"allocator"`
	Version     string     `json:"version,omitempty"`
	Arena       string     `json:"arena" col:"ARENA,14"` // its address; mapped; all
	Main        bool       `json:"main,omitempty"`
	Used        int        `json:"used" col:"USED,10/8,right"`         // chunks
	UsedBytes   uint64     `json:"used_bytes" col:"BYTES,12/10,right"` // usable
	Free        int        `json:"free" col:"FREE,9/7,right"`          // chunks, cached ones included
	FreeBytes   uint64     `json:"free_bytes" col:"BYTES,12/10,right"`
	Cached      int        `json:"cached"`
	CachedBytes uint64     `json:"cached_bytes" col:"CACHED,11/9,right"`
	Top         uint64     `json:"top_bytes" col:"TOP,10/8,right"`        // the rest of heaps
	Largest     uint64     `json:"largest_free" col:"LARGEST,10/8,right"` // the largest piece that can be given out
	Mapped      uint64     `json:"mapped_bytes" col:"SYSTEM,12/10,right"` // of the system, with all headers
	Lost        uint64     `json:"lost_bytes,omitempty"`                  // whose chunks are not known
	Missing     uint64     `json:"missing_bytes,omitempty"`               // that the core does not have

	name string `col:"ALLOCATOR"`
}

func newSum(k known, arena string, s block.Sum) *sumRecord {
	r := &sumRecord{Allocator: k.Name(), Version: k.Version(), Arena: arena, Used: s.Used, UsedBytes: s.UsedBytes,
		Free: s.Free, FreeBytes: s.FreeBytes,
		Cached: s.Cached, CachedBytes: s.CachedBytes, Top: s.Top, Largest: s.Largest, Mapped: s.MappedBytes,
		Lost: s.Lost, Missing: s.Missing, name: k.Name()}
	if r.Version != "" {
		r.name += " " + r.Version
	}
	return r
}

func runMalloc(ctx context.Context, c *commands.Call) error {
	all, err := heapsOf(ctx, c)
	if err != nil {
		return err
	}
	for _, k := range all {
		for i := range k.heap.Arenas {
			r := newSum(k, arenaName(k.heap, i), k.heap.Sum(i))
			if r.Main = k.heap.Arenas[i].Main; r.Main {
				r.name += " (main)"
			}
			if err := c.Emit(r); err != nil {
				return err
			}
		}
		if s := k.heap.Sum(-1); s.MappedBytes > 0 {
			if err := c.Emit(newSum(k, "mapped", s)); err != nil {
				return err
			}
		}
		if err := c.Emit(newSum(k, "all", k.heap.Sum(block.All))); err != nil {
			return err
		}
	}
	if c.Flag('v') {
		if err := emitSizes(c, all); err != nil {
			return err
		}
	}
	if c.Flag('t') {
		return emitClasses(ctx, c, true, 0)
	}
	return nil
}
