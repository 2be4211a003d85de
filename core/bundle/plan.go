package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/find"
)

// A Share says how much of something goes into a bundle.
type Share uint8

// The shares.
const (
	// Touched takes the pages that were recorded and those around program
	// counters.
	Touched Share = iota
	All
	None
)

// Options say what goes into a bundle. The zero Options take all memory that
// the core has, and of each module's file what names, unwinding and decoders
// need.
type Options struct {
	// Stacks leaves the heap out: of memory it takes the threads' stacks, the
	// modules' data, the dynamic linker's list and what was Touched. If PCs
	// are given, it takes only headers of modules that have none of them.
	Stacks bool
	// Redact leaves out the arguments and the environment, copies of their
	// values elsewhere, and vector registers; see redact.go.
	Redact bool
	// Environ are further strings of the form NAME=VALUE to redact, such as
	// variables that were set while the process ran.
	Environ []string
	// Names are texts that redacting has to leave: names of functions and
	// files on stacks. Module paths are so anyway.
	Names []string

	// Touched reports which pages were read while stacks were decoded; it may
	// be nil.
	Touched *Recorder
	// PCs are addresses of code, as of frames, whose surroundings are taken.
	PCs []core.Addr

	// Lean leaves out what unwinds and names code that no stack runs through, which may
	// be most of the bundle; see lean.go.
	Lean bool
	// Asked are addresses of symbols whose names a lean bundle has in any case.
	Asked []core.Addr

	Text   Share // of sections of instructions
	Rodata Share // of other sections that are loaded and not written to
	// DebugInfo is the most bytes of DWARF that are taken of a file: all of
	// its DWARF if it has no more, else none. 0 stands for DefaultDebugInfo,
	// and for none of the separate debug files of libraries: those of a
	// distribution weigh more than the rest of a small bundle. Symbols are
	// taken of them in any case.
	DebugInfo int64

	// Files finds the modules' files, as when the core was opened, and what
	// belongs to them. If it is nil, elf.Disk looks in this machine's usual
	// places.
	Files find.Finder

	// Data are files without code that decoders read, such as archives of
	// classes. They are taken whole, up to 64 MiB each. The plan closes them,
	// unless NewPlan fails.
	Data []DataFile
	// LeftOut are paths of files of which the plan says that there was no room for them.
	LeftOut []string

	// Small packs harder: a tenth smaller, and some times slower.
	Small bool
	// Pack packs a chunk into a zstd frame (RFC 8878) in place of the library; it
	// may be nil.
	Pack func(ctx context.Context, chunk []byte) ([]byte, error)
	// Share is a folder for what the bundle may share with others, of the files;
	// "" for none. The bundle knows it by its name, and it must be beside the
	// bundle, or in one of the folders that Open is given.
	Share string
	// Progress is called with how many bytes have been packed; it may be nil.
	Progress func(what string, done, total int64)
}

// DefaultDebugInfo is the default of Options.DebugInfo: the DWARF of programs
// of some 100,000 lines fits in.
const DefaultDebugInfo = 16 << 20

// A DataFile is a file without code, under the path that the process had it at.
type DataFile struct {
	Path   string
	Source core.Source
}

const maxData = 64 << 20

func (o *Options) debugInfo() int64 {
	if o.DebugInfo == 0 {
		return DefaultDebugInfo
	}
	return o.DebugInfo
}

// A Plan is what a bundle will contain.
type Plan struct {
	parts      []*plannedPart
	info       []string
	*redaction // nil if nothing is redacted
	opt        Options
	closers    []io.Closer
}

// plannedPart is a part to be.
type plannedPart struct {
	kind    uint8
	path    string
	buildID []byte
	src     core.Source
	spans   []span
	wiped   []fileRange // joined; taken, but as zeros
	masked  []fileRange // where question marks stand for them
	cleared []clearedBits

	tables []table // what has chunks of its own; sorted, distinct

	first  int64 // offset in the bundle of the first chunk
	chunks []chunk
}

// bytesOf returns how many bytes of a kind of extent a part has.
func (p *plannedPart) bytesOf(kind uint8) (n int64) {
	for _, s := range p.spans {
		if s.kind == kind {
			n += s.hi - s.lo
		}
	}
	return n
}

// NewPlan decides what a bundle of p, which was opened from src, will contain.
// It reads all memory that is to be taken, and opens the modules' files, until ctx
// ends. The plan must be closed.
func NewPlan(ctx context.Context, p *core.Process, src core.Source, opt Options) (*Plan, error) {
	if opt.Files == nil {
		opt.Files = elf.Disk{}
	}
	if opt.Share != "" && !validShare(filepath.Base(opt.Share)) {
		return nil, fmt.Errorf("%s is not a folder that can be shared", opt.Share)
	}
	plan := &Plan{opt: opt}
	touched := newTouched(p, opt)
	main, k := planCore(p, src, opt, touched)
	plan.parts = append(plan.parts, main.plannedPart)
	if opt.Lean {
		touched.pointed = main.pointers(p)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	missing := append(plan.addModules(p, touched), plan.addData()...)
	for _, path := range opt.LeftOut {
		missing = append(missing, path+": too large")
	}
	if opt.Redact {
		if err := plan.redact(ctx, p, main, k); err != nil {
			return nil, errors.Join(err, plan.Close())
		}
	}
	plan.describe(p, main, missing)
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

// Paths returns the paths of the files in the plan, besides the core.
func (p *Plan) Paths() []string {
	var out []string
	for _, part := range p.parts[1:] {
		out = append(out, part.path)
	}
	return out
}

// Describe says in words what the bundle will contain, with sizes before
// packing, and what secrets may be in it. It ends in a newline.
func Describe(p *Plan) string { return strings.Join(p.info, "\n") + "\n" }

func (plan *Plan) describe(p *core.Process, main *plannedCore, missing []string) {
	// A path with a newline does not make lines of its own.
	say := func(format string, args ...any) {
		plan.info = append(plan.info, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", `\n`))
	}
	say("core %s: %s of memory, %s of zeros", main.path, size(main.bytesOf(extentData)), size(main.bytesOf(extentZero)))
	if left := main.leftOut; left > 0 {
		say("left out: %s of memory that stacks do not need", size(left))
	}
	if plan.redaction != nil {
		plan.redaction.describe(say)
	} else {
		say("not redacted: the arguments and the environment, and whatever secrets were in the memory that is taken")
	}
	var total, whole int64
	for _, part := range plan.parts[1:] {
		total += part.bytesOf(extentData)
		whole += part.src.Size()
	}
	say("files: %d, %s of %s", len(plan.parts)-1, size(total), size(whole))
	for _, part := range plan.parts[1:] {
		what := ""
		if part.kind == partDebug {
			what = " (separate debug file)"
		}
		say("  %s%s: %s of %s", part.path, what, size(part.bytesOf(extentData)), size(part.src.Size()))
	}
	for _, m := range missing {
		say("  not there: %s", m)
	}
}

// size writes a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", (n+1<<19)>>20)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%d KiB", (n+1<<9)>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// gapOf returns the reason that reading a Source failed for.
func gapOf(err error) core.GapError {
	var gap *core.GapError
	if errors.As(err, &gap) {
		return *gap
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return core.GapError{Gap: core.Truncated}
	}
	return core.GapError{Gap: core.Unreadable, Detail: err.Error()}
}
