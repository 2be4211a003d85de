package tables

import (
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/core/sym/pcln"
	"coredbg/walk/cfi"
	"coredbg/walk/ehabi"
)

// Tables are the call frame information of each module of a process, parsed on
// first use. They are safe for concurrent use.
type Tables struct {
	p          *core.Process
	debugImage func(m *core.Module) core.Image

	mu      sync.RWMutex
	modules map[*core.Module]func() *Module
}

// New returns the tables of p's modules. It reads nothing yet. DebugImage returns
// the separate debug file of a module, nil if there is none; it may be nil.
func New(p *core.Process, debugImage func(m *core.Module) core.Image) *Tables {
	return &Tables{p: p, debugImage: debugImage, modules: map[*core.Module]func() *Module{}}
}

// A Module is what a module says about its functions.
type Module struct {
	Module *core.Module // whose it is
	arch   *core.Arch
	table  *cfi.Table         // nil if there is none
	Err    error              // why there is none, if the module should have some
	machO  *machO             // compact unwind information; nil if there is none
	arm    *ehabi.Table       // exception tables of 32-bit Arm; nil if there are none
	golang func() *pcln.Table // what a program of Go says itself; nil if it is none
	// debug is the call frame information of the separate debug file.
	debug func() *cfi.Table
	// starts are the link-time addresses of the image's functions in order, if
	// it lists them.
	starts func() []uint64
}

// A funcLister is an image that lists the starts of its functions, including functions without a
// symbol.
type funcLister interface {
	// FuncStarts returns link-time addresses in order.
	FuncStarts() []uint64
}

// Row returns what holds at a, an address in the process, and whether it does
// so in the body of the function only. Mask has the bits that addresses have. The error
// is cfi.ErrNoEntry if nothing describes a, or says why what does cannot be read.
func (im *Module) Row(a core.Addr, mask core.Addr) (row *cfi.Row, bodyOnly bool, err error) {
	link, ok := im.Module.LinkAddr(a)
	if !ok {
		return nil, false, cfi.ErrNoEntry
	}
	if im.machO != nil {
		return im.machO.row(link&uint64(mask), im.table)
	}
	if row, err = im.dwarfRow(link & uint64(mask)); err != nil && im.arm != nil {
		if row, armErr := im.arm.Row(link & uint64(mask)); armErr == nil {
			return row, true, nil
		}
	}
	return row, false, err
}

// dwarfRow returns the row for the link-time address pc.
func (im *Module) dwarfRow(pc uint64) (*cfi.Row, error) {
	err := cfi.ErrNoEntry
	var row *cfi.Row
	if im.table != nil {
		if row, err = im.table.Row(pc); err == nil {
			return row, nil
		}
	}
	if debug := im.debug(); debug != nil {
		if row, debugErr := debug.Row(pc); debugErr == nil {
			return row, nil
		}
	}
	if row := im.goRow(pc); row != nil {
		return row, nil
	}
	return nil, err
}

// Of returns the call frame information of m.
func (t *Tables) Of(m *core.Module) *Module {
	t.mu.RLock()
	get := t.modules[m]
	t.mu.RUnlock()
	if get == nil {
		t.mu.Lock()
		if get = t.modules[m]; get == nil {
			get = sync.OnceValue(func() *Module { return t.load(m) })
			t.modules[m] = get
		}
		t.mu.Unlock()
	}
	return get()
}

