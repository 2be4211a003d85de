package coredbg

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/bundle/pack"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/stack"
)

// BundleOptions say what a bundle is to contain; see pack.Options.
type BundleOptions struct {
	Stacks  bool // leave the heap out
	Redact  bool // leave out arguments, environment, and copies of their values
	Small   bool // pack harder
	Fetch   bool // ask the servers of the options for all files first
	Sources bool // take the source files of functions on stacks, too, where they can be had
	Lean    bool // leave out what unwinds and names code that no stack runs through
	// Pack packs pieces of up to 8 MiB into zstd frames in place of the library; nil
	// for the library.
	Pack func(ctx context.Context, piece []byte) ([]byte, error)
	// Share is a folder for chunks that the bundle may share with others; "" for no sharing.
	Share string
}

// A Bundle is a bundle that is about to be written.
type Bundle struct {
	session *commands.Session
	plan    *pack.Plan
}

// PlanBundle opens the core at path and decides what a bundle of it will
// contain: the core's memory, and of each file what stacks and decoders need,
// which is found by letting them run. The caller closes the Bundle.
func PlanBundle(ctx context.Context, path string, o Options, b BundleOptions) (bundle *Bundle, err error) {
	err = guard(func() (err error) {
		bundle, err = planBundle(ctx, path, o, b)
		return err
	})
	return bundle, err
}

func planBundle(ctx context.Context, path string, o Options, b BundleOptions) (*Bundle, error) {
	c, err := load(path, o)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	p := c.process
	own := c.files
	data, maps, debug := pack.RecordFiles(c.data), pack.RecordFiles(c.maps), pack.RecordDebugInfo(own, 0)
	c.data, c.files = data, debug
	if c.maps != nil {
		c.maps = maps
	}
	s := newSession(c, o)
	if b.Fetch {
		defer s.Servers.Within(ctx)()
		fetchAll(ctx, s)
	}
	if b.Lean {
		s.Symbols.Record()
	}
	touched := pack.Record(p.Space)
	if b.Stacks {
		leaveHeaps(s)
	}
	pcs, names := touchStacks(ctx, s)
	s.Causes(ctx) // for the memory it reads
	touchLocks(ctx, s)
	for _, r := range s.Runtimes() {
		if t, ok := r.(runtimes.Prefetcher); ok && !b.Stacks {
			t.Prefetch(ctx)
		}
	}
	touched.Stop()
	openDebugInfo(ctx, s, pcs, !b.Lean)
	if b.Sources {
		openSources(ctx, s, pcs)
	}
	abandon := func() {
		data.Close()
		maps.Close()
		debug.Close()
		p.Close()
	}
	if err := ctx.Err(); err != nil {
		abandon()
		return nil, err
	}
	opt := pack.Options{Stacks: b.Stacks, Redact: b.Redact, Small: b.Small, Lean: b.Lean, Pack: b.Pack, Share: b.Share,
		Touched: touched, PCs: pcs, Asked: s.Symbols.Recorded(),
		Files: own, Data: slices.Concat(data.Files(), maps.Files(), debug.Files()), LeftOut: debug.LeftOut(),
		Progress: o.Progress}
	if b.Redact {
		opt.Names, opt.Environ = names, environNow(s)
	}
	plan, err := pack.NewPlan(ctx, p, c.src, opt)
	if err != nil {
		abandon()
		return nil, fmt.Errorf("planning a bundle of %s: %w", path, err)
	}
	return &Bundle{session: s, plan: plan}, nil
}

// maxDebugParts bounds the files with parts of an image's debugging information that are opened for
// packing, in addition to the frames' files.
const maxDebugParts = 4096

// openDebugInfo opens the files that have parts of the debugging information of modules, so that
// they are recorded: of frames first, then, if all is set, of all units of modules that frames are in.
func openDebugInfo(ctx context.Context, s *commands.Session, pcs []core.Addr, all bool) {
	var used []*core.Module
	for _, pc := range pcs {
		m := s.Process.Module(pc)
		if m == nil || ctx.Err() != nil {
			continue
		}
		d, err := s.Symbols.Data(m)
		if err != nil {
			continue
		}
		if !slices.Contains(used, m) {
			used = append(used, m)
		}
		if f := m.Facts(); f.BiasKnown {
			d.Scopes(uint64(pc - f.Bias))
		}
	}
	for _, m := range used {
		if !all {
			break
		}
		if d, err := s.Symbols.Data(m); err == nil && ctx.Err() == nil {
			d.OpenParts(maxDebugParts)
		}
	}
}

