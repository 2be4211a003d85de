package art

import (
	"context"
	"encoding/binary"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// ART decodes the Android Runtime of one process. It is safe for concurrent use.
type ART struct {
	process *core.Process
	symbols *sym.Table
	space   *core.Space
	order   binary.ByteOrder
	ptr     int // bytes of a pointer

	module *core.Module // libart; nil if no module is it
	layout *Layout
}

// newART returns a decoder without a layout.
func newART(t runtimes.Target, libart *core.Module) *ART {
	order, ptr := t.Process.Words()
	return &ART{process: t.Process, symbols: t.Symbols, space: t.Process.Space, order: order, ptr: ptr, module: libart}
}

// Probe finds ART in a process: by its library. It returns nil, nil if the
// process has none.
func Probe(ctx context.Context, t runtimes.Target) (runtimes.Runtime, error) {
	if t.Process == nil || t.Process.Arch == nil || t.Process.Space == nil {
		return nil, nil
	}
	libart := findLibart(t.Process)
	if libart == nil {
		return nil, nil
	}
	a := newART(t, libart)
	a.layout = NewLayout(NewestSDK, a.ptr, LibCxx)
	return a, nil
}

// findLibart returns the module that is ART: libart.so, in Debian libart.so.0,
// or the debug build libartd.so.
func findLibart(p *core.Process) *core.Module {
	for _, m := range p.Modules {
		switch m.Name() {
		case "libart.so", "libart.so.0", "libartd.so", "libartd.so.0":
			return m
		}
	}
	return nil
}

// Name returns "art".
func (a *ART) Name() string { return "art" }

// Version returns Android's version with its API level, or "unknown".
func (a *ART) Version() string { return "unknown" }

// Module returns libart; nil if no module is known to be it.
func (a *ART) Module() *core.Module { return a.module }

// Layout returns the numbers that decoding depends on.
func (a *ART) Layout() *Layout { return a.layout }

// PtrSize returns the size of a pointer in bytes.
func (a *ART) PtrSize() int { return a.ptr }

// cursor returns a cursor over the process' memory, for one goroutine.
func (a *ART) cursor() *core.Cursor { return core.NewCursor(a.space, a.order, a.ptr) }

// word reads a word of the process' pointer size.
func (a *ART) word(at core.Addr) (uint64, bool) {
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
func (a *ART) pointer(at core.Addr) (core.Addr, bool) {
	w, ok := a.word(at)
	return core.Addr(w), ok
}

// ref reads a reference between objects of the Java heap, which are 32 bits
// wide in all processes.
func (a *ART) ref(at core.Addr) (core.Addr, bool) {
	w, ok := a.u32(at)
	return core.Addr(w), ok
}

func (a *ART) u64(at core.Addr) (uint64, bool) {
	if b, ok := a.bytes(at, 8); ok {
		return a.order.Uint64(b), true
	}
	return 0, false
}

func (a *ART) u32(at core.Addr) (uint32, bool) {
	if b, ok := a.bytes(at, 4); ok {
		return a.order.Uint32(b), true
	}
	return 0, false
}

func (a *ART) u16(at core.Addr) (uint16, bool) {
	if b, ok := a.bytes(at, 2); ok {
		return a.order.Uint16(b), true
	}
	return 0, false
}

func (a *ART) u8(at core.Addr) (uint8, bool) {
	if b, ok := a.bytes(at, 1); ok {
		return b[0], true
	}
	return 0, false
}

// bytes returns n bytes at an address, lent where one window holds them.
func (a *ART) bytes(at core.Addr, n int) ([]byte, bool) {
	b, err := a.space.Slice(at, n)
	return b, err == nil
}
