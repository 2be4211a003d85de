package walk

import (
	"sync"

	"coredbg/core"
	"coredbg/walk/cfi"
	"coredbg/walk/site"
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
	// RecordsOnly leaves out what reads the tables and the instructions of native code. It shows how far the
	// records of the runtimes themselves lead.
	RecordsOnly bool
	// MaxFrames ends a walk; 0 means 1<<20.
	MaxFrames int
}

// A Target is a process whose stacks are walked. It keeps what walks have in
// common: the call frame information of each module, parsed on first use, and
// what was found at each return address. It is safe for concurrent walks.
type Target struct {
	p    *core.Process
	text *site.Text
	opts Options
	idle sync.Pool // of walkers
}

// NewTarget returns a target for p. It reads nothing yet.
func NewTarget(p *core.Process, opts Options) *Target {
	if opts.MaxFrames <= 0 {
		opts.MaxFrames = 1 << 20
	}
	return &Target{p: p, text: site.New(p, opts.FuncStart, opts.DebugImage), opts: opts}
}

// Holds reports whether control may get from the start of a function to a without a call: only where
// all its ways can be followed and none leads there, it does not.
func (t *Target) Holds(start, a core.Addr) bool { return t.text.Holds(start, a) }

// FuncStart returns the start of the function that holds a, or of its part, if its image, its frame
// description or a symbol shows it.
func (t *Target) FuncStart(a core.Addr) (core.Addr, bool) {
	start, ok := t.text.FuncStart(a)
	if part, described := t.text.DescribedStart(a); described && part <= a && (!ok || part > start) {
		return part, true
	}
	return start, ok
}

// Called returns the function that the call before a return address leads to, through stubs and jumps; false
// if that is not known.
func (t *Target) Called(pc core.Addr) (core.Addr, bool) { return t.text.Target(pc) }

// A Saved is where a function has saved a register of its caller.
type Saved struct {
	Slot int
	At   core.Addr
}

// SavedIn returns where a frame has saved registers of its caller, by the frame's description alone, in order of
// slots. The canonical frame address is the frame's.
func (t *Target) SavedIn(f *Frame, cfa core.Addr) (list []Saved) {
	row := t.text.Row(f.LookupPC())
	if row == nil || row.Signal {
		return nil
	}
	for _, r := range row.Rules {
		if slot := int(r.Slot); r.Kind == cfi.Offset && slot >= 0 && slot < len(t.p.Arch.RegNames) {
			list = append(list, Saved{slot, cfa + core.Addr(r.Off)})
		}
	}
	return list
}
