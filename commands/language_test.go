package commands

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/coretest"
)

// row is a record of a table with a heading.
type row int

func (r row) Addr() (core.Addr, bool)      { return core.Addr(r), true }
func (r row) Text(w *out.Writer)           { w.Printf("%4d\n", int(r)) }
func (r row) Header(w *out.Writer)         { w.Printf("%4s\n", "N") }
func (r row) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]int{"n": int(r)}) }

var rows = Command{Name: "rows", Run: func(_ context.Context, c *Call) error {
	for i := range 3 {
		if err := c.Emit(row(i)); err != nil {
			return err
		}
	}
	return nil
}}

// TestHeadings: a heading stands above the first row, once for each line of
// input, at the prompt as in the shell; not in JSON.
func TestHeadings(t *testing.T) {
	const table = "   N\n   0\n   1\n   2\n"
	for _, c := range []struct {
		line string
		json bool
		want string
	}{
		{"::rows", false, table}, {"::rows; ::rows", false, table + "   0\n   1\n   2\n"},
		{"::rows ! cat", false, table},
		{"::rows; 5::seq 1; ::rows", false, table + "0x5\n" + table},
		{"::rows", true, `{"n":0}` + "\n" + `{"n":1}` + "\n" + `{"n":2}` + "\n"},
		{"::rows ! cat", true, `{"n":0}` + "\n" + `{"n":1}` + "\n" + `{"n":2}` + "\n"},
	} {
		s, stdout, stderr := session(t)
		s.Commands.Add(rows)
		s.JSON = c.json
		if err := s.Run(t.Context(), c.line); err != nil || stdout.String() != c.want {
			t.Errorf("%s\n got %q\nwant %q, %v %s", c.line, stdout, c.want, err, stderr)
		}
	}
	s, _, _ := session(t)
	if got := s.Render(row(1)); got != "   1\n" {
		t.Errorf("rendered %q", got)
	}
}

// TestShellEndsEarly: a shell command that reads only a part of its input ends
// the pipeline quietly.
func TestShellEndsEarly(t *testing.T) {
	s, stdout, stderr := session(t)
	if err := s.Run(t.Context(), "0::seq 100000 ! head -n 1"); err != nil || stdout.String() != "0x0\n" ||
		stderr.Len() > 0 {
		t.Errorf("%q, %q, %v", stdout, stderr, err)
	}
	if err := s.Run(t.Context(), "0::seq 1 ! grep nothing"); err != nil {
		t.Errorf("a grep that finds nothing failed: %v", err)
	}
	if err := s.Run(t.Context(), "0::seq 1 ! /no/such/program 2>/dev/null"); err == nil {
		t.Error("a program that is not there did not fail")
	}
}

