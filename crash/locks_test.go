package crash

import (
	"context"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
)

// waiting is a process whose threads are in futex(word, op, val, timeout), after the
// system call at 0x1000; memory from 0x80000 on is of locks.
func waiting(locks []byte, calls ...[4]uint64) *examination {
	b := coretest.New(core.AMD64).Map(0x1000, code(0x0f, 0x05)).Map(0x80000, locks)
	for i := range calls {
		b.Thread(10+i, map[string]uint64{"rip": 0x1002, "rsp": 0x80800})
	}
	p := b.Process()
	for i, c := range calls {
		p.Threads[i].Registers = func() []core.Register {
			return []core.Register{{Name: "orig_rax", Value: futexAMD64}, {Name: "rdi", Value: c[0]}, {Name: "rsi", Value: c[1]}, {Name: "rdx", Value: c[2]}, {Name: "r10", Value: c[3]}}
		}
	}
	s := &Subject{Process: p, Symbols: sym.NewTable(p)}
	return &examination{ctx: context.Background(), s: s, p: p}
}

// A pthread_mutex_t of glibc: the lock's word, how often, the owner, how many use it.
func mutexes(owners ...byte) []byte {
	out := make([]byte, 4096)
	for i, o := range owners {
		out[40*i], out[40*i+8], out[40*i+12] = 2, o, 1
	}
	return out
}

func TestCircles(t *testing.T) {
	const first, second = 0x80000, 0x80000 + 40
	lock := func(at uint64) [4]uint64 { return [4]uint64{at, 128, 2, 0} }
	for _, c := range []struct {
		name  string
		locks []byte
		calls [][4]uint64
		title string
		words int
	}{
		{"two", mutexes(11, 10), [][4]uint64{lock(first), lock(second), lock(first)}, "2 threads wait for each other", 2},
		{"itself", mutexes(10), [][4]uint64{lock(first)}, "thread 10 waits for a lock that it holds itself", 1},
		{"a queue", mutexes(11), [][4]uint64{lock(first), {0x80100, 128, 0, 0}, lock(first)}, "", 0},
		{"with a limit of time", mutexes(11, 10), [][4]uint64{{first, 128, 2, 0x80200}, lock(second)}, "", 0},
		{"an owner that is gone", mutexes(99, 10), [][4]uint64{lock(first), lock(second)}, "", 0},
		{"somewhere else", mutexes(11, 10), [][4]uint64{lock(0x7000000), lock(second)}, "", 0},
	} {
		title, words := waiting(c.locks, c.calls...).stuck()
		if title != c.title || len(words) != c.words {
			t.Errorf("%s: %q %q", c.name, title, words)
		}
		for _, w := range words {
			if !strings.Contains(w, "waits for the mutex at 0x800") {
				t.Errorf("%s: %q", c.name, w)
			}
		}
	}
}
