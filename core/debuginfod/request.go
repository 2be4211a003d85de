package debuginfod

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"coredbg/core"
	"coredbg/core/file"
)

// A server is one of the URLs.
type server struct {
	url    string
	failed int   // failures in a row
	dead   error // why it is not asked any more in this session
}

// Bounds of a request.
const (
	maxRedirects = 5
	maxFailures  = 3         // in a row, before a server is not asked any more
	minBytes     = 100 << 10 // that have to come within Timeout
	maxConnect   = 15 * time.Second
	maxHeaders   = 64 << 10
)

// Errors for the ways a request can fail.
var (
	errNotThere = errors.New("it does not have it")
	errTooLarge = errors.New("too large")
	errSlow     = errors.New("no answer in time")
	errTooLong  = errors.New("DEBUGINFOD_MAXTIME has passed")
	errOther    = errors.New("the server sent another file")
)

// transport returns the client for requests. It uses the environment's proxies.
func (c *Client) transport() *http.Client {
	dial := &net.Dialer{Timeout: maxConnect}
	if c.o.Timeout > 0 {
		dial.Timeout = min(dial.Timeout, c.o.Timeout)
	}
	return &http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: dial.DialContext,
			ForceAttemptHTTP2:   true,
			TLSHandshakeTimeout: dial.Timeout, MaxResponseHeaderBytes: maxHeaders, IdleConnTimeout: time.Minute},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return fmt.Errorf("more than %d redirects", maxRedirects)
			}
			return checkScheme(r.URL)
		},
	}
}

func checkScheme(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%q is not http or https", u.Scheme)
	}
	return nil
}

// address returns where a server has a file.
func (s *server) address(k key) (string, error) {
	u, err := url.Parse(s.url)
	if err != nil {
		return "", errors.New("not a URL")
	}
	if err := checkScheme(u); err != nil {
		return "", err
	}
	if u.Host == "" {
		return "", errors.New("a URL without a host")
	}
	to := u.JoinPath("buildid", k.id, k.kind)
	text := to.String()
	if k.kind == "source" {
		// Not JoinPath: what looks like a path up is part of the name.
		for element := range strings.SplitSeq(strings.TrimPrefix(k.source, "/"), "/") {
			text += "/" + url.PathEscape(element)
		}
	}
	return text, nil
}

// ask gets a file from a server, again if that fails, and remembers what this says
// about the server.
func (c *Client) ask(ctx context.Context, s *server, k key, check func(core.Source, string) error) error {
	if s.dead != nil {
		return fmt.Errorf("not asked: %w", s.dead)
	}
	var err error
	for range c.o.Retries + 1 {
		var again bool
		if again, err = c.get(ctx, s, k, check); err == nil || !again || ctx.Err() != nil {
			break
		}
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, new(*cacheError)):
		return err
	case err == nil || errors.Is(err, errNotThere) || errors.Is(err, errTooLarge) || errors.Is(err, errOther) ||
		errors.Is(err, errTooLong):
		s.failed = 0
		return err
	}
	s.failed++
	if unreachable := (*net.OpError)(nil); errors.Is(err, errSlow) || errors.As(err, &unreachable) ||
		s.failed >= maxFailures {
		s.dead = err
		if c.o.Warn != nil {
			c.o.Warn(fmt.Errorf("debuginfod: %s: %w; it is not asked again in this session", redacted(s.url), err))
		}
	}
	return err
}

// get asks a server once. Again reports whether asking once more may help.
func (c *Client) get(ctx context.Context, s *server, k key,
	check func(core.Source, string) error) (again bool, err error) {
	to, err := s.address(k)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var received atomic.Int64
	defer c.hurry(&received, cancel)()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, to, nil)
	if err != nil {
		return false, errors.New("not a URL")
	}
	limit := cmp.Or(max(c.o.MaxSize, 0), DefaultMaxSize)
	if k.kind == "source" {
		limit = min(limit, maxSource)
	}
	r.Header.Set("User-Agent", "coredbg")
	r.Header.Set("X-DEBUGINFOD-MAXSIZE", strconv.FormatInt(limit, 10))
	if c.o.MaxTime > 0 {
		r.Header.Set("X-DEBUGINFOD-MAXTIME", strconv.FormatInt(int64(c.o.MaxTime/time.Second), 10))
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return failure(ctx, err)
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusNotFound:
		return false, errNotThere
	case resp.StatusCode == http.StatusNotAcceptable:
		return false, fmt.Errorf("%w: it has more than %s (DEBUGINFOD_MAXSIZE)", errTooLarge, file.Size(limit))
	case resp.StatusCode != http.StatusOK:
		return resp.StatusCode >= 500, fmt.Errorf("the server said %d %s", resp.StatusCode,
			http.StatusText(resp.StatusCode))
	}
	total := sizeOf(resp)
	if total > limit {
		return false, fmt.Errorf("%w: %s are more than %s (DEBUGINFOD_MAXSIZE)", errTooLarge, file.Size(total),
			file.Size(limit))
	}
	return c.keep(ctx, k, &body{Reader: resp.Body, n: &received, limit: limit,
		tell: func(n int64) { c.tell(k, s, n, total) }}, check)
}

