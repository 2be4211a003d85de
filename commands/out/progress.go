package out

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Progress is a line on a terminal that says how far long work is. It stays
// silent for work that is short.
type Progress struct {
	w    io.Writer
	what string
	mu   sync.Mutex
	next time.Time
	seen bool
}

const (
	progressAfter = 700 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

// NewProgress returns a progress line for work with the given name; w is nil
// where there is no terminal to draw it on.
func NewProgress(w io.Writer, what string) *Progress {
	return &Progress{w: w, what: what, next: time.Now().Add(progressAfter)}
}

// Update says that done of total units are done; total is 0 if it is unknown.
func (p *Progress) Update(done, total uint64) {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	p.next, p.seen = now.Add(progressEvery), true
	if total > 0 {
		fmt.Fprintf(p.w, "\r%s: %d%%\x1b[K", Clean(p.what, false), min(100, uint64(float64(done)/float64(total)*100)))
	} else {
		fmt.Fprintf(p.w, "\r%s: %d\x1b[K", Clean(p.what, false), done)
	}
}

// Done takes the line away.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen {
		io.WriteString(p.w, "\r\x1b[K")
		p.seen = false
	}
}
