package commands

import (
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/walk"
)

// A FrameRecord is one frame of the unified stack: native, signal or managed,
// inlined frames expanded. A zero field is a fact that is absent.
type FrameRecord struct {
	Index int // of the frame in its thread's whole stack, from 0; filters leave holes
	Kind  runtimes.Kind
	Name  string // demangled without parameters; "" if no symbol covers the pc
	PC    core.Addr
	SP    core.Addr
	FP    core.Addr
	// Module is the path of the image that holds the pc, ModuleOffset the
	// pc's distance from its first mapping in bytes; valid if Module is set.
	Module       string
	ModuleOffset uint64
	// Offset is the pc's distance from the start of the symbol in bytes;
	// valid for frames that have a symbol, which HasOffset tells.
	Offset       uint64
	HasOffset    bool
	File         string
	Line, Column int
	Trust        walk.Trust
	Tier         string
	Inlined      bool
	Async        bool
	// NoCall is that of walk.Frame: the pc is a return address that no call
	// precedes.
	NoCall bool

	// Function, Callback and Note are those of runtimes.SourceFrame.
	Function core.Addr
	Callback string
	Note     string
	// CFA is the canonical frame address: the stack pointer of the caller
	// before the call; 0 if the walk found no caller.
	CFA core.Addr
	// Extra are further keys of the frame's JSON form (its arguments, its
	// locals) with their values, which are JSON, in order; ExtraText is their
	// text form, one line each.
	Extra     []Extra
	ExtraText []string

	arch *core.Arch
}

// An Extra is a key that a runtime's commands add to a frame's JSON form.
type Extra struct {
	Key   string
	Value []byte // JSON
}

// A ThreadRecord is a thread with its stack.
type ThreadRecord struct {
	Thread *core.Thread
	Signal string // name of the signal that hit this thread; "" if none did
	// Name and State are what a runtime calls them, else the core's.
	Name, State string
	Frames      []FrameRecord
	// Total is the number of frames of the stack before it was filtered.
	Total int
	// Stop says why the walk ended.
	Stop *walk.StopError
	// Form says how the record's text looks.
	Form StackForm
}

// StackOptions say which frames of a stack a caller wants.
type StackOptions struct {
	// Keep selects frames; nil keeps all. The walk is the same in any case.
	Keep func(*FrameRecord) bool
	// ManagedOnly leaves native frames and stubs unnamed, for stacks that
	// only count them: naming them would read symbols and lines.
	ManagedOnly bool
	// Limit is the number of machine frames to walk; 0 means no limit.
	Limit int
	// Lines takes source lines also from the separate debug files of
	// libraries. Those of a distribution's libraries are large, and lines in
	// them are seldom what a stack is read for.
	Lines bool
	// Each is called for each frame that is kept, before its caller is
	// known; src is nil for native frames. Both are lent.
	Each func(rec *FrameRecord, f *walk.Frame, src *runtimes.SourceFrame)
	// Form is handed to the records.
	Form StackForm
}

// Managed keeps the frames of managed languages.
func Managed(f *FrameRecord) bool { return managedKind(f.Kind) }

func managedKind(k runtimes.Kind) bool {
	return k == runtimes.JS || k == runtimes.Java || k == runtimes.Wasm || k == runtimes.API
}

// ManagedOnly returns the record without the frames that are not managed.
func (r *ThreadRecord) ManagedOnly() *ThreadRecord {
	rec := *r
	rec.Frames = nil
	for i := range r.Frames {
		if Managed(&r.Frames[i]) {
			rec.Frames = append(rec.Frames, r.Frames[i])
		}
	}
	return &rec
}

// Native keeps the frames of machine code, the glue of runtimes included.
func Native(f *FrameRecord) bool { return !Managed(f) }
