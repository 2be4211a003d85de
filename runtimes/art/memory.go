package art

import (
	"encoding/binary"
	"errors"

	"coredbg/core"
	"coredbg/core/sym"
)

// A Memory is the memory of a process, read as a Layout has it. It is safe for
// concurrent use.
type Memory struct {
	process *core.Process
	symbols *sym.Table
	space   *core.Space
	order   binary.ByteOrder
	ptr     int          // bytes of a pointer
	module  *core.Module // libart; nil if no module is it

	layout  *Layout   // nil while none was chosen
	runtime core.Addr // of the art::Runtime; 0 if it was not found
	hints   []hint    // addresses that may be threads'
}

// newMemory returns the memory of a process without a layout.
func newMemory(p *core.Process, symbols *sym.Table, libart *core.Module) *Memory {
	order, ptr := p.Words()
	return &Memory{process: p, symbols: symbols, space: p.Space, order: order, ptr: ptr, module: libart}
}

// cursor returns a cursor over the process' memory, for one goroutine.
func (a *Memory) cursor() *core.Cursor { return core.NewCursor(a.space, a.order, a.ptr) }

// word reads a word of the process' pointer size.
func (a *Memory) word(at core.Addr) (uint64, bool) {
	b, ok := a.bytes(at, a.ptr)
	switch {
	case !ok:
		return 0, false
	case a.ptr == 4:
		return uint64(a.order.Uint32(b)), true
	}
	return a.order.Uint64(b), true
}

// pointer reads a pointer.
func (a *Memory) pointer(at core.Addr) (core.Addr, bool) {
	w, ok := a.word(at)
	return core.Addr(w), ok
}

// ref reads a reference between objects of the Java heap, which are 32 bits
// wide in all processes.
func (a *Memory) ref(at core.Addr) (core.Addr, bool) {
	w, ok := a.u32(at)
	return core.Addr(w), ok
}

func (a *Memory) u64(at core.Addr) (uint64, bool) {
	if b, ok := a.bytes(at, 8); ok {
		return a.order.Uint64(b), true
	}
	return 0, false
}

func (a *Memory) u32(at core.Addr) (uint32, bool) {
	if b, ok := a.bytes(at, 4); ok {
		return a.order.Uint32(b), true
	}
	return 0, false
}

func (a *Memory) u16(at core.Addr) (uint16, bool) {
	if b, ok := a.bytes(at, 2); ok {
		return a.order.Uint16(b), true
	}
	return 0, false
}

func (a *Memory) u8(at core.Addr) (uint8, bool) {
	if b, ok := a.bytes(at, 1); ok {
		return b[0], true
	}
	return 0, false
}

// bytes returns n bytes at an address, lent where one window holds them.
func (a *Memory) bytes(at core.Addr, n int) ([]byte, bool) {
	b, err := a.space.Slice(at, n)
	return b, err == nil
}

// A span is a range of addresses.
type span struct{ start, end core.Addr }

func (s span) has(a core.Addr) bool { return s.start <= a && a < s.end }

var errNoRuntime = core.Unknown(errors.New("art: the Runtime was not found"))

// codeAddr removes what is no part of a code address: the Thumb bit, and tags.
func (a *Memory) codeAddr(at core.Addr) core.Addr {
	switch a.process.Arch {
	case core.ARM:
		return at &^ 1
	case core.ARM64:
		return a.process.StripCode(at) & (1<<48 - 1)
	}
	return at
}
