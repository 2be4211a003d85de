//go:build unix

package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An exporter is a command that writes files.
type exporter struct {
	name string
	// node is whether it has to be a core of Node, which takes longest; with -processes all are.
	node bool
	// args are its arguments, where OUT is the folder that it writes to and CORE the core.
	args  string
	input bool // it reads the core from standard input
	// keeps names the files of an interrupted export that may remain, whole, although others are not there.
	keeps string
}

var exporters = []exporter{
	{name: "heapsnapshot", node: true, args: "-S|-e|::heapsnapshot -o OUT/out|CORE"},
	{name: "hprof", args: "-S|-e|::hprof -o OUT/out|CORE"},
	{name: "heapprof", args: "-S|-e|::heapprof -o OUT/out|CORE"},
	{name: "heapmap", args: "-S|-e|::heapmap -o OUT/out|CORE"},
	{name: "dex", args: "-S|-e|::dex -d OUT|CORE", keeps: "*.dex"},
	{name: "report", args: "report|-o|OUT/out.html|CORE"},
	{name: "bundle", args: "bundle|-o|OUT/out.cdb|CORE"},
	{name: "corpus add", args: "corpus|add|-dir|OUT|-name|out|CORE"},
	// The remains of a process that died are not given up: they stay until its bundle is there.
	{name: "collect", args: "collect|-dir|OUT|-command|out|-pid|1|-time|1", input: true, keeps: "core.*"},
}

// command returns the program that writes to out, with its temporary files in tmp.
func (x *exporter) command(t *testing.T, out, tmp, core string) *exec.Cmd {
	t.Helper()
	args := strings.Split(strings.NewReplacer("OUT", out, "CORE", core).Replace(x.args), "|")
	cmd := exec.Command("coredbg", args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
	if x.input {
		f, err := os.Open(core)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		cmd.Stdin = f
	}
	return cmd
}

// filesIn returns the sizes of the files of a folder. Each must be its owner's alone.
func filesIn(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	sizes := map[string]int64{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		if st.Mode() != 0o600 {
			t.Errorf("%s: %v", path, st.Mode())
		}
		sizes[strings.TrimPrefix(path, dir+"/")] = st.Size()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sizes
}

// TestExportSignals interrupts each kind of export at several moments: the whole file remains or nothing, and
// other users of the machine cannot read it. With -processes there are more moments, and the slowest cores are used.
func TestExportSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens cores many times")
	}
	defaultSignals(t)
	cores, err := filepath.Abs("../../testdata/cores")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range exporters {
		t.Run(x.name, func(t *testing.T) {
			moments, core := 3, filepath.Join(cores, "art-14-graph.cdb")
			if *processes {
				moments = 8
			}
			if x.node || *processes && x.name != "hprof" && x.name != "dex" {
				core = filepath.Join(cores, "node-24.cdb")
			}
			whole := t.TempDir()
			began := time.Now()
			if said, err := x.command(t, whole, t.TempDir(), core).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			took := time.Since(began)
			want := filesIn(t, whole)
			if len(want) == 0 {
				t.Fatal("it writes nothing")
			}
			stopped := false
			for i := range moments {
				sig := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}[i%2]
				if x.interrupt(t, core, want, sig, took*time.Duration(i+1)/time.Duration(moments+1)) {
					stopped = true
				}
			}
			// The whole export may have been the slow one: nothing is done when a process has just begun.
			for delay := took / time.Duration(2*moments+2); !stopped; delay /= 2 {
				stopped = x.interrupt(t, core, want, syscall.SIGTERM, delay)
				if delay == 0 && !stopped {
					t.Fatal("no signal interrupts it")
				}
			}
		})
	}
}

// interrupt runs the export, sends it the signal after the delay, and checks what it leaves: its files whole or
// none, and nothing temporary. It reports whether the export ended early.
func (x *exporter) interrupt(t *testing.T, core string, want map[string]int64, sig syscall.Signal,
	delay time.Duration) bool {
	t.Helper()
	dir, tmp := t.TempDir(), t.TempDir()
	cmd := x.command(t, dir, tmp, core)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(delay)
	cmd.Process.Signal(sig)
	err := cmd.Wait()
	left := filesIn(t, dir)
	if err == nil && !slices.Equal(slices.Sorted(maps.Keys(left)), slices.Sorted(maps.Keys(want))) {
		t.Errorf("%v after %v: it ended well, with %v, not %v", sig, delay, left, want)
	}
	for name, size := range left {
		kept, _ := filepath.Match(x.keeps, name)
		switch {
		case err != nil && !kept && size != want[name]: // the signal may come after the file was renamed
			t.Errorf("%v after %v: it ended with %v, and left %s", sig, delay, err, name)
		case size == 0, strings.HasSuffix(name, ".dex") && size != want[name], strings.HasSuffix(name, ".core") &&
			size != sizeOf(t, core):
			t.Errorf("%v after %v: %s has %d bytes", sig, delay, name, size)
		}
	}
	if left, _ := os.ReadDir(tmp); len(left) != 0 {
		t.Errorf("%v after %v: %v is left in the temporary folder", sig, delay, left)
	}
	return err != nil
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return st.Size()
}

// TestExportsKeep: no export replaces the core that it reads, and none without being told so
// a file that is there.
func TestExportsKeep(t *testing.T) {
	data, err := os.ReadFile("../../testdata/cores/art-14-graph.cdb")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	core := filepath.Join(dir, "in.cdb")
	if err := os.WriteFile(core, data, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.cdb")
	if err := os.Link(core, link); err != nil {
		t.Fatal(err)
	}
	there := filepath.Join(dir, "there.cdb")
	if err := os.WriteFile(there, []byte("words"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"-S|-e|::hprof -o TO|CORE", "-S|-e|::hprof -f -o TO|CORE", "-S|-e|::heapprof -o TO|CORE",
		"-S|-e|::heapmap -o TO|CORE", "-S|-e|::heapmap -f -o TO|CORE",
		"-S|-e|::walk dexfile \\| ::dex -o TO|CORE", "-S|-e|::log -e TO|CORE",
		"report|-o|TO|CORE", "report|-force|-o|TO|CORE", "bundle|-o|TO|CORE", "bundle|-force|-o|TO|CORE",
	} {
		for _, to := range []string{core, link, there} {
			if to == there && (strings.Contains(args, "-f") || strings.Contains(args, "::log")) {
				continue // one replaces, one adds
			}
			words := strings.Split(strings.ReplaceAll(strings.NewReplacer("TO", to, "CORE", core).Replace(args),
				`\|`, "\x00"), "|")
			for i := range words {
				words[i] = strings.ReplaceAll(words[i], "\x00", "|")
			}
			said, err := exec.Command("coredbg", words...).CombinedOutput()
			if err == nil {
				t.Errorf("%q succeeds: %s", words, said)
			}
			now, _ := os.ReadFile(core)
			kept, _ := os.ReadFile(there)
			if !bytes.Equal(now, data) || string(kept) != "words" {
				t.Fatalf("%q has written: %s", words, said)
			}
		}
	}
}
