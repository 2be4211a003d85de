package stack

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/walk"
)

// A WalkFunc yields the machine frames of a thread from the innermost out, and as its last pair the
// zero Frame with a *walk.StopError. It asks the given unwinders before its own.
type WalkFunc func(ctx context.Context, t *core.Thread, first ...walk.Unwinder) iter.Seq2[walk.Frame, error]

// An Engine makes stacks: it walks threads with the unwinders of the runtimes
// and names what the walk finds. It is safe for concurrent use.
type Engine struct {
	Process  *core.Process
	Symbols  *sym.Table
	Runtimes func() []runtimes.Runtime
	Walk     WalkFunc
	// Lines and Raw set the fields of Options for every stack.
	Lines, Raw bool

	mu    sync.RWMutex
	sites map[siteKey]*site
	// suspects are modules without their files; told is the number of them that Suspects has returned.
	suspects []*core.Module
	told     int
}

// Thread returns the stack of t.
func (s *Engine) Thread(ctx context.Context, t *core.Thread, o Options) *Stack {
	rec := &Stack{Thread: t}
	rec.Name, rec.State = s.Describe(t)
	if t.Crashed && s.Process.Signal != nil {
		rec.Signal = s.Process.Signal.Name
	}
	if dropped := s.walk(ctx, rec, o, nil); dropped {
		rec.again = s.Every(ctx, t, o)
	}
	return rec
}

// Every yields all frames of a thread, each of them lent.
func (s *Engine) Every(ctx context.Context, t *core.Thread, o Options) iter.Seq[*Frame] {
	return func(yield func(*Frame) bool) { s.walk(ctx, &Stack{Thread: t}, o, yield) }
}

// walk fills rec with the frames of its thread, or yields them, as fill does.
func (s *Engine) walk(ctx context.Context, rec *Stack, o Options, yield func(*Frame) bool) (dropped bool) {
	var chain []walk.Unwinder
	var decoders []runtimes.FrameDecoder
	for _, r := range s.runtimes() {
		if d, ok := r.(runtimes.FrameDecoder); ok {
			chain = append(chain, d.Begin(rec.Thread))
			decoders = append(decoders, d)
		}
	}
	return s.fill(rec, s.Walk(ctx, rec.Thread, chain...), decoders, o, yield)
}

// Describe returns a thread's name and state: what a runtime calls them, else
// what the core does.
func (s *Engine) Describe(t *core.Thread) (name, state string) {
	for _, r := range s.runtimes() {
		if d, ok := r.(runtimes.ThreadDescriber); ok {
			if name, state, ok := d.DescribeThread(t); ok {
				return name, state
			}
		}
	}
	return t.Name, t.State
}

func (s *Engine) runtimes() []runtimes.Runtime {
	if s.Runtimes == nil {
		return nil
	}
	return s.Runtimes()
}

// Fill appends the frames that frames yields to rec, decoded and named. Callers
// that await come after the outermost frame of a managed language, where
// Error.stack has them. Fill keeps all frames, whatever Options.Hold is.
func (s *Engine) Fill(rec *Stack, frames iter.Seq2[walk.Frame, error], decoders []runtimes.FrameDecoder, o Options) {
	o.Hold = 0
	s.fill(rec, frames, decoders, o, nil)
}

// fill is Fill that keeps only o.Hold frames, and reports whether it has dropped others. If yield is
// not nil, fill passes each frame to it instead, until it returns false.
func (s *Engine) fill(rec *Stack, frames iter.Seq2[walk.Frame, error], decoders []runtimes.FrameDecoder, o Options,
	yield func(*Frame) bool) (dropped bool) {
	b := builders.Get().(*builder)
	*b = builder{Engine: s, rec: rec, o: o, room: b.room, yield: yield}
	defer b.release()
	machine := 0
	for f, err := range frames {
		if err != nil {
			rec.Stop = stopOf(err)
			break
		}
		if f.Point != walk.Virtual {
			b.caller(f.SP)
			if !b.deliver() {
				return false
			}
			if o.Limit > 0 && machine == o.Limit {
				rec.Stop = &walk.StopError{Kind: walk.StopLimit}
				break
			}
			machine++
		}
		b.now = entry{frame: f}
		b.now.sources = decode(&b.now.frame, decoders)
		b.add(&b.now)
		if b.best == Enough {
			rec.Stop = enough
			break
		}
	}
	b.end()
	b.deliver()
	if rec.Stop == nil {
		rec.Stop = &walk.StopError{Kind: walk.StopRoot}
	}
	return b.dropped
}

// enough ends a walk that has found its frame.
var enough = &walk.StopError{Kind: walk.StopLimit}

// An entry is a frame of the walk with the source frames it stands for.
type entry struct {
	frame   walk.Frame
	sources []runtimes.SourceFrame
	cfa     core.Addr
}

