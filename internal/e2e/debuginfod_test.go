package e2e

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/core/debuginfod"
	"coredbg/core/elf"
	"coredbg/core/file"
)

const servedProgram = `#include <stdlib.h>
struct order { int id; const char *of; };
static int ship(struct order *o, int depth)
{
	int weight = o->id * 7 + depth;
	if (depth == 2)
		abort(); /* the end */
	return ship(o, depth + 1) + weight;
}
int main(void)
{
	struct order o = { 6, "tea" };
	return ship(&o, 0);
}
`

// TestDebuginfod opens a core whose files are all missing on this machine, with a real debuginfod
// server that has them: the program, its debug file, the libraries and the source. The standard client
// is the witness of the cache, both ways.
func TestDebuginfod(t *testing.T) {
	coretest.Programs(t, "debuginfod", "debuginfod-find", "gcc", "gdb", "objcopy")
	dir := t.TempDir()
	core, source, id := makeServed(t, dir)
	url := serveDebuginfo(t, dir, id)
	o := coredbg.Options{Sysroot: filepath.Join(dir, "empty"), Debuginfod: &debuginfod.Options{
		URLs: []string{"http://127.0.0.1:1/", url}, Cache: filepath.Join(dir, "ours"), Now: time.Now}}
	asked := "::stack;::locals;::source;::dis -S ship;::objects -v"
	checkServed(t, runServed(t, core, o, asked))

	// The standard client finds the files that we fetched, and the other way round.
	theirs := filepath.Join(dir, "theirs")
	for _, args := range [][]string{{"debuginfo", id}, {"executable", id}, {"source", id, source}} {
		const nobody = "http://127.0.0.1:1/"
		if out, err := findDebuginfo(o.Debuginfod.Cache, nobody, args...); err != nil {
			t.Errorf("debuginfod-find %q does not find in our cache what we fetched: %v, %s", args, err, out)
		}
		if out, err := findDebuginfo(theirs, url, args...); err != nil {
			t.Fatalf("debuginfod-find %q: %v, %s", args, err, out)
		}
		if out, err := findDebuginfo(theirs, nobody, args...); err != nil {
			t.Errorf("debuginfod-find %q does not find what it fetched: %v, %s", args, err, out)
		}
	}
	libraries, err := filepath.Glob(filepath.Join(dir, "served", "*.so*"))
	if err != nil || len(libraries) == 0 {
		t.Fatal("no libraries", err)
	}
	for _, l := range libraries {
		if out, err := findDebuginfo(theirs, url, "executable", l); err != nil {
			t.Fatalf("debuginfod-find executable %s: %v, %s", l, err, out)
		}
	}
	o.Debuginfod = &debuginfod.Options{URLs: []string{"http://127.0.0.1:1/"}, Cache: theirs}
	text := runServed(t, core, o, "::stack;::source")
	for _, want := range []string{"crash.c:7", "main+", "abort(); /* the end */"} {
		if !strings.Contains(text, want) {
			t.Errorf("what the standard client fetched is not used: no %q in\n%s", want, text)
		}
	}
	if o.Debuginfod = nil; strings.Contains(runServed(t, core, o, "::stack"), "ship") {
		t.Error("names though no server and no cache is asked")
	}
}

// checkServed holds output to the program's source.
func checkServed(t *testing.T, text string) {
	t.Helper()
	for _, want := range []string{"ship+", "crash.c:7", "crash.c:8", "main+", "weight = 44", "depth = 2",
		"abort(); /* the end */",
		"debuginfod: executable from http://127.0.0.1:", "debuginfod: debuginfo from http://127.0.0.1:",
		"not asked: dial tcp 127.0.0.1:1"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

// runServed opens a core and returns what commands say.
func runServed(t *testing.T, core string, o coredbg.Options, line string) string {
	t.Helper()
	var text bytes.Buffer
	o.Stdout, o.Stderr = &text, &text
	s, err := coredbg.Open(core, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for one := range strings.SplitSeq(line, ";") {
		s.Run(t.Context(), one)
	}
	return text.String()
}

// makeServed makes a program in dir, a core of it, and in dir/served what a server is to have;
// the program is gone then.
func makeServed(t *testing.T, dir string) (core, source, id string) {
	t.Helper()
	for _, d := range []string{"src", "served", "run", "empty", "home"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	source, core = filepath.Join(dir, "src", "crash.c"), filepath.Join(dir, "core")
	program, served := filepath.Join(dir, "run", "crash"), filepath.Join(dir, "served", "crash")
	if err := os.WriteFile(source, []byte(servedProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"gcc", "-g", "-O0", "-Wl,--build-id", "-o", program, source},
		{"objcopy", "--only-keep-debug", program, served + ".debug"},
		{"objcopy", "--strip-all", program, served},
		{"gdb", "-nx", "-batch", "-ex", "run", "-ex", "generate-core-file " + core, "-ex",
			"info sharedlibrary", program},
	} {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "DEBUGINFOD_URLS=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		for _, word := range strings.Fields(string(out)) {
			if args[0] == "gdb" && strings.HasPrefix(word, "/") && strings.Contains(filepath.Base(word), ".so") {
				b, err := os.ReadFile(word)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, "served", filepath.Base(word)), b, 0o700); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	src, err := file.Map(program)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	img, err := elf.NewFile(src, program)
	if err != nil {
		t.Fatal(err)
	}
	id = hex.EncodeToString(img.BuildID())
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	return core, source, id
}

// serveDebuginfo starts a debuginfod over dir, waits until it has the program with a build-id,
// and returns its URL.
func serveDebuginfo(t *testing.T, dir, id string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	var said bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "debuginfod", "-d", filepath.Join(dir, "database"), "-p", fmt.Sprint(port),
		"-F", filepath.Join(dir, "served"), filepath.Join(dir, "src"))
	cmd.Env = append(os.Environ(), "DEBUGINFOD_URLS=", "HOME="+filepath.Join(dir, "home"))
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	url := fmt.Sprintf("http://127.0.0.1:%d/", port)
	for _, kind := range []string{"debuginfo", "executable", "source" + filepath.Join(dir, "src", "crash.c")} {
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
			resp, err := http.Get(url + "buildid/" + id + "/" + kind)
			if err == nil {
				resp.Body.Close()
				if resp.StatusCode == http.StatusOK {
					break
				}
			}
			if time.Now().After(deadline) {
				cmd.Process.Kill()
				cmd.Wait()
				t.Fatalf("debuginfod does not serve the %s:\n%s", kind, said.String())
			}
		}
	}
	return url
}

// findDebuginfo runs the standard client with a cache.
func findDebuginfo(cache, url string, args ...string) (string, error) {
	cmd := exec.Command("debuginfod-find", args...)
	cmd.Env = append(os.Environ(), "DEBUGINFOD_CACHE_PATH="+cache, "DEBUGINFOD_URLS="+url, "DEBUGINFOD_TIMEOUT=10")
	out, err := cmd.CombinedOutput()
	return string(out), err
}
