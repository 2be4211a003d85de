package terminal

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
)

// A Ticker keeps a line on a terminal that shows the progress of long work, and its running time. It shows
// nothing for short work, and nothing while output comes. A nil Ticker, for use without a terminal, does
// nothing.
type Ticker struct {
	w      *os.File
	system commands.System
	dumb   bool // the terminal knows no escape sequences

	mu          sync.Mutex
	since, last time.Time // when the work began, when something else was written
	held        int
	shown       bool
	width       int // columns of the shown text
	what        string
	done, total int64
}

// The times of a ticker.
const (
	tickAfter = 700 * time.Millisecond
	tickEvery = 200 * time.Millisecond
)

// NewTicker returns a ticker on stderr, or nil if that is not a terminal.
func NewTicker(stderr *os.File, system commands.System) *Ticker {
	if !Is(stderr) {
		return nil
	}
	return &Ticker{w: stderr, system: system, dumb: system.Getenv("TERM") == "dumb"}
}

// Watch calls do, and shows how far it is.
func (t *Ticker) Watch(do func()) {
	if t == nil {
		do()
		return
	}
	t.mu.Lock()
	t.since, t.last = t.system.Now(), t.system.Now()
	t.what, t.done, t.total = "", 0, 0
	t.mu.Unlock()
	over, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(tickEvery)
		defer tick.Stop()
		for {
			select {
			case <-over:
				return
			case <-tick.C:
				t.show(t.system.Now())
			}
		}
	}()
	defer func() {
		close(over)
		<-stopped
		t.Clear()
	}()
	do()
}

// Attach makes the ticker watch what a session runs.
func (t *Ticker) Attach(s *commands.Session) {
	if t == nil {
		return
	}
	s.Ticker = t
	s.Out.SetBefore(t.Clear)
}

// Run implements commands.Ticker.
func (t *Ticker) Run(ctx context.Context, do func(ctx context.Context)) {
	t.Watch(func() { do(core.WithProgress(ctx, t.Tell)) })
}

// Tell is a core.Progress.
func (t *Ticker) Tell(what string, done, total int64) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.what, t.done, t.total = what, done, total
	if done == total {
		t.what = ""
	}
}

// show writes the line, if it is time to.
func (t *Ticker) show(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held > 0 || now.Sub(t.last) < tickAfter {
		return
	}
	what := t.what
	switch {
	case what == "":
		what = "working"
	case t.total > 0:
		what += fmt.Sprintf(": %d%%", min(100, max(0, int64(float64(t.done)/float64(t.total)*100))))
	}
	text := fmt.Sprintf("%s, %d s (^C ends it)", what, int(now.Sub(t.since).Seconds()))
	width := Columns(t.w)
	if width == 0 {
		width = 80
	}
	text = out.Middle(out.Clean(text, false), width-1)
	fmt.Fprintf(t.w, "\r%s%s", text, t.rest(out.Width(text)))
	t.shown, t.width = true, out.Width(text)
}

// rest erases the shown text after the given number of columns.
func (t *Ticker) rest(columns int) string {
	if t.dumb {
		return strings.Repeat(" ", max(0, t.width-columns))
	}
	return "\x1b[K"
}

// Clear takes the line away, because the work is over or something is written.
func (t *Ticker) Clear() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = t.system.Now()
	if t.shown {
		fmt.Fprint(t.w, "\r"+t.rest(0))
		if t.dumb {
			fmt.Fprint(t.w, "\r")
		}
		t.shown = false
	}
}

// Hold keeps the line away, while another program has the terminal, until release.
func (t *Ticker) Hold() (release func()) {
	if t == nil {
		return func() {}
	}
	t.Clear()
	t.mu.Lock()
	t.held++
	t.mu.Unlock()
	return func() {
		t.mu.Lock()
		t.held--
		t.last = t.system.Now()
		t.mu.Unlock()
	}
}
