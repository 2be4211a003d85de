//go:build !linux

package lend

import (
	"context"
	"errors"
	"os"

	"coredbg/core/find"
)

// Start fails: the system has no Landlock.
func (l *Lender) Start(context.Context) (*os.File, func(), error) {
	return nil, nil, errors.ErrUnsupported
}

// A Borrower is never made.
type Borrower struct{ Scratch string }

// Borrow returns false.
func Borrow(*os.File, func()) (*Borrower, bool) { return nil, false }

// Find implements find.Finder; it finds nothing.
func (b *Borrower) Find(context.Context, find.Want) find.Found { return find.Found{} }
