package hprof

import (
	"bytes"
	"context"

	"coredbg/core"
	"coredbg/runtimes/heap"
)

// magic is what all versions begin with.
const magic = "JAVA PROFILE 1.0"

// Is reports whether a file looks like a heap dump of Java.
func Is(src core.Source) bool {
	b, err := core.SourceSlice(src, 0, len(magic))
	return err == nil && bytes.Equal(b, []byte(magic))
}

// A File is a heap dump in the place of a runtime: it has a heap, and nothing else. It
// implements runtimes.Grapher.
type File struct {
	src   core.Source
	cache heap.Cache
}

// NewFile returns the dump that src holds, which is read when its graph is asked for.
func NewFile(src core.Source) *File { return &File{src: src} }

// Name returns "hprof".
func (*File) Name() string { return "hprof" }

// Version returns "": a dump does not say which version of Java wrote it.
func (*File) Version() string { return "" }

// Graph reads the dump and makes its graph, once.
func (f *File) Graph(ctx context.Context) (*heap.Graph, error) {
	return f.cache.Graph(ctx, func(ctx context.Context) (heap.Source, error) { return Read(ctx, f.src) })
}
