package juc

import "slices"

// An Edge says which threads can end the wait of one.
type Edge[T comparable] struct {
	Owners []T
	// Any says that each of them can end it alone; else all of them have to do their part.
	Any bool
}

// Circles returns the circles of threads that wait for each other, each of which waits for the next and the last for the first.
// Threads says in which order they are looked for.
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

// settle returns the threads that no other one will wake, each with a thread that it waits for and that is stuck as well: all that could
// wake it are stuck, or, where all have to do their part, one of them.
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
