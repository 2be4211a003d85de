package file

import (
	"errors"
	"sync"

	"coredbg/core"
)

// A Set is the files that were opened for a process, to be closed with it. The
// zero value is empty; it is safe for concurrent use.
type Set struct {
	mu   sync.Mutex
	srcs []core.Source
}

// Add puts a file into the set.
func (o *Set) Add(s core.Source) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.srcs = append(o.srcs, s)
}

// Close closes all files of the set and empties it.
func (o *Set) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	var errs []error
	for _, s := range o.srcs {
		errs = append(errs, s.Close())
	}
	o.srcs = nil
	return errors.Join(errs...)
}
