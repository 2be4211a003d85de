package hotspot_test

import (
	"context"
	"path/filepath"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/stack"
)

// openJVM opens the core of a JVM of another release or processor, with its part of that system.
func openJVM(t *testing.T, dir string, o coredbg.Options) *coredbg.Session {
	t.Helper()
	o.Sysroot = filepath.Join(dir, "root")
	o.Search = []string{o.Sysroot} // qemu has loaded libjvm by another path
	s, err := coredbg.Open(filepath.Join(dir, "core"), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestLiveLocksDump compares the frames of Java of all threads with the thread dumps of JVMs from 8 to 27, as
// TestLiveThreadDump does. All threads stand still.
func TestLiveLocksDump(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s := openJVM(t, dir, coredbg.Options{})
			frames, threads := 0, 0
			for _, want := range readDump(t, filepath.Join(dir, "out.txt")) {
				if len(want.frames) == 0 {
					continue // of the collector, or of the compilers
				}
				native := s.Process.Thread(want.tid)
				if native == nil {
					t.Errorf("the core has no thread %s", want.name)
					continue
				}
				st := s.Stacks.Thread(context.Background(), native, stack.Options{})
				threads++
				frames += len(want.frames)
				checkDumped(t, want, javaFrames(st))
				if st.Stop != nil && st.Stop.Error() != "root" {
					t.Errorf("%s: the walk ended: %v", want.name, st.Stop)
				}
			}
			if threads < 22 || frames < 330 {
				t.Errorf("%d frames of %d threads are compared, want at least 330 of 22", frames, threads)
			}
		})
	}
}
