package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/bugs"
	"coredbg/runtimes"
	"coredbg/stack"
)

// A liveCore is a truth.json; testdata/cores/sources/README.md says what its
// members mean.
type liveCore struct {
	Verdict         bugs.Cause `json:"verdict"` // why it died, where its program is one that shows it
	Name, Core, Exe string
	Mode            string // of a Node core
	Args            []string
	Needs, Note     string
	Never, Refused  []string
	Threads         []struct {
		Who, Stop     string
		Frames, Lines []string
	}
	JS      []jsTruth
	Above   []string
	Workers [][]jsTruth

	Registers []string
	Exact     [][][]string // threads, frames, values of Registers
}

type jsTruth struct {
	Name, Printed, File string
	Line, Column        int
	Async, Builtin      bool
}

// TestLive checks every core that testdata/cores/make made against what its program's
// source, or the program itself before it died, says about its stacks.
func TestLive(t *testing.T) {
	for _, file := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) { checkLive(t, file) })
	}
	writeVerdicts(t)
}

func checkLive(t *testing.T, file string) {
	dir := filepath.Dir(file)
	var truth liveCore
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &truth); err != nil {
		t.Fatal(err)
	}
	s := checkCore(t, filepath.Join(dir, truth.Core), liveOptions(t, dir, truth.Args), truth)
	checkVerdict(t, s, filepath.Base(dir), truth)
}

// checkCore opens a core and compares its stacks with the truth.
func checkCore(t *testing.T, path string, o coredbg.Options, truth liveCore) *commands.Session {
	t.Helper()
	s, err := coredbg.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Process.Close() })
	stacks := slices.Collect(s.Stacks.All(context.Background(), s.Process.Threads, stack.Options{}))
	for _, th := range truth.Threads {
		checkThreads(t, stacks, th.Who, th.Stop, th.Frames, th.Lines)
	}
	checkExact(t, s, truth)
	for _, never := range truth.Never {
		for _, st := range stacks {
			if slices.ContainsFunc(st.Frames, func(f stack.Frame) bool { return bare(f.Name) == never }) {
				t.Errorf("thread %d shows %s, which is not in the program that died", st.Thread.TID, never)
			}
		}
	}
	for _, name := range truth.Refused {
		checkRefused(t, s.Process, name)
	}
	if len(truth.JS) > 0 {
		// A debugger that stopped the process did so in any of its threads.
		st := stacks[0]
		first := func(st *stack.Stack) bool { return st.Thread.TID == s.Process.PID }
		if i := slices.IndexFunc(stacks, first); i >= 0 && truth.Mode == "collect" {
			st = stacks[i]
		}
		checkJS(t, st, truth.JS, truth.Above)
	}
	for _, w := range truth.Workers {
		checkWorker(t, stacks[1:], w)
	}
	return s
}

func liveOptions(t *testing.T, dir string, args []string) coredbg.Options {
	t.Helper()
	var o coredbg.Options
	for len(args) >= 2 {
		path := args[1]
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		switch args[0] {
		case "-debug-dir":
			o.DebugDirs = append(o.DebugDirs, path)
		case "-search":
			o.Search = append(o.Search, path)
		case "-sysroot":
			o.Sysroot = path
		default:
			t.Fatalf("truth.json: unknown argument %s", args[0])
		}
		args = args[2:]
	}
	return o
}

// checkThreads finds the threads that the truth mentions.
func checkThreads(t *testing.T, stacks []*stack.Stack, who, stop string, frames, lines []string) {
	t.Helper()
	want := 1
	if n, ok := strings.CutPrefix(who, "each:"); ok {
		want, _ = strconv.Atoi(n)
	}
	got := 0
	for i, st := range stacks {
		if who == "crashed" && i > 0 {
			break
		}
		at := match(frames, st.Frames)
		if at == nil {
			continue
		}
		got++
		checkLines(t, st, frames, lines, at)
		if root := st.Stop.Kind == "root"; stop == "!root" && root || stop == "root" && !root {
			t.Errorf("%s: the walk stopped with %q, want %s", who, st.Stop, stop)
		}
	}
	if got != want {
		t.Errorf("%s: %d threads have the frames %q, want %d; the first is\n%s", who, got, frames, want,
			list(stacks[0]))
	}
}

