package coredbg

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/elf/elfcore"
	"coredbg/core/find"
)

// An altered source is a core's bytes with another machine in its ELF header, or cut
// off.
type altered struct {
	core.Source
	head []byte
	size int64
}

func (a *altered) Size() int64  { return a.size }
func (a *altered) Close() error { return nil }

// Window returns the altered header first.
func (a *altered) Window(off int64) ([]byte, error) {
	if off < int64(len(a.head)) {
		return a.head[off:], nil
	}
	w, err := a.Source.Window(off)
	if err != nil || off >= a.size {
		return nil, errors.Join(err, errEnd)
	}
	return w[:min(int64(len(w)), a.size-off)], nil
}

var errEnd = errors.New("the file ends")

// noData finds no files.
type noData struct{}

func (noData) Find(context.Context, find.Want) find.Found { return find.Found{} }

// habitSession opens the core of a bundle without the parts that kind names.
func habitSession(t *testing.T, name, kind string, o Options) *commands.Session {
	t.Helper()
	path := "testdata/cores/" + name
	c, err := load(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.process.Close() })
	a := &altered{Source: c.src, size: c.src.Size()}
	if a.head, err = core.SourceSlice(c.src, 0, 64); err != nil {
		t.Fatal(err)
	}
	a.head = bytes.Clone(a.head)
	switch kind {
	case "":
		return newSession(c, o)
	case "no dex files":
		c.data = noData{}
		return newSession(c, o)
	case "no files":
	case "cut":
		a.size = a.size * 2 / 5
	case "unknown machine":
		const machineLoongArch = 258
		binary.LittleEndian.PutUint16(a.head[18:], machineLoongArch)
	}
	p, err := elfcore.Open(a, path, elfcore.Options{Files: elf.Disk{Disk: find.Disk{Sysroot: t.TempDir()}}})
	if err != nil {
		t.Fatal(err)
	}
	p.Closers = nil
	return newSession(&loaded{process: p, src: a, files: elf.Disk{Disk: find.Disk{Sysroot: t.TempDir()}},
		data: noData{}}, o)
}

// TestHabits is in the loader's package, because it changes its parts. It runs every command, and every
// walker, on cores that lack much. A command that finds nothing says so next to the data, and is not a
// failure. A command that cannot know the answer says why, and is not a failure either, but makes the
// result partial. No command is silent.
func TestHabits(t *testing.T) {
	for _, c := range []struct{ core, kind string }{
		{"segv.cdb", ""}, {"segv.cdb", "no files"}, {"segv.cdb", "cut"}, {"segv.cdb", "unknown machine"},
		{"art-11.cdb", "no dex files"}, {"art-11.cdb", "cut"}, {"macos-x86_64.cdb", ""},
	} {
		t.Run(c.core+" "+c.kind, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			s := habitSession(t, c.core, c.kind, Options{Stdout: &stdout, Stderr: &stderr})
			var lines []string
			for _, cmd := range s.Commands.Commands() {
				switch {
				case cmd.Filter != nil, cmd.Silent:
				case cmd.Name == "ugrep":
					lines = append(lines, "1234567812345678::ugrep") // zeros are everywhere
				default:
					lines = append(lines, cmd.Title())
				}
			}
			for _, w := range s.Commands.Walkers() {
				lines = append(lines, "::walk "+w.Name)
			}
			for _, line := range lines {
				stdout.Reset()
				stderr.Reset()
				s.Partial = false
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				s.Lang.SetDot(0)
				err := s.Run(ctx, line)
				cancel()
				checkHabit(t, line, stdout.String(), stderr.String(), s.Partial, err)
				if c.kind == "cut" && line != "$v" && stdout.Len() == 0 && err == nil && !s.Partial {
					t.Errorf("%s: says %q though the core is cut", line, stderr.String())
				}
			}
		})
	}
}

func checkHabit(t *testing.T, line, stdout, stderr string, partial bool, err error) {
	t.Helper()
	var failed *lang.FailedError
	switch {
	case strings.Contains(stderr, "internal error"):
		t.Errorf("%s: %s", line, stderr)
	case err != nil && !errors.As(err, &failed):
		t.Errorf("%s: %v", line, err)
	case stdout == "" && stderr == "":
		t.Errorf("%s: silent", line)
	case err != nil && stderr == "":
		t.Errorf("%s: fails silently", line)
	case failed != nil && !theirs(stderr):
		t.Errorf("%s: fails though nothing was asked wrongly: %s", line, stderr)
	case stdout == "" && !partial && failed == nil && !strings.HasPrefix(stderr, "coredbg: "):
		t.Errorf("%s: says %q", line, stderr)
	}
}

// theirs reports whether the user's input caused a failure: its usage, or an address, here 0, that has
// no such object.
func theirs(stderr string) bool {
	for _, s := range []string{"Usage: ", "expected the name", "0x0", " 0 is ", "no frame pointer", "null", "no object",
		"thread with the id 0", "is not in any object"} {
		if strings.Contains(stderr, s) {
			return true
		}
	}
	return false
}
