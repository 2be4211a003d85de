package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// made matches cores of several families. TestMakeAgain edits their inputs.
const made = `^(c-O2|null|cxx-throw|lapse-text|a64-O2|arm64-sve-16|elfutils-ppc|macho-x86_64|art-14-amd64-demo|node-24\.21\.0-(deep|kinds|maps-tsc|prettier)|embedded-chromium)$`

// TestMakeAgain holds testdata/cores/make to its word: a core is made again if one of its
// own inputs changes, and only then.
func TestMakeAgain(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the cores are made on Linux")
	}
	if testing.Short() {
		t.Skip("it runs the scripts five times")
	}
	t.Parallel()
	scripts, live := copyMake(t), t.TempDir()
	noteInputs(t, scripts, live)
	for _, c := range []struct {
		what  string
		edits []edit
		want  string
	}{
		{"not an input", []edit{
			{"make.d/*.sh", comment},
			{"make.d/native.sh", replace("crash_core() {\n\tlocal mode=$1\n",
				"crash_core() {\n\n\tlocal    mode=$1 # how\n")},
			{"make.d/native.sh", replace("\tcrash c-O0 segv -O0 -g\n\tcrash c-O2 segv -O2 -g\n",
				"\tcrash c-O2 segv -O2 -g\n\tcrash c-O9 segv -O9\n\tcrash c-O0 segv -O0 -g\n")},
			{"make.d/node.sh", replace("\tkinds) as=node_as_kinds ;;\n",
				"\tkinds) as=node_as_kinds ;;\n\tfresh) as=node_as_fresh ;;\n")},
			{"make.d/embedders.sh", replace(`embedders="`, `embedders="deno-9.9.9 `)},
			{"sources/art/app/locks/Locks.smali", comment}, // another program
		}, ""},
		{"a source", []edit{
			{"sources/native/crash.c", comment},
			{"sources/native/crash-null.truth", comment},
			{"sources/v8/kinds.mjs", comment}, // imported by kinds.js
			{"sources/art/app/demo/Demo.smali", comment},
		}, `c-O2: changed: source native/crash.c
null: changed: source native/crash.c, source native/crash-null.truth
a64-O2: changed: source native/crash.c
art-14-amd64-demo: changed: source art/app/demo
node-24.21.0-kinds: changed: source v8/kinds.mjs
`},
		{"a recipe", []edit{
			{"make.d/native.sh", replace("\tcrash c-O2 segv -O2 -g\n", "\tcrash c-O2 segv -O2 -g3\n")},
			{"make.d/native.sh", replace(`CC=g++ c shapes "$@"`, `CC=g++ c shapes -Wall "$@"`)},
			{"make.d/foreign.sh", replace("fallocate -d core", "fallocate --dig-holes core")}, // called by others
			{"make.d/maps.sh", replace("esbuild@0.28.2 ", "esbuild@0.28.1 ")},                 // a constant
		}, `c-O2: changed: call crash_core segv -O2 -g3
cxx-throw: changed: recipe
a64-O2: changed: recipe
art-14-amd64-demo: changed: recipe
node-24.21.0-deep: changed: recipe
node-24.21.0-kinds: changed: recipe
node-24.21.0-maps-tsc: changed: recipe
`},
	} {
		edited := t.TempDir()
		if err := os.CopyFS(edited, os.DirFS(scripts)); err != nil {
			t.Fatal(err)
		}
		for _, e := range c.edits {
			e.make(t, edited)
		}
		if got := runMake(t, edited, "live", "-n", live, made); got != c.want {
			t.Errorf("%s changed, and make -n says\n%swant\n%s", c.what, got, c.want)
		}
	}
}

// TestMakeFilter gives make filters that no core has the name for.
func TestMakeFilter(t *testing.T) {
	if runtime.GOOS != "linux" || testing.Short() {
		t.Skip("it runs the scripts, which are for Linux, twice")
	}
	t.Parallel()
	for filter, want := range map[string]string{
		"^no-such-core$":        "make: no core has a name that ^no-such-core$ wants\n",
		"@../../testdata/cores": "make: there is no set ../../testdata/cores\n",
	} {
		cmd := exec.Command("bash", "../../testdata/cores/make", "live", "-n", t.TempDir(), filter)
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != 2 || said.String() != want {
			t.Errorf("make live -n DIR %s: %v, and says %q, want status 2 and %q", filter, err, said.String(), want)
		}
	}
}