func (t *Tables) load(m *core.Module) *Module {
	facts := m.Facts()
	im := &Module{Module: m, Err: facts.Err}
	im.debug = sync.OnceValue(func() *cfi.Table { return t.debugTable(m, facts) })
	im.golang = sync.OnceValue(func() *pcln.Table {
		g, _ := pcln.ForModule(t.p, m)
		return g
	})
	im.arch = t.p.Arch
	im.starts = func() []uint64 { return nil }
	if facts.Image == nil || !facts.BiasKnown {
		return im
	}
	if l, ok := facts.Image.(funcLister); ok {
		im.starts = sync.OnceValue(l.FuncStarts)
	}
	var s cfi.Sections
	// Each section that cannot be had is as good as absent.
	s.EHFrameHdr, _ = facts.Image.Section(".eh_frame_hdr")
	s.EHFrame, _ = facts.Image.Section(".eh_frame")
	s.DebugFrame, _ = facts.Image.Section(".debug_frame")
	if got, err := facts.Image.Section(".got"); err == nil {
		s.GOT = got.Addr
	}
	if text, err := facts.Image.Section(".text"); err == nil {
		s.Text = text.Addr
	}
	if len(s.EHFrame.Data) == 0 && len(s.EHFrameHdr.Data) > 0 {
		s.EHFrame = t.mappedEHFrame(s.EHFrameHdr, facts.Bias)
	}
	if len(s.EHFrame.Data) > 0 || len(s.DebugFrame.Data) > 0 {
		im.table = cfi.New(t.p.Arch, s)
	}
	if t.p.Arch == core.ARM {
		index, _ := facts.Image.Section(".ARM.exidx")
		extab, _ := facts.Image.Section(".ARM.extab")
		im.arm = ehabi.New(index, extab)
	}
	im.machO = newMachO(t.p.Arch, facts.Image, uint64(m.Start-facts.Bias))
	return im
}

// debugTable returns the call frame information of m's separate debug file: its
// .debug_frame, as its .eh_frame stays with the image.
func (t *Tables) debugTable(m *core.Module, facts core.ModuleFacts) *cfi.Table {
	if t.debugImage == nil || !facts.BiasKnown {
		return nil
	}
	image := t.debugImage(m)
	if image == nil {
		return nil
	}
	frames, err := image.Section(".debug_frame")
	if err != nil {
		return nil
	}
	return cfi.New(t.p.Arch, cfi.Sections{DebugFrame: frames})
}

// mappedEHFrame reads the .eh_frame of an image without section headers from
// where it was mapped: from the address that .eh_frame_hdr names up to the end
// of the mapping, which is further than the section goes.
func (t *Tables) mappedEHFrame(hdr core.Section, bias core.Addr) core.Section {
	const most = 64 << 20
	addr, ok := cfi.EHFrame(hdr, t.p.Arch)
	if !ok {
		return core.Section{}
	}
	seg, ok := t.p.Space.Find(core.Addr(addr) + bias)
	if !ok {
		return core.Section{}
	}
	n := min(uint64(seg.End-core.Addr(addr)-bias), most)
	data, _ := t.p.Space.Slice(core.Addr(addr)+bias, int(n))
	return core.Section{Name: ".eh_frame", Addr: addr, Data: data}
}

// FunctionStart returns the last function at or before a, an address in the process, in the image's
// list. It returns false if there is none. Mask has the bits that addresses have.
func (im *Module) FunctionStart(a, mask core.Addr) (start core.Addr, ok bool) {
	link, ok := im.Module.LinkAddr(a)
	if !ok {
		return 0, false
	}
	link &= uint64(mask)
	starts := im.starts()
	i, found := slices.BinarySearch(starts, link)
	if !found {
		i--
	}
	if i < 0 {
		return 0, false
	}
	return a - core.Addr(link-starts[i]), true
}

// DescribedStart returns the start of the function part that contains a, from its frame description. It
// returns false if there is no description. Mask has the bits that addresses have.
func (im *Module) DescribedStart(a, mask core.Addr) (start core.Addr, ok bool) {
	link, ok := im.Module.LinkAddr(a)
	if !ok {
		return 0, false
	}
	link &= uint64(mask)
	if im.table != nil {
		if begin, _, err := im.table.Range(link); err == nil {
			return a - core.Addr(link-begin), true
		}
	}
	if f, ok := im.goFrame(link); ok {
		return a - core.Addr(link-f.Start), true
	}
	return 0, false
}

// Compact reports whether compact unwind information of Mach-O describes the module's frames.
func (im *Module) Compact() bool { return im.machO != nil }
