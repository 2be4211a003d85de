package native

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// interesting reports whether a frame belongs into a summary: code that gave
// up, not the machinery of giving up.
func interesting(s *commands.Session, f *stack.Frame, aborted bool) bool {
	if s.Noise(f.Name) || f.Kind == runtimes.Stub || f.Kind == runtimes.Signal || f.Tier == "builtin" {
		return false
	}
	// A place without a name says nothing, unless it is where it happened. What abort
	// calls to raise its signal is not.
	return f.Name != "" || f.Index == 0 && (f.Module == "" || !aborted) || stack.Managed(f)
}

// Banner says in a few lines what a core is: the program, why it died in its own
// words and in those of the system, and where. It walks only the crashed thread, and only a few frames of it.
func Banner(ctx context.Context, s *commands.Session) commands.Texter {
	b := &banner{status: newStatus(ctx, s, false)}
	t := commands.Crashed(s.Process)
	if t == nil {
		t = s.Thread
	}
	if t == nil {
		return b
	}
	rec := s.Stacks.Thread(ctx, t, stack.Options{Limit: statusReach})
	b.top = topFrames(s, rec)
	if t.Crashed {
		subject := s.Subject()
		subject.Stack = rec
		b.status.judge(ctx, subject)
	}
	return b
}

// How far a banner looks, and how many frames it shows.
const (
	bannerNative  = 2 // if managed ones follow
	bannerManaged = 3
	bannerAll     = 4
	bannerCauses  = 2
)

// starts are the functions that a thread has before its own; glibc, musl and libpthread.
var starts = []string{"__libc_start_call_main", "__libc_start_main", "libc_start_main_stage2", "_start", "_start_c",
	"start_thread", "start", "clone", "__clone", "clone3", "__clone3", "thread_start", "_pthread_start"}

// topFrames returns the frames of a stack that say where it happened: the
// innermost native ones and, if there are managed ones, the first of these. In a
// program without symbols these are places without names.
func topFrames(s *commands.Session, t *stack.Stack) []string {
	var native, managed, nameless []string
	aborted := t.Signal == "SIGABRT"
	for i := range t.Frames {
		f := &t.Frames[i]
		if f.Name == "" && f.Module != "" && f.Trust != walk.Scanned {
			if place := bannerFrame(f); !slices.Contains(nameless, place) {
				nameless = append(nameless, place)
			}
		}
		switch {
		case slices.Contains(starts, f.Name) && i > 0:
		case !interesting(s, f, aborted), f.Trust == walk.Scanned && i > 0:
		case stack.Managed(f):
			managed = append(managed, bannerFrame(f))
		case len(managed) == 0:
			native = append(native, bannerFrame(f))
		}
	}
	switch {
	case len(managed) == 0 && len(native) == 0 && len(nameless) > 0:
		return nameless[:min(len(nameless), bannerAll)]
	case len(managed) == 0 && len(native) == 0 && len(t.Frames) > 0:
		return []string{bannerFrame(&t.Frames[0])}
	case len(managed) == 0:
		return native[:min(len(native), bannerAll)]
	}
	return slices.Concat(native[:min(len(native), bannerNative)], managed[:min(len(managed), bannerManaged)])
}

// bannerFrame is a frame in a few words.
func bannerFrame(f *stack.Frame) string {
	if f.Made {
		return f.Symbolic() + " " + stack.MadeCode
	}
	if !stack.Managed(f) {
		return f.Symbolic()
	}
	name := f.Name
	if name == "" {
		name = "<anonymous>"
	}
	if f.File != "" {
		name += fmt.Sprintf(" (%s:%d)", filepath.Base(f.File), f.Line)
	}
	return name
}

type banner struct {
	status *statusRecord
	top    []string
}

// Addr returns nothing: a banner is to be read.
func (b *banner) Addr() (core.Addr, bool) { return 0, false }

// Text writes the lines.
func (b *banner) Text(w *out.Writer) {
	r := b.status
	name := r.program()
	if r.Argv != "" {
		name = r.Argv
	}
	const most = 120 // columns for the command line
	if r := []rune(name); len(r) > most {
		name = string(r[:most-1]) + "…"
	}
	w.Paint(out.Keyword, "%s", name)
	w.Printf("  ")
	if r.PID != 0 { // a core of macOS does not have it
		w.Printf("pid %d, ", r.PID)
	}
	w.Printf("%s, %s\n", r.Arch, out.Count(r.Threads, "thread"))
	if v := r.Verdict; v != nil {
		w.Paint(out.Error, "%s", sym.Clean(v.Title))
		w.Printf(" (%s, %s)\n", v.Cause, v.Confidence)
	}
	line := r.words
	if text, ok := strings.CutPrefix(line, "process terminated by "); ok {
		line = "died of " + text
	}
	if len(r.Reason) > 0 {
		line += ": " + r.Reason[0]
	}
	w.Paint(out.Error, "%s", line)
	w.Printf("\n")
	for i := range min(len(r.Causes), bannerCauses) {
		if text := r.Causes[i].String(); r.Verdict == nil || !strings.HasPrefix(text, r.Verdict.Title) && !strings.HasPrefix(r.Verdict.Title, text) {
			w.Paint(out.Error, "%s", sym.Clean(text))
			w.Printf("\n")
		}
	}
	if r.thread != nil {
		w.Printf("thread %s: %s\n", threadTitle(r.thread), sym.Clean(strings.Join(b.top, " < ")))
	}
	if n := len(r.Warnings); n > 0 {
		w.Printf("%s: %s\n", out.Count(n, "warning"), sym.Clean(r.Warnings[0]))
	}
	if r.nameless {
		w.Printf("    %s\n", nameIt)
	}
}
