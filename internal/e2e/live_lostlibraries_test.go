package e2e

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"coredbg"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/internal/liveset"
	"coredbg/stack"
	"coredbg/walk"
)

// TestLiveWithoutLibraries walks cores of many architectures without their libraries. The
// witness is the stack with them: each frame is one of its frames, in their order, and
// where one is left out the next says that there is a gap.
func TestLiveWithoutLibraries(t *testing.T) {
	cores, frames, all := 0, 0, 0
	for _, path := range coretest.Live(t) {
		dir := filepath.Dir(path)
		var truth liveCore
		readJSON(t, filepath.Join(dir, "truth.json"), &truth)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			core := filepath.Join(dir, truth.Core)
			with := crashedPCs(t, core, liveOptions(t, dir, truth.Args))
			without := crashedPCs(t, core, coredbg.Options{Sysroot: t.TempDir(), Search: []string{dir}})
			if len(with) == 0 {
				t.Fatal("no frames even with the libraries")
			}
			cores, frames, all = cores+1, frames+len(without), all+len(with)
			checkWithin(t, with, without, false)
			// unkept.c loses at most one function, which the library calls within itself.
			if liveset.Is(filepath.Base(dir), "a64-unkept-*") && len(without) < len(with)-1 {
				t.Errorf("%d frames of %d", len(without), len(with))
			}
		})
	}
	t.Logf("%d cores: %d of %d frames without libraries", cores, frames, all)
}

// TestLiveBeyond walks beyond.c's stacks without its library. The witness is the stack with it. The stack goes
// on beyond the library, up to the start of the thread. Remains of an earlier call may look like frames: they are
// shown as found by a scan, if at all.
func TestLiveBeyond(t *testing.T) {
	for _, path := range coretest.Live(t) {
		dir := filepath.Dir(path)
		var truth liveCore
		readJSON(t, filepath.Join(dir, "truth.json"), &truth)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			core := filepath.Join(dir, truth.Core)
			with := crashedPCs(t, core, liveOptions(t, dir, truth.Args))
			without := crashedPCs(t, core, coredbg.Options{})
			if len(with) == 0 || len(without) == 0 {
				t.Fatalf("%d frames with the library, %d without", len(with), len(without))
			}
			checkWithin(t, with, without, liveset.Is(filepath.Base(dir), "beyond-loop-*"))
			if last := without[len(without)-1]; last.pc != with[len(with)-1].pc {
				t.Errorf("the last of %d frames is %v", len(without), last.pc)
			}
			if most := 3; len(without) < len(with)-most {
				t.Errorf("%d frames of %d", len(without), len(with))
			}
		})
	}
}

// A pcFrame is a frame by its place.
type pcFrame struct {
	pc      core.Addr
	gap     bool
	scanned bool
}

// crashedPCs returns the physical frames of the thread that crashed.
func crashedPCs(t *testing.T, path string, o coredbg.Options) []pcFrame {
	t.Helper()
	s, err := coredbg.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Process.Close()
	var all []pcFrame
	for _, st := range slices.Collect(s.Stacks.All(context.Background(), s.Process.Threads[:1], stack.Options{})) {
		for _, f := range st.Frames {
			if n := len(all); n == 0 || all[n-1].pc != f.PC {
				all = append(all, pcFrame{f.PC, f.Gap, f.Trust == walk.Scanned})
			}
		}
	}
	return all
}

// checkWithin holds a stack to one that is whole. With remains, frames found by a scan may be none.
func checkWithin(t *testing.T, whole, part []pcFrame, remains bool) {
	t.Helper()
	at, gap := 0, false
	for _, f := range part {
		i := slices.IndexFunc(whole[at:], func(w pcFrame) bool { return w.pc == f.pc })
		f.gap, gap = f.gap || gap, false
		switch {
		case i < 0 && remains && f.scanned:
			gap = f.gap
			continue
		case i < 0:
			t.Errorf("%v is no frame of the stack after %d frames", f.pc, at)
			return
		case i > 0 && !f.gap:
			t.Errorf("%d frames before %v are left out without a word", i, f.pc)
		}
		at += i + 1
	}
}
