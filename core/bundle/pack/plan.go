package pack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/bundle/redact"
	"coredbg/core/bundle/span"
	"coredbg/core/elf"
)

// A Plan is what a bundle will contain.
type Plan struct {
	parts     []*bundle.Planned
	info      []string
	redaction *redact.Redaction // nil if nothing is redacted
	opt       Options
	closers   []io.Closer
}

// NewPlan decides what a bundle of p, which was opened from src, will contain.
// It reads all memory that is to be taken, and opens the modules' files, until ctx
// ends. The plan must be closed.
func NewPlan(ctx context.Context, p *core.Process, src core.Source, opt Options) (*Plan, error) {
	if opt.Files == nil {
		opt.Files = elf.Disk{}
	}
	if opt.Share != "" && !bundle.ValidShare(filepath.Base(opt.Share)) {
		return nil, fmt.Errorf("%s is not a folder that can be shared", opt.Share)
	}
	plan := &Plan{opt: opt}
	touched := newTouched(p, opt)
	main := planCore(p, src, opt, touched)
	left := main.BytesOf(span.Gap) // before anything is redacted
	plan.parts = append(plan.parts, main)
	if opt.Lean {
		touched.pointed = pointers(main, p)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	missing := append(plan.addModules(p, touched), plan.addData()...)
	for _, path := range opt.LeftOut {
		missing = append(missing, path+": too large")
	}
	if opt.Redact {
		r, err := redact.Core(ctx, p, main, plan.parts[1:], redact.Options{Environ: opt.Environ, Names: opt.Names,
			Progress: opt.Progress})
		if err != nil {
			return nil, errors.Join(err, plan.Close())
		}
		plan.redaction = r
	}
	plan.describe(main, left, missing)
	return plan, nil
}

// Close closes the files that the plan opened.
func (p *Plan) Close() error {
	var errs []error
	for _, c := range p.closers {
		errs = append(errs, c.Close())
	}
	p.closers = nil
	return errors.Join(errs...)
}

// Paths returns the paths of the files in the plan other than the core.
func (p *Plan) Paths() []string {
	var out []string
	for _, part := range p.parts[1:] {
		out = append(out, part.Path)
	}
	return out
}

// Describe describes in words the contents of the bundle, with sizes before packing, and the secrets
// that may be in it. It ends in a newline.
func Describe(p *Plan) string { return strings.Join(p.info, "\n") + "\n" }

// describe records a description of the plan. Left is the number of the core's bytes that are left out,
// apart from redacted ones.
func (plan *Plan) describe(main *bundle.Planned, left int64, missing []string) {
	// A path with a newline does not make lines of its own.
	say := func(format string, args ...any) {
		plan.info = append(plan.info, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", `\n`))
	}
	say("core %s: %s of memory, %s of zeros", main.Path, span.Size(main.BytesOf(span.Data)),
		span.Size(main.BytesOf(span.Zero)))
	if left > 0 {
		say("left out: %s of memory that stacks do not need", span.Size(left))
	}
	if plan.redaction != nil {
		plan.redaction.Describe(say)
	} else {
		say("not redacted: the arguments and the environment, and whatever secrets were in the memory that is taken")
	}
	var total, whole int64
	for _, part := range plan.parts[1:] {
		total += part.BytesOf(span.Data)
		whole += part.Source.Size()
	}
	say("files: %d, %s of %s", len(plan.parts)-1, span.Size(total), span.Size(whole))
	for _, part := range plan.parts[1:] {
		what := ""
		if part.Kind == bundle.DebugFile {
			what = " (separate debug file)"
		}
		say("  %s%s: %s of %s", part.Path, what, span.Size(part.BytesOf(span.Data)), span.Size(part.Source.Size()))
	}
	for _, m := range missing {
		say("  not there: %s", m)
	}
}

// Write writes a bundle of p, which was opened from src. The same process,
// files and options give the same bytes. Nothing may read p while it runs.
func Write(ctx context.Context, w io.Writer, p *core.Process, src core.Source, opt Options) error {
	plan, err := NewPlan(ctx, p, src, opt)
	if err != nil {
		return fmt.Errorf("planning the bundle: %w", err)
	}
	defer plan.Close()
	return plan.Write(ctx, w)
}

// Write writes the bundle that was planned, until ctx ends.
func (plan *Plan) Write(ctx context.Context, w io.Writer) error {
	opt := bundle.WriteOptions{Info: plan.info, Small: plan.opt.Small, Pack: plan.opt.Pack, Share: plan.opt.Share,
		Progress: plan.opt.Progress}
	if plan.redaction != nil {
		opt.Check = func(ctx context.Context, index []byte, chunks io.ReaderAt) error {
			return plan.redaction.Check(ctx, plan.info, plan.parts, index, chunks)
		}
	}
	return bundle.Write(ctx, w, plan.parts, opt)
}
