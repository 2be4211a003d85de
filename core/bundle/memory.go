package bundle

import (
	"sort"

	"coredbg/core"
)

// plannedCore is the part of the core.
type plannedCore struct {
	*plannedPart
	leftOut int64 // bytes of gaps before anything is redacted
}

// keeper collects ranges of the core file by address.
type keeper struct {
	p    *core.Process
	segs []core.Segment
	keep []fileRange
}

// planCore decides what is taken of the core.
func planCore(p *core.Process, src core.Source, opt Options, t *touched) (*plannedCore, *keeper) {
	part := &plannedPart{kind: partCore, path: p.Path, src: src}
	if packed, ok := src.(coreSource); ok {
		part.path = packed.path // a bundle of a bundle
	}
	c := &plannedCore{plannedPart: part}
	k := &keeper{p: p, segs: p.Space.Segments()}
	if opt.Stacks {
		// What is in no segment is headers and notes.
		k.keep = outside(k.memory(src.Size()), src.Size())
		k.stacks()
		k.modules()
		k.linkMap()
		k.dyldList()
		for _, a := range t.pages {
			k.add(a, core.TracePage)
		}
	} else {
		k.keep = []fileRange{{0, src.Size()}}
	}
	part.spans = tile(src, join(k.keep, src.Size()), core.GapError{Gap: core.LeftOut, Detail: "memory that stacks do not need"})
	c.leftOut = c.bytesOf(extentGap)
	return c, k
}

// memory returns the joined ranges of the core file that segments have.
func (k *keeper) memory(size int64) []fileRange {
	var out []fileRange
	for _, s := range k.segs {
		if s.Kind == core.SegCore {
			out = append(out, fileRange{s.Off, s.Off + int64(s.Size())})
		}
	}
	return join(out, size)
}

// add takes n bytes at a, to whole pages.
func (k *keeper) add(a core.Addr, n uint64) {
	end := a + core.Addr(n)
	if end < a {
		end = ^core.Addr(0) &^ (core.TracePage - 1)
	}
	k.keep = append(k.keep, k.fileRanges(a&^(core.TracePage-1), end.Align(core.TracePage))...)
}

// fileRanges returns where the core file has the memory in [lo, hi).
func (k *keeper) fileRanges(lo, hi core.Addr) []fileRange {
	var out []fileRange
	i := sort.Search(len(k.segs), func(i int) bool { return k.segs[i].End > lo })
	for ; i < len(k.segs) && k.segs[i].Start < hi; i++ {
		if s := &k.segs[i]; s.Kind == core.SegCore {
			from, to := max(lo, s.Start), min(hi, s.End)
			out = append(out, fileRange{s.Off + int64(from-s.Start), s.Off + int64(to-s.Start)})
		}
	}
	return out
}

// The bounds of what is taken around a stack pointer, in bytes. Below it lies
// what a leaf function may use (System V ABI, AMD64 supplement, 3.2.2: the red
// zone). A mapping of a thread's stack is taken to its end; in one that is
// bigger, as a heap that coroutines have their stacks in, the end is guessed.
const (
	belowSP      = 4096
	maxStack     = 1 << 30
	maxCoroutine = 1 << 20
	aroundTLS    = 16 << 10
)

// stacks takes the threads' stacks, and what lies around their thread pointers.
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
	if m, ok := stackAt(p, sp); ok {
		n = uint64(m.End - sp)
		// Stacks of threads are 8 MiB by custom; the first one's grows as it needs.
		if m.End-m.Start > 64<<20 && m.Path != "[stack]" && n > maxCoroutine {
			n = maxCoroutine
		}
	}
	return sp, min(n, maxStack)
}

// The most that is taken of one mapping of a module's data, and of its .bss,
// in bytes.
const (
	maxModuleData = 16 << 20
	maxBSS        = 1 << 20
)

// modules takes what the core has of modules: their first pages and their
// data.
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
		// l_addr, l_name, l_ld, l_next, and what the linker keeps privately.
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
