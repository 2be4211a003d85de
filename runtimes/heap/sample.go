package heap

import (
	"cmp"
	"context"
	"slices"

	"coredbg/core"
)

// maxSampled bounds how many spans Sample looks at: about as many MiB where a page is one.
const maxSampled = 192

// Sample sums up the objects of some spans of a heap, at equal distances, by class; the largest class comes
// first. It costs the same for any heap, and knows no holders.
func Sample(ctx context.Context, src Source) ([]Class, error) {
	spans := src.Spans()
	n := min(len(spans), maxSampled)
	counts := map[int32]*Class{}
	r := src.Reader()
	var err error
	for i := 0; i < n && err == nil; i++ {
		err = cmp.Or(ctx.Err(), core.Guard(func() {
			r.Objects(i*len(spans)/n, func(at core.Addr, size uint64, typ int32) {
				c := counts[typ]
				if c == nil {
					c = &Class{First: at}
					counts[typ] = c
				}
				c.Objects++
				c.Shallow += size
			})
		}))
	}
	type key struct {
		class string
		place Place
	}
	sums := map[key]*Class{}
	for typ, c := range counts {
		c.Type = src.Type(typ, c.First)
		k := key{c.Class, c.Place}
		if s := sums[k]; s != nil {
			s.Objects, s.Shallow, s.First = s.Objects+c.Objects, s.Shallow+c.Shallow, min(s.First, c.First)
			s.Internal, s.Program = s.Internal && c.Internal, s.Program && c.Program
		} else {
			sums[k] = c
		}
	}
	var all []Class
	for _, c := range sums {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b Class) int {
		return cmp.Or(-cmp.Compare(a.Shallow, b.Shallow), cmp.Compare(a.Class, b.Class), a.Place.Compare(b.Place))
	})
	return all, err
}
