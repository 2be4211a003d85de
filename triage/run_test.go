package triage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// process stands for a process that reads a core: it does what the core's name says.
func process(ctx context.Context, args []string, _ *os.File, stdout, stderr io.Writer) (*os.ProcessState, error) {
	core := args[len(args)-1]
	whole := fmt.Sprintf(`{"type":"triage","core":%q,"status":"read","cause":"abort"}`+"\n", core)
	fmt.Fprintf(stdout, `{"type":"triage","core":%q,"status":"begun","sha256":"ab"}`+"\n", core)
	script := "exit 0"
	switch {
	case strings.HasPrefix(core, "slow"):
		time.Sleep(20 * time.Millisecond)
		io.WriteString(stdout, whole)
	case core == "hangs":
		<-ctx.Done()
		script = "kill -9 $$"
	case core == "hashes":
		io.WriteString(stdout, whole)
		<-ctx.Done()
		script = "kill -9 $$"
	case core == "greedy":
		io.WriteString(stderr, "runtime: out of memory: cannot allocate 4194304-byte block\n\ngoroutine 1\n")
		script = "exit 2"
	case core == "killed":
		script = "kill -9 $$"
	case core == "panics":
		io.WriteString(stderr, "panic: \x1b[2Jboo\n\ngoroutine 1\n")
		script = "exit 2"
	case core == "half":
		io.WriteString(stdout, whole[:30])
		script = "exit 1"
	case core == "raving":
		for range maxOutput {
			if _, err := io.WriteString(stdout, strings.Repeat("x", 1<<20)); err != nil {
				break
			}
		}
	case core == "nostart":
		return nil, errors.New("no such program")
	case core == "doc":
		io.WriteString(stdout, `{"event_id":"1"}`+"\n")
	default:
		io.WriteString(stdout, whole)
	}
	cmd := exec.Command("sh", "-c", script)
	cmd.Run()
	return cmd.ProcessState, nil
}

// TestRun: each core has a line, in order, whatever its process does.
func TestRun(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	r := &Runner{Start: process, Jobs: 3, Memory: 64 << 20}
	cores := []string{"slow1", "a", "b", "greedy", "killed", "panics", "half", "raving", "nostart", "slow2", "doc", "z"}
	var got []string
	err := r.Run(t.Context(), cores, func(res *Result) error {
		if res.Doc != nil {
			got = append(got, string(res.Doc))
			return nil
		}
		l := res.Line
		if l.Status != Read && l.SHA256 != "ab" {
			t.Errorf("%s: it is not said which file it is", l.Core)
		}
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s", l.Core, l.Status, l.Error)))
		return nil
	})
	want := []string{"slow1 read", "a read", "b read", "greedy memory reading it took more than 64 MiB",
		"killed failed its process was killed, by another process or by the system",
		`panics failed its process ended with panic: \x1b[2Jboo`,
		"half failed its process ended with exit status 1",
		fmt.Sprintf("raving failed its process wrote more than %d bytes", maxOutput), "nostart failed no such program",
		"slow2 read", `{"event_id":"1"}`, "z read"}
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%v\n%s\nwant\n%s", err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestKilled: a process that was killed has run out of memory only if the system has ended one for
// that meanwhile.
func TestKilled(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command("sh", "-c", "kill -9 $$")
	cmd.Run()
	for starved, want := range map[bool]Status{true: Memory, false: Failed} {
		if got, why := (&Runner{}).failure(t.Context(), cmd.ProcessState, nil, starved, &bounded{},
			&bounded{}); got != want {
			t.Errorf("memory ran out: %v: %s, %s", starved, got, why)
		}
	}
	for text, want := range map[string]int64{"pgfault 1\noom_kill 7\nx 2\n": 7, "oom_killed 7\n": -1, "": -1,
		"oom_kill x\n": -1} {
		if got := oomCount(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestTimeout: a process that does not end is ended, and has its line.
func TestTimeout(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	r := &Runner{Start: process, Jobs: 1, Timeout: 10 * time.Millisecond}
	err := r.Run(t.Context(), []string{"hangs"}, func(res *Result) error {
		if l := res.Line; l.Status != Timeout || l.Error != "reading it took more than 10ms" || l.SHA256 != "ab" {
			t.Errorf("%+v", l)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	// The hash comes last: one that takes too long costs no verdict.
	err = r.Run(t.Context(), []string{"hashes"}, func(res *Result) error {
		if l := res.Line; l.Status != Read || l.Cause != "abort" || l.SHA256 != "" ||
			l.Unhashed != "reading it took more than 10ms" {
			t.Errorf("%+v", l)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestRunEnds: an output that fails ends the run, and so does its context.
func TestRunEnds(t *testing.T) {
	r := &Runner{Start: process, Jobs: 2}
	full := errors.New("the disk is full")
	n := 0
	err := r.Run(t.Context(), make([]string, 1000), func(*Result) error { n++; return full })
	if !errors.Is(err, full) || n != 1 {
		t.Errorf("%v after %d", err, n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = r.Run(ctx, make([]string, 1000), func(*Result) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestResume: what is there is not made again, and a line that was not finished is dropped.
func TestResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines")
	text := `{"type":"triage","core":"a"}` + "\n" + `{"type":"triage","core":"b` + "\ufffd" + `"}` + "\n" +
		`{"type":"triage","core":"c"`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, done, err := Resume(path)
	if err != nil {
		t.Fatal(err)
	}
	if left := Left([]string{"a", "b\xff", "c"}, done); len(left) != 1 || left[0] != "c" {
		t.Errorf("%q", left)
	}
	io.WriteString(f, "next\n")
	f.Close()
	b, _ := os.ReadFile(path)
	if want := text[:strings.LastIndex(text, "{")] + "next\n"; string(b) != want {
		t.Errorf("%q, want %q", b, want)
	}
	if _, _, err := Resume(path); err == nil || !strings.Contains(err.Error(), "is not a file of triage") {
		t.Error(err)
	}
}
