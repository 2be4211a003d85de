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

	"github.com/rogpeppe/go-internal/testscript"

	"coredbg"
	"coredbg/commands"
	"coredbg/commands/native"
	"coredbg/commands/out"
)

var processes = flag.Bool("processes", false, "run each line of the scripts as a process")

// cores runs lines of a script as the program does, in the process of the test, and
// keeps the cores that they open: unpacking one and learning what is in it takes longer
// than most lines. Each line has a session of its own, with the language, the thread
// and the exit code of one that has just been opened. What it shares with those before
// it is what is known of the dead process; a line that changes that gets a core of its
// own. With -processes each line is a process that opens its core, and must print
// the same.
//
// Such a line names its core by an absolute path, as $CORES/node-24.cdb: the folder
// of the script is not that of the test.
type cores struct {
	dir  string // of the script
	open map[string]*openCore
}

// openCore is a core that is open, with the first session over it.
type openCore struct {
	*commands.Session
	closers []io.Closer
}

func newCores(dir string) *cores { return &cores{dir: dir, open: map[string]*openCore{}} }

// alters finds lines that change how a core is decoded, or what its symbols are.
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
	key := fmt.Sprintf("%q %q %q %q %q %d", path, o.Executable, o.Sysroot, o.Search, o.DebugDirs, o.MaxSize)
	first := c.open[key]
	if first == nil {
		var said bytes.Buffer
		quiet := o
		quiet.Stdout, quiet.Stderr = &said, &said
		s, err := c.alone(path, quiet)
		if err != nil {
			return nil, err
		}
		if s.Runtimes(); said.Len() > 0 || s.Partial {
			s.Close()
			return c.alone(path, o)
		}
		first = &openCore{s, s.Process.Closers}
		s.Process.Closers = nil // that a session ends closes nothing
		c.open[key] = first
	}
	s := commands.NewSession(first.Process, first.Commands, o.Stdout, o.Stderr)
	from, to := reflect.ValueOf(first.Session).Elem(), reflect.ValueOf(s).Elem()
	for i := range to.NumField() {
		if f := to.Field(i); to.Type().Field(i).IsExported() && f.IsZero() {
			f.Set(from.Field(i))
		}
	}
	s.Disasm = native.Disassembler(s)
	s.System = room{dir: c.dir}
	return s, nil
}

// close closes the cores.
func (c *cores) close() {
	for _, s := range c.open {
		s.Process.Closers = s.closers
		s.Close()
	}
	clear(c.open)
}

// A room is the system of a script, whose shell begins in the script's folder.
type room struct {
	commands.OS
	dir string
}

func (r room) Shell(ctx context.Context, line string, piped bool, stdout, stderr io.Writer) (io.WriteCloser, func() error, error) {
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
