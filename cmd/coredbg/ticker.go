package main

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

// A ticker keeps a line on a terminal that says how far long work is, and for how long
// it has run. It says nothing of what is short, and nothing while output comes. A nil
// ticker, for when nobody would see it, does nothing.
type ticker struct {
	w    *os.File
	dumb bool // the terminal knows no escape sequences

	mu          sync.Mutex
	since, last time.Time // when the work began, when something else was written
	held        int
	shown       bool
	width       int // columns of what is shown
	what        string
	done, total int64
}

// The times of a ticker.
const (
	tickAfter = 700 * time.Millisecond
	tickEvery = 200 * time.Millisecond
)

// newTicker returns a ticker on stderr, or nil if that is not a terminal.
func newTicker(stderr *os.File) *ticker {
	if !isTerminal(stderr) {
		return nil
	}
	return &ticker{w: stderr, dumb: system.Getenv("TERM") == "dumb"}
}

// watch calls do, and shows how far it is.
func (t *ticker) watch(do func()) {
	if t == nil {
		do()
		return
	}
	t.mu.Lock()
	t.since, t.last = system.Now(), system.Now()
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
				t.show(system.Now())
			}
		}
	}()
	defer func() {
		close(over)
		<-stopped
		t.clear()
	}()
	do()
}

// attach makes the ticker watch what a session runs.
func (t *ticker) attach(s *commands.Session) {
	if t == nil {
		return
	}
	s.Watch = func(ctx context.Context, do func(ctx context.Context)) {
		t.watch(func() { do(core.WithProgress(ctx, t.tell)) })
	}
	s.Out.SetBefore(t.clear)
	s.Shelling = t.hold
}

// tell is a core.Progress.
func (t *ticker) tell(what string, done, total int64) {
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
func (t *ticker) show(now time.Time) {
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
	width := columns(t.w)
	if width == 0 {
		width = 80
	}
	text = out.Middle(out.Clean(text, false), width-1)
	fmt.Fprintf(t.w, "\r%s%s", text, t.rest(out.Width(text)))
	t.shown, t.width = true, out.Width(text)
}

// rest erases what was shown after so many columns.
func (t *ticker) rest(columns int) string {
	if t.dumb {
		return strings.Repeat(" ", max(0, t.width-columns))
	}
	return "\x1b[K"
}

// clear takes the line away, because the work is over or something is written.
func (t *ticker) clear() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = system.Now()
	if t.shown {
		fmt.Fprint(t.w, "\r"+t.rest(0))
		if t.dumb {
			fmt.Fprint(t.w, "\r")
		}
		t.shown = false
	}
}

// hold keeps the line away, while the terminal is somebody else's, until release.
func (t *ticker) hold() (release func()) {
	if t == nil {
		return func() {}
	}
	t.clear()
	t.mu.Lock()
	t.held++
	t.mu.Unlock()
	return func() {
		t.mu.Lock()
		t.held--
		t.last = system.Now()
		t.mu.Unlock()
	}
}
