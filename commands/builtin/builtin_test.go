package builtin

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// testSession is a session over three words at 0x1000, with a walker of the
// addresses of these words.
func testSession() (*commands.Session, *bytes.Buffer) {
	p := coretest.New(core.AMD64).Words(0x1000, 0x1111, 0x2222, 0).
		Map(0x2000, []byte("text\x1b[31m\x00")).
		Thread(7, map[string]uint64{"rip": 0x1008, "rsp": 0x1010}).Process()
	r := commands.NewRegistry(Commands())
	r.AddWalkers(commands.Walker{Name: "word", Module: "test", Addr: commands.AddrOptional,
		Summary: "words of the test's memory",
		Walk: func(_ context.Context, c *commands.Call, yield func(core.Addr) bool) error {
			for a := core.Addr(0x1000); a < 0x1018 && yield(a); a += 8 {
			}
			return nil
		}})
	var b bytes.Buffer
	s := commands.NewSession(p, r, &b, &b)
	s.Live = true // errors stand where they happen
	return s, &b
}

// TestTranscripts runs the lines of testdata/*.txt that start with "> " in one session for each file, and
// compares their output with the lines after them.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, b := testSession()
			var got strings.Builder
			for line := range strings.Lines(string(want)) {
				command, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> ")
				if !ok {
					continue
				}
				b.Reset()
				s.Run(t.Context(), command)
				got.WriteString(line)
				got.WriteString(trimLines(b.String()))
			}
			if *update {
				if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got.String() != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got.String(), want)
			}
		})
	}
}

// trimLines takes the blanks off the ends of lines, which editors do too.
func trimLines(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String()
}

// TestHelpIsWhole: each command explains itself, and its example can be read.
func TestHelpIsWhole(t *testing.T) {
	s, b := testSession()
	for _, c := range s.Commands.Commands() {
		if c.Summary == "" || c.Detail == "" || c.Example == "" || c.Module == "" {
			t.Errorf("%s lacks a summary, detail, example or module", c.Title())
		}
		if strings.HasSuffix(c.Summary, ".") {
			t.Errorf("%s: the summary ends in a full stop", c.Title())
		}
		if _, err := lang.Parse(c.Example); err != nil {
			t.Errorf("%s: example %q: %v", c.Title(), c.Example, err)
		}
		for _, o := range c.Options {
			if o.Help == "" {
				t.Errorf("%s: option -%c has no help", c.Title(), o.Letter)
			}
		}
		for _, name := range c.SeeAlso {
			if strings.HasPrefix(name, "::help ") || name == "$<" || name == "::regs" {
				continue
			}
			if _, ok := s.Commands.Command(strings.TrimPrefix(name, "::")); !ok {
				t.Errorf("%s refers to %s, which is not there", c.Title(), name)
			}
		}
		b.Reset()
		if err := s.Run(t.Context(), "::help "+c.Title()); err != nil || !strings.HasPrefix(b.String(), "NAME\n  ") {
			t.Errorf("::help %s: %v, %q", c.Title(), err, b)
		}
	}
	for _, topic := range topics {
		b.Reset()
		if err := s.Run(t.Context(), "::help "+topic.name); err != nil {
			t.Errorf("::help %s: %v", topic.name, err)
		}
		for line := range strings.Lines(b.String()) {
			if len(line) > 81 {
				t.Errorf("::help %s: line of %d columns: %s", topic.name, len(line), line)
			}
		}
	}
}

// TestJSONLines: with JSON each line of output is an object with a type.
func TestJSONLines(t *testing.T) {
	s, b := testSession()
	s.JSON = true
	for _, line := range []string{"::help", "::help walk", "::dcmds", "::walkers", "::formats", "::walk word", "::vars",
		"$d", "::version",
		"::echo hi", "1000/Xs", "1f=X", "::walk word | ::wc", "::walk word | ::sort -nr | ::head -n 1", "1000/M 0",
		"2000/s", "::set", "::log"} {
		b.Reset()
		if err := s.Run(t.Context(), line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if b.Len() == 0 {
			t.Errorf("%s prints nothing", line)
		}
		for l := range strings.Lines(b.String()) {
			var v struct {
				Type string `json:"type"`
			}
			if err := json.Unmarshal([]byte(l), &v); err != nil || v.Type == "" {
				t.Errorf("%s: %s: %v", line, l, err)
			}
		}
	}
}

func TestLog(t *testing.T) {
	s, b := testSession()
	path := filepath.Join(t.TempDir(), "log")
	for _, line := range []string{"::log -e " + path, "::echo one", "::nosuch", "::log -d", "::echo two", "$>" + path,
		"::echo three", "$>", "::log -d"} {
		s.Run(t.Context(), line)
	}
	got, err := os.ReadFile(path)
	want := "one\ncoredbg: there is no command ::nosuch (::dcmds lists them)\nthree\n"
	if err != nil || string(got) != want {
		t.Errorf("logged %q, %v, want %q", got, err, want)
	}
	if !strings.HasSuffix(b.String(), "coredbg: there is no log\n") {
		t.Errorf("printed %q", b)
	}
}

func TestCat(t *testing.T) {
	s, b := testSession()
	path := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(path, []byte("1000\n1008;1010\n\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s.Run(t.Context(), "::cat "+path+" | =K; ::cat "+path)
	want := strings.Repeat(" ", 16) + "1000            \n" + strings.Repeat(" ", 16) + "1008            \n" +
		strings.Repeat(" ", 16) + "1010            \n1000\n1008;1010\n\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b, want)
	}
	b.Reset()
	if s.Run(t.Context(), "::cat "+path+".no"); !strings.Contains(b.String(), "no such file") {
		t.Errorf("got %q", b)
	}
}

// A toy is a runtime that has no commands.
type toy struct{}

func (toy) Name() string    { return "toy" }
func (toy) Version() string { return "7" }

// TestLoadOfRuntimes: ::load knows runtimes without commands, the ones in the process and the ones that were
// only looked for.
func TestLoadOfRuntimes(t *testing.T) {
	s, b := testSession()
	s.Runtimes = func() []runtimes.Runtime { return []runtimes.Runtime{toy{}} }
	s.Probed = []string{"other", "toy"}
	for line, want := range map[string]string{
		"::load toy.so": "TOY version: 7\n",
		"::load other":  "OTHER was not found in this process",
		"::load none":   `no module "none", and modules cannot be loaded; there are mdb, other, test, toy`,
	} {
		b.Reset()
		_ = s.Run(context.Background(), line)
		if got := b.String(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", line, got)
		}
	}
}
