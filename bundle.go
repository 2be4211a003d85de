package coredbg

import (
	"context"
	"fmt"
	"io"
	"slices"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/runtimes"
)

// BundleOptions say what a bundle is to contain; see bundle.Options.
type BundleOptions struct {
	Stacks bool // leave the heap out
	Redact bool // leave arguments and environment out
	Small  bool // pack harder
}

// A Bundle is a bundle that is about to be written.
type Bundle struct {
	session *commands.Session
	plan    *bundle.Plan
}

// PlanBundle opens the core at path and decides what a bundle of it will
// contain: the core's memory, and of each file what stacks and decoders need,
// which is found by letting them run. The caller closes the Bundle.
func PlanBundle(ctx context.Context, path string, o Options, b BundleOptions) (*Bundle, error) {
	c, err := load(path, o)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	p := c.process
	data := &dataSeen{Files: dataFiles(c, o)}
	c.data = data
	s := newSession(c, o)
	touched := bundle.Record(p.Space)
	pcs := touchStacks(ctx, s)
	for _, r := range s.Runtimes() {
		if t, ok := r.(runtimes.Toucher); ok && !b.Stacks {
			t.Touch(ctx)
		}
	}
	touched.Stop()
	if err := ctx.Err(); err != nil {
		data.close()
		p.Close()
		return nil, err
	}
	plan, err := bundle.NewPlan(p, c.src, bundle.Options{
		Stacks: b.Stacks, Redact: b.Redact, Small: b.Small, Touched: touched, PCs: pcs, Files: c.files, Data: data.found, Progress: o.Progress,
	})
	if err != nil {
		data.close()
		p.Close()
		return nil, fmt.Errorf("planning a bundle of %s: %w", path, err)
	}
	return &Bundle{session: s, plan: plan}, nil
}

// A dataSeen notes the files without code that decoders took, as they are to be
// in the bundle.
type dataSeen struct {
	runtimes.Files
	found []bundle.DataFile
}

// Data implements runtimes.Files.
func (d *dataSeen) Data(path string, prove func(core.Source) error) (core.Source, string, []error) {
	src, from, refused := d.Files.Data(path, prove)
	known := slices.ContainsFunc(d.found, func(f bundle.DataFile) bool { return f.Path == path })
	if src != nil && !known {
		if own, _, _ := d.Files.Data(path, prove); own != nil {
			d.found = append(d.found, bundle.DataFile{Path: path, Source: own})
		}
	}
	return src, from, refused
}

func (d *dataSeen) close() {
	for _, f := range d.found {
		f.Source.Close()
	}
}

// touchStacks makes the stacks of all threads, for what they read, and returns
// the program counters of their frames.
func touchStacks(ctx context.Context, s *commands.Session) []core.Addr {
	seen := map[core.Addr]bool{}
	var pcs []core.Addr
	for rec := range s.Stacks.All(ctx, s.Process.Threads, commands.StackOptions{}) {
		for i := range rec.Frames {
			if pc := rec.Frames[i].PC; !seen[pc] {
				seen[pc] = true
				pcs = append(pcs, pc)
			}
		}
	}
	return pcs
}

// Contents says in words what the bundle will contain, and which secrets may be
// in it.
func (b *Bundle) Contents() string { return bundle.Describe(b.plan) }

// WriteTo writes the bundle.
func (b *Bundle) WriteTo(w io.Writer) (int64, error) {
	c := &counter{w: w}
	err := b.plan.Write(c)
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
