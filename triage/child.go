package triage

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"coredbg"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/triage/lend"
)

// A Job is what one process does: it reads a core within bounds.
type Job struct {
	Core string
	// Options say where the core's files are.
	Options coredbg.Options
	// Memory is how much memory it may take, in bytes; 0 for any.
	Memory int64
	// NoSandbox lets it reach what its user can.
	NoSandbox bool
	// Export makes another document than the line of an open core; it may be nil.
	Export func(context.Context, *commands.Session, *Line) (any, error)

	lent *lend.Borrower // nil if this process is lent no files
}

// OneCore marks a process that reads one core among the arguments of the program that has
// started it. It is not for people.
const OneCore = "--one-core"

// Serve runs the job for the process that has started this one, and ends with it: stdin
// comes to its end when that process does. It may be a conversation with a lend.Lender.
func (j *Job) Serve(stdin *os.File, stdout io.Writer) error {
	end := func() { os.Exit(1) }
	var ok bool
	if j.lent, ok = lend.Borrow(stdin, end); !ok {
		go func() {
			io.Copy(io.Discard, stdin)
			end()
		}()
	}
	return j.Run(context.Background(), out.NewWriter(stdout))
}

// maxScratch is how much a process may write to a temporary file, in bytes, if the
// options do not say.
const maxScratch = 16 << 30

// Run reads the core of a job and writes to w: a line with the file's size, so that this is
// known if the core ends the process, then the line of the core, and that again with the
// SHA-256 of the file, which may take long. It sets the bounds of the job for this whole
// process, which is to end after it.
func (j *Job) Run(ctx context.Context, w *out.Writer) error {
	scratch := j.Options.MaxSize
	if scratch == 0 {
		scratch = maxScratch
	}
	Limit(j.Memory, scratch)
	unsandboxed := "by -no-sandbox"
	if !j.NoSandbox {
		unsandboxed = j.confine()
	}
	first := fileLine(j.Core)
	first.Status, first.Unsandboxed = Begun, unsandboxed
	if err := errors.Join(w.JSON(first), w.Flush()); err != nil {
		return err
	}
	var wrote error
	emit := func(doc any) { wrote = errors.Join(wrote, w.JSON(doc), w.Flush()) }
	cut := core.Guard(func() { j.read(ctx, first, emit) })
	if cut != nil {
		first.Status, first.Error = Unopened, cut.Error()
		emit(first)
	}
	return wrote
}

// read opens the core and emits its line, or its export, without and with the hash of its file.
func (j *Job) read(ctx context.Context, first *Line, emit func(any)) {
	s, err := coredbg.Open(j.Core, j.Options)
	if err != nil {
		first.Status, first.Error = Unopened, err.Error()
		emit(first)
		first.hash(ctx)
		emit(first)
		return
	}
	defer s.Close()
	l := NewLine(ctx, &s.Target)
	l.Core, l.Size, l.Modified, l.Unsandboxed = first.Core, first.Size, first.Modified, first.Unsandboxed
	for range 2 {
		var doc any = l
		if j.Export != nil {
			if doc, err = j.Export(ctx, s, l); err != nil {
				first.Status, first.Error = Failed, err.Error()
				doc = first
			}
		}
		emit(doc)
		if l.SHA256 != "" || l.Unhashed != "" {
			break
		}
		l.hash(ctx)
		first.SHA256, first.Unhashed = l.SHA256, l.Unhashed
	}
}

// maxHoles is how many bytes of a file's holes are hashed: some seconds.
const maxHoles = 8 << 30

// hash sets the hash of the core's file, or the reason why there is no hash. A file that is not there has neither.
func (l *Line) hash(ctx context.Context) {
	if l.Modified == "" {
		return
	}
	f, err := os.Open(l.Core)
	if err == nil {
		defer f.Close()
		var sum []byte
		if sum, err = file.SHA256(ctx, f, maxHoles); err == nil {
			l.SHA256 = hex.EncodeToString(sum)
			return
		}
	}
	l.Unhashed = err.Error()
}

// fileLine returns the line of a core with the facts that its file gives.
func fileLine(path string) *Line {
	l := &Line{Core: path}
	if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
		l.Size = st.Size()
		l.At(st.ModTime())
	}
	return l
}

// confine takes the network and all files from this process, except the core and the files
// and folders that the options name. Other files are lent to it. It returns the reason if
// this failed, in whole or in part.
func (j *Job) confine() (why string) {
	scratch := ""
	if j.lent != nil {
		scratch = j.lent.Scratch
	}
	files, why := restrict(j.named(), scratch)
	if !files {
		return why
	}
	j.Options.Lent = find.Chain(nil)
	if j.lent != nil {
		j.Options.Lent = j.lent
	}
	if scratch != "" {
		os.Setenv("TMPDIR", scratch)
	}
	return why
}

// named returns the files and folders that the job names.
func (j *Job) named() []string {
	o := &j.Options
	return slices.Concat([]string{j.Core, o.Executable, o.Sysroot, o.PerfMap}, o.Search, o.DebugDirs, o.Recipes)
}

// Lending returns what a core's process is lent if it gets these options. With a sysroot it
// is the chunks of its bundle alone.
func Lending(o *coredbg.Options) func(core string) *lend.Lender {
	return func(core string) *lend.Lender {
		return &lend.Lender{Beside: filepath.Dir(core), System: o.Sysroot == "",
			NoUsualDebug: slices.Contains(o.DebugDirs, "")}
	}
}