// maxSource is the most bytes of a file of source.
const maxSource = 64 << 20

// keep writes what a server sends into the cache, if that is what was asked for.
func (c *Client) keep(ctx context.Context, k key, b *body,
	check func(core.Source, string) error) (again bool, err error) {
	to, err := c.create(ctx, k)
	if err != nil {
		return false, &cacheError{err}
	}
	defer to.Close()
	if _, err = io.Copy(struct{ io.Writer }{to}, b); err != nil {
		if ctx.Err() == nil && b.err == nil {
			return false, &cacheError{err} // it is the disk
		}
		return failure(ctx, err)
	}
	if b.n.Load() == 0 {
		return false, fmt.Errorf("%w: an empty one", errOther)
	}
	src, err := to.Source()
	if err == nil {
		err = check(src, "")
	}
	if err != nil {
		return false, fmt.Errorf("%w: %w", errOther, err)
	}
	if err = to.Commit(); err != nil {
		return false, &cacheError{err}
	}
	c.double(k)
	return false, nil
}

// A cacheError says that a file could not be kept; that is no server's fault.
type cacheError struct{ err error }

func (e *cacheError) Error() string { return "the cache cannot be written: " + e.err.Error() }
func (e *cacheError) Unwrap() error { return e.err }

// failure says why a request failed, and whether another one may help.
func failure(ctx context.Context, err error) (bool, error) {
	if cause := context.Cause(ctx); cause != nil {
		return false, cause
	}
	if errors.Is(err, errTooLarge) {
		return false, err
	}
	if e := (*url.Error)(nil); errors.As(err, &e) { // which has the whole URL
		err = e.Err
	}
	if e := (*net.OpError)(nil); errors.As(err, &e) && e.Op == "dial" {
		return false, err
	}
	if t := (net.Error)(nil); errors.As(err, &t) && t.Timeout() {
		return false, errSlow
	}
	return true, err
}

// sizeOf returns how many bytes a server says that a file has; 0 if it does not say.
func sizeOf(r *http.Response) int64 {
	if r.ContentLength >= 0 {
		return r.ContentLength
	}
	n, err := strconv.ParseInt(r.Header.Get("X-DEBUGINFOD-SIZE"), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// A body counts what comes from a server, and ends it at a limit.
type body struct {
	io.Reader
	n     *atomic.Int64
	limit int64
	tell  func(n int64)
	err   error
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if at := b.n.Add(int64(n)); at > b.limit {
		err = fmt.Errorf("%w: cut at %s (DEBUGINFOD_MAXSIZE)", errTooLarge, file.Size(b.limit))
		n = 0
	} else {
		b.tell(at)
	}
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// hurry cancels a request that takes too long: less than minBytes within Timeout, or more than MaxTime
// for all of it. The returned function ends the watch.
func (c *Client) hurry(received *atomic.Int64, cancel context.CancelCauseFunc) (stop func()) {
	over := make(chan struct{})
	go func() {
		var last, tick <-chan time.Time
		if c.o.MaxTime > 0 {
			t := time.NewTimer(c.o.MaxTime)
			defer t.Stop()
			last = t.C
		}
		if c.o.Timeout > 0 {
			t := time.NewTicker(c.o.Timeout)
			defer t.Stop()
			tick = t.C
		}
		for before := int64(0); ; {
			select {
			case <-over:
				return
			case <-last:
				cancel(errTooLong)
				return
			case <-tick:
				n := received.Load()
				if n-before < minBytes {
					cancel(fmt.Errorf("%w: less than 100 KiB in %v (DEBUGINFOD_TIMEOUT)", errSlow, c.o.Timeout))
					return
				}
				before = n
			}
		}
	}()
	return func() { close(over) }
}

// tell reports how far a download has come.
func (c *Client) tell(k key, s *server, n, total int64) {
	if c.o.Progress != nil {
		c.o.Progress("downloading "+k.String()+" from "+redacted(s.url), n, total)
	}
}

// redacted returns a URL without the password that may be in it.
func redacted(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "a URL that cannot be read"
	}
	return u.Redacted()
}
