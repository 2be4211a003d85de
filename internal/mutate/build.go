package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The environment of a run: the number that is changed, and its new value.
const (
	envMutant = "COREDBG_MUTANT"
	envValue  = "COREDBG_MUTANT_VALUE"
	envDump   = "COREDBG_MUTANT_LAYOUTS"
)

// hook is added to the package of the tables.
const hook = `package layout

import (
	"os"
	"strconv"
)

var mutant, mutantValue = os.Getenv("` + envMutant + `"), os.Getenv("` + envValue + `")

// mutated returns the number of a site: n, unless it is the one that is changed.
func mutated(id string, n int) int {
	if id != mutant {
		return n
	}
	n, err := strconv.Atoi(mutantValue)
	if err != nil {
		panic(err)
	}
	return n
}
`

// dump is a test that is added there: it writes each layout that can be made.
const dump = `package layout

import (
	"fmt"
	"hash/fnv"
	"os"
	"testing"
)

func TestMutantLayouts(t *testing.T) {
	path := os.Getenv("` + envDump + `")
	if path == "" {
		return
	}
	out := ""
	yield := func(name string, facts []Fact) {
		h := fnv.New64a()
		for _, f := range facts {
			fmt.Fprintln(h, f.Value)
		}
		out += fmt.Sprintln(name, h.Sum64())
	}
	%s
	if err := os.WriteFile(path, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
}
`

// tableHook lets the file system of the generated tables change a number.
const tableHook = `package layout

import (
	"bytes"
	"embed"
	"io/fs"
	"strconv"
	"strings"
)

type mutatedFS struct{ embed.FS }

type mutatedFile struct {
	*bytes.Reader
	fs.File
}

func (f mutatedFile) Read(b []byte) (int, error) { return f.Reader.Read(b) }

func (m mutatedFS) Open(name string) (fs.File, error) {
	f, err := m.FS.Open(name)
	rest, ok := strings.CutPrefix(mutant, "` + v8Layout + `/"+name+":")
	if !ok || err != nil {
		return f, err
	}
	b, err := m.FS.ReadFile(name)
	if err != nil {
		return nil, err
	}
	at, err := strconv.Atoi(rest)
	if err != nil {
		return nil, err
	}
	end := at + bytes.IndexByte(b[at:], '\t')
	return mutatedFile{bytes.NewReader([]byte(string(b[:at]) + mutantValue + string(b[end:]))), f}, nil
}
`

// A built is a target's test binaries and checker, with the layouts that unchanged tables give.
type built struct {
	dir     string
	root    string
	stages  []timed
	dumper  string
	layouts []byte // as dump has them
}

// A timed is a stage that is built, and the processor time it takes.
type timed struct {
	stage
	path string
	took time.Duration
}

// build writes the changed sources into dir, and builds the tests and coredbg of them.
func build(ctx context.Context, t *target, sites []site, dir string) (*built, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	b := &built{dir: dir, root: root}
	overlay, err := writeOverlay(t, sites, root, dir)
	if err != nil {
		return nil, err
	}
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		return nil, err
	}
	args := []string{"test", "-c", "-overlay", overlay, "-o", bin + "/"}
	for _, s := range t.stages {
		if p := "./" + s.pkg; s.pkg != "" && !slices.Contains(args, p) {
			args = append(args, p)
		}
	}
	if err := goCommand(ctx, args...); err != nil {
		return nil, err
	}
	checker := filepath.Join(bin, "coredbg")
	if slices.ContainsFunc(t.stages, func(s stage) bool { return s.pkg == "" }) {
		if err := goCommand(ctx, "build", "-overlay", overlay, "-o", checker, "./cmd/coredbg"); err != nil {
			return nil, err
		}
	}
	for _, s := range t.stages {
		p := checker
		if s.pkg != "" {
			p = filepath.Join(bin, binary(s.pkg))
		}
		b.stages = append(b.stages, timed{stage: s, path: p})
	}
	b.dumper = filepath.Join(bin, binary(t.layout))
	return b, nil
}

// binary returns what the go command calls a package's test: by its folder, or the one above
// if that looks like a module's major version.
func binary(pkg string) string {
	name := path.Base(pkg)
	if rest, ok := strings.CutPrefix(name, "v"); ok && strings.Trim(rest, "0123456789") == "" {
		name = path.Base(path.Dir(pkg))
	}
	return name + ".test"
}

// goCommand runs the go command; an error has what it said.
func goCommand(ctx context.Context, args ...string) error {
	c := exec.CommandContext(ctx, "go", args...)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args[:2], " "), err, out)
	}
	return nil
}