// openSources reads the source files of functions with program counters, so that they are recorded.
func openSources(ctx context.Context, s *commands.Session, pcs []core.Addr) {
	seen := map[string]bool{"": true}
	for _, pc := range pcs {
		for _, at := range []core.Addr{pc, pc - 1} { // of a caller the call is before it
			for _, l := range s.Symbols.Lines(at) {
				if !seen[l.File] && ctx.Err() == nil {
					seen[l.File] = true
					s.SourceLines(ctx, at, l.File)
				}
			}
		}
	}
}

// leaveHeaps lets runtimes show stacks without walking their heaps.
func leaveHeaps(s *commands.Session) {
	for _, r := range s.Runtimes() {
		if w, ok := r.(runtimes.HeapWalker); ok {
			w.LeaveHeap()
		}
	}
}

// fetchAll asks servers for missing files: the files of all modules, and their debug files. The bundle
// says which files the servers lack.
func fetchAll(ctx context.Context, s *commands.Session) {
	for _, m := range s.Process.Modules {
		if ctx.Err() != nil {
			return
		}
		m.Facts()
		s.Symbols.Fetch(m, sym.DebugInfo)
	}
}

// Servers says for each object of the process what servers were asked for, and how that
// went; nothing where all files were here.
func (b *Bundle) Servers() (lines []string) {
	if b.session.Servers == nil {
		return nil
	}
	for _, m := range b.session.Process.Modules {
		for _, x := range b.session.Servers.Tried(m.Facts().BuildID) {
			if x.Err == nil {
				lines = append(lines, fmt.Sprintf("%s: %s from %s", m.Name(), x.Kind, x.Server))
			} else {
				lines = append(lines, fmt.Sprintf("%s: no %s from %s: %v", m.Name(), x.Kind,
					cmp.Or(x.Server, "the cache"), x.Err))
			}
		}
	}
	return lines
}

// touchStacks makes the stacks of all threads and of the runtimes' tasks, so that their memory is
// recorded. It returns the program counters of their frames, and the names in them.
func touchStacks(ctx context.Context, s *commands.Session) (pcs []core.Addr, names []string) {
	seen, named := map[core.Addr]bool{}, map[string]bool{"": true}
	threads := slices.Clone(s.Process.Threads)
	for _, r := range s.Found() {
		if x, ok := r.(runtimes.Tasker); ok {
			threads = append(threads, x.Tasks()...)
		}
	}
	for rec := range s.Stacks.All(ctx, threads, stack.Options{}) {
		for i := range rec.Frames {
			f := &rec.Frames[i]
			if !seen[f.PC] {
				seen[f.PC] = true
				pcs = append(pcs, f.PC)
			}
			for _, name := range []string{f.Name, f.File, f.Module} {
				if !named[name] {
					named[name] = true
					names = append(names, name)
				}
			}
		}
	}
	return pcs, names
}

// touchLocks finds out what threads of Java wait for, so that the memory of locks is recorded. Locks that
// cannot be read are left out.
func touchLocks(ctx context.Context, s *commands.Session) {
	for _, r := range s.Found() {
		if x, ok := r.(runtimes.LockWaiter); ok {
			_, _ = x.LockWaits()
		}
		if x, ok := r.(runtimes.JavaLocker); ok {
			_, _ = x.JavaMonitors(ctx)
		}
	}
}

// environNow returns the strings of the environment as the C library's variable environ has them in the
// end: programs set variables, and move the strings. Unreadable strings are left out.
func environNow(s *commands.Session) (out []string) {
	p := s.Process
	for _, name := range []string{"environ", "__environ", "_environ"} {
		symbol, ok := s.Symbols.Find("", name)
		if !ok {
			continue
		}
		c := p.Cursor()
		if list := c.Pointer(symbol.Addr); c.Err() == nil {
			text, _ := core.EnvironAt(p, list)
			out = append(out, text...)
		}
	}
	return out
}

// Contents says in words what the bundle will contain, and which secrets may be
// in it.
func (b *Bundle) Contents() string { return pack.Describe(b.plan) }

// Files returns the paths of the files that the bundle takes data from, other than the core: a bundle
// must not be written over one of them.
func (b *Bundle) Files() []string {
	paths := b.plan.Paths()
	for _, m := range b.session.Process.Modules {
		if img := m.Facts().Image; img != nil && img.Path() != "" {
			paths = append(paths, img.Path())
		}
	}
	return paths
}

// Write writes the bundle to w and returns how many bytes it took. It ends
// early with the context's error.
func (b *Bundle) Write(ctx context.Context, w io.Writer) (int64, error) {
	c := &counter{w: w}
	err := guard(func() error { return b.plan.Write(ctx, c) })
	return c.n, err
}

// Close releases the core and the files.
func (b *Bundle) Close() error {
	err := b.plan.Close()
	if e := b.session.Process.Close(); err == nil {
		err = e
	}
	return err
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
