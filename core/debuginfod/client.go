package debuginfod

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/find"
)

// A Client is a find.Finder for files on servers and in the cache of earlier downloads. It asks a
// server once for a file that it cannot deliver, and never again if the server is dead. It is safe for
// concurrent use; it downloads one file at a time.
type Client struct {
	o       Options
	http    *http.Client
	servers []*server
	busy    chan struct{} // has something while a server is asked

	mu      sync.Mutex
	tries   map[key][]Try // what was said; a key that is here is not asked for again
	running context.Context
}

// A Try is an attempt to get a file, with its result.
type Try struct {
	Kind   string // debuginfo, executable or source
	Source string // the path of a source; "" else
	Server string // the URL; "" for the cache
	Err    error  // why it could not be had; nil if it could
}

// New returns a client. It asks nothing yet.
func New(o Options) *Client {
	c := &Client{o: o, busy: make(chan struct{}, 1), tries: map[key][]Try{}}
	c.http = c.transport()
	for _, u := range o.URLs {
		c.servers = append(c.servers, &server{url: u})
	}
	return c
}

// Within makes downloads end with ctx, too, until the returned function is called. Names are looked up
// lazily, by code that does not know which command could be interrupted.
func (c *Client) Within(ctx context.Context) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.running
	c.running = ctx
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.running = before
	}
}

// Tried returns what was tried for an image with a build-id, and how it went.
func (c *Client) Tried(id []byte) (tries []Try) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, kind := range []string{"executable", "debuginfo"} {
		k, _ := keyOf(id, kind, "")
		tries = append(tries, c.tries[k]...)
	}
	return tries
}

// kinds says what a file is called that is wanted.
var kinds = map[find.Kind]string{find.Image: "executable", find.Debug: "debuginfo", find.Data: "source"}

// Find implements find.Finder: for images, debug files, and for Data with an ID, which is
// source. It asks servers only if w.AllowRemote is set. The answer of a server that lacks the file
// is recorded only in Tried.
func (c *Client) Find(ctx context.Context, w find.Want) (f find.Found) {
	k, ok := keyOf(w.ID, kinds[w.Kind], "")
	if k.kind == "source" {
		k.source = w.Path
		ok = ok && len(w.Path) > 0 && w.Path[0] == '/' && len(w.Path) < 4096 && !bytes.ContainsRune([]byte(w.Path), 0)
	}
	if !ok || k.kind == "" {
		return find.Found{}
	}
	check := func(src core.Source, path string) error { return proof(src, path, w) }
	src, from, nowhere, refused := c.cached(k, check)
	if refused != nil {
		f.Refused = append(f.Refused, refused)
	}
	if src == nil && w.AllowRemote && len(c.servers) > 0 {
		got, err := c.fetch(ctx, k, nowhere, check)
		if got {
			src, from, _, err = c.cached(k, check)
		}
		if err != nil {
			f.Refused = append(f.Refused, err)
		}
	}
	f.Source, f.From = src, from
	return f
}

// proof says why a file is not the one that is wanted.
func proof(src core.Source, path string, w find.Want) error {
	if w.Kind != find.Data {
		img, err := elf.NewFile(src, path)
		if err != nil {
			return err
		}
		if have := img.BuildID(); !bytes.Equal(have, w.ID) {
			if have == nil {
				return fmt.Errorf("it has no build-id, and %s was asked for", core.BuildIDString(w.ID))
			}
			return fmt.Errorf("its build-id is %s, and %s was asked for", core.BuildIDString(have),
				core.BuildIDString(w.ID))
		}
	}
	if w.Check != nil {
		return w.Check(src)
	}
	return nil
}

var (
	errKnown   = errors.New("no server had it some minutes ago")
	errStopped = fmt.Errorf("the download was interrupted: %w", context.Canceled)
)

// fetch downloads a file to the cache from the first server that has it, and reports whether one did.
// It does not repeat a request that failed. Nowhere is set if the cache records that servers lack the
// file. The error is errStopped, or nil.
func (c *Client) fetch(ctx context.Context, k key, nowhere bool,
	check func(core.Source, string) error) (got bool, err error) {
	ctx, cancel := c.join(ctx)
	defer cancel()
	select {
	case c.busy <- struct{}{}:
		defer func() { <-c.busy }()
	case <-ctx.Done():
		return false, errStopped
	}
	c.mu.Lock()
	before, asked := c.tries[k]
	c.mu.Unlock()
	switch {
	case asked:
		return len(before) > 0 && before[len(before)-1].Err == nil, nil
	case nowhere:
		c.note(k, Try{Err: errKnown})
		return false, nil
	}
	missing := 0
	var tries []Try
	for _, s := range c.servers {
		err := c.ask(ctx, s, k, check)
		if ctx.Err() != nil {
			return false, errStopped // it may be asked for again
		}
		tries = append(tries, Try{Server: redacted(s.url), Err: err})
		if err == nil {
			break
		}
		if errors.Is(err, errNotThere) {
			missing++
		}
	}
	c.note(k, tries...)
	if missing == len(c.servers) {
		c.nowhere(ctx, k)
	}
	return tries[len(tries)-1].Err == nil, nil
}

// note keeps what was tried.
func (c *Client) note(k key, tries ...Try) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range tries {
		tries[i].Kind, tries[i].Source = k.kind, k.source
	}
	c.tries[k] = tries
}

// join returns a context that ends with ctx, and with the one of Within.
func (c *Client) join(ctx context.Context) (context.Context, context.CancelFunc) {
	c.mu.Lock()
	running := c.running
	c.mu.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	stop := func() bool { return false }
	if running != nil {
		stop = context.AfterFunc(running, func() { cancel(errStopped) })
	}
	return ctx, func() { stop(); cancel(nil) }
}