// writeOverlay writes sources whose sites can be changed, and the file that go build -overlay takes.
func writeOverlay(t *target, sites []site, root, dir string) (string, error) {
	replace := map[string]string{}
	add := func(file, text string) error {
		to := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		replace[filepath.Join(root, file)] = to
		return os.WriteFile(to, []byte(text), 0o600)
	}
	byFile := map[string][]site{}
	for _, s := range sites {
		if strings.HasSuffix(s.file, ".go") {
			byFile[s.file] = append(byFile[s.file], s)
		}
	}
	for file, list := range byFile {
		src, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if err := add(file, wrapped(string(src), list)); err != nil {
			return "", err
		}
	}
	if err := add(t.layout+"/mutant_hook.go", hook); err != nil {
		return "", err
	}
	if err := add(t.layout+"/mutant_layouts_test.go", fmt.Sprintf(dumpFor(t), t.config)); err != nil {
		return "", err
	}
	if len(byFile) == 0 {
		src, err := os.ReadFile(v8Layout + "/table.go")
		if err != nil {
			return "", err
		}
		text := strings.Replace(string(src), "\nvar tableFiles embed.FS",
			"\nvar embeddedTables embed.FS\n\nvar tableFiles = mutatedFS{embeddedTables}", 1)
		if err := cmp.Or(add(v8Layout+"/table.go", text), add(v8Layout+"/mutant_tables.go", tableHook)); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, text, 0o600)
}

// dumpFor returns the test that writes layouts. ART's facts belong to the package that all runtimes share.
func dumpFor(t *target) string {
	if t.layout != artLayout {
		return dump
	}
	return strings.NewReplacer("[]Fact", "[]layout.Fact", "\t\"testing\"\n",
		"\t\"testing\"\n\n\t\"coredbg/runtimes/layout\"\n").Replace(dump)
}

// wrapped returns a source whose sites ask whether they are changed.
func wrapped(src string, sites []site) string {
	slices.SortFunc(sites, func(a, b site) int { return cmp.Compare(a.start, b.start) })
	var out bytes.Buffer
	at := 0
	for _, s := range sites {
		fmt.Fprintf(&out, "%smutated(%q, %s)", src[at:s.start], s.id(), src[s.start:s.end])
		at = s.end
	}
	return out.String() + src[at:]
}

// command returns the command of a stage where a site is changed; none if s is nil.
func (b *built) command(ctx context.Context, st timed, s *site) *exec.Cmd {
	args := []string{"-test.failfast"}
	dir := filepath.Join(b.root, st.pkg)
	if st.run != "" {
		args = append(args, "-test.run", st.run)
	}
	if st.skip != "" {
		args = append(args, "-test.skip", st.skip)
	}
	if st.pkg == "" {
		dir = b.root
		args = []string{"corpus", "check", "-dir", "testdata/cores"}
		for _, pattern := range st.cases {
			files, _ := filepath.Glob(filepath.Join(b.root, "testdata/cores", pattern+".json"))
			for _, f := range files {
				args = append(args, strings.TrimSuffix(filepath.Base(f), ".json"))
			}
		}
	}
	c := exec.CommandContext(ctx, st.path, args...)
	c.Dir, c.WaitDelay = dir, time.Second
	c.Env = append(os.Environ(), "TMPDIR="+b.dir)
	if s != nil {
		c.Env = append(c.Env, envMutant+"="+s.id(), envValue+"="+strconv.Itoa(s.other))
	}
	return c
}

// shortStage is the most processor time of a stage in a short run.
const shortStage = 2 * time.Second

// baseline runs each stage with the numbers as they are, and orders the stages by how long they take.
func (b *built) baseline(ctx context.Context, short bool) error {
	for i := range b.stages {
		st := &b.stages[i]
		c := b.command(ctx, *st, nil)
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%s fails as it is: %w\n%s", st.stage, err, out)
		}
		st.took = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	if short {
		b.stages = slices.DeleteFunc(b.stages, func(st timed) bool { return st.took > shortStage })
	}
	slices.SortStableFunc(b.stages, func(x, y timed) int { return cmp.Compare(x.took, y.took) })
	var err error
	b.layouts, err = b.dumped(ctx, nil)
	return err
}

// String names a stage.
func (s stage) String() string {
	if s.pkg == "" {
		return "corpus check"
	}
	return strings.TrimSpace(s.pkg + " " + s.run)
}
