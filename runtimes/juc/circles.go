package juc

import "slices"

// An Edge is the wait of a thread, and the threads that can end it.
type Edge[T comparable] struct {
	Thread T
	Owners []T
	// Any says that each of them can end it alone; else all of them have to do their part.
	Any bool
}

// Circles returns the circles of threads that wait for each other, as the numbers of their waits in the list.
// Each thread of a circle waits for the next, the last for the first. Circles are in the order of waits; a
// thread has one wait at most.
func Circles[T comparable](waits []Edge[T]) [][]int {
	number := make(map[T]int, len(waits))
	for i := range waits {
		number[waits[i].Thread] = i
	}
	next := settle(waits, number)
	var out [][]int
	done := make([]bool, len(waits))
	for i := range waits {
		var path []int
		for at := i; !done[at]; at = next[at] {
			if next[at] < 0 {
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

// settle returns for each wait the stuck wait of a thread that could end it, -1 if the thread is not stuck
// itself. A thread is stuck if all that could wake it are stuck. If all of them have to do their part, one
// stuck thread is enough.
func settle[T comparable](waits []Edge[T], number map[T]int) []int {
	next := make([]int, len(waits))
	for changed := true; changed; {
		changed = false
		for i, w := range waits {
			if next[i] < 0 {
				continue
			}
			n := 0
			for _, o := range w.Owners {
				if k, ok := number[o]; ok && next[k] >= 0 {
					if n++; n == 1 {
						next[i] = k
					}
				}
			}
			if n == 0 || w.Any && n < len(w.Owners) {
				next[i], changed = -1, true
			}
		}
	}
	return next
}
