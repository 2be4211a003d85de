package walk_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/elf"
	"coredbg/core/find"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/golang"
	"coredbg/walk"
)

// A tally compares the frames of walks with less information with the frames of the walk with all of
// it.
type tally struct {
	scanned, wrong int // frames found by scanning; the ones that the full walk does not have
	others, bad    int // the same of frames found otherwise
	frames, lost   int // frames of the full walks; those not found
	root           int // walks that claim to have arrived and have not the last frame
}

func (n *tally) add(m tally) {
	n.scanned += m.scanned
	n.wrong += m.wrong
	n.others += m.others
	n.bad += m.bad
	n.frames += m.frames
	n.lost += m.lost
	n.root += m.root
}

func (n tally) String() string {
	return fmt.Sprintf("scanned: %d right, %d wrong; found otherwise: %d right, %d wrong; of %d frames %d lost; %d false roots",
		n.scanned-n.wrong, n.wrong, n.others-n.bad, n.bad, n.frames, n.lost, n.root)
}

// The limits of one core's share: different stacks, and frames of each.
const (
	maxTallyStacks = 12
	maxTallyFrames = 120
)

// A scanLimit says how many frames may be wrong in walks that had less to go by. The frames
// that are wrong are in a few odd cores, so that a part of the set may have as many as the
// whole: the tally that it was measured with.
type scanLimit struct {
	wrong int // of a hundred that were found by scanning
	bad   int // of ten thousand that were found otherwise
	roots int // false ones, of a hundred thousand frames that there are
	whole tally
}

// fewWrong frames may be wrong in any set of cores, however small: the trampolines of signals on
// Apple's systems have a frame like a thread's first function.
const fewWrong = 3

// scanLimits are a little above the results of 839 cores (2026-11). Where no code can be read the link
// register counts as scanned, and often comes from an earlier call.
var scanLimits = map[string]scanLimit{
	"without CFI": {wrong: 1, bad: 5, roots: 3, whole: tally{scanned: 318, others: 86211, bad: 31,
		frames: 88766, root: 3}},
	"without CFI and names": {wrong: 1, bad: 12, roots: 3, whole: tally{scanned: 2431, others: 82448, bad: 82,
		frames: 88766, root: 4}},
	"without files": {wrong: 15, bad: 15, roots: 0, whole: tally{scanned: 612, wrong: 65, others: 10033, bad: 11,
		frames: 40394}},
}

// exceeded says which parts of a tally are over the limit.
func (l scanLimit) exceeded(n tally) (over []string) {
	if most := max(n.scanned, l.whole.scanned) * l.wrong / 100; n.wrong > most {
		over = append(over, fmt.Sprintf("%d of %d scanned frames are wrong, more than %d", n.wrong, n.scanned, most))
	}
	if most := fewWrong + max(n.others, l.whole.others)*l.bad/10_000; n.bad > most {
		over = append(over, fmt.Sprintf("%d of %d frames found otherwise are wrong, more than %d", n.bad,
			n.others, most))
	}
	if most := fewWrong + max(n.frames, l.whole.frames)*l.roots/100_000; n.root > most {
		over = append(over, fmt.Sprintf("%d false roots in %d frames, more than %d", n.root, n.frames, most))
	}
	return over
}

// TestScannedFrames takes the call frame information of one module at a time away
// from the walks of all live cores, then its names too, then all files, and counts
// how many of the frames that are found then the walk with everything has.
func TestScannedFrames(t *testing.T) {
	files := coretest.Live(t)
	sums := map[string]*tally{}
	for kind := range scanLimits {
		sums[kind] = &tally{}
	}
	for _, path := range files {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) { tallyCore(t, dir, sums) })
	}
	for _, kind := range slices.Sorted(maps.Keys(scanLimits)) {
		t.Logf("%s: %v", kind, *sums[kind])
		for _, what := range scanLimits[kind].exceeded(*sums[kind]) {
			t.Errorf("%s: %s", kind, what)
		}
	}
}

