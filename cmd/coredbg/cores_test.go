package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"coredbg"
	"coredbg/commands"
	"coredbg/commands/native"
	"coredbg/commands/out"
)

var processes = flag.Bool("processes", false, "run each line of the scripts as a process")

// cores runs lines of a script as the program does, in the process of the test: unpacking a
// core and learning what is in it takes longer than most lines. Each line has a session of
// its own, with the language, the thread and the exit code of one that has just been opened.
// It shares with earlier lines, of other scripts too, the facts known about the dead process; a line that
// changes these gets a core of its own. With -processes each line is a process that opens its core, and must
// print the same.
//
// Such a line names its core by an absolute path, as $CORES/node-24.cdb: the script's folder is not the test's.
type cores struct {
	dir  string // of the script
	held []*openCore
}

// An openCore is a core that is open, with the first session over it, which one line at a
// time has to itself.
type openCore struct {
	busy sync.Mutex
	*commands.Session
	closers []io.Closer
	speaks  bool // its runtimes have something to say when they are found
}

// opened are the cores that lines of scripts have opened, until the tests end.
var opened struct {
	mu  sync.Mutex
	all map[string]*openCore
}

// closeOpened closes them.
func closeOpened() {
	for _, s := range opened.all {
		if s.Session != nil {
			s.Process.Closers = s.closers
			s.Close()
		}
	}
}

func newCores(dir string) *cores { return &cores{dir: dir} }

// hold takes the core of a key for a line. It returns nil if another line has the core and may be waiting for a
// core that this line holds.
func (c *cores) hold(key string) *openCore {
	opened.mu.Lock()
	if opened.all == nil {
		opened.all = map[string]*openCore{}
	}
	x := opened.all[key]
	if x == nil {
		x = &openCore{}
		opened.all[key] = x
	}
	opened.mu.Unlock()
	if len(c.held) == 0 {
		x.busy.Lock()
	} else if !x.busy.TryLock() {
		return nil
	}
	c.held = append(c.held, x)
	return x
}

// release gives back what a line holds.
func (c *cores) release() {
	for _, x := range c.held {
		x.busy.Unlock()
	}
	c.held = nil
}

// alters finds lines that change how a core is decoded, or its symbols.
var alters = regexp.MustCompile(`::(v8load|v8field|artload|artfield|nmadd|nmdel)\b|^-?-sdk`)

// run is main with the arguments of a line.
func (c *cores) run(stdout, stderr io.Writer, args ...string) (code int) {
	if *processes {
		return c.process(stdout, stderr, args...)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitFatal
	}
	defer null.Close()
	defer c.release()
	open := c.session
	for _, a := range args {
		if alters.MatchString(a) {
			open = c.alone
		}
	}
	return run(args, open, null, out.NewTerminal(stdout), out.NewTerminal(stderr))
}

// process runs a line as a process.
func (c *cores) process(stdout, stderr io.Writer, args ...string) (code int) {
	cmd := exec.Command("coredbg", args...)
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), "HOME="+c.dir)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		fmt.Fprintln(stderr, err)
	}
	return cmd.ProcessState.ExitCode()
}

// alone opens a core as the program does.
func (c *cores) alone(path string, o coredbg.Options) (*coredbg.Session, error) {
	if here, err := os.Getwd(); err != nil || here != c.dir && !filepath.IsAbs(path) {
		return nil, errors.New("a core that is not in the corpus: begin the line with exec")
	}
	s, err := coredbg.Open(path, o)
	if err == nil {
		s.System = room{dir: c.dir}
	}
	return s, err
}

// session returns a new session over a core that may be open already. One whose
// runtimes have something to say when they are found is never shared: each session
// must hear it.
func (c *cores) session(path string, o coredbg.Options) (*coredbg.Session, error) {
	// A core that was opened by a relative path finds its parts only from where it was opened.
	first := c.hold(fmt.Sprintf("%q %q %q %q %q %q %d", path, o.Executable, o.Sysroot, o.Search, o.DebugDirs,
		o.PerfMap, o.MaxSize))
	if first == nil || first.speaks {
		return c.alone(path, o)
	}
	if first.Session == nil {
		var said bytes.Buffer
		quiet := o
		quiet.Stdout, quiet.Stderr = &said, &said
		s, err := c.alone(path, quiet)
		if err != nil {
			return nil, err
		}
		if s.Runtimes(); said.Len() > 0 || s.Partial {
			s.Close()
			first.speaks = true
			return c.alone(path, o)
		}
		first.Session, first.closers = s, s.Process.Closers
		s.Process.Closers = nil // that a session ends closes nothing
	}
	s := commands.NewSession(first.Process, first.Commands, o.Stdout, o.Stderr)
	fillIn(&s.Target, &first.Session.Target)
	fillIn(&s.Shell, &first.Session.Shell)
	fillIn(&s.Host, &first.Session.Host)
	s.Other = first.Session.Other
	s.Disasm = native.Disassembler(s)
	s.System = room{dir: c.dir}
	return s, nil
}

// fillIn sets the exported fields of x that are zero to the other's values.
func fillIn[T any](x, other *T) {
	from, to := reflect.ValueOf(other).Elem(), reflect.ValueOf(x).Elem()
	for i := range to.NumField() {
		if f := to.Field(i); to.Type().Field(i).IsExported() && f.IsZero() {
			f.Set(from.Field(i))
		}
	}
}

// A room is the system of a script, whose shell begins in the script's folder.
type room struct {
	commands.OS
	dir string
}

func (r room) Shell(ctx context.Context, line string, piped bool, stdout,
	stderr io.Writer) (io.WriteCloser, func() error, error) {
	return r.OS.Shell(ctx, fmt.Sprintf("cd '%s'\n%s", r.dir, line), piped, stdout, stderr)
}

type coresKey struct{}

// coredbgLine is the command "coredbg" of scripts.
func coredbgLine(ts *testscript.TestScript, neg bool, args []string) {
	code := ts.Value(coresKey{}).(*cores).run(ts.Stdout(), ts.Stderr(), args...)
	if (code != exitOK) != neg {
		ts.Fatalf("coredbg: exit code %d", code)
	}
}
