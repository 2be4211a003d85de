package walk

import (
	"sync"
	"sync/atomic"

	"coredbg/core"
	"coredbg/walk/cfi"
	"coredbg/walk/ehabi"
)

// Options are what a Target can be given; the zero value is usable.
type Options struct {
	// FuncStart returns the first address of the function that holds a, if
	// that is known. With it, functions without call frame information can be
	// unwound by reading their instructions.
	FuncStart func(a core.Addr) (core.Addr, bool)
	// DebugImage returns the separate debug file of a module, nil if there is
	// none. It is asked where the module itself has no frame description.
	DebugImage func(m *core.Module) core.Image
	// Guess lets a scan take a word that leads into code of a module which cannot be read
	// for a return address, where nothing better is found: in minidumps, which have stacks and
	// lists of modules, but no code.
	Guess bool
	// MaxFrames ends a walk; 0 means 1<<20.
	MaxFrames int
}

// A Target is a process whose stacks are walked. It keeps what walks have in
// common: the call frame information of each module, parsed on first use, and
// what was found at each return address. It is safe for concurrent walks.
type Target struct {
	p        *core.Process
	opts     Options
	abi      *abi
	sigtramp *sigtramp // nil if the kernel leaves a code sequence to return to

	mu        sync.RWMutex
	images    map[*core.Module]func() *image
	callSites map[callSite]*frameShape // see proofShape
	reach     map[core.Addr]*reached   // see reachedFrom

	sites [siteCount]atomic.Pointer[site]
}

// NewTarget returns a target for p. It reads nothing yet.
func NewTarget(p *core.Process, opts Options) *Target {
	if opts.MaxFrames <= 0 {
		opts.MaxFrames = 1 << 20
	}
	return &Target{p: p, opts: opts, abi: abiOf(p.Arch), sigtramp: sigtrampOf(p),
		images: map[*core.Module]func() *image{}, callSites: map[callSite]*frameShape{}, reach: map[core.Addr]*reached{}}
}

// An image is the call frame information of a module.
type image struct {
	module *core.Module
	table  *cfi.Table   // nil if there is none
	err    error        // why there is none, if the module should have some
	machO  *machO       // compact unwind information; nil if there is none
	arm    *ehabi.Table // exception tables of 32-bit Arm; nil if there are none
	// debug is the call frame information of the separate debug file.
	debug func() *cfi.Table
	// starts are the link-time addresses of the image's functions in order, if
	// it lists them.
	starts func() []uint64
}

// A funcLister is an image that lists where its functions begin, also those that
// have no symbol.
type funcLister interface {
	// FuncStarts returns link-time addresses in order.
	FuncStarts() []uint64
}

