package library

import (
	"slices"

	"coredbg/runtimes/v8/ecma"
)

// Functions of Set that take another one.
func init() {
	register(map[string]ecma.Builtin{
		"Set.prototype.union":               combinedSet(func(_, _ bool) bool { return true }),
		"Set.prototype.intersection":        combinedSet(func(a, b bool) bool { return a && b }),
		"Set.prototype.difference":          combinedSet(func(a, b bool) bool { return a && !b }),
		"Set.prototype.symmetricDifference": combinedSet(func(a, b bool) bool { return a != b }),
		"Set.prototype.isSubsetOf":          comparedSet(func(a, b bool) bool { return !a || b }),
		"Set.prototype.isSupersetOf":        comparedSet(func(a, b bool) bool { return a || !b }),
		"Set.prototype.isDisjointFrom":      comparedSet(func(a, b bool) bool { return !a || !b }),
	})
}

// eachKey calls yield for each value that one of two sets has, until it returns false.
func eachKey(m *ecma.Machine, a, b *ecma.Collection, yield func(v ecma.Value, inA, inB bool) bool) {
	for _, e := range slices.Clone(a.Entries) {
		if !yield(e.Key, true, b.Find(m, e.Key) >= 0) {
			return
		}
	}
	for _, e := range slices.Clone(b.Entries) {
		if a.Find(m, e.Key) < 0 && !yield(e.Key, false, true) {
			return
		}
	}
}

func combinedSet(has func(a, b bool) bool) ecma.Builtin {
	return func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
		o := newSet(m, nil).(*ecma.Object)
		eachKey(m, ecma.CollectionOf(m, this), ecma.CollectionOf(m, ecma.Arg(args, 0)),
			func(v ecma.Value, a, b bool) bool {
				if has(a, b) {
					o.Collection.Entries = append(o.Collection.Entries, ecma.Entry{Key: v, Value: v})
				}
				return true
			})
		return o
	}
}

func comparedSet(holds func(a, b bool) bool) ecma.Builtin {
	return func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
		all := true
		eachKey(m, ecma.CollectionOf(m, this), ecma.CollectionOf(m, ecma.Arg(args, 0)),
			func(_ ecma.Value, a, b bool) bool {
				all = holds(a, b)
				return all
			})
		return all
	}
}
