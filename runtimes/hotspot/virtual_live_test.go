package hotspot_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/runtimes/hotspot"
	"coredbg/stack"
)

var (
	virtualHead = regexp.MustCompile(`(?m)^virtual #(\d+) "(.*)" (\w+)$`)
	// hiddenFrames are the methods that Thread.getStackTrace leaves out (jdk.internal.vm.annotation.Hidden,
	// classes of lambdas).
	hiddenFrames = regexp.MustCompile(`^jdk\.internal\.vm\.Continuation\.|VThreadContinuation|\$\$Lambda|\$\$StringConcat|^java\.lang\.Thread\.runWith |^java\.lang\.VirtualThread\.(yieldContinuation|notifyJvmti\w+) `)
)

// A virtualThread is a virtual thread as Virtual.java has printed it.
type virtualThread struct {
	number      int64
	name, state string
	frames      []string
}

// readVirtual reads the virtual threads of a program's output.
func readVirtual(text string) (all []virtualThread) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := virtualHead.FindStringSubmatch(line); m != nil {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			all = append(all, virtualThread{number: n, name: m[2], state: m[3]})
		}
		if f, ok := strings.CutPrefix(line, "\tvt "); ok && len(all) > 0 {
			last := &all[len(all)-1]
			last.frames = append(last.frames, f)
		}
	}
	return all
}

// TestLiveVirtual compares virtual threads, mounted and not, with the names, the states and the stacks that
// the program has printed of them (Thread.getStackTrace).
func TestLiveVirtual(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var text bytes.Buffer
			s := openJVM(t, dir, coredbg.Options{Stdout: &text})
			h := hotSpot(t, s)
			if err := s.Run(t.Context(), "::stacks -a"); err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(text.String(), "\nvirtual thread "); n != len(h.Tasks()) {
				t.Errorf("::stacks -a shows %d virtual threads, want the %d that no thread runs", n, len(h.Tasks()))
			}
			threads, err := h.JavaThreads()
			if err != nil {
				t.Fatal(err)
			}
			frames, want := 0, readVirtual(readText(t, filepath.Join(dir, "out.txt")))
			for _, w := range want {
				i := slices.IndexFunc(threads, func(x runtimes.JavaThread) bool {
					return x.Virtual &&
						x.Number == w.number
				})
				if i < 0 {
					t.Errorf("no virtual thread %d %q", w.number, w.name)
					continue
				}
				frames += checkVirtual(t, s, &threads[i], w)
			}
			if n := len(h.Tasks()); n < 25 {
				t.Errorf("%d virtual threads are not mounted, want at least 25", n)
			}
			for _, x := range threads {
				if x.Virtual && !slices.ContainsFunc(want, func(w virtualThread) bool { return w.number == x.Number }) {
					t.Errorf("virtual thread %d %q is not in the program", x.Number, x.Name)
				}
			}
			t.Logf("%d frames of %d virtual threads", frames, len(want))
			if len(want) < 30 || frames < 1000 {
				t.Errorf("%d frames of %d virtual threads, want 1000 of 30", frames, len(want))
			}
		})
	}
}

// checkVirtual compares one thread, and returns how many frames were compared. "spinner" and "runner" went on
// while they were looked at.
func checkVirtual(t *testing.T, s *coredbg.Session, x *runtimes.JavaThread, w virtualThread) int {
	state, _, _ := strings.Cut(x.State, " ")
	if x.Name != w.name || state != w.state {
		t.Errorf("thread %d is %q %s, want %q %s", w.number, x.Name, x.State, w.name, w.state)
	}
	if x.Native == nil {
		t.Errorf("%s: no stack: %s", w.name, x.Problem)
		return 0
	}
	st := s.Stacks.Thread(t.Context(), x.Native, stack.Options{})
	if st.Stop != nil && st.Stop.Error() != "root" {
		t.Errorf("%s: the walk ended: %v", w.name, st.Stop)
	}
	all := javaFrames(st)
	got := slices.DeleteFunc(slices.Clone(all), hiddenFrames.MatchString)
	if i := slices.IndexFunc(got, func(f string) bool {
		return strings.HasPrefix(f,
			"java.lang.VirtualThread.run ")
	}); i >= 0 && x.Native.Task == nil {
		if last := all[len(all)-1]; !strings.HasPrefix(last, "java.util.concurrent.ForkJoinWorkerThread.run ") {
			t.Errorf("%s: its carrier begins in %s", w.name, last)
		}
		got = got[:i+1]
	}
	if w.name == "spinner" || w.name == "runner" {
		got, w.frames = slices.DeleteFunc(got, spins), slices.DeleteFunc(w.frames, spins)
	}
	if !slices.Equal(got, w.frames) {
		t.Errorf("%s: frames\n%s\nwant, as the program has printed them,\n%s", w.name, strings.Join(got, "\n"),
			strings.Join(w.frames, "\n"))
	}
	return len(w.frames)
}

func spins(frame string) bool { return strings.HasPrefix(frame, "Virtual.spin ") }