// row returns what holds at a, an address in the process, and whether it does
// so in the body of the function only.
func (im *image) row(a core.Addr, mask core.Addr) (row *cfi.Row, bodyOnly bool, err error) {
	link, ok := im.module.LinkAddr(a)
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
func (im *image) dwarfRow(pc uint64) (*cfi.Row, error) {
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
	return nil, err
}

// image returns the call frame information of m.
func (t *Target) image(m *core.Module) *image {
	t.mu.RLock()
	get := t.images[m]
	t.mu.RUnlock()
	if get == nil {
		t.mu.Lock()
		if get = t.images[m]; get == nil {
			get = sync.OnceValue(func() *image { return t.load(m) })
			t.images[m] = get
		}
		t.mu.Unlock()
	}
	return get()
}

func (t *Target) load(m *core.Module) *image {
	facts := m.Facts()
	im := &image{module: m, err: facts.Err}
	im.debug = sync.OnceValue(func() *cfi.Table { return t.debugTable(m, facts) })
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
func (t *Target) debugTable(m *core.Module, facts core.ModuleFacts) *cfi.Table {
	if t.opts.DebugImage == nil || !facts.BiasKnown {
		return nil
	}
	image := t.opts.DebugImage(m)
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
func (t *Target) mappedEHFrame(hdr core.Section, bias core.Addr) core.Section {
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

// executable reports whether instructions could be fetched from a. Where the
// core does not say, because its writer has left file-backed mappings out
// (gcore), the segments of the module's image do; where a minidump does not say, what
// fills its gaps.
func (t *Target) executable(a core.Addr) bool {
	seg, ok := t.p.Space.Find(a)
	if ok && seg.ProtUnknown && seg.Gap == core.NotInDump {
		seg, ok = t.p.Space.Resolve(a)
	}
	if ok && seg.Prot != 0 {
		return seg.Prot&core.Exec != 0
	}
	m := t.p.Module(a)
	if m == nil {
		return false
	}
	image := m.Facts().Image
	link, ok := m.LinkAddr(a)
	if image == nil || !ok {
		return false
	}
	link &= uint64(t.p.Arch.AddrMask())
	for _, s := range image.Segments() {
		if link-s.Addr < s.MemSize {
			return s.Prot&core.Exec != 0
		}
	}
	return false
}

// siteCount is the number of program counters whose facts are kept: a few
// times what the threads of a large process have, in 64 KiB.
const siteCount = 1 << 13

// A site is what is known about one program counter. It is immutable.
type site struct {
	pc    core.Addr
	exact bool // pc was interrupted; else it is a return address
	exec  bool // instructions could be fetched from it
	tramp *trampoline
	image *image   // of the module it lies in; may be nil
	row   *cfi.Row // nil if there is none; err then says why
	err   error
	shape func() *frameShape // what the instructions before it say; nil if nothing
	way   func() *frameShape // what those from an interrupted one on say; nil if nothing
	ahead func() *frameShape // what those from a return address on say; nil if nothing
	// bodyOnly is set if row does not hold in prologues and epilogues.
	bodyOnly bool
	// Of a return address: whether a call precedes it, and what that calls if
	// it is a direct one, else 0. Without sure the code could not be read.
	called, sure bool
	callee       core.Addr
}

// site returns the facts about pc, an interrupted instruction or a return
// address.
func (t *Target) site(pc core.Addr, exact bool) *site {
	h := uint64(pc) * 0x9e3779b97f4a7c15
	if exact {
		h = ^h
	}
	slot := &t.sites[h>>(64-13)]
	if s := slot.Load(); s != nil && s.pc == pc && s.exact == exact {
		return s
	}
	s := t.newSite(pc, exact)
	slot.Store(s)
	return s
}

func (t *Target) newSite(pc core.Addr, exact bool) *site {
	s := &site{pc: pc, exact: exact, err: cfi.ErrNoEntry}
	s.shape = sync.OnceValue(func() *frameShape { return t.shape(s) })
	s.way = sync.OnceValue(func() *frameShape { return t.wayOut(s) })
	s.ahead = sync.OnceValue(func() *frameShape { return t.aheadOf(s) })
	if t.executable(pc) {
		s.tramp = t.abi.trampolineAt(t.p, pc)
	}
	lookup := pc
	if !exact && s.tramp == nil && pc > 0 {
		// A call may be the last instruction of its function or mapping.
		lookup--
	}
	s.exec = t.executable(lookup)
	if !exact {
		s.callee, s.called, s.sure = t.callBefore(s)
	}
	if !s.exec {
		return s
	}
	if m := t.p.Module(lookup); m != nil {
		s.image = t.image(m)
		s.row, s.bodyOnly, s.err = s.image.row(lookup, t.p.Arch.AddrMask())
	}
	return s
}

// callBefore reports whether the instruction before a return address is a call,
// and of a direct one what it calls.
func (t *Target) callBefore(s *site) (callee core.Addr, ok, sure bool) {
	if !s.exec || s.tramp != nil {
		return 0, s.exec, true // nothing calls a signal trampoline
	}
	if t.abi.call == nil {
		return 0, true, false
	}
	for n := callBytes; n >= 2; n -= 2 {
		code, err := t.p.Space.Slice(s.pc-core.Addr(n), n)
		if err != nil {
			continue
		}
		to, direct, ok := t.abi.call(code)
		if !direct && ok && t.abi.callSlot != nil {
			return t.abi.callSlot(t.p, s.pc, code), true, true
		}
		if !direct {
			return 0, ok, true
		}
		callee = s.pc.Add(to) & t.p.Arch.AddrMask()
		return callee, t.executable(callee), true
	}
	return 0, true, false
}
