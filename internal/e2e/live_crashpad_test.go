package e2e

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"coredbg"
	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/heap"
	"coredbg/stack"
)

// A crashpadTruth describes a program whose death both Crashpad and the kernel have recorded; see
// crashpad_core in testdata/cores/make.d/chromium.sh.
type crashpadTruth struct {
	Dump, Signal string
	PID, Sender  int
	// Began is when the process began, as ps said, and Written when the file of the dump was.
	Began, Written int64
}

// TestLiveCrashpad compares Crashpad's dump of a renderer of Chromium with the kernel's core of the
// same death: registers, stacks, modules, threads. It also compares them with the facts known to the
// shell that killed it.
func TestLiveCrashpad(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth crashpadTruth
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			was, is := openLive(t, path), openLive(t, filepath.Join(filepath.Dir(path), truth.Dump))
			checkCrashpadSignal(t, is.Process, &truth)
			checkCrashpadTimes(t, is.Process, &truth)
			checkCrashpadThreads(t, was, is)
			checkCrashpadModules(t, was.Process, is.Process)
			checkCrashpadV8(t, was, is)
			checkCrashpadFrames(t, was, is)
		})
	}
}

func openLive(t *testing.T, path string) *commands.Session {
	t.Helper()
	s, err := coredbg.Open(path, coredbg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Process.Close() })
	return s
}

