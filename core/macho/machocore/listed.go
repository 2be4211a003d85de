package machocore

import (
	"slices"

	"coredbg/core"
)

// A listed is an image that something says was loaded.
type listed struct {
	path string
	load core.Addr
	uuid []byte // nil if unknown
	from core.Origin
	segs []placed // where its segments lie, if the note says
}

// A placed segment is one whose end is not known.
type placed struct {
	name  string
	start core.Addr
}

// segmentStarts returns where segments of listed images begin, in order.
func segmentStarts(list []listed) (out []core.Addr) {
	for _, i := range list {
		for _, s := range i.segs {
			out = append(out, s.start)
		}
	}
	slices.Sort(out)
	return out
}

// maxText bounds the code of an image in bytes where only its start is known.
const maxText = 1 << 29

// text returns the range of an image's code if only a list of its segments is available: it ends at the
// start of the next segment of any image.
func (i *listed) text(starts []core.Addr) (core.ModulePart, bool) {
	for _, s := range i.segs {
		if s.name != "__TEXT" || s.start != i.load {
			continue
		}
		if n, _ := slices.BinarySearch(starts, s.start+1); n < len(starts) && starts[n]-s.start <= maxText {
			return core.ModulePart{Start: s.start, End: starts[n]}, true
		}
	}
	return core.ModulePart{}, false
}
