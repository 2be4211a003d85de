package heapsnapshot

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/heap"
)

// A File is a heap snapshot in the place of a runtime: it has a heap, and nothing else.
// It implements runtimes.Grapher.
type File struct {
	src   core.Source
	cache heap.Cache
}

// NewFile returns the snapshot that src holds, which is read when its graph is asked
// for.
func NewFile(src core.Source) *File { return &File{src: src} }

// Name returns "heapsnapshot".
func (*File) Name() string { return "heapsnapshot" }

// Version returns "": a snapshot does not say which version of V8 wrote it.
func (*File) Version() string { return "" }

// Graph reads the snapshot and makes its graph, once.
func (f *File) Graph(ctx context.Context) (*heap.Graph, error) {
	return f.cache.Graph(ctx, func(ctx context.Context) (heap.Source, error) { return Read(ctx, f.src) })
}