// checkLines compares source lines where there are any: not every program has
// a line table.
func checkLines(t *testing.T, st *stack.Stack, frames, lines []string, at []int) {
	t.Helper()
	for i, line := range lines {
		if line == "" || strings.ContainsAny(frames[i], "*.") {
			continue
		}
		f := st.Frames[at[i]]
		if f.File == "" {
			continue
		}
		if got := fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line); got != line {
			t.Errorf("thread %d frame %d %s is at %s, want %s", st.Thread.TID, f.Index, f.Name, got, line)
		}
	}
}

func checkRefused(t *testing.T, p *core.Process, name string) {
	t.Helper()
	for _, m := range p.Modules {
		if m.Name() == name {
			if err := m.Facts().Err; err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s has another build-id than the process had, but is not refused by name: %v", name, err)
			}
			return
		}
	}
	t.Errorf("no module is called %s", name)
}

// match lays the pattern over the frames. It returns the index of the first
// frame that each element took, or nil if they do not fit.
func match(pattern []string, frames []stack.Frame) []int {
	at := make([]int, len(pattern))
	dead := map[[2]int]bool{}
	var fit func(p, f int) bool
	fit = func(p, f int) bool {
		if p == len(pattern) {
			return f == len(frames)
		}
		key := [2]int{p, f}
		if dead[key] {
			return false
		}
		at[p] = f
		low, high := count(pattern[p])
		for n := 0; n <= high && f+n <= len(frames); n++ {
			if n >= low && fit(p+1, f+n) {
				at[p] = f
				return true
			}
			if f+n < len(frames) && !isFrame(pattern[p], &frames[f+n]) {
				break
			}
		}
		dead[key] = true
		return false
	}
	if !fit(0, 0) {
		return nil
	}
	return at
}

// count returns how many frames an element of a pattern may take.
func count(element string) (low, high int) {
	const any = 1 << 30
	if element == "..." {
		return 0, any
	}
	if i := strings.LastIndexByte(element, '*'); i > 0 && !strings.HasSuffix(element[:i], "operator") {
		if n, err := strconv.Atoi(element[i+1:]); err == nil {
			return n, n
		}
		if element[i+1:] == "" {
			return 1, any
		}
	}
	return 1, 1
}

func isFrame(element string, f *stack.Frame) bool {
	switch element {
	case "...":
		return true
	case "?":
		return f.Name == ""
	case "<signal>":
		return f.Kind == runtimes.Signal
	}
	if _, high := count(element); high != 1 || strings.HasSuffix(element, "*1") {
		element = element[:strings.LastIndexByte(element, '*')]
	}
	return bare(f.Name) == element
}

// bare takes parameters, clone marks and cv-qualifiers from a demangled name.
func bare(name string) string {
	var b strings.Builder
	depth := 0
	for i, c := range name {
		switch {
		case c == '(' && strings.HasSuffix(name[:i], "operator") && strings.HasPrefix(name[i:], "()"):
			b.WriteString("()")
		case c == '(' && strings.HasPrefix(name[i:], "(anonymous namespace)"):
			depth++
			b.WriteString("(anonymous namespace)")
		case c == '(':
			depth++
		case c == ')':
			if !strings.HasSuffix(name[:i], "operator(") {
				depth--
			}
		case depth == 0:
			b.WriteRune(c)
		}
	}
	s, _, _ := strings.Cut(b.String(), " [clone")
	return strings.TrimSuffix(s, " const")
}

func list(st *stack.Stack) string {
	var b strings.Builder
	for i, f := range st.Frames {
		if i == 60 {
			b.WriteString("  …\n")
			break
		}
		fmt.Fprintf(&b, "  %3d %-6s %-9v %s %s:%d:%d\n", f.Index, f.Kind, f.Trust, f.Name, f.File, f.Line, f.Column)
	}
	fmt.Fprintf(&b, "  stop: %v\n", st.Stop)
	return b.String()
}

