package pack

import (
	"slices"

	"coredbg/core"
	"coredbg/core/bundle/span"
)

// touched is what was read, or is near what ran, by address.
type touched struct {
	pages []core.Addr // sorted
	code  []core.Addr // what stacks may run through, sorted; of lean bundles
	pcs   []core.Addr // of frames, sorted

	// The starts of functions whose names are taken, sorted: functions that decoders asked for, and
	// functions that memory points at.
	asked, pointed []core.Addr
	known          bool // it is known which modules have frames
}

// aroundPC is what is taken before and after a program counter, in bytes: most
// functions' beginnings, and some lines of disassembly.
const aroundPC = 4096

func newTouched(p *core.Process, opt Options) *touched {
	t := &touched{known: len(opt.PCs) > 0}
	if opt.Touched != nil {
		t.pages = opt.Touched.Pages()
	}
	around := func(pc core.Addr) {
		for a := (pc - min(pc, aroundPC)) &^ (core.TracePage - 1); a <= pc+aroundPC &&
			a >= pc-min(pc, 2*aroundPC); a += core.TracePage {
			t.pages = append(t.pages, a)
		}
	}
	for _, pc := range opt.PCs {
		around(pc)
	}
	for _, th := range p.Threads {
		if p.Arch == nil {
			break
		}
		if pc, ok := th.Regs.Get(p.Arch.PC); ok {
			around(core.Addr(pc))
		}
	}
	slices.Sort(t.pages)
	t.pages = slices.Compact(t.pages)
	t.asked = slices.Sorted(slices.Values(opt.Asked))
	t.pcs = slices.Sorted(slices.Values(opt.PCs))
	if opt.Lean {
		t.code = codeAddrs(p, t, opt.PCs)
	}
	return t
}

// in returns what was touched of m, as ranges of its file.
func (t *touched) in(m *core.Module) []span.Range {
	var out []span.Range
	for _, part := range partsOf(m) {
		i, _ := slices.BinarySearch(t.pages, part.Start&^(core.TracePage-1))
		for ; i < len(t.pages) && t.pages[i] < part.End; i++ {
			off := int64(part.Off) + int64(t.pages[i]) - int64(part.Start)
			out = append(out, span.Between(off, off+core.TracePage))
		}
	}
	return out
}

// partsOf returns where m's file was mapped. A minidump may have no mappings: then it was where
// the image says, as segments are loaded.
func partsOf(m *core.Module) []core.ModulePart {
	facts := m.Facts()
	if len(m.Parts) > 0 || facts.Image == nil || !facts.BiasKnown {
		return m.Parts
	}
	var out []core.ModulePart
	for _, s := range facts.Image.Segments() {
		before := s.Addr % core.TracePage // of the same page of the file
		if s.Addr%core.TracePage != s.Off%core.TracePage {
			before = 0
		}
		start := facts.Bias + core.Addr(s.Addr-before)
		out = append(out, core.ModulePart{Start: start, End: start + core.Addr(before+s.FileSize), Off: s.Off - before})
	}
	return out
}

// codeAddrs returns the addresses of code that stacks may run through, sorted: program counters, and
// each word of the threads' stacks and of the memory decoders read that may be one.
func codeAddrs(p *core.Process, t *touched, pcs []core.Addr) []core.Addr {
	out := slices.Clone(pcs)
	if p.Arch == nil {
		return out
	}
	add := func(a core.Addr) {
		if a &= p.Arch.AddrMask(); p.Module(a) != nil {
			out = append(out, a)
		}
	}
	scan := func(page core.Addr) {
		data, _ := p.Space.Slice(page, core.TracePage)
		for word := p.Arch.PtrSize; len(data) >= word; data = data[word:] {
			if word == 4 {
				add(core.Addr(p.Arch.Order.Uint32(data)))
			} else {
				add(core.Addr(p.Arch.Order.Uint64(data)))
			}
		}
	}
	seen := map[core.Addr]bool{}
	for _, page := range t.pages {
		if !seen[page] {
			seen[page] = true
			scan(page)
		}
	}
	for _, th := range p.Threads {
		for _, reg := range []int{p.Arch.PC, p.Arch.LR} {
			if v, ok := th.Regs.Get(reg); ok {
				add(core.Addr(v))
			}
		}
		sp, n := stackOf(p, th)
		for page := sp &^ (core.TracePage - 1); page < sp+core.Addr(n); page += core.TracePage {
			if !seen[page] {
				seen[page] = true
				scan(page)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// holds reports whether one of the addresses, sorted, is in [begin, end]: a return
// address may be the end of the function that called.
func holds(sorted []core.Addr, begin, end core.Addr) bool {
	i, _ := slices.BinarySearch(sorted, begin)
	return i < len(sorted) && sorted[i] <= end
}

// named reports whether the name of a function is taken.
func (t *touched) named(start core.Addr, size uint64) bool {
	if holds(t.code, start, start+core.Addr(size)) {
		return true
	}
	for _, list := range [][]core.Addr{t.asked, t.pointed} {
		if i, _ := slices.BinarySearch(list, start); i < len(list) && list[i] == start {
			return true
		}
	}
	return false
}
