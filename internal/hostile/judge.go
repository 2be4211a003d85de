//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// bounds are what a trial may cost.
type bounds struct {
	cpu            time.Duration
	output, memory int64 // bytes
}

// A verdict says how a trial ended.
type verdict struct {
	number  int
	seed    seed
	damage  string
	args    []string
	input   string // a file, or ""
	outcome string // an exit code, or the failure
	detail  string
	kept    string // folder with the copy
}

// failed reports whether coredbg did what it never may.
func (v verdict) failed() bool { return !strings.HasPrefix(v.outcome, "exit ") }

// String returns the failure in some lines; the last line repeats it.
func (v verdict) String() string {
	input := ""
	if v.input != "" {
		input = "<" + filepath.Base(v.input)
	}
	return fmt.Sprintf("trial %d: %s\n  seed %s, %s\n  %s\n  kept in %s\n  coredbg %s%s",
		v.number, v.outcome, v.seed, v.damage, strings.ReplaceAll(v.detail, "\n", "\n  "), v.kept, quote(v.args), input)
}

func quote(args []string) string {
	var b strings.Builder
	for _, a := range args {
		fmt.Fprintf(&b, "'%s' ", a)
	}
	return b.String()
}

// trace is how the Go runtime begins to say that it gave up.
var trace = regexp.MustCompile(`(?m)^(panic: |fatal error: |runtime: |goroutine \d+ \[)|runtime error: |internal error`)

// judge runs the program with args in folder. Its standard input is the file called input, if that is not "".
func judge(ctx context.Context, b bounds, program, folder string, args []string, input string) verdict {
	v := verdict{args: args, input: input}
	ctx, cancel := context.WithTimeout(ctx, 6*b.cpu+30*time.Second)
	defer cancel()
	// A shell bounds processor time, so that the processes of triage are bounded, too.
	seconds := fmt.Sprint(int(b.cpu.Seconds()) + 5)
	cmd := exec.CommandContext(ctx, "/bin/sh",
		append([]string{"-c", `ulimit -t "$0"; exec "$@"`, seconds, program}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "TERM=xterm"}
	cmd.Dir = folder
	if input != "" {
		f, err := os.Open(input)
		if err != nil {
			v.outcome, v.detail = "not started", err.Error()
			return v
		}
		defer f.Close()
		cmd.Stdin = f
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	binary := isBundle(args)
	out := &watched{limit: b.output, binary: binary, headers: args[0] == "dap", stop: cancel}
	errs := &watched{limit: b.output, stop: cancel}
	cmd.Stdout, cmd.Stderr = out, errs
	err := cmd.Run()
	state := cmd.ProcessState
	if state == nil {
		v.outcome, v.detail = "not started", err.Error()
		return v
	}
	usage, _ := state.SysUsage().(*syscall.Rusage)
	cpu := state.UserTime() + state.SystemTime()
	status, _ := state.Sys().(syscall.WaitStatus)
	switch text := errs.head.String(); {
	case trace.MatchString(text):
		v.outcome, v.detail = "panic", text[:min(len(text), 3000)]
	case out.over() || errs.over():
		v.outcome, v.detail = "output", fmt.Sprintf("%d and %d bytes", out.n, errs.n)
	case cpu > b.cpu:
		v.outcome, v.detail = "time", fmt.Sprintf("%v of the processor", cpu)
	case status.Signaled():
		v.outcome, v.detail = "signal", fmt.Sprintf("%v after %v of the processor", status.Signal(), cpu)
	case usage != nil && usage.Maxrss<<10 > b.memory:
		v.outcome, v.detail = "memory", fmt.Sprintf("%d MB", usage.Maxrss>>10)
	case out.control != "" || errs.control != "":
		v.outcome, v.detail = "control character", out.control+errs.control
	default:
		v.outcome = fmt.Sprintf("exit %d", state.ExitCode())
	}
	return v
}

// isBundle reports whether the output is a bundle, and no text.
func isBundle(args []string) bool { return args[0] == "bundle" }

// A watched is an output: it counts the bytes written, looks for characters that a terminal must not
// get, and keeps the beginning. Over the limit it ends the trial.
type watched struct {
	head    bytes.Buffer
	n       int64
	limit   int64
	binary  bool
	headers bool // a return ends the lines of headers
	control string
	stop    context.CancelFunc
}

func (w *watched) over() bool { return w.n > w.limit }

func (w *watched) Write(p []byte) (int, error) {
	w.n += int64(len(p))
	if room := 64<<10 - w.head.Len(); room > 0 {
		w.head.Write(p[:min(len(p), room)])
	}
	if !w.binary && w.control == "" {
		if i := bytes.IndexFunc(p, func(c rune) bool { return obeyed(c) && !(w.headers && c == '\r') }); i >= 0 {
			w.control = fmt.Sprintf("%q", p[max(i-60, 0):min(i+60, len(p))])
		}
	}
	if w.over() && !w.binary {
		w.stop()
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// obeyed reports whether a terminal does something at c other than to show it.
func obeyed(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c >= 0x7f && c < 0xa0 }
