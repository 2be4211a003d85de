package crash

import (
	"context"
	"testing"
	"time"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// A keeper is a runtime that has looked at its clock.
type keeper struct {
	age      time.Duration
	turn, ok bool
}

func (keeper) Name() string    { return "keeper" }
func (keeper) Version() string { return "1" }

func (k keeper) Ran(context.Context, *core.Thread) (time.Duration, bool, bool) {
	return k.age, k.turn, k.ok
}

// TestLasting: time on the processor says that a thread runs on and on where it was used in one turn of an
// event loop, or is most of the time that the process was there.
func TestLasting(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	began := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name    string
		spent   time.Duration
		keep    keeper
		written time.Duration // after the process began; 0 if that is not known
		want    bool
	}{
		{"80 ms, nothing else is known", 80 * ms, keeper{}, 0, false},
		{"an hour, nothing else is known", time.Hour, keeper{}, 0, false},
		{"5 s, of which the loop went on in the first", 5 * s, keeper{200 * ms, true, true}, 0, true},
		{"5 s, the loop went on after an hour", 5 * s, keeper{time.Hour, true, true}, 0, false},
		{"exactly a second in one turn", 1200 * ms, keeper{200 * ms, true, true}, 0, true},
		{"less than a second in one turn", 1199 * ms, keeper{200 * ms, true, true}, 0, false},
		{"most of the runtime's time", 9 * s, keeper{10 * s, false, true}, 0, true},
		{"exactly 80 %", 8 * s, keeper{10 * s, false, true}, 0, true},
		{"less than 80 % of the runtime's time", 7990 * ms, keeper{10 * s, false, true}, 0, false},
		{"all of a short time", 80 * ms, keeper{80 * ms, false, true}, 0, false},
		{"more than there was", 20 * s, keeper{10 * s, false, true}, 0, false},
		{"most of the time of the core", 59 * s, keeper{}, 60 * s, true},
		{"a part of the time of the core", 80 * ms, keeper{}, 60 * s, false},
		{"the runtime's clock comes first", 59 * s, keeper{time.Hour, false, true}, 60 * s, false},
		{"the time is not known", 0, keeper{200 * ms, true, true}, 60 * s, false},
	} {
		p := &core.Process{}
		if c.written > 0 {
			p.Began, p.Written = began, began.Add(c.written)
		}
		x := activity{p: p, s: &Subject{Runtimes: func() []runtimes.Runtime { return []runtimes.Runtime{c.keep} }}}
		if words, got := x.lasting(&core.Thread{}, c.spent); got != c.want {
			t.Errorf("%s: %t, %q", c.name, got, words)
		}
	}
}

// TestInterpreted: a function that an interpreter runs is not the interpreter's, nor the function of C that it calls.
func TestInterpreted(t *testing.T) {
	for _, c := range []struct {
		name, library, want string
		frames              []string
		at                  []core.Addr
	}{
		{"a method of Java", "/opt/lib/libjvm.so", "Java",
			[]string{"", "JavaCalls::call_helper", "thread_native_entry"}, []core.Addr{0xa010, 0x8010, 0x8020}},
		{"the collector", "/opt/lib/libjvm.so", "", []string{"G1ParCopyClosure::do_oop", "GangWorker::run"},
			[]core.Addr{0x8010, 0x8020}},
		{"a method of JNI", "/opt/lib/libjvm.so", "", []string{"Java_Codec_encode", "", "JavaCalls::call_helper"},
			[]core.Addr{0x1010, 0xa010, 0x8010}},
		{"a function of Python", "/usr/lib/libpython3.11.so.1.0", "Python",
			[]string{"long_add", "_PyEval_EvalFrameDefault", "main"}, []core.Addr{0x8010, 0x8020, 0x1010}},
		{"a module of C for Python", "/usr/lib/libpython3.11.so.1.0", "",
			[]string{"encode", "_PyEval_EvalFrameDefault"}, []core.Addr{0x1010, 0x8020}},
		{"a block of Ruby", "/usr/lib/libruby-3.1.so.3.1", "Ruby", []string{"rb_big_plus", "vm_exec_core"},
			[]core.Addr{0x8010, 0x8020}},
		{"a library that is none", "/usr/lib/libengine.so.0", "", []string{"vm_exec_core"}, []core.Addr{0x8010}},
	} {
		p := coretest.New(core.AMD64).MapProt(0x1000, make([]byte, 0x1000), core.Read|core.Exec).
			MapProt(0x8000, make([]byte, 0x1000), core.Read|core.Exec).MapProt(0xa000, make([]byte, 0x1000),
			core.Read|core.Exec).Process()
		p.Modules = []*core.Module{{Path: "/srv/program", Start: 0x1000, End: 0x2000, Exe: true},
			{Path: c.library, Start: 0x8000, End: 0x9000}}
		frame := func(name string, pc core.Addr) stack.Frame {
			f := stack.Frame{Kind: runtimes.Native, Name: name, PC: pc}
			if m := p.Module(pc); m != nil {
				f.Module = m.Path
			}
			return f
		}
		var frames []stack.Frame
		for i, n := range c.frames {
			frames = append(frames, frame(n, c.at[i]))
		}
		threads := where.Threads{Process: p}
		f := threads.Running(frames)
		if f == nil {
			t.Errorf("%s: nothing runs", c.name)
			continue
		}
		if l := threads.Interpreted(frames, f); l != c.want {
			t.Errorf("%s: %q, want %q", c.name, l, c.want)
		}
	}
}

// TestBusiest: of threads that are awake one runs on and on if it has used far more of the processor than any other.
func TestBusiest(t *testing.T) {
	const unknown = -1
	for _, c := range []struct {
		name string
		used []time.Duration
		want int // which one; -1 for none
	}{
		{"none is awake", nil, -1},
		{"one", []time.Duration{time.Millisecond}, 0},
		{"one whose time is not known", []time.Duration{unknown}, 0},
		{"another has hardly run", []time.Duration{16 * time.Millisecond, 2 * time.Second}, 1},
		{"another has run as well", []time.Duration{300 * time.Millisecond, 2 * time.Second}, -1},
		{"exactly a tenth", []time.Duration{2 * time.Second, 200 * time.Millisecond}, -1},
		{"two that have not run", []time.Duration{0, 0}, -1},
		{"the time of another is not known", []time.Duration{2 * time.Second, unknown}, -1},
	} {
		var threads []*core.Thread
		for _, d := range c.used {
			th := &core.Thread{}
			if d != unknown {
				th.CPU = &core.CPUTime{User: d}
			}
			threads = append(threads, th)
		}
		got := -1
		for i, th := range threads {
			if th == busiest(threads) {
				got = i
			}
		}
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
