package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/frame"
	"coredbg/stack"
)

// An artTruth is the member "art" of a truth.json: ART's own account of its threads just before it
// died, and the values of the program's objects from its source.
type artTruth struct {
	Version            int
	Arch, Program, How string
	Threads            []artThread
	Exceptions         []artException
	Heap               *artHeap
	Locals             []artLocals
	Statics            map[string]map[string]any // of classes
	Loaders            map[string]any            // class: its dex files
}

type artThread struct {
	Name, State, Peer, Self string
	TID                     int
	SysTID                  int `json:"sysTid"`
	Daemon                  bool
	Frames                  []artFrame
}

type artFrame struct {
	Name, File string
	Line       int
	Native     bool
	Locks      []artLock
}

type artLock struct {
	How, Class, Hash string
	Owner            int
}

type artException struct {
	Class, Message string
	Frames         []artFrame
}

type artHeap struct {
	Objects map[string]int
	Least   map[string]int // where there is garbage too
	Sizes   map[string]uint64
	Refs    struct {
		Class               string
		Global, Weak, Local int
	}
}

// An artCore is a truth.json with such a member.
type artCore struct {
	Core string
	Args []string
	ART  *artTruth
}

// TestARTLive compares every ART core that testdata/cores/make made with ART's own output in the same
// process.
func TestARTLive(t *testing.T) {
	for _, file := range coretest.Live(t) {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var truth artCore
			readJSON(t, file, &truth)
			checkART(t, filepath.Join(dir, truth.Core), liveOptions(t, dir, truth.Args), truth.ART)
		})
	}
}