// TestLiveVirtualGroups: ::javathreads -g has each virtual thread that no thread runs once. Threads of a
// group have equal stacks in the program's print. The threads that it starts in a loop are one group.
func TestLiveVirtualGroups(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var text bytes.Buffer
			s := openJVM(t, dir, coredbg.Options{Stdout: &text})
			s.JSON = true
			if err := s.Run(t.Context(), "::javathreads -g"); err != nil {
				t.Fatal(err)
			}
			left := map[uint64]bool{}
			for _, x := range hotSpot(t, s).Tasks() {
				left[x.ID()] = true
			}
			printed, waiting := map[int64]virtualThread{}, 0
			for _, x := range readVirtual(readText(t, filepath.Join(dir, "out.txt"))) {
				if printed[x.number] = x; left[uint64(x.number)] && pooled(x) {
					waiting++
				}
			}
			largest := 0
			for d := json.NewDecoder(&text); d.More(); {
				var group struct {
					Count int
					IDs   []int64
				}
				if err := d.Decode(&group); err != nil {
					t.Fatal(err)
				}
				first := printed[group.IDs[0]].frames
				if group.Count != len(group.IDs) {
					t.Errorf("%d threads are %v", group.Count, group.IDs)
				}
				for _, id := range group.IDs {
					if !left[uint64(id)] {
						t.Errorf("thread %d is in two groups, or has a carrier", id)
					}
					delete(left, uint64(id))
					if !slices.Equal(printed[id].frames, first) {
						t.Errorf("thread %d is with %d, want %q and %q apart", id, group.IDs[0],
							printed[id].frames, first)
					}
				}
				if pooled(printed[group.IDs[0]]) {
					largest = max(largest, group.Count)
				}
			}
			if len(left) > 0 {
				t.Errorf("in no group: %v", left)
			}
			if waiting < 15 || largest != waiting {
				t.Errorf("the largest group of the pool has %d threads, want %d", largest, waiting)
			}
		})
	}
}

// pooled reports whether Virtual starts the thread in a loop.
func pooled(x virtualThread) bool { return strings.HasPrefix(x.name, "pool-") }

// TestLiveLostVirtual: if the heap, or a part of it, is not found, ::deadlock says that virtual threads are not
// known, and denies no circle. JDK 21's Parallel collector has its generations in static fields, so that they
// are found without Universe::_collectedHeap.
func TestLiveLostVirtual(t *testing.T) {
	all := []string{"Universe._collectedHeap", "ParallelScavengeHeap._young_gen", "ParallelScavengeHeap._old_gen"}
	for _, dir := range coretest.Live(t) {
		tables := hotSpot(t, openJVM(t, dir, coredbg.Options{}))
		lost := map[string][]string{"heap": all}
		parallel := strings.Contains(readText(t, filepath.Join(dir, "made.txt")), "+UseParallelGC")
		if _, ok := tables.StaticAt(all[1]); ok && parallel {
			lost["young generation"] = all[1:2]
		}
		for part, names := range lost {
			t.Run(filepath.Base(dir)+"/"+part, func(t *testing.T) {
				testLostVirtual(t, dir, tables, names)
			})
		}
	}
}

// testLostVirtual runs ::deadlock on a copy of a core whose static fields of the given names are null.
func testLostVirtual(t *testing.T, dir string, tables *hotspot.HotSpot, statics []string) {
	data := []byte(readText(t, filepath.Join(dir, "core")))
	lost := 0
	for _, name := range statics {
		if at, ok := tables.StaticAt(name); ok {
			binary.LittleEndian.PutUint64(data[offsetOf(t, data, at):], 0)
			lost++
		}
	}
	if lost == 0 {
		t.Fatal("no static field leads to the heap")
	}
	damaged := t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, "core"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "root"), filepath.Join(damaged, "root")); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	s := openJVM(t, damaged, coredbg.Options{Stderr: &text})
	if err := s.Run(t.Context(), "::deadlock"); err != nil {
		t.Fatal(err)
	}
	const want = "whether all circles were found is not known: virtual threads are not known: "
	if !strings.Contains(text.String(), want) ||
		strings.Count(text.String(), "virtual threads are not known") != 1 || !s.Partial {
		t.Errorf("partial is %v, stderr %q, want %q", s.Partial, text.String(), want)
	}
}

// TestLiveDamagedVirtual walks the stacks of virtual threads whose chunks have random words: each walk ends,
// and no frame is of a chunk that the thread does not have.
func TestLiveDamagedVirtual(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			data := []byte(readText(t, filepath.Join(dir, "core")))
			whole := openJVM(t, dir, coredbg.Options{})
			random := rand.New(rand.NewPCG(1, 2))
			for _, x := range hotSpot(t, whole).Tasks() {
				at := offsetOf(t, data, x.Task.Low)
				end := at + uint64(x.Task.High-x.Task.Low)
				for range 4 {
					i := at + random.Uint64N((end-at)/8)*8
					binary.LittleEndian.PutUint64(data[i:], []uint64{0, 1 << 63, random.Uint64(),
						uint64(x.Task.Low) + random.Uint64N(1<<12), random.Uint64N(64)}[random.IntN(5)])
				}
			}
			damaged := t.TempDir()
			if err := os.WriteFile(filepath.Join(damaged, "core"), data, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(dir, "root"), filepath.Join(damaged, "root")); err != nil {
				t.Fatal(err)
			}
			s := openJVM(t, damaged, coredbg.Options{})
			stopped := 0
			for _, x := range hotSpot(t, s).Tasks() {
				st := s.Stacks.Thread(t.Context(), x, stack.Options{})
				if len(st.Frames) > 4000 {
					t.Errorf("%v has %d frames", x, len(st.Frames))
				}
				if st.Stop != nil && st.Stop.Error() != "root" {
					stopped++
				}
			}
			if stopped == 0 {
				t.Error("no walk has noticed the damage")
			}
		})
	}
}
