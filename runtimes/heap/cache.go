package heap

import (
	"context"
	"sync"
)

// A Cache builds the graph of a Source once, and keeps it.
type Cache struct {
	mu sync.Mutex
	g  *Graph
}

// Graph returns the graph of the source that open returns; an attempt that failed is
// made again.
func (c *Cache) Graph(ctx context.Context, open func(context.Context) (Source, error)) (*Graph, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.g != nil {
		return c.g, nil
	}
	src, err := open(ctx)
	if err != nil {
		return nil, err
	}
	g, err := Build(ctx, src)
	if err != nil {
		return nil, err
	}
	c.g = g
	return g, nil
}