// TestARTCorpus does the same with the bundles in the repository, and nothing
// else of this machine in reach.
func TestARTCorpus(t *testing.T) {
	var rows []struct {
		File  string
		Truth artCore
	}
	readJSON(t, "../../testdata/cores/manifest.json", &rows)
	for _, row := range rows {
		if row.Truth.ART == nil {
			continue
		}
		t.Run(strings.TrimSuffix(row.File, ".cdb"), func(t *testing.T) {
			o := coredbg.Options{Sysroot: t.TempDir(), DebugDirs: []string{t.TempDir()}}
			checkART(t, filepath.Join("../../testdata/cores", row.File), o, row.Truth.ART)
		})
	}
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// checkART compares an ART core with everything in its truth.json.
func checkART(t *testing.T, path string, o coredbg.Options, truth *artTruth) {
	t.Helper()
	s, err := coredbg.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Process.Close()
	stacks := slices.Collect(s.Stacks.All(context.Background(), s.Process.Threads, stack.Options{}))
	dir := filepath.Dir(path)
	var a *art.ART
	for _, r := range s.Runtimes() {
		if x, ok := r.(*art.ART); ok {
			a = x
		}
	}
	if a == nil {
		t.Fatal("no Android Runtime was found")
	}
	if sdk := map[int]int{10: 29, 11: 30, 14: 34}[truth.Version]; a.SDK() != sdk {
		t.Errorf("SDK %d, want %d (ART %d)", a.SDK(), sdk, truth.Version)
	}
	threads, err := a.Threads()
	if err != nil {
		t.Error(err)
	}
	for _, want := range truth.Threads {
		i := slices.IndexFunc(threads, func(x *frame.Thread) bool { return x.Name == want.Name })
		if i < 0 {
			t.Errorf("no thread is called %q", want.Name)
			continue
		}
		checkARTThread(t, threads[i], want)
		j := slices.IndexFunc(stacks, func(st *stack.Stack) bool { return st.Thread.TID == threads[i].TID })
		if j < 0 {
			t.Errorf("%s: thread %d has no stack", want.Name, threads[i].TID)
			continue
		}
		checkJavaStack(t, stacks[j], want)
		if truth.Arch != "armhf" { // its .ARM.exidx is not read
			checkLauncher(t, stacks[j], want)
		}
		if want.SysTID != 0 {
			checkWitness(t, stacks[j], filepath.Join(dir, "eu.txt"))
		}
	}
	checkMonitors(t, a, threads, truth)
	checkExceptions(t, a, threads, truth)
	if truth.Heap != nil {
		checkJavaHeap(t, a, threads, truth.Heap)
	}
	checkValues(t, path, o, truth)
}

// checkARTThread compares what ART prints in the head of a thread.
func checkARTThread(t *testing.T, x *frame.Thread, want artThread) {
	t.Helper()
	state := want.State
	if state == "WaitingForLockInflation" { // on the way to Blocked
		state = x.State
	}
	// ART asks the java.lang.Thread whether it is a daemon, where there is one.
	if x.State != state || x.Daemon != want.Daemon && x.Peer != 0 {
		t.Errorf("%s: state %s, daemon %v; want %s, %v", want.Name, x.State, x.Daemon, state, want.Daemon)
	}
	if want.SysTID == 0 {
		return // of another run
	}
	if x.TID != want.SysTID || x.ID != want.TID || x.Addr.String() != want.Self || x.Peer.String() != want.Peer {
		t.Errorf("%s: tid %d, id %d, Thread %v, peer %v; want %d, %d, %s, %s", want.Name, x.TID, x.ID, x.Addr, x.Peer,
			want.SysTID, want.TID, want.Self, want.Peer)
	}
}

// checkJavaStack compares the Java frames of a thread. A note on the innermost
// says that its line is near the true one only.
func checkJavaStack(t *testing.T, st *stack.Stack, want artThread) {
	t.Helper()
	var got, exp []string
	for i, f := range javaFrames(st) {
		place := fmt.Sprintf("%s:%d", f.File, f.Line)
		switch {
		case f.Tier == string(frame.JNI):
			place = "Native method"
		case f.File == "" && f.Line <= 0:
			place = "unavailable"
		case i == 0 && f.Note != "":
			place = f.File
		}
		got = append(got, fmt.Sprintf("%s(%s)", f.Name, place))
	}
	java := javaFrames(st)
	for i, f := range want.Frames {
		place := fmt.Sprintf("%s:%d", f.File, f.Line)
		switch {
		case f.Native:
			place = "Native method"
		case f.File == "unavailable", f.Line == -2: // without debug info; made by the runtime
			place = "unavailable"
		case i == 0 && len(java) > 0 && java[0].Note != "":
			place = f.File
		}
		exp = append(exp, fmt.Sprintf("%s(%s)", f.Name, place))
	}
	if !slices.Equal(got, exp) {
		t.Errorf("%s:\n got %s\nwant %s\nthe stack:\n%s", want.Name, brief(got), brief(exp), list(st))
	}
}

func brief(lines []string) string {
	if len(lines) > 40 {
		lines = append(slices.Clone(lines[:40]), "…")
	}
	return strings.Join(lines, "\n     ")
}

func javaFrames(st *stack.Stack) []stack.Frame {
	return slices.DeleteFunc(slices.Clone(st.Frames), func(f stack.Frame) bool { return f.Kind != runtimes.Java })
}

// launcher says which functions of artrun.c run below each native method.
var launcher = map[string][]string{
	"crash": {"die", "crash"}, "pending": {"die", "pending"}, "refs": {"die", "refs"},
	"viaNative": {"via_native"}, "viaTwo": {"via_native", "bounce", "via_two"},
	"parkNative": {"park"}, "parkLocked": {"park"},
}

// checkLauncher checks the native frames against what artrun.c says: its functions
// stand between the Java frames that they ran between, each once, and the stack
// reaches the start of the thread.
func checkLauncher(t *testing.T, st *stack.Stack, want artThread) {
	t.Helper()
	var between []string
	main := false
	for _, f := range st.Frames {
		if f.Kind != runtimes.Java {
			if name := bare(f.Name); filepath.Base(f.Module) == "artrun" && name != "_start" {
				between = append(between, name)
				main = main || name == "main"
			}
			continue
		}
		exp := launcher[f.Name[strings.LastIndexByte(f.Name, '.')+1:]]
		if st.State == "Blocked" || f.Tier != string(frame.JNI) {
			exp = nil // waits for its lock, and has not been called yet
		}
		if !slices.Equal(between, exp) {
			t.Errorf("%s: artrun's frames above %s are %q, want %q\n%s", want.Name, f.Name, between, exp, list(st))
		}
		between = nil
	}
	if want.Name == "main" && !main || st.Stop.Kind != "root" {
		t.Errorf("%s: the stack does not reach the start of its thread: %v\n%s", want.Name, st.Stop, list(st))
	}
}

var euFrame = regexp.MustCompile(`(?m)^#\d+ +(0x[0-9a-f]+)`)

// checkWitness looks for every frame that eu-stack found on this thread: libart's
// call frame information leads it through interpreters and stubs, as far as code that
// was compiled at run time. Both show return addresses as they are.
func checkWitness(t *testing.T, st *stack.Stack, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		return
	}
	_, mine, ok := strings.Cut(string(text), fmt.Sprintf("TID %d:\n", st.Thread.TID))
	mine, _, _ = strings.Cut(mine, "TID ")
	if !ok {
		return
	}
	at := 0
	for _, m := range euFrame.FindAllStringSubmatch(mine, -1) {
		n, err := strconv.ParseUint(m[1][2:], 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(st.Frames[at:], func(f stack.Frame) bool { return f.PC == core.Addr(n) })
		if i < 0 {
			t.Errorf("thread %d has no frame %s after frame %d, which eu-stack has:\n%s\n%s", st.Thread.TID, m[1], at,
				mine, list(st))
			return
		}
		at += i
	}
}