// A builder puts the records of a stack in order.
type builder struct {
	*Engine
	rec *Stack
	o   Options
	// now is the frame of the walk that is being added, and record one of those
	// that stand for it. They are kept here, as what they are lent to might
	// have each of them allocated.
	now    entry
	record Frame
	// first and last bound the records of the last frame of the machine, while
	// its caller is not known.
	first, last int
	// async are callers that await; native is what came after them and may
	// yet be followed by a frame of a managed language.
	async, native []entry
	// room is where the first records of a stack are put together.
	room []Frame
	// yield, if it is not nil, takes the records instead of the stack.
	yield   func(*Frame) bool
	dropped bool  // o.Hold records were kept, and there were more
	best    Worth // of the record that o.Best has selected
}

// builders are the idle builders.
var builders = sync.Pool{New: func() any { return &builder{room: make([]Frame, 0, roomFrames)} }}

// roomFrames is how many records the room of a builder has.
const roomFrames = 64

// release gives the stack records of its own, no more than there are, if they are in the room.
func (b *builder) release() {
	if n := len(b.rec.Frames); n > 0 && &b.rec.Frames[0] == &b.room[:1][0] {
		b.rec.Frames = slices.Clone(b.rec.Frames)
		clear(b.room[:n])
	}
	if b.yield != nil {
		clear(b.room[:cap(b.room)])
	}
	*b = builder{room: b.room}
	builders.Put(b)
}

// caller notes where the caller of the last frame of the machine begins.
func (b *builder) caller(sp core.Addr) {
	if n := len(b.native); n > 0 {
		b.native[n-1].cfa = sp
		return
	}
	for i := b.first; i < b.last; i++ {
		b.rec.Frames[i].CFA = sp
	}
	if n := len(b.async); n > 0 && b.async[n-1].cfa == 0 {
		b.async[n-1].cfa = sp
	}
}

// deliver passes the records so far, whose callers are known, to yield. It reports whether to go on.
func (b *builder) deliver() bool {
	if b.yield == nil {
		return true
	}
	list := b.rec.Frames
	b.rec.Frames, b.first, b.last = list[:0], 0, 0
	for i := range list {
		if !b.yield(&list[i]) {
			return false
		}
	}
	return true
}

func (b *builder) add(e *entry) {
	all, awaiting := e.sources, 0
	for awaiting < len(all) && all[len(all)-1-awaiting].Async {
		awaiting++
	}
	e.sources = all[:len(all)-awaiting]
	managed := slices.ContainsFunc(e.sources, func(src runtimes.SourceFrame) bool { return managedKind(src.Kind) })
	switch {
	case len(b.async) > 0 && !managed && awaiting == 0:
		b.native = append(b.native, *e)
		return
	case len(b.native) > 0:
		b.flush(b.native)
		b.native = nil
	}
	first := len(b.rec.Frames)
	if len(e.sources) > 0 || awaiting == 0 {
		b.decoded(&e.frame, e.sources)
	}
	if e.frame.Point != walk.Virtual {
		b.first, b.last = first, len(b.rec.Frames)
	}
	if awaiting > 0 {
		e.sources = all[len(all)-awaiting:]
		b.async = append(b.async, *e)
	}
}

// flush appends the records of entries whose callers are known.
func (b *builder) flush(entries []entry) {
	for i := range entries {
		e := &entries[i]
		first := len(b.rec.Frames)
		b.decoded(&e.frame, e.sources)
		for k := first; k < len(b.rec.Frames); k++ {
			b.rec.Frames[k].CFA = e.cfa
		}
	}
}

func (b *builder) end() {
	b.flush(b.async)
	b.flush(b.native)
}

func stopOf(err error) *walk.StopError {
	var stop *walk.StopError
	if errors.As(err, &stop) {
		return stop
	}
	if f := core.Fault(err); f != nil {
		return &walk.StopError{Kind: walk.StopUnreadable, At: f.Addr, Err: f}
	}
	return &walk.StopError{Kind: walk.StopLimit, Err: err}
}

// decode returns the source-level frames of the first runtime that knows f.
func decode(f *walk.Frame, decoders []runtimes.FrameDecoder) []runtimes.SourceFrame {
	for _, d := range decoders {
		if sources, _ := d.Decode(f); len(sources) > 0 {
			return sources
		}
	}
	return nil
}

