package eval

import "slices"

// Functions of Set that take another one.
func init() {
	register(map[string]builtin{
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
func eachKey(m *Machine, a, b *Collection, yield func(v Value, inA, inB bool) bool) {
	for _, e := range slices.Clone(a.Entries) {
		if !yield(e.Key, true, b.find(m, e.Key) >= 0) {
			return
		}
	}
	for _, e := range slices.Clone(b.Entries) {
		if a.find(m, e.Key) < 0 && !yield(e.Key, false, true) {
			return
		}
	}
}

func combinedSet(has func(a, b bool) bool) builtin {
	return func(m *Machine, this Value, args []Value) Value {
		o := newSet(m, nil).(*Object)
		eachKey(m, collectionOf(m, this), collectionOf(m, arg(args, 0)), func(v Value, a, b bool) bool {
			if has(a, b) {
				o.Collection.Entries = append(o.Collection.Entries, Entry{Key: v, Value: v})
			}
			return true
		})
		return o
	}
}

func comparedSet(holds func(a, b bool) bool) builtin {
	return func(m *Machine, this Value, args []Value) Value {
		all := true
		eachKey(m, collectionOf(m, this), collectionOf(m, arg(args, 0)), func(_ Value, a, b bool) bool {
			all = holds(a, b)
			return all
		})
		return all
	}
}
