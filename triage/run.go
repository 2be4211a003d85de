package triage

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"coredbg/commands/out"
	"coredbg/triage/lend"
)

// A Runner reads cores, each in a process of its own.
type Runner struct {
	// Start runs a process with arguments and returns how it ended; when its context
	// ends, the process is to end at once. Stdin is nil if the process gets no files lent.
	Start func(ctx context.Context, args []string, stdin *os.File, stdout, stderr io.Writer) (*os.ProcessState, error)
	// Args are the arguments of a process, before the path of its core.
	Args []string
	// Lend says what the process of a core is lent; nil for nothing.
	Lend func(core string) *lend.Lender
	// Jobs is how many run at a time, at least one.
	Jobs int
	// Timeout ends a process; 0 never does. Memory is what it was told to stay below,
	// in bytes.
	Timeout time.Duration
	Memory  int64
	// Now returns the time; nil leaves out what differs from run to run.
	Now func() time.Time
}

// A Result is what came of a core: its line, or another document where one was asked for.
type Result struct {
	Line *Line           // of a core that could not be read, if Doc is not nil
	Doc  json.RawMessage // nil if the line is what was asked for
}

// window is how many cores per process may wait for one before them, so that lines come
// in order and few are kept.
const window = 16

// Run reads cores and calls emit for each in their order. It ends early if ctx does, or
// with the error of emit.
func (r *Runner) Run(ctx context.Context, cores []string, emit func(*Result) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	type job struct {
		core string
		to   chan *Result
	}
	jobs := max(r.Jobs, 1)
	order, work := make(chan chan *Result, window*jobs), make(chan job)
	go func() {
		defer close(order)
		defer close(work)
		for _, c := range cores {
			to := make(chan *Result, 1)
			select {
			case order <- to:
			case <-ctx.Done():
				return
			}
			select {
			case work <- job{c, to}:
			case <-ctx.Done():
				close(to)
				return
			}
		}
	}()
	var running sync.WaitGroup
	defer running.Wait()
	for range jobs {
		running.Go(func() {
			for j := range work {
				j.to <- r.one(ctx, j.core)
			}
		})
	}
	for to := range order {
		got := <-to
		if ctx.Err() != nil {
			continue
		}
		if err := emit(got); err != nil {
			stop(err)
		}
	}
	return context.Cause(ctx)
}

// The most that a process may write, in bytes.
const (
	maxOutput = 64 << 20
	maxTalk   = 16 << 10
)

// one reads a core.
func (r *Runner) one(ctx context.Context, core string) *Result {
	if r.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, r.Timeout)
		defer stop()
	}
	stdout, stderr := &bounded{most: maxOutput}, &bounded{most: maxTalk, rest: true}
	var began time.Time
	if r.Now != nil {
		began = r.Now()
	}
	before := oomKills()
	state, err := r.start(ctx, core, stdout, stderr)
	starved := before >= 0 && oomKills() > before
	got := parse(stdout.b.Bytes())
	l := got.Line
	if l == nil {
		l = &Line{Status: Begun}
	}
	l.Core = core // not all paths are UTF-8, but this one is the caller's
	switch {
	case got.Doc != nil:
	case l.Status == Begun:
		got.Line = l
		l.Status, l.Error = r.failure(ctx, state, err, starved, stdout, stderr)
		if l.SHA256 == "" && l.Size > 0 {
			most, stop := context.WithTimeout(context.WithoutCancel(ctx), maxHashing)
			l.hash(most)
			stop()
		}
	case l.SHA256 == "" && l.Unhashed == "" && state != nil && !state.Success():
		_, l.Unhashed = r.failure(ctx, state, err, starved, stdout, stderr)
	}
	if r.Now != nil && state != nil {
		l.Seconds, l.Peak = float64(r.Now().Sub(began).Milliseconds())/1000, peakOf(state)
	}
	return got
}

