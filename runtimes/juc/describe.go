package juc

import (
	"strings"

	"coredbg/runtimes"
)

// Deadlocks returns the circles of threads that wait for each other: each waits for the next, the last for
// the first. Edge describes a wait for Circles; lead returns a wait with one of its owners, the next thread
// of the circle, in front.
func Deadlocks[W any, T comparable](all []W, edge func(*W) Edge[T], lead func(w W, next T) W) (out [][]W) {
	edges := make([]Edge[T], len(all))
	for i := range all {
		edges[i] = edge(&all[i])
	}
	for _, path := range Circles(edges) {
		circle := make([]W, len(path))
		for i, n := range path {
			circle[i] = lead(all[n], edges[path[(i+1)%len(path)]].Thread)
		}
		out = append(out, circle)
	}
	return out
}

// Waits describes the waits of threads.
func Waits[W any](all []W, describe func(*W) runtimes.LockWait) (out []runtimes.LockWait) {
	for i := range all {
		out = append(out, describe(&all[i]))
	}
	return out
}

// WaitCircles describes circles of waits.
func WaitCircles[W any](circles [][]W, describe func(*W) runtimes.LockWait) (out [][]runtimes.LockWait) {
	for _, c := range circles {
		out = append(out, Waits(c, describe))
	}
	return out
}

// DeadlockCircles describes circles for a verdict; words names the thread of a wait and its object.
func DeadlockCircles[W any](circles [][]W, describe func(*W) runtimes.LockWait,
	words func(*W) string) (out []runtimes.DeadlockCircle) {
	for _, circle := range circles {
		var d runtimes.DeadlockCircle
		var text []string
		for i := range circle {
			x := describe(&circle[i])
			if i == 0 {
				d.First = x.Thread.Native
			}
			d.Threads = append(d.Threads, x.Thread.Name)
			d.Inferred = d.Inferred || x.Kind == Completes
			text = append(text, words(&circle[i]))
		}
		d.Words = strings.Join(text, ", ")
		out = append(out, d)
	}
	return out
}
