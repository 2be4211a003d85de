package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"time"
)

// A pending is a connection whose end waits for the answers to the requests before it, so that requests may come from a
// file or a pipe: the SDK drops unanswered requests when its input ends.
type pending struct {
	in  io.ReadCloser
	to  io.WriteCloser
	max time.Duration // that the end waits; 0 does not bound it

	mu       sync.Mutex
	ids      map[string]bool // of requests without an answer
	asked    lines           // what was read
	answered lines           // what was written
	changed  chan struct{}   // has a word after each answer
	failed   bool            // an answer could not be written, or the server ends
}

// maxPending bounds the requests that are waited for, maxSeen the bytes of a message.
const (
	maxPending = 1 << 10
	maxSeen    = 16 << 20
)

func newPending(in io.ReadCloser, to io.WriteCloser, longest time.Duration) *pending {
	return &pending{in: in, to: to, max: longest, ids: map[string]bool{}, changed: make(chan struct{}, 1)}
}

// A message is the part of one that says what it is about.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Request json.RawMessage `json:"requestId"` // of notifications/cancelled
	} `json:"params"`
}

// Read implements io.Reader.
func (p *pending) Read(b []byte) (int, error) {
	n, err := p.in.Read(b)
	p.mu.Lock()
	p.asked.add(b[:n], func(m *message) {
		switch {
		case m.Method == "notifications/cancelled":
			delete(p.ids, string(m.Params.Request))
		case m.Method != "" && m.ID != nil && len(p.ids) < maxPending:
			p.ids[string(m.ID)] = true
		}
	})
	p.mu.Unlock()
	if err == io.EOF {
		if n > 0 {
			return n, nil
		}
		p.wait()
	}
	return n, err
}

// wait waits until all requests have answers.
func (p *pending) wait() {
	var late <-chan time.Time
	if p.max > 0 {
		late = time.After(p.max)
	}
	for {
		p.mu.Lock()
		done := len(p.ids) == 0 || p.failed
		p.mu.Unlock()
		if done {
			return
		}
		select {
		case <-p.changed:
		case <-late:
			return
		}
	}
}

// A written is what a pending connection writes to.
type written struct{ *pending }

// Write implements io.Writer.
func (w written) Write(b []byte) (int, error) {
	p := w.pending
	n, err := p.to.Write(b)
	p.mu.Lock()
	p.failed = p.failed || err != nil
	p.answered.add(b[:n], func(m *message) {
		if m.Method == "" {
			delete(p.ids, string(m.ID))
		}
	})
	p.mu.Unlock()
	p.tell()
	return n, err
}

// Close implements io.Closer.
func (w written) Close() error { return w.to.Close() }

// Close implements io.Closer: it ends a wait.
func (p *pending) Close() error {
	p.giveUp()
	return p.in.Close()
}

// giveUp ends a wait for answers.
func (p *pending) giveUp() {
	p.mu.Lock()
	p.failed = true
	p.mu.Unlock()
	p.tell()
}

// tell wakes the wait.
func (p *pending) tell() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// lines is the line of a stream that has not ended yet.
type lines struct {
	part []byte
	long bool // it is longer than any message, and left out
}

// add takes the next bytes of a stream, and hands on the messages that they end.
func (l *lines) add(b []byte, each func(*message)) {
	for len(b) > 0 {
		end := bytes.IndexByte(b, '\n')
		part := b
		if end >= 0 {
			part = b[:end]
		}
		if l.long = l.long || len(l.part)+len(part) > maxSeen; !l.long {
			l.part = append(l.part, part...)
		}
		if end < 0 {
			return
		}
		var m message
		if !l.long && json.Unmarshal(l.part, &m) == nil {
			each(&m)
		}
		l.part, l.long, b = l.part[:0], false, b[end+1:]
	}
}
