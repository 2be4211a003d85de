package juc

import "slices"

// An Edge says which threads can end the wait of one.
type Edge[T comparable] struct {
	Owners []T
	// Any says that each of them can end it alone; else all of them have to do their part.
	Any bool
}

// Circles returns the circles of threads that wait for each other. Each thread of a circle waits for the next, the last for the
// first. Circles are in the order of threads.
func Circles[T comparable](threads []T, waits map[T]Edge[T]) [][]T {
	next := settle(waits)
	var out [][]T
	done := map[T]bool{}
	for _, t := range threads {
		var path []T
		for at := t; !done[at]; at = next[at] {
			if _, stuck := next[at]; !stuck {
				break
			}
			if i := slices.Index(path, at); i >= 0 {
				out = append(out, path[i:])
				break
			}
			path = append(path, at)
		}
		for _, p := range path {
			done[p] = true
		}
	}
	return out
}

// First returns the owners with next, one of them, in front.
func First[T comparable](owners []T, next T) []T {
	return append([]T{next}, slices.DeleteFunc(slices.Clone(owners), func(o T) bool { return o == next })...)
}

// settle returns the threads that will not wake, each with a stuck thread that it waits for. A thread is stuck if all that could wake
// it are stuck. If all of them have to do their part, one stuck thread is enough.
func settle[T comparable](waits map[T]Edge[T]) map[T]T {
	stuck := map[T]T{}
	for t := range waits {
		stuck[t] = t
	}
	for changed := true; changed; {
		changed = false
		for t := range stuck {
			w, n := waits[t], 0
			for _, o := range w.Owners {
				if _, ok := stuck[o]; ok {
					if n++; n == 1 {
						stuck[t] = o
					}
				}
			}
			if n == 0 || w.Any && n < len(w.Owners) {
				delete(stuck, t)
				changed = true
			}
		}
	}
	return stuck
}
