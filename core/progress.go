package core

import "context"

// A Progress is called as long work advances. The string names the work in a word or two;
// done of total steps are complete. Total is 0 if it is not known; the work is over when
// done equals total. A Progress is cheap, and safe for concurrent use.
type Progress = func(what string, done, total int64)

type progressKey struct{}

// WithProgress returns a context whose work is reported to p.
func WithProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// ReportProgress calls the Progress of ctx, if it has one.
func ReportProgress(ctx context.Context, what string, done, total int64) {
	if p, ok := ctx.Value(progressKey{}).(Progress); ok && p != nil {
		p(what, done, total)
	}
}
