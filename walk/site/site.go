package site

import (
	"sync"

	"coredbg/core"
	"coredbg/walk/cfi"
	"coredbg/walk/isa"
	"coredbg/walk/kernel"
	"coredbg/walk/tables"
)

// siteCount is the number of program counters whose facts are kept: a few
// times what the threads of a large process have, in 64 KiB.
const siteCount = 1 << 13

// A Site is what is known about one program counter. It is immutable.
type Site struct {
	PC         core.Addr          // the program counter
	exact      bool               // PC was interrupted; else it is a return address
	Exec       bool               // instructions could be fetched from it
	Trampoline *kernel.Trampoline // the one of a signal handler that begins there; else nil
	Module     *tables.Module     // of the module that contains it; may be nil
	Row        *cfi.Row           // nil if there is none; Err then says why
	Err        error              // why there is no Row
	Shape      func() *isa.Shape  // what the instructions before it say; nil if nothing
	Way        func() *isa.Shape  // from the instructions from an interrupted one on; nil if they give no frame
	Ahead      func() *isa.Shape  // from the instructions from a return address on; nil if they give no frame
	// BodyOnly is set if Row does not hold in prologues and epilogues.
	BodyOnly bool
	// For a return address: whether a call precedes it, and the target of that call if it is direct,
	// else 0. Without sure the code could not be read.
	called, sure bool
	callee       core.Addr
}

// At returns the facts about pc, an interrupted instruction or a return
// address.
func (t *Text) At(pc core.Addr, exact bool) *Site {
	h := uint64(pc) * 0x9e3779b97f4a7c15
	if exact {
		h = ^h
	}
	slot := &t.sites[h>>(64-13)]
	if s := slot.Load(); s != nil && s.PC == pc && s.exact == exact {
		return s
	}
	s := t.newSite(pc, exact)
	slot.Store(s)
	return s
}

func (t *Text) newSite(pc core.Addr, exact bool) *Site {
	s := &Site{PC: pc, exact: exact, Err: cfi.ErrNoEntry}
	s.Shape = sync.OnceValue(func() *isa.Shape { return t.shape(s) })
	s.Way = sync.OnceValue(func() *isa.Shape { return t.wayOut(s) })
	s.Ahead = sync.OnceValue(func() *isa.Shape { return t.aheadOf(s) })
	if t.Executable(pc) {
		s.Trampoline = t.trampolines.At(t.Process, pc)
	}
	lookup := pc
	if !exact && s.Trampoline == nil && pc > 0 {
		// A call may be the last instruction of its function or mapping.
		lookup--
	}
	s.Exec = t.Executable(lookup)
	if !exact {
		s.callee, s.called, s.sure = t.callBefore(s)
	}
	if !s.Exec {
		return s
	}
	if m := t.Process.Module(lookup); m != nil {
		s.Module = t.tables.Of(m)
		s.Row, s.BodyOnly, s.Err = s.Module.Row(lookup, t.Process.Arch.AddrMask())
	}
	return s
}

// callBefore reports whether the instruction before a return address is a call,
// and of a direct one what it calls.
func (t *Text) callBefore(s *Site) (callee core.Addr, ok, sure bool) {
	if !s.Exec || s.Trampoline != nil {
		return 0, s.Exec, true // nothing calls a signal trampoline
	}
	if t.Set.Call == nil {
		return 0, true, false
	}
	for n := isa.CallBytes; n >= 2; n -= 2 {
		code, err := t.Process.Space.Slice(s.PC-core.Addr(n), n)
		if err != nil {
			continue
		}
		to, direct, ok := t.Set.Call(code)
		if !direct && ok && t.Set.CallSlot != nil {
			return t.Set.CallSlot(t.Process, s.PC, code), true, true
		}
		if !direct {
			return 0, ok, true
		}
		callee = s.PC.Add(to) & t.Process.Arch.AddrMask()
		return callee, t.Executable(callee), true
	}
	return 0, true, false
}