// tallyCore counts over one core.
func tallyCore(t *testing.T, dir string, sums map[string]*tally) {
	want, p, symbols := openLive(t, dir)
	full := walk.Options{MaxFrames: maxTallyFrames, DebugImage: symbols.DebugImage,
		FuncStart: func(a core.Addr) (core.Addr, bool) {
			s, _, ok := symbols.Lookup(a)
			return s.Addr, ok
		}}
	known := stacksOf(p, symbols)
	stacks := fullStacks(t, p, full, known)
	for _, m := range p.Modules {
		if !slices.ContainsFunc(stacks, func(s fullStack) bool { return s.in(p, m) }) {
			continue
		}
		o := full
		o.DebugImage = func(other *core.Module) core.Image {
			if other.Start == m.Start {
				return nil
			}
			return full.DebugImage(other)
		}
		q := without(p, m)
		sums["without CFI"].add(tallyStacks(t, q, o, stacks, m, known...))
		o.FuncStart = func(a core.Addr) (core.Addr, bool) {
			if m.Contains(a) {
				return 0, false
			}
			return full.FuncStart(a)
		}
		sums["without CFI and names"].add(tallyStacks(t, q, o, stacks, m, known...))
	}
	bare := openCore(t, dir, want.Core, "", elf.Disk{Disk: find.Disk{Sysroot: t.TempDir()}})
	known = stacksOf(bare, sym.NewTable(bare))
	sums["without files"].add(tallyStacks(t, bare, walk.Options{MaxFrames: maxTallyFrames}, stacks, nil, known...))
}

// A bounded unwinder knows no frames. It knows the ends of stacks in one mapping, as the runtime that
// made them does.
type bounded struct{ walk.Bounder }

func (bounded) Step(*walk.Frame) (walk.Frame, any, error) { return walk.Frame{}, nil, walk.ErrDecline }
func (bounded) Next(core.Addr) (walk.Frame, bool)         { return walk.Frame{}, false }

// stacksOf returns the stacks that Go's runtime knows, if it is in the process.
func stacksOf(p *core.Process, symbols *sym.Table) []walk.Unwinder {
	r, err := golang.Probe(context.Background(), runtimes.Target{Process: p, Symbols: symbols})
	if b, ok := r.(walk.Bounder); ok && err == nil {
		return []walk.Unwinder{bounded{b}}
	}
	return nil
}

// A fullStack is what a walk with everything has found, up to the first frame that
// was scanned for.
type fullStack struct {
	thread int // index
	frames []walk.Frame
	cut    bool
}

func (s *fullStack) in(p *core.Process, m *core.Module) bool {
	return slices.ContainsFunc(s.frames, func(f walk.Frame) bool { return p.Module(f.LookupPC()) == m })
}

// fullStacks returns the stacks of p that differ, as many as are looked at.
func fullStacks(t *testing.T, p *core.Process, o walk.Options, known []walk.Unwinder) (out []fullStack) {
	target := walk.NewTarget(p, o)
	seen := map[string]bool{}
	for i, th := range p.Threads {
		frames, stop := collect(t, target.Walk(context.Background(), th, known...))
		s := fullStack{thread: i, frames: frames, cut: stop.Kind != walk.StopRoot}
		if n := slices.IndexFunc(frames, func(f walk.Frame) bool { return f.Trust == walk.Scanned }); n >= 0 {
			s.frames, s.cut = frames[:n], true
		}
		key := ""
		for i := range s.frames {
			key += fmt.Sprint(s.frames[i].PC, " ")
		}
		if !seen[key] {
			seen[key] = true
			out = append(out, s)
		}
		if len(out) == maxTallyStacks {
			break
		}
	}
	return out
}

// tallyStacks walks the threads of the stacks again in q. It counts stacks with a frame in m, or all if
// m is nil.
func tallyStacks(t *testing.T, q *core.Process, o walk.Options, stacks []fullStack, m *core.Module,
	known ...walk.Unwinder) (n tally) {
	target := walk.NewTarget(q, o)
	for _, s := range stacks {
		if m != nil && !slices.ContainsFunc(s.frames, func(f walk.Frame) bool { return m.Contains(f.LookupPC()) }) {
			continue
		}
		frames, stop := collect(t, target.Walk(context.Background(), q.Threads[s.thread], known...))
		frames = asFarAs(q, &s, frames, stop, m)
		one, bad := compareStack(q.Arch, &s, frames)
		if stop.Kind == walk.StopRoot && !s.cut && !slices.ContainsFunc(frames, func(f walk.Frame) bool {
			return sameFrame(q.Arch, &s.frames[len(s.frames)-1], &f)
		}) {
			one.root++
		}
		n.add(one)
		if one.wrong+one.bad+one.root > 0 && testing.Verbose() {
			where := "no files"
			if m != nil {
				where = m.Name()
			}
			t.Logf("%s, thread %d: %v", where, q.Threads[s.thread].TID, one)
			for i := range frames {
				mark := ' '
				if slices.Contains(bad, i) {
					mark = '!'
				}
				t.Logf(" %c#%-2d %c %v sp %v %s", mark, i, frames[i].Trust.Mark(), frames[i].PC, frames[i].SP,
					placeOf(q, frames[i].LookupPC()))
			}
			t.Logf("  stop: %v", stop)
		}
	}
	return n
}