// jsFrames returns the frames of a stack that Error.stack may have: JavaScript frames, and functions of
// the embedder that the program's own account lists. Optimised code of V8 8.4 to 9.4 makes some of the
// latter visible. The builtin that killed or blocked the thread is left out, as the program wrote down
// its stack before that.
func jsFrames(st *stack.Stack, want []jsTruth) []stack.Frame {
	listed := func(f *stack.Frame) bool {
		return slices.ContainsFunc(want, func(w jsTruth) bool { return w.Printed == f.Name+" (<anonymous>)" })
	}
	var js []stack.Frame
	for _, f := range st.Frames {
		if f.Kind == runtimes.JS || f.Kind == runtimes.Wasm || f.Kind == runtimes.API && listed(&f) {
			js = append(js, f)
		}
	}
	if len(js) > 0 && js[0].Tier == "builtin" && !want[0].Builtin {
		js = js[1:]
	}
	return js
}

// checkJS compares the JavaScript frames with the program's own Error.stack, and where the stack ends.
func checkJS(t *testing.T, st *stack.Stack, want []jsTruth, above []string) {
	t.Helper()
	checkJSFrames(t, st, want, above)
	// main itself leaves no frame: it ends in a jump to node::Start.
	n := len(st.Frames)
	if st.Stop.Kind != "root" || !slices.ContainsFunc(st.Frames[n-min(n, 4):],
		func(f stack.Frame) bool { return f.Name == "node::Start" }) {
		t.Errorf("the native frames do not reach node::Start: %v\n%s", st.Stop, list(st))
	}
}

// checkJSFrames compares the JavaScript frames with the program's own Error.stack.
func checkJSFrames(t *testing.T, st *stack.Stack, want []jsTruth, above []string) {
	t.Helper()
	got := jsFrames(st, want)
	for len(got) > 0 && slices.Contains(above, strings.TrimPrefix(got[0].Name, "new ")) {
		got = got[1:]
	}
	for i, w := range want {
		if i >= len(got) {
			t.Errorf("frame %d %s is missing", i, w.Printed)
			continue
		}
		if diff := differ(&got[i], w); diff != "" {
			t.Errorf("frame %d: %s; want %s", i, diff, w.Printed)
		}
	}
	if len(got) > len(want) && above == nil {
		t.Errorf("%d frames too many, the first is %s", len(got)-len(want), got[len(want)].Name)
	}
	if t.Failed() {
		t.Logf("the stack:\n%s", list(st))
	}
}

// differ says how a frame differs from the engine's own line.
func differ(f *stack.Frame, w jsTruth) string {
	name := ""
	if head, _, ok := strings.Cut(w.Printed, " ("); ok {
		name = strings.TrimPrefix(head, "async ")
	} else if i := strings.Index(w.Printed, "wasm-function["); i >= 0 {
		name, _, _ = strings.Cut(w.Printed[i:], ":") // all the name that it has
	}
	switch {
	case f.Name != name && !(name == "" && f.Name == "<anonymous>"):
		return fmt.Sprintf("name %q", f.Name)
	case w.Line != 0 && (f.Line != w.Line || f.Column != w.Column):
		return fmt.Sprintf("%s at %d:%d", f.Name, f.Line, f.Column)
	case w.File != "" && f.File != w.File:
		return fmt.Sprintf("%s in %q", f.Name, f.File)
	case f.Async != w.Async:
		return fmt.Sprintf("%s async %v", f.Name, f.Async)
	}
	return ""
}

func checkWorker(t *testing.T, stacks []*stack.Stack, want []jsTruth) {
	t.Helper()
	for _, st := range stacks {
		got := jsFrames(st, want)
		if len(got) == 0 || !strings.HasSuffix(got[0].Name, want[0].Name) {
			continue
		}
		for i, w := range want {
			if i >= len(got) {
				t.Errorf("worker: frame %d %s is missing", i, w.Printed)
			} else if diff := differ(&got[i], w); diff != "" {
				t.Errorf("worker: frame %d: %s; want %s", i, diff, w.Printed)
			}
		}
		return
	}
	t.Errorf("no thread has the worker's stack %s", want[0].Printed)
}
