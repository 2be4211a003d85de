package heap

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
)

// A Hit is an object that meets all conditions.
type Hit struct {
	ID ID
	// Values are the values of the fields, in order of the conditions; nil for a missing field.
	Values []*Value
}

// Hits are the objects that meet conditions.
type Hits struct {
	List    []Hit // in order of address
	Objects int   // of the class, that were asked
	Unread  int   // of these, whose fields could not be read
	Error   error // why, of one of them
	// Without are the fields that no object of the class has.
	Without []string
}

// Find returns the objects of a class that keep wants and that meet all conditions. In class, * stands
// for any text. Find fails only with an error of ctx.
func (g *Graph) Find(ctx context.Context, class string, conditions []Condition, keep func(ID) bool) (*Hits, error) {
	f := &finder{g: g, conditions: conditions, keep: keep, met: make([]atomic.Bool, len(conditions))}
	if _, ok := g.src.Reader().(FieldReader); !ok {
		return &Hits{}, nil
	}
	f.is = g.typesThat(func(_ Reader, _ int32, t *Type) bool { return like(t.Class, class) })
	rows := make([]Hits, len(g.index.spans))
	err := parallel(ctx, "reading fields", len(rows), g.src.Reader, func(r Reader, i int) error {
		return f.span(ctx, r.(FieldReader), &g.index.spans[i], &rows[i])
	})
	if err != nil {
		return nil, err
	}
	out := &Hits{}
	for i := range rows {
		out.Objects, out.Unread = out.Objects+rows[i].Objects, out.Unread+rows[i].Unread
		if out.Error == nil {
			out.Error = rows[i].Error
		}
		out.List = append(out.List, rows[i].List...)
	}
	for i := range conditions {
		if c := &conditions[i]; out.Objects > 0 && !f.met[i].Load() && !slices.Contains(out.Without, c.Field) {
			out.Without = append(out.Without, c.Field)
		}
	}
	return out, nil
}

// A finder asks objects.
type finder struct {
	g          *Graph
	conditions []Condition
	keep       func(ID) bool
	is         []bool        // by type: it has the class
	met        []atomic.Bool // by condition: an object has the field, or was not asked
}

// span asks the objects of a span.
func (f *finder) span(ctx context.Context, r FieldReader, s *indexSpan, out *Hits) error {
	g := f.g
	values := make([]*Value, len(f.conditions))
	for id := s.first; id < s.first+s.count; id++ {
		if !f.is[g.typ.of(id)] || !f.keep(id) {
			continue
		}
		if id&0xff == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		at := g.Addr(id)
		if !r.IsInstance(at, g.typ.of(id)) {
			continue
		}
		out.Objects++
		holds, err := f.ask(r, id, values)
		if err != nil {
			if out.Unread++; out.Error == nil {
				out.Error = err
			}
			continue
		}
		if holds {
			out.List = append(out.List, Hit{ID: id, Values: slices.Clone(values)})
		}
	}
	return nil
}

// ask reports whether an object meets all conditions.
func (f *finder) ask(r FieldReader, id ID, values []*Value) (bool, error) {
	clear(values)
	for i := range f.conditions {
		c := &f.conditions[i]
		v, err := r.Field(f.g.Addr(id), c.Path)
		there := err == nil
		if there || !errors.Is(err, ErrNoField) {
			if !f.met[i].Load() {
				f.met[i].Store(true)
			}
		}
		if err != nil && !errors.Is(err, ErrNoField) {
			return false, err
		}
		if !c.Holds(&v, there, f.g.src.Shown) {
			for k := i + 1; k < len(f.conditions); k++ {
				if !f.met[k].Load() {
					f.met[k].Store(true) // it was not asked for
				}
			}
			return false, nil
		}
		if there {
			values[i] = &v
		}
	}
	return true, nil
}

// like reports whether a name matches a form, where * stands for any text.
func like(name, form string) bool {
	parts := strings.Split(form, "*")
	if len(parts) == 1 {
		return name == form
	}
	rest, ok := strings.CutPrefix(name, parts[0])
	if !ok {
		return false
	}
	last := parts[len(parts)-1]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		rest = rest[i+len(p):]
	}
	return strings.HasSuffix(rest, last)
}
