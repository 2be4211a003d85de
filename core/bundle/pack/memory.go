package pack

import (
	"slices"

	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/bundle/span"
)

// keeper collects ranges of the core file by address.
type keeper struct {
	p    *core.Process
	mem  span.Memory
	keep []span.Range
}

// planCore decides what is taken of the core.
func planCore(p *core.Process, src core.Source, opt Options, t *touched) *bundle.Planned {
	part := &bundle.Planned{Kind: bundle.Core, Path: p.Path, Source: src}
	if path, ok := bundle.CorePath(src); ok {
		part.Path = path // a bundle of a bundle
	}
	k := &keeper{p: p, mem: span.Memory{Segments: p.Space.Segments()}}
	if opt.Stacks {
		// Bytes outside all segments are headers and notes.
		k.keep = span.Outside(k.mem.All(src.Size()), src.Size())
		k.stacks()
		k.modules()
		k.linkMap()
		k.dyldList()
		for _, a := range t.pages {
			k.add(a, core.TracePage)
		}
	} else {
		k.keep = []span.Range{span.Between(0, src.Size())}
	}
	part.Spans = span.Tile(src, span.Join(k.keep, src.Size()),
		core.GapError{Gap: core.LeftOut, Detail: "memory that stacks do not need"})
	return part
}

// add takes n bytes at a, to whole pages.
func (k *keeper) add(a core.Addr, n uint64) {
	end := a + core.Addr(n)
	if end < a {
		end = ^core.Addr(0) &^ (core.TracePage - 1)
	}
	k.keep = append(k.keep, k.mem.Ranges(a&^(core.TracePage-1), end.Align(core.TracePage))...)
}

// Bounds in bytes of the memory taken around a stack pointer. A leaf function may use memory below it
// (System V ABI, AMD64 supplement, 3.2.2: the red zone). A mapping of a thread's stack is taken to its
// end. In a bigger mapping, such as a heap with coroutine stacks, the end is guessed.
const (
	belowSP      = 4096
	maxCoroutine = 1 << 20
	aroundTLS    = 16 << 10
)

// stacks takes the threads' stacks and the memory around their thread pointers.
func (k *keeper) stacks() {
	for _, t := range k.p.Threads {
		if k.p.Arch == nil {
			break
		}
		if sp, n := stackOf(k.p, t); sp != 0 {
			k.add(sp-min(sp, belowSP), belowSP)
			k.add(sp, n)
		}
		if t.TLS != 0 {
			k.add(t.TLS-min(t.TLS, aroundTLS), 2*aroundTLS)
		}
	}
}

// stackOf returns a thread's stack pointer, 0 if it is not known, and how many bytes
// of its stack follow.
func stackOf(p *core.Process, t *core.Thread) (sp core.Addr, n uint64) {
	v, ok := t.Regs.Get(p.Arch.SP)
	if !ok {
		return 0, 0
	}
	sp = core.Addr(v)
	if m, ok := span.StackAt(p, sp); ok {
		n = uint64(m.End - sp)
		// Stacks of threads are 8 MiB by custom; the first one's grows as it needs.
		if m.End-m.Start > 64<<20 && m.Path != "[stack]" && n > maxCoroutine {
			n = maxCoroutine
		}
	}
	return sp, min(n, span.MaxStack)
}

// The most that is taken of one mapping of a module's data, and of its .bss,
// in bytes.
const (
	maxModuleData = 16 << 20
	maxBSS        = 1 << 20
)

// modules takes the modules' memory in the core: their first pages and their data.
func (k *keeper) modules() {
	for _, m := range k.p.Modules {
		for _, part := range m.Parts {
			if m, ok := k.p.Mapping(part.Start); ok && m.Prot&core.Write == 0 {
				continue // first pages are taken below, others if they were read
			}
			k.add(part.Start, min(uint64(part.End-part.Start), maxModuleData))
			if bss, ok := k.p.Mapping(part.End); ok && bss.Path == "" && bss.Prot&core.Write != 0 {
				k.add(part.End, min(uint64(bss.End-part.End), maxBSS))
			}
		}
	}
	for _, m := range k.p.Mappings {
		var head [4]byte
		if m.Dumped == 0 {
			continue
		}
		if n, _ := k.p.Space.ReadAt(head[:], m.Start); n == 4 && string(head[:]) == "\x7fELF" {
			k.add(m.Start, 2*core.TracePage)
		}
	}
}

