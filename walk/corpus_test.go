package walk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/elf"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/core/macho"
	"coredbg/core/macho/machocore"
	"coredbg/core/sym"
	"coredbg/walk"
)

// A truth is what the source of a core's program says about its stacks. In a
// list of frames "..." stands for any number of them, "<signal>" for a signal
// trampoline.
type truth struct {
	Core, Exe string
	Needs     string // "runtime": frames that only the decoder of a runtime steps from
	Args      []string
	Never     []string // names that no stack may have
	Threads   []struct {
		Who    string
		Frames []string
		Stop   string // "!root": the walk must not claim to have arrived
	}
}

// TestLiveCores walks the live cores. Each core has a folder, with a truth.json
// written from the program's source. A second witness is eu.txt, the output of
// eu-stack.
func TestLiveCores(t *testing.T) {
	for _, path := range coretest.Live(t) {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) { liveCore(t, dir) })
	}
}

func liveCore(t *testing.T, dir string) {
	want, p, symbols := openLive(t, dir)
	target := walk.NewTarget(p, walk.Options{DebugImage: symbols.DebugImage,
		FuncStart: func(a core.Addr) (core.Addr, bool) {
			s, _, ok := symbols.Lookup(a)
			return s.Addr, ok
		}})
	stacks := map[int][]walk.Frame{}
	stops := map[int]*walk.StopError{}
	for _, th := range p.Threads {
		frames, stop := collect(t, target.Walk(context.Background(), th))
		stacks[th.TID], stops[th.TID] = frames, stop
		for i := range frames {
			if slices.Contains(want.Never, name(symbols, &frames[i])) {
				t.Errorf("thread %d frame %d is %s", th.TID, i, name(symbols, &frames[i]))
			}
		}
		t.Logf("thread %d %s", th.TID, th.Name)
		for i := range frames[:min(len(frames), 60)] {
			f := &frames[i]
			t.Logf("  #%-2d %c %v %s sp %v", i, f.Trust.Mark(), f.PC, name(symbols, f), f.SP)
		}
		t.Logf("  stop: %v", stop)
	}
	for _, th := range want.Threads {
		for _, got := range p.Threads {
			if th.Stop == "!root" && got.Crashed && stops[got.TID].Kind == walk.StopRoot {
				t.Errorf("thread %d claims to have arrived", got.TID)
			}
		}
		compareTruth(t, p, symbols, stacks, th.Who, th.Frames)
	}
	compareEU(t, filepath.Join(dir, "eu.txt"), stacks)
}

// openLive opens the core in a folder of the live set and reads what is true of it.
func openLive(t *testing.T, dir string) (want truth, p *core.Process, symbols *sym.Table) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err == nil {
		err = json.Unmarshal(data, &want)
	}
	if err != nil {
		t.Fatal(err)
	}
	if want.Needs == "runtime" {
		t.Skip("this walk knows no runtime: internal/e2e checks these stacks")
	}
	disk := diskOf(dir, want.Args)
	p = openCore(t, dir, want.Core, want.Exe, disk)
	if p.Arch == nil {
		t.Skip("no registers for " + p.Machine)
	}
	symbols = sym.NewTable(p, disk)
	return want, p, symbols
}

// diskOf returns where the flags that open a core say that files are.
func diskOf(dir string, args []string) elf.Disk {
	var d elf.Disk
	for i := 1; i < len(args); i++ {
		path := args[i]
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		switch args[i-1] {
		case "-sysroot":
			d.Sysroot = path
		case "-search":
			d.Search = append(d.Search, path)
		case "-debug-dir":
			d.DebugDirs = append(d.DebugDirs, path)
		}
	}
	return d
}