// oomKills returns how many processes the system has ended since it started because memory ran
// out; -1 if that is not known. Source: Linux, mm/oom_kill.c (since 4.13), also for limits of
// control groups.
func oomKills() int64 {
	text, err := os.ReadFile("/proc/vmstat")
	if err != nil {
		return -1
	}
	return oomCount(string(text))
}

// oomCount returns the number in the line oom_kill of /proc/vmstat; -1 if there is none.
func oomCount(text string) int64 {
	for line := range strings.Lines(text) {
		if digits, ok := strings.CutPrefix(line, "oom_kill "); ok {
			if n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64); err == nil {
				return n
			}
		}
	}
	return -1
}

// maxHashing bounds how long the file of a core is hashed whose process has failed.
const maxHashing = 10 * time.Second

// start runs the process of a core with a lender at its side. Its folder for temporary files
// is gone when it returns.
func (r *Runner) start(ctx context.Context, core string, stdout, stderr io.Writer) (*os.ProcessState, error) {
	args := append(r.Args[:len(r.Args):len(r.Args)], core)
	if r.Lend == nil {
		return r.Start(ctx, args, nil, stdout, stderr)
	}
	l := r.Lend(core)
	if dir, err := os.MkdirTemp("", "coredbg-"); err == nil {
		l.Scratch = dir
		defer os.RemoveAll(dir)
	}
	stdin, stop, err := l.Start(ctx)
	if errors.Is(err, errors.ErrUnsupported) {
		return r.Start(ctx, args, nil, stdout, stderr)
	}
	if err != nil {
		return nil, err
	}
	defer stop()
	return r.Start(ctx, args, stdin, stdout, stderr)
}

// parse reads the last complete line of a process' output.
func parse(b []byte) *Result {
	got := &Result{}
	for line := range bytes.Lines(b) {
		if !bytes.HasSuffix(line, []byte("\n")) || !json.Valid(line) {
			continue
		}
		l := &Line{}
		var is struct{ Type string }
		if json.Unmarshal(line, &is) == nil && is.Type == "triage" {
			if json.Unmarshal(line, l) == nil {
				got.Line = l
			}
			continue
		}
		got.Doc = bytes.TrimSuffix(line, []byte("\n"))
	}
	return got
}

// outOfMemory are what Go says when there is no more memory.
var outOfMemory = []string{"out of memory", "cannot allocate memory", "cannot map pages",
	"failed to create new OS thread", "errno=12"}

// failure says why a process ended without a line. Starved is set if the system has ended
// some process meanwhile, as it ran out of memory.
func (r *Runner) failure(ctx context.Context, state *os.ProcessState, err error, starved bool, stdout,
	stderr *bounded) (Status, string) {
	said := stderr.b.String()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Timeout, fmt.Sprintf("reading it took more than %v", r.Timeout)
	case err != nil:
		return Failed, err.Error()
	case stdout.over:
		return Failed, fmt.Sprintf("its process wrote more than %d bytes", maxOutput)
	case r.Memory > 0 && containsAny(said, outOfMemory):
		return Memory, fmt.Sprintf("reading it took more than %d MiB", r.Memory>>20)
	case killed(state) && starved:
		return Memory, "its process was killed, and the system ended a process meanwhile because memory ran out"
	case killed(state):
		return Failed, "its process was killed, by another process or by the system"
	}
	first, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	return Failed, "its process ended with " + cmp.Or(out.Clean(first, false), state.String())
}

func containsAny(s string, of []string) bool {
	for _, x := range of {
		if strings.Contains(s, x) {
			return true
		}
	}
	return false
}

// bounded keeps up to most bytes written to it. Writing more fails, or if rest is set, drops the rest.
type bounded struct {
	b    bytes.Buffer
	most int
	rest bool
	over bool
}

// Write implements io.Writer.
func (w *bounded) Write(p []byte) (int, error) {
	n := min(len(p), w.most-w.b.Len())
	w.b.Write(p[:n])
	if n < len(p) {
		w.over = true
		if !w.rest {
			return n, io.ErrShortWrite
		}
	}
	return len(p), nil
}