// The dynamic linker's list of modules: from the program headers that
// AT_PHDR names to PT_DYNAMIC, DT_DEBUG, struct r_debug and its chain of
// struct link_map (gABI chapter 5; glibc's elf/link.h).
const (
	atPhdr, atPhent, atPhnum = 3, 4, 5
	ptPhdr, ptDynamic        = 6, 2
	dtDebug                  = 21
	maxLinkMap               = 1 << 16
)

// linkMap takes the pages of the dynamic linker's list.
func (k *keeper) linkMap() {
	p := k.p
	if p.Arch == nil {
		return
	}
	debug, ok := k.findDebug()
	if !ok {
		return
	}
	c, word := p.Cursor(), core.Addr(p.Arch.PtrSize)
	k.add(debug, uint64(5*word))
	node := c.Pointer(debug + word) // r_map
	for n := 0; n < maxLinkMap && node != 0 && c.Err() == nil; n++ {
		// l_addr, l_name, l_ld, l_next, and the linker's private fields.
		k.add(node, uint64(16*word))
		k.add(c.Pointer(node+word), 256)
		k.add(c.Pointer(node+2*word), core.TracePage)
		node = c.Pointer(node + 3*word)
	}
}

// findDebug returns the address of struct r_debug.
func (k *keeper) findDebug() (core.Addr, bool) {
	p := k.p
	at, ok1 := p.AuxValue(atPhdr)
	size, ok2 := p.AuxValue(atPhent)
	n, ok3 := p.AuxValue(atPhnum)
	if !ok1 || !ok2 || !ok3 || n > 1<<16 {
		return 0, false
	}
	c, word := p.Cursor(), core.Addr(p.Arch.PtrSize)
	vaddr := core.Addr(8) // of p_vaddr in Elf32_Phdr
	if word == 8 {
		vaddr = 16
	}
	var bias, dynamic core.Addr
	for i := range n {
		ph := core.Addr(at + i*size)
		switch c.U32(ph) {
		case ptPhdr:
			bias = core.Addr(at) - c.Pointer(ph+vaddr)
		case ptDynamic:
			dynamic = c.Pointer(ph + vaddr)
		}
	}
	if dynamic == 0 || c.Err() != nil {
		return 0, false
	}
	dynamic += bias
	for i := range core.Addr(512) {
		entry := dynamic + i*2*word
		tag := c.Word(entry)
		k.add(entry, uint64(2*word))
		if tag == dtDebug && c.Err() == nil {
			debug := c.Pointer(entry + word)
			return debug, debug != 0 && c.Err() == nil
		}
		if tag == 0 {
			break
		}
	}
	return 0, false
}

// pointers returns the words of the taken memory that may point at code, sorted. It skips memory that
// is backed by a module's file.
func pointers(c *bundle.Planned, p *core.Process) []core.Addr {
	if p.Arch == nil || len(p.Modules) == 0 {
		return nil
	}
	low, high := p.Modules[0].Start, core.Addr(0)
	for _, m := range p.Modules {
		low, high = min(low, m.Start), max(high, m.End)
	}
	var out []core.Addr
	word := p.Arch.PtrSize
	for _, s := range p.Space.Segments() {
		if m := p.Module(s.Start); s.Kind != core.SegCore || m != nil && !m.Made() {
			continue
		}
		for _, r := range taken(c, span.Between(s.Off, s.Off+int64(s.Size()))) {
			for at := r.Lo; at < r.Hi; {
				data, err := c.Source.Window(at)
				if err != nil {
					break
				}
				data = data[:min(int64(len(data)), r.Hi-at)]
				at += int64(len(data))
				for ; len(data) >= word; data = data[word:] {
					a := core.Addr(p.Arch.Order.Uint32(data))
					if word == 8 {
						a = core.Addr(p.Arch.Order.Uint64(data))
					}
					if p.Arch == core.ARM {
						a &^= 1 // says which instructions
					}
					if a &= p.Arch.AddrMask(); low <= a && a < high && p.Module(a) != nil {
						out = append(out, a)
					}
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// taken returns the data in a range of the core file that is taken.
func taken(c *bundle.Planned, r span.Range) (out []span.Range) {
	i, _ := slices.BinarySearchFunc(c.Spans, r.Lo, func(s span.Span, lo int64) int {
		if s.Hi <= lo {
			return -1
		}
		return 1
	})
	for ; i < len(c.Spans) && c.Spans[i].Lo < r.Hi; i++ {
		if c.Spans[i].Kind == span.Data {
			out = append(out, span.Between(max(r.Lo, c.Spans[i].Lo), min(r.Hi, c.Spans[i].Hi)))
		}
	}
	return out
}
