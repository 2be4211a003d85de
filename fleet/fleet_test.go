package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/xitongsys/parquet-go-source/local"
	"github.com/xitongsys/parquet-go/reader"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/triage"
)

// asProgram is set where the tests are to be the program.
const asProgram = "FLEET_TEST_MAIN"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == triage.OneCore {
		os.Exit(readOne(os.Args[2:]))
	}
	if os.Getenv(asProgram) != "" {
		main()
		os.Exit(0)
	}
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// cores makes a folder of cores under hostile names, with poison among them.
func cores(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name string, b []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	whole := []byte{}
	for i, name := range []string{"null.cdb", "segv.cdb", "abort.cdb", "macos-arm64.cdb"} {
		b, err := os.ReadFile("../testdata/cores/" + name)
		if err != nil {
			t.Fatal(err)
		}
		whole = b
		for j := range 3 {
			put(strings.Repeat("x", i)+"core."+string(rune('a'+j))+".cdb", b)
		}
	}
	put("core.empty", nil)
	put("core.cut", whole[:len(whole)/2])
	put("core. \"'<b>\n.cdb", bytes.Repeat([]byte{0xff}, 4096))
	return dir
}

func lines(t *testing.T, path string) []string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	slices.Sort(list)
	return list
}

// TestPipeline runs on Beam's own runner, and has what coredbg triage and groups have:
// they are the truth here, and have tests of their own.
func TestPipeline(t *testing.T) {
	dir := cores(t)
	here, patterns, err := split([]string{dir})
	if err != nil || len(here) != 15 || patterns != nil {
		t.Fatalf("%d cores, %v, %v", len(here), patterns, err)
	}
	folder := filepath.Join(t.TempDir(), "out")
	to, err := newTarget(folder)
	if err != nil {
		t.Fatal(err)
	}
	f := &readFn{Timeout: time.Minute, Memory: 2 << 30, Largest: 1 << 30}
	if err := beamx.Run(t.Context(), build(here, nil, to, f, false)); err != nil {
		t.Fatal(err)
	}
	if err := to.commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	to.remove()

	var want, bugs []string
	g := &triage.Groups{By: triage.ByCoarse}
	r := &triage.Runner{Start: commands.OS{}.Self, Args: []string{triage.OneCore, "-memory", "2147483648", "--"},
		Jobs: 2, Timeout: time.Minute, Memory: 2 << 30}
	err = r.Run(context.Background(), here, func(x *triage.Result) error {
		b, err := out.Marshal(x.Line)
		want = append(want, string(b))
		g.Add(x.Line)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	w := out.NewWriter(&table)
	for i, b := range g.Bugs() {
		text, _ := out.Marshal(b)
		bugs = append(bugs, string(text))
		if i == 0 {
			b.Header(w)
		}
		b.Text(w)
	}
	w.Flush()
	slices.Sort(want)
	slices.Sort(bugs)
	if got := lines(t, filepath.Join(folder, "cores.ndjson")); !slices.Equal(got, want) {
		t.Errorf("cores:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := lines(t, filepath.Join(folder, "bugs.ndjson")); !slices.Equal(got, bugs) {
		t.Errorf("bugs:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(bugs, "\n"))
	}
	if b, _ := os.ReadFile(filepath.Join(folder, "bugs.txt")); string(b) != table.String() {
		t.Errorf("table:\n%s\nwant\n%s", b, table.String())
	}
	for name, n := range map[string]int{"cores.parquet": len(want), "bugs.parquet": len(bugs)} {
		path := filepath.Join(folder, name)
		src, err := local.NewLocalFileReader(path)
		if err != nil {
			t.Fatal(err)
		}
		pr, err := reader.NewParquetReader(src, nil, 1)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := int(pr.GetNumRows()); got != n {
			t.Errorf("%s has %d rows, want %d", name, got, n)
		}
		pr.ReadStop()
		src.Close()
		if st, _ := os.Stat(path); st.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", name, st.Mode())
		}
	}
	if left, _ := os.ReadDir(folder); len(left) != 5 {
		t.Errorf("%d files are in the folder, want 5", len(left))
	}
}

// TestStopped: a run that is told to end does so, and nothing is left of it.
func TestStopped(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no signal that asks a process to end")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	cmd := exec.CommandContext(t.Context(), exe, "-input", cores(t), "-output", folder)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for begun := false; !begun; time.Sleep(10 * time.Millisecond) {
		left, _ := os.ReadDir(folder)
		begun = len(left) > 0
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("it ended with %v:\n%s", err, said.String())
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
}

// TestOutputGone: nothing is left of a run that fails.
func TestOutputGone(t *testing.T) {
	folder := t.TempDir()
	to, err := newTarget(folder)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(to.file("cores.ndjson"), nil, 0o600)
	to.remove()
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
}
