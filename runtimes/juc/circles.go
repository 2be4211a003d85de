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
// Each thread of a circle waits for the next, the last for the first. Threads of a pool may each wait for all
// the others: the circle then has as many threads as one pass finds. Circles are in the order of waits, and
// each begins with its first; a thread has one wait at most, and is in one circle at most.
func Circles[T comparable](waits []Edge[T]) (out [][]int) {
	next := stuck(waits)
	knot := knots(next)
	place := make([]int, len(waits)) // of a wait in its path, from 1 on
	for i := range waits {
		if place[i] != 0 {
			continue
		}
		path := []int{i}
		place[i] = 1
		for at := i; at >= 0; {
			n := slices.IndexFunc(next[at], func(k int) bool { return place[k] == 0 && knot[k] == knot[i] })
			if n < 0 {
				break
			}
			at = next[at][n]
			path = append(path, at)
			place[at] = len(path)
		}
		if c := longest(path, place, next); c != nil {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(x, y []int) int { return x[0] - y[0] })
	return out
}

// longest returns the longest circle that one step back closes in a path, from its lowest wait on; nil if
// there is none.
func longest(path, place []int, next [][]int) []int {
	var begin, end int
	for i, at := range path {
		for _, k := range next[at] {
			if j := place[k] - 1; 0 <= j && j <= i && path[j] == k && i+1-j > end-begin {
				begin, end = j, i+1
			}
		}
	}
	if begin == end {
		return nil
	}
	c := path[begin:end]
	first := slices.Index(c, slices.Min(c))
	return append(slices.Clone(c[first:]), c[:first]...)
}

// First returns the owners with next, one of them, in front.
func First[T comparable](owners []T, next T) []T {
	return append([]T{next}, slices.DeleteFunc(slices.Clone(owners), func(o T) bool { return o == next })...)
}

// stuck returns for each wait the stuck waits of the threads that could end it; none if the thread is not stuck
// itself. A thread is stuck if all that could wake it are stuck. If all of them have to do their part, one
// stuck thread is enough.
func stuck[T comparable](waits []Edge[T]) [][]int {
	number := make(map[T]int, len(waits))
	for i := range waits {
		number[waits[i].Thread] = i
	}
	next := make([][]int, len(waits))
	free := make([]bool, len(waits))
	for changed := true; changed; {
		changed = false
		for i, w := range waits {
			if free[i] {
				continue
			}
			next[i] = next[i][:0]
			for _, o := range w.Owners {
				if k, ok := number[o]; ok && !free[k] {
					next[i] = append(next[i], k)
				}
			}
			if n := len(next[i]); n == 0 || w.Any && n < len(w.Owners) {
				next[i], free[i], changed = nil, true, true
			}
		}
	}
	return next
}

// knots returns for each wait the number of its knot: the largest set of waits that all lead to each other (a
// strongly connected component, by Tarjan's algorithm).
func knots(next [][]int) []int {
	type visit struct{ wait, edge int }
	order, low := make([]int, len(next)), make([]int, len(next)) // from 1 on
	knot := make([]int, len(next))                               // from 1 on
	var open []int
	met, number := 0, 0
	for i := range next {
		if order[i] != 0 {
			continue
		}
		for todo := []visit{{wait: i}}; len(todo) > 0; {
			v := &todo[len(todo)-1]
			at := v.wait
			if v.edge == 0 {
				met++
				order[at], low[at] = met, met
				open = append(open, at)
			}
			if v.edge < len(next[at]) {
				k := next[at][v.edge]
				v.edge++
				switch {
				case order[k] == 0:
					todo = append(todo, visit{wait: k})
				case knot[k] == 0:
					low[at] = min(low[at], order[k])
				}
				continue
			}
			todo = todo[:len(todo)-1]
			if len(todo) > 0 {
				from := todo[len(todo)-1].wait
				low[from] = min(low[from], low[at])
			}
			if low[at] != order[at] {
				continue
			}
			number++
			for top := -1; top != at; open = open[:len(open)-1] {
				top = open[len(open)-1]
				knot[top] = number
			}
		}
	}
	return knot
}
