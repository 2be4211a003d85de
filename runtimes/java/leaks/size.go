package leaks

import (
	"coredbg/core"
	"coredbg/runtimes/java"
)

// The fields with a collection's length, and the fields with the collection or array that another one wraps.
var (
	lengths = []string{"size", "count", "elementCount", "mSize", "baseCount"}
	wrapped = []string{"map", "m", "c", "list", "al", "array", "elements", "queue"}
)

// maxWrapped bounds the collections within each other.
const maxWrapped = 4

// length returns the number of a collection's elements or entries; ok is false for other objects. For a
// ConcurrentHashMap it is an estimate, since its CounterCells are left out.
func (f *Finder) length(at core.Addr) (n uint64, ok bool) {
	for range maxWrapped {
		o, err := f.Object(at)
		if err != nil {
			return 0, false
		}
		if o.Class.Shape == java.Arrays {
			if o.Class.Element != java.NotPrimitive {
				return 0, false
			}
			return f.ArrayLength(at)
		}
		for _, name := range lengths {
			if n, ok := f.number(o, name); ok && n >= 0 {
				return uint64(n), true
			}
		}
		if at = f.within(o); at == 0 {
			return 0, false
		}
	}
	return 0, false
}

// number reads a number or an AtomicInteger out of an object.
func (f *Finder) number(o java.Object, name string) (int64, bool) {
	x, ok := o.Class.Member(name)
	switch {
	case !ok:
		return 0, false
	case java.PrimitiveOf(x.Type) != java.NotPrimitive:
		return f.IntField(o, name)
	}
	at, ok := f.RefField(o, name)
	if !ok || at == 0 {
		return 0, false
	}
	a, err := f.Object(at)
	if err != nil || a.Class.Name != "java.util.concurrent.atomic.AtomicInteger" {
		return 0, false
	}
	return f.IntField(a, "value")
}

// within returns the collection or array that a collection wraps, 0 if there is none.
func (f *Finder) within(o java.Object) core.Addr {
	for _, name := range wrapped {
		if at, ok := f.RefField(o, name); ok && at != 0 {
			return at
		}
	}
	return 0
}