func openCore(t testing.TB, dir, name, exe string, disk elf.Disk) *core.Process {
	path := filepath.Join(dir, name)
	if exe != "" && !filepath.IsAbs(exe) {
		exe = filepath.Join(dir, exe)
	}
	src, err := file.Open(path, nil)
	if err != nil {
		t.Fatalf("opening the core: %v", err)
	}
	p, err := elfcore.Open(src, path, elfcore.Options{Exe: exe, Files: disk})
	if errors.Is(err, core.ErrUnknownFormat) {
		p, err = machocore.Open(src, path, machocore.Options{Files: &macho.Disk{Disk: find.Disk{Sysroot: disk.Sysroot,
			Search: disk.Search}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// collect gathers a walk and checks what holds for all: it ends with a
// *StopError and a zero frame.
func collect(t *testing.T, seq func(func(walk.Frame, error) bool)) (frames []walk.Frame, stop *walk.StopError) {
	t.Helper()
	for f, err := range seq {
		if stop != nil {
			t.Errorf("a frame after the end of the walk: %v", f.PC)
		}
		if err != nil {
			if !errors.As(err, &stop) || f != (walk.Frame{}) {
				t.Errorf("the walk ends with %v, %v", f.PC, err)
			}
			continue
		}
		frames = append(frames, f)
	}
	if stop == nil {
		t.Errorf("the walk ended without a reason")
	}
	return frames, stop
}

func name(symbols *sym.Table, f *walk.Frame) string {
	if f.Trampoline {
		return "<signal>"
	}
	s, _, ok := symbols.Lookup(f.LookupPC())
	if !ok {
		return "?"
	}
	return sym.Demangle(s.Name, true)
}

// functions names what is called in a frame as debugging information does, the functions inlined into it
// first: truths are about the program's functions, by names of its language.
func functions(symbols *sym.Table, f *walk.Frame) (list []string) {
	for _, l := range symbols.Lines(f.LookupPC()) {
		list = append(list, l.Func)
	}
	if len(list) == 0 || f.Trampoline {
		return []string{name(symbols, f)}
	}
	return list
}

// compareTruth looks for the threads that the truth names: the crashed one,
// one somewhere ("name:x", as cores do not keep threads' names), or as many as
// "each:n" says.
func compareTruth(t *testing.T, p *core.Process, symbols *sym.Table, stacks map[int][]walk.Frame, who string,
	want []string) {
	need := 1
	if n, ok := strings.CutPrefix(who, "each:"); ok {
		need, _ = strconv.Atoi(n)
	}
	found := 0
	var example []string
	for _, th := range p.Threads {
		if who == "crashed" && !th.Crashed {
			continue
		}
		var got, calls []string
		for i := range stacks[th.TID] {
			f := &stacks[th.TID][i]
			got, calls = append(got, name(symbols, f)), append(calls, functions(symbols, f)...)
		}
		if matches(got, want) || matches(calls, want) {
			found++
		} else {
			example = got
		}
	}
	if found < need {
		t.Errorf("%d threads (%s), not %d, have\n  %s\nanother has\n  %s", found, who, need, strings.Join(want, " "),
			brief(example))
	}
}

func brief(names []string) string {
	if len(names) > 80 {
		names = append(append(append([]string{}, names[:40]...), fmt.Sprintf("(%d more)", len(names)-80)),
			names[len(names)-40:]...)
	}
	return strings.Join(names, " ")
}

// matches reports whether names are as wanted. "f*100" stands for a hundred
// frames of f, "f*" for any number.
func matches(got, want []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if want[0] == "..." {
		for i := 0; i <= len(got); i++ {
			if matches(got[i:], want[1:]) {
				return true
			}
		}
		return false
	}
	name, n := want[0], 1
	if before, ok := strings.CutSuffix(name, "*"); ok {
		for len(got) > 0 && sameName(got[0], before) {
			got = got[1:]
		}
		return matches(got, want[1:])
	}
	if i := strings.LastIndexByte(name, '*'); i > 0 {
		if c, err := strconv.Atoi(name[i+1:]); err == nil {
			name, n = name[:i], c
		}
	}
	for i := range n {
		if i >= len(got) || !sameName(got[i], name) {
			return false
		}
	}
	return matches(got[n:], want[1:])
}

// sameName compares names without the parts that differ between spellings: parameters of lambdas, the
// compiler's clones.
func sameName(got, want string) bool {
	for _, cut := range []string{".part.", ".constprop.", ".isra.", ".cold", " [clone"} {
		got, _, _ = strings.Cut(got, cut)
	}
	return want == "?" || params.ReplaceAllString(got, "$1") == params.ReplaceAllString(want, "$1")
}

var params = regexp.MustCompile(`(\(anonymous namespace\))|\([^()]*\)`)

var euFrame = regexp.MustCompile(`^#\d+ +0x([0-9a-f]+)`)

// compareEU compares program counters with eu-stack's.
func compareEU(t *testing.T, path string, stacks map[int][]walk.Frame) {
	data, err := os.ReadFile(path)
	if err != nil {
		return
	}
	tid := 0
	theirs := map[int][]core.Addr{}
	for line := range strings.Lines(string(data)) {
		var pc uint64
		if m := euFrame.FindStringSubmatch(line); m != nil {
			fmt.Sscanf(m[1], "%x", &pc)
			theirs[tid] = append(theirs[tid], core.Addr(pc))
		} else if strings.HasPrefix(line, "TID ") {
			fmt.Sscanf(line, "TID %d:", &tid)
		}
	}
	for tid, want := range theirs {
		got := stacks[tid]
		n := min(len(got), len(want))
		for i := range n {
			if got[i].PC != want[i] {
				t.Logf("NOTE thread %d frame %d: %v, eu-stack %v", tid, i, got[i].PC, want[i])
				n = -1
				break
			}
		}
		if n >= 0 && len(got) != len(want) {
			t.Logf("NOTE thread %d: %d frames, eu-stack %d", tid, len(got), len(want))
		}
	}
}

// BenchmarkLive walks all threads of the largest cores.
func BenchmarkLive(b *testing.B) {
	for _, path := range coretest.Live(b) {
		dir := filepath.Dir(path)
		b.Run(filepath.Base(dir), func(b *testing.B) {
			p := openCore(b, dir, "core", "", elf.Disk{})
			b.ReportAllocs()
			frames := 0
			for b.Loop() {
				target := walk.NewTarget(p, walk.Options{})
				for _, th := range p.Threads {
					for _, err := range target.Walk(context.Background(), th) {
						if err == nil {
							frames++
						}
					}
				}
			}
			b.ReportMetric(float64(frames)/float64(b.N), "frames")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(frames), "ns/frame")
		})
	}
}
