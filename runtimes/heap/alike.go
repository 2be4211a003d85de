package heap

import "context"

// Alike returns the objects with the shape of an object, itself included, in order of address, as far
// as keep returns true for them. Objects of one type have the same shape, unless the runtime's
// ShapeReader says otherwise. Alike fails only with an error of ctx.
func (g *Graph) Alike(ctx context.Context, of ID, keep func(ID) bool) ([]ID, error) {
	r, shaped := g.src.Reader().(ShapeReader)
	var key string
	if shaped {
		key, _ = r.Shape(g.Addr(of), g.typ.of(of))
	}
	// The state of a type after the first of its objects.
	const (
		unknown = iota
		alike
		other
		each // ask each
	)
	types := make([]uint8, len(g.types))
	var out []ID
	for id := range ID(g.Len()) {
		if id&0xfff == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		t := g.typ.of(id)
		if !shaped {
			if t == g.typ.of(of) && keep(id) {
				out = append(out, id)
			}
			continue
		}
		if types[t] == other || types[t] != unknown && !keep(id) {
			continue
		}
		is := types[t] == alike
		if !is {
			k, own := r.Shape(g.Addr(id), t)
			switch is = k == key; {
			case own:
				types[t] = each
			case is:
				types[t] = alike
			default:
				types[t] = other
			}
		}
		if is && keep(id) {
			out = append(out, id)
		}
	}
	return out, nil
}
