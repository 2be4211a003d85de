package object

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"coredbg/core"
)

// Bounds of the lists of classes.
const (
	maxLoaders = 1 << 20
	maxClasses = 1 << 22
)

// Classes returns all classes that a loader has, by name and address: ClassLoaderDataGraph::_head, then
// ClassLoaderData::_next; of each _klasses, then Klass::_next_link. With an error come the classes that could
// be read.
func (r *ClassReader) Classes(ctx context.Context) ([]*Class, error) {
	r.classesMu.Lock()
	defer r.classesMu.Unlock()
	if r.all == nil {
		all, err := r.readClasses(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		slices.SortFunc(all, func(x, y *Class) int {
			return cmp.Or(cmp.Compare(x.Name, y.Name),
				cmp.Compare(x.Addr, y.Addr))
		})
		r.all, r.allErr = all, err
	}
	return r.all, r.allErr
}

func (r *ClassReader) readClasses(ctx context.Context) (all []*Class, first error) {
	t := r.Tables
	head, ok := t.StaticAt("ClassLoaderDataGraph._head")
	next, ok1 := t.Optional("ClassLoaderData._next")
	klasses, ok2 := t.Optional("ClassLoaderData._klasses")
	link, ok3 := t.Optional("Klass._next_link")
	if !ok || !ok1 || !ok2 || !ok3 {
		return nil, fmt.Errorf("hotspot: libjvm's tables do not have the lists of classes")
	}
	c := r.Process.Cursor()
	seen := map[core.Addr]bool{}
	data := c.Pointer(head)
	for range maxLoaders {
		if data == 0 || c.Err() != nil || ctx.Err() != nil || seen[data] {
			break
		}
		seen[data] = true
		for at := c.Pointer(data.Add(klasses)); at != 0 && c.Err() == nil && !seen[at] &&
			len(all) < maxClasses; at = c.Pointer(at.Add(link)) {
			seen[at] = true
			k, err := r.Class(at)
			if err != nil {
				first = cmpErr(first, err)
				continue
			}
			all = append(all, k)
		}
		first = cmpErr(first, c.Reset())
		data = c.Pointer(data.Add(next))
	}
	return all, cmpErr(first, c.Err())
}