// TestMakeInterrupted interrupts make while a recipe runs a program, which must end with it.
func TestMakeInterrupted(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the cores are made on Linux")
	}
	t.Parallel()
	scripts, live := copyMake(t), t.TempDir()
	appendFile(t, filepath.Join(scripts, "make.d", "ship.sh"), `
check_core_pattern() { :; }
live_cores() { core slow "" "" slow_core; }
slow_core() { sh -c 'echo $$ >../ran; exec sleep 600'; }
`)
	text, err := os.ReadFile(filepath.Join(scripts, "make"))
	if err != nil {
		t.Fatal(err)
	}
	own := strings.Replace(string(text), "\nlive_cores() {", "\nall_cores() {", 1)
	if err := os.WriteFile(filepath.Join(scripts, "make"), []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", filepath.Join(scripts, "make"), "live", live)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	pid := waitForPid(t, filepath.Join(live, "ran"), ended)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("make ended with %v, want status 130", err)
	}
	for range 100 {
		if _, err := os.Stat("/proc/" + pid); err != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("process %s of the recipe goes on", pid)
}

// waitForPid waits for a file with the number of a process.
func waitForPid(t *testing.T, path string, ended <-chan error) string {
	t.Helper()
	for {
		text, err := os.ReadFile(path)
		if pid, whole := strings.CutSuffix(string(text), "\n"); err == nil && whole {
			return pid
		}
		select {
		case err := <-ended:
			t.Fatalf("make ended before its recipe ran: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// copyMake copies the scripts and the sources, and returns their folder.
func copyMake(t *testing.T) string {
	t.Helper()
	to := t.TempDir()
	for _, name := range []string{"make.d", "sources"} {
		if err := os.CopyFS(filepath.Join(to, name),
			os.DirFS(filepath.Join("../../testdata/cores", name))); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile("../../testdata/cores/make")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(to, "make"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

// noteInputs leaves what make leaves in the folders of the cores made, except for the cores.
func noteInputs(t *testing.T, scripts, live string) {
	t.Helper()
	n := 0
	var dir string
	for line := range strings.Lines(runMake(t, scripts, "inputs", made)) {
		input, is := strings.CutPrefix(line, "\t")
		if !is {
			n++
			dir = filepath.Join(live, strings.TrimSpace(line))
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			appendFile(t, filepath.Join(dir, "truth.json"), "{}\n")
			continue
		}
		appendFile(t, filepath.Join(dir, "inputs"), input)
	}
	if want := strings.Count(made, "|") - 1; n < want {
		t.Fatalf("make inputs names %d cores, want at least %d", n, want)
	}
}

func appendFile(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// runMake returns what make prints.
func runMake(t *testing.T, scripts string, args ...string) string {
	t.Helper()
	cmd := exec.Command("bash", append([]string{filepath.Join(scripts, "make")}, args...)...)
	cmd.Env = append(os.Environ(), "COREDBG_LIVE="+t.TempDir())
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil || said.Len() > 0 {
		t.Fatalf("make %q: %v\n%s", args, err, &said)
	}
	return string(out)
}

// An edit changes the files that match a pattern.
type edit struct {
	files  string
	change func(string) string
}

// make changes the files in a folder. An edit that changes nothing fails the test.
func (e edit) make(t *testing.T, dir string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, e.files))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: no files (%v)", e.files, err)
	}
	for _, path := range paths {
		old, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := e.change(string(old))
		if text == string(old) {
			t.Fatalf("the edit of %s changes nothing", path)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func comment(s string) string { return s + "# a comment\n" }

func replace(old, text string) func(string) string {
	return func(s string) string { return strings.Replace(s, old, text, 1) }
}