// decoded appends the records of the frame f: one for each of its sources, or if it has no sources, one
// for the machine code.
func (b *builder) decoded(f *walk.Frame, sources []runtimes.SourceFrame) {
	for i := range sources {
		src := &sources[i]
		r := b.machine(f)
		r.Kind, r.Name, r.Tier = src.Kind, src.Name, src.Tier
		r.File, r.Line, r.Column, r.Generated = src.File, src.Line, src.Column, src.Generated
		if g := src.Generated; g != nil && (b.o.Raw || b.Engine.Raw) {
			r.Name, r.File, r.Line, r.Column, r.Generated = g.Name, g.File, g.Line, g.Column, nil
		}
		r.Unmapped = src.Unmapped && !b.o.Raw && !b.Engine.Raw
		r.Inlined, r.Async, r.Function, r.Callback, r.Note = src.Inlined, src.Async, src.Function,
			src.Callback, src.Note
		if !Managed(r) && !b.o.ManagedOnly {
			st := b.site(f, noLines)
			r.Offset, r.HasOffset = st.offset, st.named
			r.Module, r.ModuleOffset = st.module, st.moduleOffset
		}
		b.keep(f, src)
	}
	if len(sources) > 0 {
		return
	}
	st := &site{}
	if !b.o.ManagedOnly {
		st = b.site(f, b.use(&b.o))
	}
	first := b.rec.Total
	for _, in := range st.inlined {
		r := b.machine(f)
		r.Kind, r.Name, r.Inlined = runtimes.Native, in.Func, true
		r.File, r.Line, r.Column = in.File, in.Line, in.Column
		r.Module, r.ModuleOffset = st.module, st.moduleOffset
		b.keep(f, nil)
		if b.unnumbered(f, st) {
			b.rec.Total = first
		}
	}
	r := b.machine(f)
	r.Kind, r.Name, r.Made = runtimes.Native, st.name, st.made
	if f.Trampoline {
		r.Kind = runtimes.Signal
	}
	r.Offset, r.HasOffset = st.offset, st.named
	r.Module, r.ModuleOffset = st.module, st.moduleOffset
	r.File, r.Line, r.Column = st.file, st.line, st.column
	r.Deleting = st.deleting
	b.keep(f, nil)
}

// unnumbered reports whether the calls that were inlined at f have no numbers of their own: only the
// options ask for them, so that stacks without them would number later frames differently.
func (b *builder) unnumbered(f *walk.Frame, st *site) bool {
	return b.o.Lines && !b.Engine.Lines && len(st.inlined) > 0 && len(b.site(f, ownLines).inlined) == 0
}

// machine begins the next record of the frame f, with the fields that are known before it is named.
func (b *builder) machine(f *walk.Frame) *Frame {
	b.record = Frame{Index: b.rec.Total, PC: f.PC, SP: f.SP, FP: f.FP, Trust: f.Trust, NoCall: f.Point == walk.NoCall,
		Gap: f.Gap, Arch: b.Process.Arch}
	return &b.record
}

// keep appends the record to the stack, if it is one that the caller wants.
func (b *builder) keep(f *walk.Frame, src *runtimes.SourceFrame) {
	t := b.rec
	t.Total++
	if b.o.Keep != nil && !b.o.Keep(&b.record) {
		return
	}
	if b.o.Each != nil {
		b.o.Each(&b.record, f, src)
	}
	if b.o.Best != nil {
		worth := b.o.Best(&b.record)
		if len(t.Frames) > 0 && worth <= b.best {
			return
		}
		b.best, t.Frames = worth, t.Frames[:0]
	}
	switch n := len(t.Frames); {
	case b.o.Hold > 0 && n >= b.o.Hold && b.yield == nil:
		b.dropped = true
		return
	case t.Frames == nil:
		t.Frames = b.room
	case n == cap(t.Frames):
		// The records are large: for deep stacks append's growth by a quarter
		// would copy each of them several times over.
		t.Frames = slices.Grow(t.Frames, n)
	}
	t.Frames = append(t.Frames, b.record)
}

// easeEvery is the number of stacks after which memory read from the core is released, if it is much.
const easeEvery = 1 << 9

// manyStacks is how many stacks of one frame each a worker makes before it hands them over.
const manyStacks = 32

// guarded is Thread in a goroutine of its own. The record of a stack that could not be
// read because the core was cut short says so.
func (s *Engine) guarded(ctx context.Context, t *core.Thread, o Options) (rec *Stack) {
	if err := core.Guard(func() { rec = s.Thread(ctx, t, o) }); err != nil {
		return &Stack{Thread: t, Name: t.Name, State: t.State,
			Stop: &walk.StopError{Kind: walk.StopUnreadable, Err: err}}
	}
	return rec
}

// All yields the stacks of threads in their order. It walks several at a time
// and holds only few of them, so that a core with thousands of threads costs
// no more memory than one with a hundred. It ends early if ctx does.
func (s *Engine) All(ctx context.Context, threads []*core.Thread, o Options) iter.Seq[*Stack] {
	size := 1
	if o.Best != nil {
		size = manyStacks
	}
	return func(yield func(*Stack) bool) {
		s.runtimes() // probe once, before the workers do
		walked := 0
		for list := range core.InOrder(ctx, slices.Chunk(threads, size), 8,
			func(ctx context.Context, some []*core.Thread) []*Stack {
				list := make([]*Stack, len(some))
				for i, t := range some {
					list[i] = s.guarded(ctx, t, o)
				}
				return list
			}) {
			for _, r := range list {
				if r.again != nil {
					r.again = s.Every(ctx, r.Thread, o) // the caller may ask when this iteration has ended
				}
				if walked++; walked%easeEvery == 0 {
					s.Process.Space.Ease()
				}
				core.ReportProgress(ctx, "walking stacks", int64(walked), int64(len(threads)))
				if ctx.Err() != nil || !yield(r) {
					return
				}
			}
		}
	}
}
