package art

import (
	"encoding/binary"
	"sync"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// ART decodes the Android Runtime of one process. It is safe for concurrent use.
type ART struct {
	process *core.Process
	symbols *sym.Table
	files   runtimes.Files
	space   *core.Space
	order   binary.ByteOrder
	ptr     int // bytes of a pointer
	isa     *isa

	module *core.Module // libart; nil if no module is it

	// What probing found.
	asked   int    // the SDK that somebody said it is; 0 if nobody did
	hints   []hint // addresses that may be threads'
	scanned core.Addr
	fit     fit
	rivals  []int // other SDKs whose layouts fit as well
	layout  *Layout

	// What was read so far; see forget.
	threads   func() ([]*Thread, error)
	byThread  func() map[*core.Thread]*Thread
	dexes     dexes
	methodsMu sync.Mutex
	methods   map[core.Addr]*Method
	jitCode   func() *jitCode
	mirror    *mirror // objects of the Java heap
	managed   func() []span
	nterp     func() []span
	oats      func() ([]*OatFile, error)
}

// newART returns a decoder without a layout.
func newART(t runtimes.Target, libart *core.Module) *ART {
	order, ptr := t.Process.Words()
	return &ART{process: t.Process, symbols: t.Symbols, files: t.Files, space: t.Process.Space,
		order: order, ptr: ptr, module: libart, isa: isaOf(t.Process.Arch)}
}

// use makes a layout the one to decode with, and forgets what was read with
// another.
func (a *ART) use(f fit) {
	a.fit, a.layout = f, f.layout
	a.forget()
}

func (a *ART) forget() {
	a.threads = sync.OnceValues(a.readThreads)
	a.byThread = sync.OnceValue(a.indexThreads)
	a.dexes.files = map[core.Addr]*DexFile{}
	a.methods = map[core.Addr]*Method{}
	a.mirror = &mirror{}
	a.jitCode = sync.OnceValue(a.readJITCode)
	a.managed = sync.OnceValue(a.managedSpans)
	a.oats = sync.OnceValues(a.readOatFiles)
	a.nterp = sync.OnceValue(a.nterpSpans)
}

// A span is a range of addresses.
type span struct{ start, end core.Addr }

func (s span) has(a core.Addr) bool { return s.start <= a && a < s.end }

// Name returns "art".
func (a *ART) Name() string { return "art" }

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
