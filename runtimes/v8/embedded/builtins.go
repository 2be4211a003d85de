package embedded

import (
	"cmp"
	"slices"

	"coredbg/core"
)

// Builtins are the embedded builtins of an image.
type Builtins struct {
	Start, End core.Addr // of their code; 0 if it was not found
	// Names are the names in builtins-definitions.h by number; nil if the image does not have them.
	Names []string
	// Starts are the addresses by number; nil if they are not known.
	Starts []core.Addr

	byStart []start // sorted by address
}

// A start is where the code of a builtin begins.
type start struct {
	at     core.Addr
	number int
}

// Find returns the embedded builtins of an image as far as they are found.
func Find(p *core.Process, m *core.Module) *Builtins {
	b := &Builtins{Names: names(p, m)}
	if d, ok := findDescription(p, m, len(b.Names)); ok {
		if at, ok := d.code(p, m); ok {
			b.Start, b.End = at, at+d.size
			for _, e := range d.entries {
				b.Starts = append(b.Starts, at+core.Addr(e.at))
			}
		}
	}
	if b.End == 0 {
		b.Start, b.End, b.Starts = called(p, m, len(b.Names))
	}
	b.sort()
	return b
}

// sort makes the list that At looks an address up in. Numbers and names must go together.
func (b *Builtins) sort() {
	if len(b.Starts) != len(b.Names) {
		b.Starts = nil
	}
	for i, at := range b.Starts {
		if b.Start <= at && at < b.End {
			b.byStart = append(b.byStart, start{at, i})
		}
	}
	// A builtin without code begins where the next one does; the last one at an address has the code.
	slices.SortStableFunc(b.byStart, func(x, y start) int { return cmp.Compare(x.at, y.at) })
}

// At returns the name of the builtin whose code a is in, or in the padding after it, and how many bytes
// after the start of that a is; "" if that is not known.
func (b *Builtins) At(a core.Addr) (name string, off uint64) {
	if a < b.Start || a >= b.End {
		return "", 0
	}
	i, _ := slices.BinarySearchFunc(b.byStart, a+1, func(s start, a core.Addr) int { return cmp.Compare(s.at, a) })
	if i == 0 {
		return "", 0
	}
	s := b.byStart[i-1]
	return b.Names[s.number], uint64(a - s.at)
}
