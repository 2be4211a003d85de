package site

import (
	"sync"
	"sync/atomic"

	"coredbg/core"
	"coredbg/walk/isa"
	"coredbg/walk/isa/sets"
	"coredbg/walk/kernel"
	"coredbg/walk/tables"
)

// A Text is the code of a process, with the results of analysing its places. It keeps the results that
// walks have in common, and is safe for concurrent walks.
type Text struct {
	Process     *core.Process // whose code it is
	Set         *isa.Set      // the instruction set of that
	tables      *tables.Tables
	named       func(a core.Addr) (core.Addr, bool) // where a function begins by its name; may be nil
	trampolines kernel.Trampolines

	mu        sync.RWMutex
	callSites map[CallSite]*isa.Shape // see ProofShape
	reach     map[core.Addr]*reached  // see reachedFrom

	sites [siteCount]atomic.Pointer[Site]
}

// New returns the code of p. It reads nothing yet. FuncStart returns the first
// address of the function that holds a, if symbols name it; DebugImage the separate debug
// file of a module. Both may be nil.
func New(p *core.Process, funcStart func(a core.Addr) (core.Addr, bool),
	debugImage func(m *core.Module) core.Image) *Text {
	return &Text{Process: p, Set: sets.For(p.Arch), tables: tables.New(p, debugImage), named: funcStart,
		trampolines: kernel.TrampolinesOf(p.Arch),
		callSites:   map[CallSite]*isa.Shape{}, reach: map[core.Addr]*reached{}}
}

// Executable reports whether instructions could be fetched from a. If the core does not say, because
// its writer has left file-backed mappings out (gcore), the segments of the module's image decide. If a
// minidump does not say, the files that fill its gaps decide.
func (t *Text) Executable(a core.Addr) bool {
	seg, ok := t.Process.Space.Find(a)
	if ok && seg.ProtUnknown && seg.Gap == core.NotInDump {
		seg, ok = t.Process.Space.Resolve(a)
	}
	if ok && seg.Prot != 0 {
		return seg.Prot&core.Exec != 0
	}
	m := t.Process.Module(a)
	if m == nil {
		return false
	}
	image := m.Facts().Image
	link, ok := m.LinkAddr(a)
	if image == nil || !ok {
		return false
	}
	link &= uint64(t.Process.Arch.AddrMask())
	for _, s := range image.Segments() {
		if link-s.Addr < s.MemSize {
			return s.Prot&core.Exec != 0
		}
	}
	return false
}

// Strip removes from a code address what is not part of it: the mode bit, and a
// pointer authentication code. Without the kernel's word for the mask, the bits
// above the address size are it, where the pointer is known to be signed or leads
// nowhere as it is.
func (t *Text) Strip(a core.Addr, signed bool) core.Addr {
	p := t.Process
	a &^= t.Set.Mode
	if p.CodeMask != 0 {
		return p.StripCode(a)
	}
	bits := p.Arch.AddrBits
	if p.Arch.LR < 0 || bits >= 64 || a>>bits == 0 || a>>55&1 != 0 {
		return a
	}
	if signed || !t.Executable(a) {
		return a & (1<<bits - 1)
	}
	return a
}

// ReturnAddress reports whether a is after a call instruction in executable
// memory, or is a signal trampoline, which nothing calls. Code that cannot be
// read gives sure == false.
func (t *Text) ReturnAddress(a core.Addr) (ok, sure bool) {
	_, ok, sure = t.Called(a)
	return ok, sure
}

// Called is ReturnAddress that also returns what was called, if the call is a
// direct one, else 0.
func (t *Text) Called(a core.Addr) (callee core.Addr, ok, sure bool) {
	s := t.At(a, false)
	return s.callee, s.called, s.sure
}
