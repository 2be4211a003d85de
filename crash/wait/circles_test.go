package wait

import (
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/crash/kernel"
	"coredbg/crash/where"
)

// waiting is a process whose threads are in futex(word, op, val, timeout), after the system call at
// 0x1000, or set back to it; memory from 0x80000 on holds locks.
func waiting(arch *core.Arch, back bool, locks []byte, calls ...[4]uint64) *where.Threads {
	how := kernel.CallingOf(arch)
	enter := []byte(how.Enter[len(how.Enter)-1])
	pc := uint64(0x1000)
	if !back {
		pc += uint64(len(enter))
	}
	b := coretest.New(arch).Map(0x1000, code(enter...)).Map(0x80000, locks)
	for i := range calls {
		b.Thread(10+i, map[string]uint64{arch.RegNames[arch.PC]: pc, arch.RegNames[arch.SP]: 0x80800})
	}
	p := b.Process()
	for i, c := range calls {
		p.Threads[i].Registers = func() []core.Register {
			out := []core.Register{{Name: how.Number, Value: how.Futexes[len(how.Futexes)-1]}}
			for k, v := range c {
				out = append(out, core.Register{Name: how.Args[k], Value: v})
			}
			return out
		}
	}
	return &where.Threads{Process: p, Symbols: sym.NewTable(p)}
}

// A pthread_mutex_t of glibc: the lock's word, how often, the owner, how many use it; with
// words of 32 bits the kind comes before that.
func mutexes(owners ...byte) []byte { return mutexesOf(core.AMD64, owners...) }

func mutexesOf(arch *core.Arch, owners ...byte) []byte {
	users := 12
	if arch.PtrSize == 4 {
		users = 16
	}
	out := make([]byte, 4096)
	for i, o := range owners {
		out[40*i], out[40*i+8], out[40*i+users] = 2, o, 1
	}
	return out
}

// A pthread_mutex_t of musl: the type, the owner with a bit for waiters.
func muslMutexes(kind byte, owners ...byte) []byte {
	out := make([]byte, 4096)
	for i, o := range owners {
		out[40*i], out[40*i+4], out[40*i+7] = kind, o, 0x80
	}
	return out
}

// code puts instructions into memory, with nothing after them.
func code(b ...byte) []byte { return append(b, make([]byte, 64)...) }

// said returns the description of a deadlock; nothing if there is no deadlock.
func said(t *testing.T, threads *where.Threads) (title string, words []string) {
	if d := Deadlocked(t.Context(), threads); d != nil {
		return d.Title, d.Words
	}
	return "", nil
}

// TestArchitectures finds two threads that wait for each other on each processor, by the
// mutexes of glibc and of musl.
func TestArchitectures(t *testing.T) {
	for _, arch := range []*core.Arch{core.AMD64, core.I386, core.ARM64, core.ARM} {
		for _, back := range []bool{false, true} {
			for _, c := range []struct {
				name  string
				locks []byte
				at    uint64
				val   func(owner uint64) uint64
				found bool
			}{
				{"glibc", mutexesOf(arch, 11, 10), 0, func(uint64) uint64 { return 2 }, true},
				{"musl", muslMutexes(1, 11, 10), 4, func(o uint64) uint64 { return o | kernel.FutexWaiters }, true},
				{"musl, plain", muslMutexes(0, 11, 10), 4, func(o uint64) uint64 { return o | kernel.FutexWaiters },
					false},
			} {
				title, _ := said(t, waiting(arch, back, c.locks, [4]uint64{0x80000 + c.at, 128, c.val(11), 0},
					[4]uint64{0x80000 + 40 + c.at, 128, c.val(10), 0}))
				if (title == "2 threads wait for each other") != c.found {
					t.Errorf("%s, %s, set back %v: %q", arch.Name, c.name, back, title)
				}
			}
		}
	}
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
		{"two", mutexes(11, 10), [][4]uint64{lock(first), lock(second), lock(first)},
			"2 threads wait for each other", 2},
		{"itself", mutexes(10), [][4]uint64{lock(first)}, "thread 10 waits for a lock that it holds itself", 1},
		{"a queue", mutexes(11), [][4]uint64{lock(first), {0x80100, 128, 0, 0}, lock(first)}, "", 0},
		{"with a limit of time", mutexes(11, 10), [][4]uint64{{first, 128, 2, 0x80200}, lock(second)}, "", 0},
		{"an owner that is gone", mutexes(99, 10), [][4]uint64{lock(first), lock(second)}, "", 0},
		{"somewhere else", mutexes(11, 10), [][4]uint64{lock(0x7000000), lock(second)}, "", 0},
	} {
		title, words := said(t, waiting(core.AMD64, false, c.locks, c.calls...))
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

// TestLongCircle: in a circle of very many threads the first ones are named.
func TestLongCircle(t *testing.T) {
	const n = 50
	var owners []byte
	var calls [][4]uint64
	for i := range n {
		owners = append(owners, byte(10+(i+1)%n))
		calls = append(calls, [4]uint64{uint64(0x80000 + 40*i), 128, 2, 0})
	}
	title, words := said(t, waiting(core.AMD64, false, mutexes(owners...), calls...))
	if title != "50 threads wait for each other" || len(words) != maxWaits+1 ||
		words[maxWaits] != "34 more threads wait so: circles in all: 1" {
		t.Errorf("%s: %q", title, words)
	}
}
