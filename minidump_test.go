package coredbg

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/minidump"
	"coredbg/core/minidump/minidumptest"
	"coredbg/stack"
)

// asMinidump opens a core of the corpus and the minidump that a writer makes of its process.
func asMinidump(t *testing.T, name string, of minidumptest.Of) (was, is *commands.Session) {
	t.Helper()
	path := filepath.Join("testdata/cores", name+".cdb")
	c, err := load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	was = newSession(c, Options{})
	t.Cleanup(func() { was.Close() })
	data, err := minidumptest.FromProcess(c.process, of)
	if err != nil {
		t.Fatal(err)
	}
	p, err := minidump.Open(core.Bytes(data), name+".dmp", minidump.Options{Files: c.files})
	if err != nil {
		t.Fatal(err)
	}
	is = newSession(&loaded{process: p, src: core.Bytes(data), files: c.files, data: c.data}, Options{})
	t.Cleanup(func() { is.Close() })
	return was, is
}

// lines are the frames of all threads.
func lines(t *testing.T, s *commands.Session) map[int][]string {
	out := map[int][]string{}
	for st := range s.Stacks.All(t.Context(), s.Process.Threads, stack.Options{}) {
		for _, f := range st.Frames {
			out[st.Thread.TID] = append(out[st.Thread.TID], fmt.Sprintf("%v %s %s:%d", f.PC, f.Name, f.File, f.Line))
		}
	}
	return out
}

// TestMinidumpStacks compares the stacks of cores with those of minidumps of the same
// processes: the cores' are checked against the programs' own traces.
func TestMinidumpStacks(t *testing.T) {
	all := minidumptest.Of{Full: true, Maps: true}
	for _, c := range []struct {
		name string
		of   minidumptest.Of
	}{
		{"server", all}, {"server", minidumptest.Of{Maps: true}}, {"server", minidumptest.Of{Full: true}}, {"server", minidumptest.Of{}},
		{"threads", all}, {"threads", minidumptest.Of{}}, {"segv", minidumptest.Of{}}, {"null", minidumptest.Of{}}, {"abort", minidumptest.Of{}},
		{"sigaltstack", all}, {"exception", minidumptest.Of{}}, {"rust", minidumptest.Of{}},
		{"node-24", all}, {"node-20", all}, {"art-armhf", all}, {"art-i386", all}, {"art-arm64", all},
	} {
		t.Run(fmt.Sprintf("%s %+v", c.name, c.of), func(t *testing.T) {
			if testing.Short() && !strings.HasPrefix(c.name, "s") {
				t.Skip("opens a large core")
			}
			was, is := asMinidump(t, c.name, c.of)
			want, got := lines(t, was), lines(t, is)
			frames, same := 0, 0
			for tid, w := range want {
				g := got[tid]
				for i := range w {
					frames++
					if i < len(g) && g[i] == w[i] {
						same++
					} else if i < len(g) {
						t.Errorf("thread %d, frame %d: %s, want %s", tid, i, g[i], w[i])
						break
					} else {
						t.Errorf("thread %d: %d frames, want %d: %s", tid, len(g), len(w), w[i])
						break
					}
				}
			}
			if frames == 0 {
				t.Error("no frames")
			}
			if a, b := was.Process.Signal, is.Process.Signal; a != nil && (b == nil || a.Name != b.Name || a.Addr != b.Addr || a.CodeName != b.CodeName) {
				t.Errorf("signal %+v, want %+v", b, a)
			}
			if len(is.Runtimes()) != len(was.Runtimes()) {
				t.Errorf("%d runtimes, want %d", len(is.Runtimes()), len(was.Runtimes()))
			}
			t.Logf("%d of %d frames", same, frames)
		})
	}
}
