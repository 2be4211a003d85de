package java

import (
	"context"

	"coredbg/core"
)

// A Counter is a virtual machine that counts the objects of its heap by class.
type Counter interface {
	// JavaHistogram counts the objects of the spaces whose names in reports true for. An object that the collector
	// has not freed yet counts.
	JavaHistogram(ctx context.Context, in func(space string) bool) (*Histogram, error)
}

// A Histogram has a row for each class, the most bytes first.
type Histogram struct {
	Rows   []Count
	Spaces int // how many were walked
	// Problems are sentences about parts of the heap that could not be read.
	Problems []string
}

// A Count is a row of a histogram.
type Count struct {
	Class   string
	Addr    core.Addr // of the virtual machine's record of the class
	Objects int
	Bytes   uint64
}
