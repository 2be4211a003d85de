package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A pseudo is a coredbg on a pseudo-terminal of its own.
type pseudo struct {
	t      *testing.T
	master *os.File
	cmd    *exec.Cmd
	done   chan error
	mu     sync.Mutex
	screen bytes.Buffer
}

// startOnTerminal runs coredbg with the given arguments on a new terminal of
// a size in columns and rows.
func startOnTerminal(t *testing.T, term string, columns, rows uint16, args ...string) *pseudo {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	number, err := ioctl(master, func(fd int) (int, error) {
		if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
			return 0, err
		}
		if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}); err != nil {
			return 0, err
		}
		return unix.IoctlGetInt(fd, unix.TIOCGPTN)
	})
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x := &pseudo{t: t, master: master, done: make(chan error, 1)}
	home := t.TempDir()
	x.cmd = &exec.Cmd{Path: self, Args: append([]string{"coredbg"}, args...), Stdin: slave,
		Stdout: slave, Stderr: slave,
		Env:         []string{"TERM=" + term, "HOME=" + home, "XDG_STATE_HOME=" + home, "PATH=" + os.Getenv("PATH")},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true}}
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.cmd.Process.Kill() })
	go func() { x.done <- x.cmd.Wait() }()
	go func() {
		var b [4096]byte
		for {
			n, err := master.Read(b[:])
			x.mu.Lock()
			x.screen.Write(b[:n])
			x.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return x
}

func ioctl(f *os.File, do func(fd int) (int, error)) (n int, err error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	if cerr := raw.Control(func(fd uintptr) { n, err = do(int(fd)) }); cerr != nil {
		return 0, cerr
	}
	return n, err
}

func (x *pseudo) typed(keys string) {
	x.t.Helper()
	if _, err := x.master.WriteString(keys); err != nil {
		x.t.Fatalf("typing %q: %v; on the screen:\n%s", keys, err, x.text())
	}
}

func (x *pseudo) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screen.String()
}

// wait waits until the screen shows text.
func (x *pseudo) wait(text string) {
	x.t.Helper()
	for end := time.Now().Add(60 * time.Second); ; {
		if strings.Contains(x.text(), text) {
			return
		}
		select {
		case err := <-x.done:
			x.done <- err
			x.t.Fatalf("coredbg ended (%v) before %q; on the screen:\n%s", err, text, x.text())
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(end) {
			x.t.Fatalf("no %q; on the screen:\n%s", text, x.text())
		}
	}
}

// ends waits for the end of the program, which must be a good one.
func (x *pseudo) ends() {
	x.t.Helper()
	select {
	case err := <-x.done:
		if err != nil {
			x.t.Fatalf("coredbg: %v; on the screen:\n%s", err, x.text())
		}
	case <-time.After(60 * time.Second):
		x.t.Fatalf("coredbg does not end; on the screen:\n%s", x.text())
	}
}

// openedIn is the line before the first prompt.
var openedIn = regexp.MustCompile(`(?m)^opened in [0-9.]+m?s\r?$`)

// TestInterruptsAtThePrompt: whatever the terminal is and whenever ^C comes,
// the prompt survives it.
func TestInterruptsAtThePrompt(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for what is interrupted")
	}
	defaultSignals(t)
	dir := t.TempDir()
	if err := writeTiny(dir); err != nil {
		t.Fatal(err)
	}
	args := []string{"-S", "-sysroot", filepath.Join(dir, "sysroot"), filepath.Join(dir, "core")}
	for _, c := range []struct {
		name, term    string
		columns, rows uint16
	}{
		{"edited", "xterm", 80, 24}, {"dumb", "dumb", 80, 24}, {"no size", "xterm", 0, 0}, {"narrow", "xterm", 12, 24},
		{"no TERM", "", 80, 24},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := startOnTerminal(t, c.term, c.columns, c.rows, args...)
			x.wait("core> ")
			if !openedIn.MatchString(x.text()) {
				t.Errorf("how long opening took is not on the screen:\n%s", x.text())
			}
			for range 5 { // at the prompt, with and without a line begun
				x.typed("\x03")
				time.Sleep(20 * time.Millisecond)
				x.typed("1=\x03")
				time.Sleep(20 * time.Millisecond)
			}
			x.typed("\x12abc\x03") // in a search, after a completion
			time.Sleep(100 * time.Millisecond)
			x.typed("::jst\t\t\x03")
			time.Sleep(100 * time.Millisecond)
			x.typed("! echo began && sleep 50\r") // in a command
			x.wait("\nbegan")
			x.typed("\x03")
			x.wait("interrupt") // of the debugger, or of the shell first
			for i := range 30 { // in the moments around one
				x.typed("1=X\r")
				time.Sleep(time.Duration(i) * 600 * time.Microsecond)
				x.typed("\x03")
				if i%3 == 0 {
					x.typed("\x03\x03")
				}
			}
			time.Sleep(200 * time.Millisecond)
			x.typed("::formats; ::formats\r") // at a pager, where there is one
			time.Sleep(200 * time.Millisecond)
			x.typed("\x03\x03")
			time.Sleep(200 * time.Millisecond)
			x.typed("::echo al$[1]ve\r")
			x.wait("al 0x1 ve")
			x.typed("$q\r")
			x.ends()
		})
	}
}
