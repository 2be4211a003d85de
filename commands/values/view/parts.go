package view

import (
	"cmp"
	"errors"
	"iter"
	"strconv"
	"strings"

	"coredbg/core/dwarf"
)

// A container is a value that a recipe is for.
type container struct {
	*recipe
	n     *Node
	v     dwarf.Value
	t     *dwarf.Type
	depth int
	err   error // why it is not known whether the recipe is for the value
}

// containersOf yields what recipes make of a value with a type, in the table's order.
func containersOf(rows *Recipes, v dwarf.Value, t *dwarf.Type) iter.Seq[*container] {
	return func(yield func(*container) bool) {
		name := t.Qualified()
		if g, ok := goType(t); ok {
			name = cmp.Or(goRecipes[g.Kind], name)
		}
		for _, r := range rows.of(name) {
			if fits, err := r.fits(v); err != nil { // so the right row is not known
				yield(&container{recipe: r, v: v, t: t, err: err})
				return
			} else if !fits {
				continue
			}
			if !yield(&container{recipe: r, v: v, t: t}) {
				return
			}
		}
	}
}

// follow returns the part of a value that the first path names which there is. Pointers on
// the way are followed.
func follow(v dwarf.Value, paths []string) (dwarf.Value, bool) {
	for _, p := range paths {
		path, opaque := strings.CutSuffix(p, "@")
		x, ok := followOne(v, strings.Split(path, "."))
		if t := x.Type.Strip().Complete(); ok && (!opaque || t != nil && t.Declared) {
			return x, true
		}
	}
	return dwarf.Value{}, false
}

func followOne(v dwarf.Value, names []string) (dwarf.Value, bool) {
	for _, name := range names {
		t := v.Type.Strip()
		if t != nil && t.Kind == dwarf.Pointer {
			x, err := v.Deref()
			if err != nil {
				return v, false
			}
			v, t = x, x.Type.Strip()
		}
		t = t.Complete()
		if t == nil {
			return v, false
		}
		m, ok := t.Find(name)
		if !ok {
			return v, false
		}
		v = v.As(t).Member(&m)
	}
	return v, true
}

// fits reports whether the conditions of a recipe are true of a value.
func (r *recipe) fits(v dwarf.Value) (bool, error) {
	if _, ok := follow(v, r.lacks); ok {
		return false, nil
	}
	if len(r.begins) > 0 {
		x, ok := follow(v, r.begins)
		at, inMemory := x.Addr()
		if first, _ := v.Addr(); !ok || !inMemory || at != first {
			return false, nil
		}
	}
	if len(r.when) == 0 {
		return true, nil
	}
	n, err := numberAt(v, r.when)
	if errors.Is(err, errNoPart) {
		return false, nil
	}
	return n != 0, err
}

// numberAt returns the number or pointer at the first path that exists. A path may end in the relevant bits,
// "&MASK" or ">>BITS".
func numberAt(v dwarf.Value, paths []string) (uint64, error) {
	for _, p := range paths {
		path, keep, err := bitsOfPath(p)
		x, ok := follow(v, []string{path})
		if err != nil || !ok {
			continue
		}
		n, err := x.Uint()
		n = keep(n)
		return n, err
	}
	return 0, errNoPart
}

// bitsOfPath splits a path into the path itself and a function that keeps some bits of its number.
func bitsOfPath(p string) (path string, keep func(uint64) uint64, err error) {
	if path, mask, ok := strings.Cut(p, "&"); ok {
		m, err := strconv.ParseUint(mask, 0, 64)
		return path, func(n uint64) uint64 { return n & m }, err
	}
	if path, shift, ok := strings.Cut(p, ">>"); ok {
		b, err := strconv.ParseUint(shift, 10, 6)
		return path, func(n uint64) uint64 { return n >> b }, err
	}
	return p, func(n uint64) uint64 { return n }, nil
}

// part returns a part of the container.
func (c *container) part(name string) (dwarf.Value, bool) {
	if c.paths[name] == nil {
		return dwarf.Value{}, false
	}
	return follow(c.v, c.paths[name])
}

// number returns a part that is a number or a pointer, or "#N", the N-th number among the container's template
// arguments.
func (c *container) number(name string) (uint64, error) {
	if list := c.paths[name]; len(list) > 0 {
		if i, made := madeNumber(list[len(list)-1]); made && !c.hasPath(list[:len(list)-1]) {
			if p := c.t.TemplateParams(); i <= len(p) && p[i-1].HasValue && p[i-1].Value >= 0 {
				return uint64(p[i-1].Value), nil
			}
			return 0, errNoPart
		}
	}
	return numberAt(c.v, c.paths[name])
}

func (c *container) hasPath(list []string) bool { _, ok := follow(c.v, list); return ok }

var errNoPart = errors.New("it has no such part")

// elem returns the type of the elements: the container's template argument, or the target of a pointer part;
// nil if it is not known.
func (c *container) elem(pointer string) *dwarf.Type {
	if len(c.of) == 1 {
		return c.made(c.of[0])
	}
	x, ok := c.part(pointer)
	if !ok {
		return nil
	}
	t := x.Type.Strip()
	if t == nil || t.Kind != dwarf.Pointer {
		return nil
	}
	return t.Elem()
}

// made returns the i-th type that the container was made with, from 1.
func (c *container) made(i int) *dwarf.Type { return madeWith(c.t, i) }

// madeWith returns the i-th type that a template was made with, from 1; nil if there is none.
func madeWith(t *dwarf.Type, i int) *dwarf.Type {
	list := t.TemplateParams()
	if i < 1 || i > len(list) {
		return nil
	}
	return list[i-1].Type()
}

// maxLength bounds what can be the length of anything.
const maxLength = 1 << 40

var errLength = errors.New("its length cannot be right")

// MaxWrapped bounds how many wrappers of a value one step goes through.
const MaxWrapped = 16
