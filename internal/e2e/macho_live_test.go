package e2e

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"coredbg"
	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/walk"
)

// A machoTruth is one stack of a frames.json that testdata/cores/make.d/macho.sh
// made: a debugger stub stepped through the program and noted each call.
type machoTruth struct {
	Frames []machoFrame
	Step   int
}

type machoFrame struct {
	PC, SP string
	Saved  map[string]string // the callee-saved registers
	Fn     string
}

// machoFolders are the folders of live cores of macOS.
func machoFolders(t *testing.T) (dirs []string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(os.Getenv("COREDBG_MACHO"), "macho-*", "frames.json"))
	if len(files) == 0 {
		files = coretest.Live(t)
	}
	for _, f := range files {
		dirs = append(dirs, filepath.Dir(f))
	}
	return dirs
}

func readTruth(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestMachOLayouts holds the frames of all threads, in the layouts of all writers
// of cores, to the truth: pc, sp and each callee-saved register.
func TestMachOLayouts(t *testing.T) {
	for _, dir := range machoFolders(t) {
		var truth struct{ Threads []machoTruth }
		readTruth(t, filepath.Join(dir, "frames.json"), &truth)
		cores, _ := filepath.Glob(filepath.Join(dir, "*.core"))
		if len(cores) < machoLayouts || len(truth.Threads) != 3 {
			t.Errorf("%s: %d cores with %d threads", dir, len(cores), len(truth.Threads))
		}
		for _, path := range cores {
			t.Run(filepath.Base(dir)+"/"+filepath.Base(path), func(t *testing.T) {
				s := openMachO(t, path, filepath.Join(dir, "out"))
				if len(s.Process.Threads) != len(truth.Threads) {
					t.Fatalf("%d threads, want %d", len(s.Process.Threads), len(truth.Threads))
				}
				for i, th := range s.Process.Threads {
					for _, bad := range checkStack(s.Walk, s.Process, th, truth.Threads[i]) {
						t.Errorf("thread %d: %s", i, bad)
					}
				}
			})
		}
	}
}

// machoLayouts is the number of layouts that each program's cores have.
const machoLayouts = 10

// TestMachOSteps does the same with the core of each instruction that the
// programs executed.
func TestMachOSteps(t *testing.T) {
	for _, dir := range machoFolders(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) { checkSteps(t, dir, filepath.Join(dir, "out")) })
		t.Run(filepath.Base(dir)+"-stripped",
			func(t *testing.T) { checkSteps(t, dir, withoutSymbols(t, filepath.Join(dir, "out"))) })
	}
}

func checkSteps(t *testing.T, dir, search string) {
	t.Helper()
	var truth []machoTruth
	readTruth(t, filepath.Join(dir, "steps", "frames.json"), &truth)
	good := 0
	for _, step := range truth {
		s := openMachO(t, filepath.Join(dir, "steps", fmt.Sprintf("%05d.core", step.Step)), search)
		bad := checkStack(s.Walk, s.Process, s.Process.Threads[0], step)
		if len(bad) == 0 {
			good++
		} else {
			t.Errorf("step %d in %s: %s", step.Step, step.Frames[0].Fn, bad[0])
		}
	}
	if t.Logf("%d of %d", good, len(truth)); len(truth) == 0 {
		t.Error("no steps")
	}
}

