package heap

import (
	"cmp"
	"context"
	"slices"

	"coredbg/core"
)

// Bounds of a search for the holders of a group of objects.
const (
	maxHolders    = 64 // parts below the object that dominates all
	maxHolderName = 1 << 10
)

// ByHolder parts objects by their holders, as a suspect of each part names them: the last variable
// or field on the way from a root, or the root. Objects that one collection keeps stay together. The
// largest part comes first. An object that is not reachable is in no part. The error is from ctx.
func (g *Graph) ByHolder(ctx context.Context, objects []core.Addr) ([][]core.Addr, error) {
	var ids []ID
	for _, a := range objects {
		if id, ok := g.ID(a); ok && g.Reachable(id, Stacked) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	parts := map[string][]core.Addr{}
	names := map[int32]string{} // of parts below the common dominator
	under := g.commonDominator(ids)
	for _, id := range ids {
		n := g.number[id]
		for g.tree.idom[n] != under {
			n = g.tree.idom[n]
		}
		name, known := names[n]
		if !known {
			if len(names) == maxHolders {
				return [][]core.Addr{g.addrs(ids)}, nil // elements of one collection
			}
			var err error
			if name, err = g.holderName(ctx, id); err != nil {
				return nil, err
			}
			names[n] = name
		}
		parts[name] = append(parts[name], g.Addr(id))
	}
	var out [][]core.Addr
	for _, p := range parts {
		out = append(out, p)
	}
	slices.SortFunc(out, func(x, y []core.Addr) int {
		return cmp.Or(-cmp.Compare(len(x), len(y)), cmp.Compare(x[0], y[0]))
	})
	return out, nil
}

func (g *Graph) addrs(ids []ID) []core.Addr {
	out := make([]core.Addr, len(ids))
	for i, id := range ids {
		out[i] = g.Addr(id)
	}
	return out
}

// commonDominator returns the number of the nearest object that dominates all, without being one
// of them; 0 if only the roots together do.
func (g *Graph) commonDominator(ids []ID) int32 {
	idom := g.tree.idom
	n := idom[g.number[ids[0]]]
	for _, id := range ids[1:] {
		k := idom[g.number[id]]
		for k != n { // a dominator has the smaller number
			if k > n {
				k = idom[k]
			} else {
				n = idom[n]
			}
		}
	}
	return n
}

// holderName says what holds an object: the last variable or field on the way from a root that has
// a name, or the root and its first object.
func (g *Graph) holderName(ctx context.Context, id ID) (string, error) {
	ways, err := g.Paths(ctx, id, 1)
	if err != nil || len(ways) == 0 {
		return "", err
	}
	path := g.addrs(ways[0].Objects)
	name := ""
	for _, x := range g.src.Steps(path) {
		if v, ok := x.Reference.Variable(); ok {
			name = v
		}
	}
	if name == "" {
		name = ways[0].Root.Kind + "\x00" + ways[0].Root.Name
		if len(path) > 1 { // what the root holds holds the object
			name += "\x00" + path[0].String()
		}
	}
	return name[:min(len(name), maxHolderName)], nil
}