// TestPager: q ends the command and goes on with the line, a ends the line.
func TestPager(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"q", "0x0\n0x1\n0x2\n0x8\n"}, {"a", "0x0\n0x1\n0x2\n"}, {"c", "0x0\n0x1\n0x2\n0x3\n0x4\n0x8\n"},
	} {
		s, stdout, stderr := session(t)
		s.Live = true
		s.Out.SetRaw(out.NewPager(stdout, func() ([]byte, error) { return []byte(c.keys), nil },
			func() (int, int) { return 80, 4 }))
		err := s.Run(t.Context(), "0::seq 5; 8::seq 1")
		got := regexp.MustCompile(`\x1b\[7m[^\x1b]*\x1b\[27m\r\x1b\[K`).ReplaceAllString(stdout.String(), "")
		if err != nil || got != c.want || stderr.Len() > 0 {
			t.Errorf("key %s: %q, %v, %q; want %q", c.keys, got, err, stderr, c.want)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestOutputFails(t *testing.T) {
	s, _, stderr := session(t)
	s.Out.SetRaw(full{})
	s.Live = true
	if err := s.Run(t.Context(), "0::seq 100 | ::seq 1"); err == nil ||
		stderr.String() != "coredbg: writing output: disk full\n" {
		t.Errorf("%v, %q", err, stderr)
	}
}

func TestScriptPlaces(t *testing.T) {
	s, _, stderr := session(t)
	err := s.RunSource(t.Context(), lang.Source{Name: "f", Script: true, Line: 3,
		Text: "1::seq 2 | ::odd\n::show -x\n5 5\n::seq 1"})
	want := "coredbg: 0x2 is even on line 3 of f\n" +
		"coredbg: ::show: unknown option -x on line 4 of f\nUsage: addr ::show [-va] [+o] [-n count] [word ...]\n" +
		"coredbg: syntax error on line 5 of f near \"5\"\n"
	var failed *lang.FailedError
	if stderr.String() != strings.ReplaceAll(want, "[-va]", "[-vao]") || !errors.As(err, &failed) || failed.Count != 3 {
		t.Errorf("got %s\nwant %s\n%v", stderr, want, err)
	}
}

func TestPartial(t *testing.T) {
	s, _, _ := session(t)
	if s.Run(t.Context(), "::nosuch"); s.Partial {
		t.Error("an unknown command made the result partial")
	}
	if s.Run(t.Context(), "9000/X"); !s.Partial {
		t.Error("unreadable memory did not make the result partial")
	}
}

func TestComplete(t *testing.T) {
	s, _, _ := session(t)
	s.Commands.Add(rows, Command{Name: "$x"})
	s.Commands.AddWalkers(Walker{Name: "frame"}, Walker{Name: "thread"})
	dir := t.TempDir()
	for _, name := range []string{"one.txt", "one.more", ".hidden"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "onedir"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line string
		pos  int
		want []string
	}{
		{"::s", 3, []string{"seq", "show"}}, {"5::o", 4, []string{"odd"}}, {"::s x", 3, []string{"seq", "show"}},
		{"$", 1, []string{"x"}},
		{"::show -", 8, []string{"a", "n", "o", "v"}}, {"::show -va", 10, []string{"van", "vao"}},
		{"::walk t", 8, []string{"thread"}}, {"<ri", 3, []string{"rip"}}, {"<hi", 3, []string{"hits"}},
		{"::zzz", 5, nil},
		{"$<" + dir + "/o", len(dir) + 4, []string{dir + "/one.more", dir + "/one.txt", dir + "/onedir/"}},
		{"!cat " + dir + "/onet", len(dir) + 10, nil}, {"", 0, nil}, {"::s", 99, []string{"seq", "show"}},
	} {
		head, words, tail := s.Complete(c.line, c.pos)
		if !slices.Equal(words, c.want) {
			t.Errorf("%q at %d: %q, want %q", c.line, c.pos, words, c.want)
		}
		if len(head) > len(c.line) || !strings.HasPrefix(c.line, head) || !strings.HasSuffix(c.line, tail) {
			t.Errorf("%q at %d: head %q, tail %q", c.line, c.pos, head, tail)
		}
	}
}

// fileImage is an image with four bytes at 0x10.
type fileImage struct{ core.Image }

func (fileImage) ReadAt(p []byte, link uint64) (int, error) {
	if link < 0x10 || link >= 0x14 {
		return 0, io.ErrUnexpectedEOF
	}
	if n := copy(p, "\x01\x02\x03\x04"[link-0x10:]); n < len(p) {
		return n, io.ErrUnexpectedEOF
	}
	return len(p), nil
}

func TestObjectFile(t *testing.T) {
	p := coretest.New(core.AMD64).Words(0x5010, 0).
		Module("/lib/x.so", 0x5000, 0x6000, core.ModuleFacts{Image: fileImage{}, BiasKnown: true, Bias: 0x5000}).
		Module("/lib/gone.so", 0x7000, 0x8000, core.ModuleFacts{Err: errors.New("no file")}).Process()
	var stdout, stderr strings.Builder
	s := NewSession(p, NewRegistry(), &stdout, &stderr)
	s.Run(t.Context(), "5010?X; *5010=X; %/4/5010=X; 5012?X; 7000?X; 9000?X")
	want := "0x5010:         4030201         \n                0               \n                4030201         \n"
	if stdout.String() != want {
		t.Errorf("got %q, want %q", stdout.String(), want)
	}
	for _, reason := range []string{"at 0x5012: 0x5014: not mapped (no bytes of /lib/x.so are there)", "(no file)",
		"no object file there"} {
		if !strings.Contains(stderr.String(), reason) {
			t.Errorf("%q is not in %q", reason, stderr.String())
		}
	}
}

func TestModuleNames(t *testing.T) {
	r := NewRegistry([]Command{{Name: "x", Module: "a", Alias: "$x"}}, []Command{{Name: "x", Module: "b"}})
	for name, module := range map[string]string{"x": "b", "a`x": "a", "b`x": "b", "$x": "a"} {
		if c, ok := r.Command(name); !ok || c.Module != module {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if _, ok := r.Command("c`x"); ok {
		t.Error("c`x is there")
	}
	if n := len(r.Commands()); n != 2 {
		t.Errorf("%d commands", n)
	}
}

func TestNear(t *testing.T) {
	var cmds []Command
	for _, n := range []string{"status", "stack", "stacks", "whatis", "log", "$c"} {
		cmds = append(cmds, Command{Name: n})
	}
	r := NewRegistry(cmds)
	for name, want := range map[string]string{"statsu": "status", "stck": "stack", "wahtis": "whatis", "foo": "",
		"x": "", "": "", "statuss": "status",
		strings.Repeat("x", 1000): ""} {
		if got := r.Near(name); got != want {
			t.Errorf("near %.10q: %q, want %q", name, got, want)
		}
	}
}
