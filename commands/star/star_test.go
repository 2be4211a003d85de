package star_test

import (
	"bytes"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands"
	"coredbg/commands/star"
)

// session returns a session without a core.
func session(stdout, stderr *bytes.Buffer) *commands.Session {
	return coredbg.WithoutCore(coredbg.Options{Stdout: stdout, Stderr: stderr})
}

func TestCommands(t *testing.T) {
	const text = `
def command_count(records, least = "1", *rest):
    """Count the records.

    And say it.
    """
    return [{"n": len(records), "least": int(least), "rest": list(rest)}]

def command_words(records):
    return ["one\033[31m", 7, None]

def command_each(records):
    return [{"addr": r["value"], "type": "own"} for r in run("1=X; 2=X")] or [{"addr": "0x10"}]

def command_nothing(records):
    return None

helper = [1]
ok = [2 * 3, "a" * 2, [0] * -1, 2.5 * 2, (1,) * 2 == (1, 1), -1 * 4]
n = 3
n *= 2 * 2
if ok != [6, "aa", [], 5.0, True, -4] or n != 12 or len(range(10)) != 10: fail(ok, n)
`
	for line, want := range map[string]string{
		"::count":                  "n=0  least=1  rest=[]\n",
		"::echo 5 | ::count 3 x":   `n=1  least=3  rest=["x"]` + "\n",
		"::words":                  `one\x1b[31m` + "\n7\nNone\n",
		"::nothing":                "",
		"::each | ::echo":          "\n",
		"::words | ::count":        "n=3  least=1  rest=[]\n",
		"::help count ! sed -n 2p": "  count - Count the records\n",
	} {
		var stdout, stderr bytes.Buffer
		s := session(&stdout, &stderr)
		names, err := star.Load(s, "my.star", text)
		if err != nil || strings.Join(names, " ") != "count each nothing words" {
			t.Fatal(names, err)
		}
		_ = s.Run(t.Context(), line)
		s.Out.Flush()
		if line == "::each | ::echo" { // whatever the language prints
			continue
		}
		if stdout.String() != want {
			t.Errorf("%s: %q, want %q; %s", line, stdout.String(), want, stderr.String())
		}
	}
}

func TestJSON(t *testing.T) {
	var stdout, stderr bytes.Buffer
	s := session(&stdout, &stderr)
	s.JSON = true
	if _, err := star.Load(s, "a.star", `def command_x(records): return [{"a": "<b>"}, {"type": "t"}, {}, "s"]`); err != nil {
		t.Fatal(err)
	}
	_ = s.Run(t.Context(), "::x")
	const want = `{"type":"x","a":"<b>"}` + "\n" + `{"type":"t"}` + "\n" + `{"type":"x"}` + "\n" +
		`{"type":"x","value":"s"}` + "\n"
	if stdout.String() != want {
		t.Errorf("got %s%s", stdout.String(), stderr.String())
	}
}

// TestBounds: a file has no way out, and neither a file nor a call goes on without end.
func TestBounds(t *testing.T) {
	for text, want := range map[string]string{
		`open("/etc/passwd")`:                             "undefined: open",
		`load("other.star", "x")`:                         "load",
		`run("::status")`:                                 "only a command runs lines",
		"while True: pass":                                "too many steps",
		"def command_status(records): pass":               "a.star: left out, as coredbg has such a command: ::status",
		"x = [1]\nx[0] *= 2":                              "line 2: write x = x * y",
		"x = [0] * 5000000":                               "list * 5000000 is too large",
		"x = list(range(1 << 40))":                        "range: 1099511627776 numbers are too many",
		"x = (1, 2)\nx *= 1 << 40":                        "tuple * 1099511627776 is too large",
		"def command_(records): pass\ndef f(:":            "got ':'",
		`x = "a" * (1 << 31)`:                             "too large",
		strings.Repeat("#", star.MaxFile+1):               "too many",
		"def command_a(records): pass\ncommand_a.x = 1\n": "can't assign",
	} {
		var stdout, stderr bytes.Buffer
		if _, err := star.Load(session(&stdout, &stderr), "a.star", text); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", text, err, want)
		}
	}
	for body, want := range map[string]string{
		"l = [1]\n  while True: l = l+l": "it takes too much memory",
		`run("1=X ! id")`:                "refused: no program is run here",
		`run("::log -e x")`:              "refused: nothing is written here",
		`run("1=X; $>y")`:                "refused",
		`run("::cat /etc/passwd")`:       "refused: no file that a line names is opened here",
		`run("::eval '1=X ! id'")`:       "refused",
		`run("::nosuch")`:                "there is no command",
		"return [command_a]":             "cannot encode",
		"return sorted(range(1 << 36))":  "numbers are too many",
		"return [0] * (1 << 30 - 1)":     "is too large",
	} {
		var stdout, stderr bytes.Buffer
		s := session(&stdout, &stderr)
		if _, err := star.Load(s, "a.star", "def command_a(records):\n  "+body); err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context(), "::a"); err == nil || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: %s, want %q", body, stderr.String(), want)
		}
	}
}
