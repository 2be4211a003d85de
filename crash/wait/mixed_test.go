package wait

import (
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes"
)

// TestMixedCircles: threads 10 to 13, of which some wait for a mutex, and others for a monitor. A circle has
// both kinds of waits.
func TestMixedCircles(t *testing.T) {
	const word = 0x80000
	lock := func(n uint64) [4]uint64 { return [4]uint64{word + 40*n, 128, 2, 0} }
	idle := [4]uint64{word + 0x400, 128, 1, 0} // of a mutex that is free
	type wait struct {
		thread int
		owners []int // -1 is a thread that the core lacks
		any    bool
	}
	for name, c := range map[string]struct {
		owners []byte // of the mutexes
		calls  [][4]uint64
		java   []wait
		want   []int // the threads of the circle; the first wait is Java's
	}{
		"both": {[]byte{11}, [][4]uint64{lock(0), idle}, []wait{{11, []int{10}, false}}, []int{11, 10}},
		"three": {[]byte{11}, [][4]uint64{lock(0), idle, idle},
			[]wait{{12, []int{10}, false}, {11, []int{12}, false}}, []int{12, 10, 11}},
		"two mutexes": {[]byte{11, 10}, [][4]uint64{lock(0), lock(1), idle},
			[]wait{{12, []int{10}, false}}, nil},
		"two monitors": {[]byte{11}, [][4]uint64{idle, idle},
			[]wait{{10, []int{11}, false}, {11, []int{10}, false}}, nil},
		"no circle":          {[]byte{11}, [][4]uint64{lock(0), idle, idle}, []wait{{11, []int{12}, false}}, nil},
		"the mutex is free":  {[]byte{0}, [][4]uint64{lock(0), idle}, []wait{{11, []int{10}, false}}, nil},
		"one of two is free": {[]byte{11}, [][4]uint64{lock(0), idle, idle}, []wait{{11, []int{10, 12}, true}}, nil},
		"one of two is gone": {[]byte{11}, [][4]uint64{lock(0), idle}, []wait{{11, []int{10, -1}, true}}, nil},
		"both have to": {[]byte{11}, [][4]uint64{lock(0), idle, idle}, []wait{{11, []int{12, 10}, false}},
			[]int{11, 10}},
		"Java's wait is told": {[]byte{11}, [][4]uint64{lock(0), lock(0)}, []wait{{11, []int{10}, false}},
			[]int{11, 10}},
	} {
		p := waiting(core.AMD64, false, mutexes(c.owners...), c.calls...).Process
		var waits []runtimes.LockWait
		for _, w := range c.java {
			x := runtimes.LockWait{Thread: runtimes.LockThread{Native: p.Thread(w.thread)}, Any: w.any}
			for _, o := range w.owners {
				x.Owners = append(x.Owners, runtimes.LockThread{Native: p.Thread(o)})
			}
			waits = append(waits, x)
		}
		circles := MixedCircles(t.Context(), p, waits)
		if len(circles) > 1 || (len(circles) == 1) != (c.want != nil) {
			t.Errorf("%s: %d circles", name, len(circles))
			continue
		}
		var got []int
		for _, circle := range circles {
			for i, l := range circle {
				got = append(got, l.Thread.TID)
				next := circle[(i+1)%len(circle)].Thread
				if l.Owner != next || (l.Runtime == nil) == (l.Native == nil) {
					t.Errorf("%s: %v waits for %v, want %v; by %v and %v", name, l.Thread, l.Owner, next,
						l.Runtime, l.Native)
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: threads %v, want %v", name, got, c.want)
		}
	}
}
