package core

import "context"

// A Progress is called with how far long work has come: what it is, in a word or two, and how
// many of how many things are done. Total is 0 if it is not known; the work is over when
// done equals it. It is safe for concurrent use, and cheap.
type Progress = func(what string, done, total int64)

type progressKey struct{}

// WithProgress returns a context whose work is reported to p.
func WithProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// Tell reports how far the work of a context has come to its Progress.
func Tell(ctx context.Context, what string, done, total int64) {
	if p, ok := ctx.Value(progressKey{}).(Progress); ok && p != nil {
		p(what, done, total)
	}
}