// withoutSymbols copies the images in a folder and empties their symbol tables and
// exports tries, so that only LC_FUNCTION_STARTS says where functions begin.
func withoutSymbols(t *testing.T, from string) string {
	t.Helper()
	const machO, lcSymtab, lcExportsTrie = 0xfeedfacf, 2, 0x80000033
	le, to, n := binary.LittleEndian, t.TempDir(), 0
	files, _ := filepath.Glob(filepath.Join(from, "*"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) < 32 || le.Uint32(b) != machO {
			continue
		}
		for off, left := 32, le.Uint32(b[16:]); left > 0; left-- {
			if cmd := le.Uint32(b[off:]); cmd == lcSymtab || cmd == lcExportsTrie {
				le.PutUint32(b[off+12:], 0)
				n++
			}
			off += int(le.Uint32(b[off+4:]))
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(f)), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n == 0 {
		t.Fatalf("no image in %s", from)
	}
	return to
}

// TestMachOBundles packs cores with their images, and compares the answers from the bundles, with
// nothing else in reach, with the answers from the cores.
func TestMachOBundles(t *testing.T) {
	for _, dir := range machoFolders(t) {
		for _, layout := range []string{"xnu", "lldb-dirty", "createdump"} {
			for _, stacks := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/%v", filepath.Base(dir), layout, stacks), func(t *testing.T) {
					o := coredbg.Options{Search: []string{filepath.Join(dir, "out")}}
					core := filepath.Join(dir, layout+".core")
					plan, err := coredbg.PlanBundle(t.Context(), core, o, coredbg.BundleOptions{Stacks: stacks})
					if err != nil {
						t.Fatal(err)
					}
					defer plan.Close()
					var packed bytes.Buffer
					if _, err := plan.Write(t.Context(), &packed); err != nil {
						t.Fatal(err)
					}
					path := filepath.Join(t.TempDir(), "core.cdb")
					if err := os.WriteFile(path, packed.Bytes(), 0o600); err != nil {
						t.Fatal(err)
					}
					want := answers(t, core, o)
					if got := answers(t, path, coredbg.Options{Sysroot: t.TempDir()}); got != want || want == "" {
						t.Errorf("the bundle answers\n%swant\n%s", got, want)
					}
				})
			}
		}
	}
}

// answers are the stacks, with lines, and the symbols of a core.
func answers(t *testing.T, path string, o coredbg.Options) string {
	t.Helper()
	var out bytes.Buffer
	o.Stdout = &out
	s, err := coredbg.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Process.Close()
	for _, line := range []string{"::stacks -a -v", "::nm"} {
		if err := s.Run(t.Context(), line); err != nil {
			t.Error(err)
		}
	}
	return out.String()
}

func openMachO(t *testing.T, path, search string) *coredbgSession {
	t.Helper()
	s, err := coredbg.Open(path, coredbg.Options{Search: []string{search}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Process.Close() })
	return &coredbgSession{s.Process, s.Walk}
}

type coredbgSession struct {
	Process *core.Process
	Walk    *walk.Target
}

// checkExact compares the registers of all frames of all threads, if they are known.
func checkExact(t *testing.T, s *commands.Session, truth liveCore) {
	t.Helper()
	if len(truth.Exact) > 0 && len(truth.Exact) != len(s.Process.Threads) {
		t.Errorf("%d threads, want %d", len(s.Process.Threads), len(truth.Exact))
	}
	for i, frames := range truth.Exact {
		var want machoTruth
		for _, values := range frames {
			f := machoFrame{PC: values[0], SP: values[1], Saved: map[string]string{}}
			for j, name := range truth.Registers[2:] {
				f.Saved[name] = values[j+2]
			}
			want.Frames = append(want.Frames, f)
		}
		for _, bad := range checkStack(s.Walk, s.Process, s.Process.Threads[i], want) {
			t.Errorf("thread %d: %s", i, bad)
		}
	}
}

// checkStack returns what differs between a thread's stack and the truth.
func checkStack(w *walk.Target, p *core.Process, th *core.Thread, truth machoTruth) (bad []string) {
	n := 0
	for f, err := range w.Walk(context.Background(), th) {
		if err != nil {
			if n < len(truth.Frames) {
				bad = append(bad, fmt.Sprintf("%d of %d frames: %v", n, len(truth.Frames), err))
			}
			return bad
		}
		if n >= len(truth.Frames) {
			return append(bad, fmt.Sprintf("frame %d at %v is too many", n, f.PC))
		}
		want := truth.Frames[n]
		if f.PC.String() != want.PC || f.SP.String() != want.SP {
			bad = append(bad, fmt.Sprintf("frame %d (%s, %v): pc %v sp %v, want %s %s", n, want.Fn, f.Trust, f.PC, f.SP,
				want.PC, want.SP))
		}
		for name, text := range want.Saved {
			v, _ := strconv.ParseUint(text, 0, 64)
			if got, ok := f.Regs.Get(p.Arch.SlotOf(name)); !ok || got != v {
				bad = append(bad, fmt.Sprintf("frame %d (%s, %v): %s %#x known %v, want %s", n, want.Fn, f.Trust, name,
					got, ok, text))
			}
		}
		n++
	}
	return bad
}