// annotation returns the value of an annotation, "" if there is none.
func annotation(p *core.Process, name string) string {
	for _, a := range p.Annotations {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// checkCrashpadTimes allows the difference between the kernel's clock for processes and its clock for
// files.
func checkCrashpadTimes(t *testing.T, p *core.Process, truth *crashpadTruth) {
	t.Helper()
	const slack = 2
	for what, c := range map[string]struct {
		got  time.Time
		want int64
	}{"began": {p.Began, truth.Began}, "written": {p.Written, truth.Written}} {
		if apart := c.got.Unix() - c.want; apart < -slack || apart > slack {
			t.Errorf("%s at %v, want %v", what, c.got, time.Unix(c.want, 0).UTC())
		}
	}
}

func checkCrashpadSignal(t *testing.T, p *core.Process, truth *crashpadTruth) {
	t.Helper()
	g := p.Signal
	if g == nil || g.Name != truth.Signal || g.CodeName != "SI_USER" || !g.HasSender ||
		g.PID != truth.Sender || g.HasAddr {
		t.Errorf("the signal is %+v, want %s from %d", g, truth.Signal, truth.Sender)
	}
	if p.PID != truth.PID || annotation(p, "pid") != strconv.Itoa(truth.PID) || annotation(p, "ptype") != "renderer" {
		t.Errorf("process %d, annotations %+v, want %d", p.PID, p.Annotations, truth.PID)
	}
}

// checkCrashpadThreads compares the registers of the thread that died, and the stacks of all:
// the others went on while the dump was written.
func checkCrashpadThreads(t *testing.T, was, is *commands.Session) {
	t.Helper()
	a, b := was.Process.Threads[0], is.Process.Threads[0]
	if a.TID != b.TID || !b.Crashed {
		t.Fatalf("thread %d died, want %d", b.TID, a.TID)
	}
	for n := range core.AMD64.PC + 1 {
		x, ok1 := a.Regs.Get(n)
		y, ok2 := b.Regs.Get(n)
		if x != y || !ok1 || !ok2 {
			t.Errorf("register %d is %#x, want %#x", n, y, x)
		}
	}
	want, got := machineFrames(was), machineFrames(is)
	equal := 0
	for tid, w := range want {
		switch g := got[tid]; {
		case slices.Equal(w, g):
			equal++
		case tid == a.TID || len(g) == 0 || g[0] == w[0] && sameStack(was.Process, is.Process, tid):
			t.Errorf("thread %d:\n%s\nwant\n%s", tid, strings.Join(g, "\n"), strings.Join(w, "\n"))
		}
	}
	if len(got) != len(want) || equal*2 < len(want) {
		t.Errorf("%d threads, of which %d have the stacks of the core, want %d", len(got), equal, len(want))
	}
	t.Logf("%d of %d stacks equal, %d frames in the one that died", equal, len(want), len(want[a.TID]))
}

// sameStack reports whether the innermost kilobyte of a thread's stack is the same in both: one that
// went on, and waits again at the same place, has other frames above it.
func sameStack(was, is *core.Process, tid int) bool {
	var both [2][]byte
	for i, p := range []*core.Process{was, is} {
		sp, _ := p.Thread(tid).Regs.Get(p.Arch.SP)
		both[i], _ = core.ReadBytes(p.Space, core.Addr(sp), 1<<10)
	}
	return bytes.Equal(both[0], both[1])
}

// machineFrames returns the frames of the machine of each thread: place and stack.
func machineFrames(s *commands.Session) map[int][]string {
	out := map[int][]string{}
	for st := range s.Stacks.All(context.Background(), s.Process.Threads, stack.Options{}) {
		for _, f := range st.Frames {
			if !f.Inlined && !f.Async {
				out[st.Thread.TID] = append(out[st.Thread.TID], fmt.Sprintf("pc %v, sp %v", f.PC, f.SP))
			}
		}
	}
	return out
}

// checkCrashpadModules: every library of the core is at its place in the dump, and its file
// was found by its name and build-id.
func checkCrashpadModules(t *testing.T, was, is *core.Process) {
	t.Helper()
	missing := 0
	for _, m := range was.Modules {
		i := slices.IndexFunc(is.Modules, func(x *core.Module) bool { return x.Start == m.Start })
		if i < 0 {
			if m.Facts().Image != nil && len(m.Facts().BuildID) > 0 {
				t.Errorf("%s at %v is not in the dump", m.Path, m.Start)
			}
			continue
		}
		have, want := is.Modules[i].Facts(), m.Facts()
		if id := core.BuildIDString(have.BuildID); id != core.BuildIDString(want.BuildID) {
			t.Errorf("%s has the build-id %s, want %x", m.Path, id, want.BuildID)
		}
		if have.Image == nil {
			missing++
			t.Logf("%s: %v", m.Path, have.Err)
		}
	}
	// A library that another one finds by its own RUNPATH; the kernel's image.
	if missing > 4 {
		t.Errorf("%d of %d files were not found", missing, len(was.Modules))
	}
}

// checkCrashpadV8: the heap is not in the dump, which is said, with the address of the isolate
// that the core has, too.
func checkCrashpadV8(t *testing.T, was, is *commands.Session) {
	t.Helper()
	v, err := v8.Among(was.Process, was.Runtimes())
	if err != nil {
		t.Fatal(err)
	}
	address := annotation(is.Process, "v8_isolate_address")
	h, err := v.Heaps.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	list := h.Isolates(context.Background())
	if !slices.ContainsFunc(list, func(i heap.Isolate) bool { return fmt.Sprintf("%#x", uint64(i.Addr)) == address }) {
		t.Errorf("the isolate is at %s, want one of %+v", address, list)
	}
	_, err = v8.Among(is.Process, is.Runtimes())
	if err == nil || !strings.Contains(err.Error(), "its heap is not in this dump") ||
		!strings.Contains(err.Error(), "v8_isolate_address "+address) {
		t.Errorf("V8 of the dump: %v", err)
	}
}

// checkCrashpadFrames: the dead thread's frames of generated code in the dump are frames of generated
// code in the core, in the same functions, whose names the dump lacks. Other frames in the dump are
// machine code.
func checkCrashpadFrames(t *testing.T, was, is *commands.Session) {
	t.Helper()
	frames := func(s *commands.Session) map[core.Addr]stack.Frame {
		out := map[core.Addr]stack.Frame{} // by stack pointer, without frames that share one
		for _, f := range s.Stacks.Thread(context.Background(), s.Process.Threads[0], stack.Options{}).Frames {
			if !f.Inlined && !f.Async {
				out[f.SP] = f
			}
		}
		return out
	}
	want, functions, stubs := frames(was), 0, 0
	for sp, g := range frames(is) {
		w, ok := want[sp]
		switch {
		case !ok:
			t.Errorf("frame %d at %v is not in the core: %+v", g.Index, sp, g)
		case g.Kind == runtimes.JS:
			functions++
			if g.Function != w.Function || w.Function == 0 || !strings.HasPrefix(g.Note, "name unknown: ") ||
				w.Kind != runtimes.JS && w.Kind != runtimes.Stub || g.Tier != "" && g.Tier != w.Tier {
				t.Errorf("frame %d is of %v, a %s of %s (%s), want %s of %v, a %s", g.Index, g.Function, g.Kind, g.Tier,
					g.Note, w.Name, w.Function, w.Tier)
			}
		case g.Kind == runtimes.Stub:
			stubs++
			// The table of names has pointers that the loader wrote, which a dump does not have: it says what
			// kind of frame it is.
			if w.Kind == runtimes.Native || w.Kind == runtimes.Stub && (g.Tier != w.Tier ||
				g.Name != w.Name && g.Name != "<"+w.Tier+">") {
				t.Errorf("frame %d is %s, want %s, a %s", g.Index, g.Name, w.Name, w.Kind)
			}
		case w.Kind != g.Kind:
			t.Errorf("frame %d is a %s, want %s, a %s", g.Index, g.Kind, w.Name, w.Kind)
		}
	}
	if functions < 20 || stubs < 5 {
		t.Errorf("%d frames of functions and %d others of V8's", functions, stubs)
	}
}
