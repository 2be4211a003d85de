package wait

import (
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/stack"
)

// TestStuck: who waits for whom, by name; a circle is left if all that may end a wait wait themselves, of a
// WaitGroup one.
func TestStuck(t *testing.T) {
	for _, c := range []struct {
		name, waits, want string
	}{
		{"two locks", "a sync.Mutex b, b sync.Mutex a", "a b"},
		{"itself", "a sync.Mutex a", "a"},
		{"it leads to a circle", "c sync.Mutex a, a sync.Mutex b, b sync.Mutex a", "a b"},
		{"the holder does not wait", "a sync.Mutex b", ""},
		{"it is not known who holds", "a sync.Mutex , b sync.Mutex a", ""},
		{"one of two holds, who does not wait", "a sync.Mutex b+c, b sync.Mutex a", ""},
		{"one of two holds, and both wait", "a sync.Mutex b+c, b sync.Mutex a, c sync.Mutex a", "a b"},
		{"another one may receive", "a channel b+c, b sync.Mutex a", ""},
		{"nobody else may receive", "a channel b, b sync.Mutex a", "a b"},
		{"one of three is not done", "a sync.WaitGroup b+c+d, b sync.Mutex a", "a b"},
		{"two circles", "a sync.Mutex b, b sync.Mutex a, c sync.Mutex d, d channel c", "a b, c d"},
		{"three", "a sync.Mutex b, b sync.Mutex c, c sync.Mutex a", "a b c"},
	} {
		threads := map[string]*core.Thread{}
		var order []*core.Thread
		for _, n := range []string{"a", "b", "c", "d"} {
			threads[n] = &core.Thread{Name: n, Task: &core.Task{Kind: "goroutine"}}
			order = append(order, threads[n])
		}
		waits := map[*core.Thread]*TaskLink{}
		for _, s := range strings.Split(c.waits, ", ") {
			part := strings.Split(s, " ")
			w := &TaskLink{Thread: threads[part[0]], Kind: part[1], Frame: &stack.Frame{Name: part[0]}}
			w.join(nil)
			for _, h := range strings.Split(part[2], "+") {
				if h != "" {
					w.held.add(TaskHolder{Thread: threads[h], Frame: &stack.Frame{Name: h}})
				}
			}
			waits[w.Thread] = w
		}
		stuck(waits)
		var got []string
		for _, circle := range taskCircles(order, waits) {
			var names []string
			for _, w := range circle {
				names = append(names, w.Thread.Name)
			}
			got = append(got, strings.Join(names, " "))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
}

// TestGoDoes: functions of sync by their names in Go 1.16 to 1.26, whole or as parts.
func TestGoDoes(t *testing.T) {
	for name, want := range map[string]string{
		"sync.(*Mutex).Lock": goLock, "sync.(*Mutex).lockSlow": goLock, "internal/sync.(*Mutex).lockSlow": goLock,
		"sync.(*Mutex).TryLock": "", "sync.(*RWMutex).RLock": goRLock, "sync.(*RWMutex).rUnlockSlow": goRUnlock,
		"sync.(*WaitGroup).Add": goDone, "sync.(*Cond).Wait": "", "runtime.chanrecv2": goReceive, "runtime.gopark": "",
		"main.Lock": "",
	} {
		if got := goDoes(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
