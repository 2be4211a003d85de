package pprof

import (
	"context"
	"io"
	"slices"

	"github.com/google/pprof/profile"

	"coredbg/runtimes/heap"
)

// Write writes the profile of a graph. It fails only with an error of ctx or w.
func Write(ctx context.Context, w io.Writer, g *heap.Graph) error {
	chains, classes, err := g.Chains(ctx, heap.None, 0)
	if err != nil {
		return err
	}
	return profileOf(chains, classes).Write(w)
}

// profileOf makes the samples, most bytes first.
func profileOf(chains []heap.Chain, classes []heap.Type) *profile.Profile {
	p := &profile.Profile{
		SampleType:        []*profile.ValueType{{Type: "objects", Unit: "count"}, {Type: "space", Unit: "bytes"}},
		DefaultSampleType: "space",
		PeriodType:        &profile.ValueType{Type: "space", Unit: "bytes"}, Period: 1,
	}
	locations := make([]*profile.Location, len(classes)) // of classes that are in a chain
	for _, c := range chains[1:] {
		s := &profile.Sample{Value: []int64{int64(c.Objects), int64(c.Bytes)}}
		for x := c; x.Class >= 0; x = chains[x.Parent] {
			if locations[x.Class] == nil {
				locations[x.Class] = newLocation(p, &classes[x.Class])
			}
			s.Location = append(s.Location, locations[x.Class])
		}
		p.Sample = append(p.Sample, s)
	}
	slices.SortStableFunc(p.Sample, func(a, b *profile.Sample) int {
		return int(min(max(b.Value[1]-a.Value[1], -1),
			1))
	})
	return p
}

// newLocation adds a class to a profile.
func newLocation(p *profile.Profile, c *heap.Type) *profile.Location {
	f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: c.Class, SystemName: c.Class, Filename: c.Place.File,
		StartLine: int64(c.Place.Line)}
	if c.Class == "" {
		f.Name = "(no class)"
	}
	l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f, Line: int64(c.Place.Line)}}}
	p.Function, p.Location = append(p.Function, f), append(p.Location, l)
	return l
}
