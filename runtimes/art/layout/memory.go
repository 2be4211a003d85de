package layout

import (
	"encoding/binary"
	"errors"

	"coredbg/core"
	"coredbg/core/sym"
)

// A Memory is the memory of a process, read as a Layout has it. It is safe for
// concurrent use.
type Memory struct {
	Process *core.Process
	Symbols *sym.Table
	Space   *core.Space
	Order   binary.ByteOrder
	PtrSize int          // bytes of a pointer
	Module  *core.Module // libart; nil if no module is it

	Layout  *Layout   // nil until one is chosen
	Runtime core.Addr // of the art::Runtime; 0 if it was not found
	Hints   []Hint    // addresses that may be threads'
}

// NewMemory returns the memory of a process without a layout.
func NewMemory(p *core.Process, symbols *sym.Table, libart *core.Module) *Memory {
	order, ptr := p.Words()
	return &Memory{Process: p, Symbols: symbols, Space: p.Space, Order: order, PtrSize: ptr, Module: libart}
}

// Cursor returns a cursor over the process' memory, for one goroutine.
func (m *Memory) Cursor() *core.Cursor { return core.NewCursor(m.Space, m.Order, m.PtrSize) }

// Word reads a word of the process' pointer size.
func (m *Memory) Word(at core.Addr) (uint64, bool) {
	b, ok := m.Bytes(at, m.PtrSize)
	switch {
	case !ok:
		return 0, false
	case m.PtrSize == 4:
		return uint64(m.Order.Uint32(b)), true
	}
	return m.Order.Uint64(b), true
}

// Pointer reads a pointer.
func (m *Memory) Pointer(at core.Addr) (core.Addr, bool) {
	w, ok := m.Word(at)
	return core.Addr(w), ok
}

// Ref reads a reference between objects of the Java heap, which are 32 bits
// wide in all processes.
func (m *Memory) Ref(at core.Addr) (core.Addr, bool) {
	w, ok := m.U32(at)
	return core.Addr(w), ok
}

// U64 reads eight bytes.
func (m *Memory) U64(at core.Addr) (uint64, bool) {
	if b, ok := m.Bytes(at, 8); ok {
		return m.Order.Uint64(b), true
	}
	return 0, false
}

// U32 reads four bytes.
func (m *Memory) U32(at core.Addr) (uint32, bool) {
	if b, ok := m.Bytes(at, 4); ok {
		return m.Order.Uint32(b), true
	}
	return 0, false
}

// U16 reads two bytes.
func (m *Memory) U16(at core.Addr) (uint16, bool) {
	if b, ok := m.Bytes(at, 2); ok {
		return m.Order.Uint16(b), true
	}
	return 0, false
}

// U8 reads a byte.
func (m *Memory) U8(at core.Addr) (uint8, bool) {
	if b, ok := m.Bytes(at, 1); ok {
		return b[0], true
	}
	return 0, false
}

// Bytes returns n bytes at an address, lent where one window holds them.
func (m *Memory) Bytes(at core.Addr, n int) ([]byte, bool) {
	b, err := m.Space.Slice(at, n)
	return b, err == nil
}

// A Span is a range of addresses.
type Span struct{ Start, End core.Addr }

// Has reports whether an address is in the range.
func (s Span) Has(a core.Addr) bool { return s.Start <= a && a < s.End }

// ErrNoRuntime is the error of all that begins at the art::Runtime, where that was
// not found.
var ErrNoRuntime = core.Unknown(errors.New("art: the Runtime was not found"))

// CodeAddr removes what is not part of a code address: the Thumb bit, and tags.
func (m *Memory) CodeAddr(at core.Addr) core.Addr {
	switch m.Process.Arch {
	case core.ARM:
		return at &^ 1
	case core.ARM64:
		return m.Process.StripCode(at) & (1<<48 - 1)
	}
	return at
}