// asFarAs leaves out of a walk what it has beyond the last frame of the full one, if it arrives at a root by the call
// frame information of another module: functions that say that they are outermost, as Go's mstart does, were called on
// threads that C has made.
func asFarAs(q *core.Process, s *fullStack, frames []walk.Frame, stop *walk.StopError, m *core.Module) []walk.Frame {
	if s.cut || m == nil || stop.Kind != walk.StopRoot || len(frames) == 0 {
		return frames
	}
	end := &s.frames[len(s.frames)-1]
	if last := &frames[len(frames)-1]; last.Trust != walk.CFI || m.Contains(last.LookupPC()) || last.SP <= end.SP {
		return frames
	}
	i := slices.IndexFunc(frames, func(f walk.Frame) bool { return sameFrame(q.Arch, end, &f) })
	return frames[:cmp.Or(i+1, len(frames))]
}

func placeOf(p *core.Process, a core.Addr) string {
	if m := p.Module(a); m != nil {
		return fmt.Sprintf("%s+%#x", m.Name(), uint64(a-m.Start))
	}
	return "?"
}

// compareStack counts frames against the full stack's. A frame is right if the full stack has its
// program counter and, if both are known, its stack pointer, further out than the frame that was right
// before. Frames beyond the place where the full stack was cut do not count.
func compareStack(arch *core.Arch, s *fullStack, frames []walk.Frame) (n tally, bad []int) {
	n.frames = len(s.frames)
	next := 0
	for i := range frames {
		f := &frames[i]
		at := slices.IndexFunc(s.frames[next:], func(w walk.Frame) bool { return sameFrame(arch, &w, f) })
		if at < 0 && s.cut && (next == len(s.frames) || f.SP > s.frames[len(s.frames)-1].SP) {
			continue
		}
		right := at >= 0
		if right {
			n.lost += at
			next += at + 1
		} else {
			bad = append(bad, i)
		}
		switch {
		case f.Trust == walk.Scanned && right:
			n.scanned++
		case f.Trust == walk.Scanned:
			n.scanned++
			n.wrong++
		case right:
			n.others++
		default:
			n.others++
			n.bad++
		}
	}
	n.lost += len(s.frames) - next
	return n, bad
}

func sameFrame(arch *core.Arch, a, b *walk.Frame) bool {
	return a.PC == b.PC && (a.SP == b.SP || !a.Regs.Has(arch.SP) || !b.Regs.Has(arch.SP))
}

// without returns p with m robbed of its call frame information.
func without(p *core.Process, m *core.Module) *core.Process {
	q := &core.Process{Format: p.Format, OS: p.OS, Arch: p.Arch, Order: p.Order, PtrSize: p.PtrSize, PID: p.PID,
		Space: p.Space, Threads: p.Threads, Mappings: p.Mappings, Modules: slices.Clone(p.Modules), Notes: p.Notes,
		Auxv: p.Auxv, Truncated: p.Truncated, CodeMask: p.CodeMask, DataMask: p.DataMask}
	i := slices.Index(q.Modules, m)
	facts := m.Facts()
	if facts.Image != nil {
		bare := robbed{facts.Image}
		facts.Image = bare
		if om, ok := bare.Image.(core.OffsetMapper); ok {
			facts.Image = struct {
				robbed
				core.OffsetMapper
			}{bare, om}
		}
	}
	q.Modules[i] = core.NewModule(*m, func(*core.Module) core.ModuleFacts { return facts })
	return q
}

// A robbed image has no call frame information and no list of functions.
type robbed struct{ core.Image }

func (r robbed) Section(name string) (core.Section, error) {
	switch name {
	case ".eh_frame", ".eh_frame_hdr", ".debug_frame", ".ARM.exidx", ".ARM.extab", "__unwind_info", "__eh_frame",
		"__debug_frame":
		return core.Section{}, core.ErrNoSection
	}
	return r.Image.Section(name)
}
