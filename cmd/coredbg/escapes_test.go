package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostile are texts of some lengths that a terminal would obey: colours, clearing, titles, the bell, C1
// controls in UTF-8 and as bytes, the direction of text, and invalid UTF-8.
var hostile = map[int]string{
	4:  "\x1b[2J",
	5:  "\x1b[31m",
	6:  "\x1b]0;t\a",
	7:  "m\x9b5m\u202e",
	8:  "\x1b[H\xff\u2066",
	12: "h\x1b]2;\a\x9b\u202e\r\b",
}

// hostileTiny writes the tiny core into dir with hostile names of modules,
// functions, the process and its arguments.
func hostileTiny(t *testing.T, dir string) (program, core string) {
	t.Helper()
	path := "/opt/" + hostile[8] + "/bin/" + hostile[6]
	swap := func(b []byte, words ...string) []byte {
		for _, w := range words {
			if !bytes.Contains(b, []byte(w)) {
				t.Fatalf("%q is not there", w)
			}
			b = bytes.ReplaceAll(b, []byte(w), []byte(hostile[len(w)]))
		}
		return b
	}
	program, core = filepath.Join(dir, "tiny"+hostile[5]), filepath.Join(dir, "core"+hostile[4])
	for name, data := range map[string][]byte{
		program: swap(tinyExecutable(0xab), "crash", "middle", "waiter", "greeting",
			"pointer", "hello, world"),
		core: swap(tinyCore(path), "tiny", "hello, world", "SECRET", "words"),
		filepath.Join(dir, "sysroot", path): swap(tinyExecutable(0xab), "crash", "middle", "waiter", "greeting",
			"pointer", "hello, world"),
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o755); err != nil {
			t.Skipf("no such names here: %v", err)
		}
	}
	return program, core
}

// steers returns the first sequence in b that a terminal obeys, with its surroundings, or "".
func steers(b []byte) string {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 || r < ' ' && r != '\n' && r != '\t' || 0x7f <= r && r < 0xa0 ||
			0x200b <= r && r <= 0x200f || 0x2028 <= r && r <= 0x202e || 0x2060 <= r && r <= 0x206f || r == 0xfeff {
			return string(b[max(0, i-60):min(len(b), i+20)])
		}
		i += n
	}
	return ""
}

// clean runs coredbg and looks at all that it writes.
func clean(t *testing.T, dir, stdin string, args ...string) (stdout string) {
	t.Helper()
	cmd := exec.Command("coredbg", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir)
	cmd.Stdin = strings.NewReader(stdin)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || exit.ExitCode() < 0 ||
		exit.ExitCode() > exitPartial) {
		t.Errorf("%.200q: %v", args, err)
	}
	if found := steers(o.Bytes()); found != "" {
		t.Errorf("%.200q writes %q", args, found)
	}
	if found := steers(e.Bytes()); found != "" {
		t.Errorf("%.200q says %q", args, found)
	}
	return o.String()
}

// callsOfAll lists calls of all commands: alone, at addresses, with an argument
// that they do not know.
func callsOfAll() (calls []string) {
	for _, c := range everyCommand() {
		switch name := c.Title(); name {
		case "::quit", "::exit", "::log", "$>":
		default:
			calls = append(calls, name, "0x400430"+name, "402000"+name, name+" '\x1b[31m\x9b'", name+" \u202e\xff",
				"::help "+c.Name)
		}
	}
	return calls
}

// TestEscapes drives every command and every way to fail with hostile names, and searches all output for
// sequences that a terminal obeys.
func TestEscapes(t *testing.T) {
	dir := t.TempDir()
	program, core := hostileTiny(t, dir)
	bad := hostile[12]
	os.WriteFile(filepath.Join(dir, "text"+bad), []byte("text"), 0o600)
	os.WriteFile(filepath.Join(dir, "cut"+bad), tinyCore("/x")[:700], 0o600)
	os.WriteFile(filepath.Join(dir, ".coredbgrc"), []byte("::nosuch"+bad+"\n$<"+bad+"\n"), 0o600)

	calls := callsOfAll()
	for _, more := range [][]string{nil, {"-json"}, {"-sysroot", "sysroot"}} {
		args := append([]string{"-S", "-k"}, more...)
		for _, c := range calls {
			args = append(args, "-e", c)
		}
		if out := clean(t, dir, "", append(args, program, core)...); !strings.Contains(out, `\x1b`) &&
			!strings.Contains(out, `\u001b`) {
			t.Errorf("%q: nothing hostile was shown at all", more)
		}
	}
	for _, args := range [][]string{
		{bad}, {"text" + bad}, {"cut" + bad}, {dir + "/" + bad}, {bad, core}, {dir, core}, {"sysroot"},
		{"-" + bad}, {"-color", bad, core}, {"-sdk", bad, core}, {"-e", bad, core}, {"-e", "::nosuch" + bad, core},
		{"-f", bad, core}, {"-sysroot", bad, core}, {core, core, bad}, {"-json", bad}, {"-version" + bad},
		{"-e", "::log -e " + bad + "/x", core}, {"-e", `::log -e "` + bad + `/x"`, core},
		{"-e", `$>"` + bad + `/x"`, core}, {"-e", `::log -e "` + "core" + hostile[4] + `"`, core},
		{"-e", `::log -e "log` + bad + `"`, "-e", "::log", "-e", "::log -d", core},
		{"-e", `$>"out` + bad + `"`, "-e", "::log", "-e", "$>", core},
		{"-json", "-e", `::log -e "json` + bad + `"`, "-e", "::log", core}, {"-json", "-e", `$>"` + bad + `/x"`, core},
		{"-e", "! false " + bad, core}, {"-e", "$<" + bad, core},
		{"bundle", bad}, {"bundle", "-" + bad, core}, {"bundle", "text" + bad, "-o", "x"},
		{"bundle", core, "-o", bad + "/x.cdb"},
		{"bundle", core, "-o", core}, {"bundle", "-sysroot", "sysroot", core, "-o", "b" + bad},
		{"bundle", core, "-o", "b" + bad},
		{"report", bad}, {"report", core, "-o", bad + "/x.html"}, {"report", core, "-o", core},
		{"report", core, "-o", "page" + bad}, {"report", core, "-o", "page" + bad},
		{"report", "text" + bad}, {"report", "cut" + bad}, {"report", "-" + bad},
		{"triage", bad}, {"triage", core, "text" + bad, "cut" + bad}, {"triage", "-o", bad, core},
		{"triage", "-o", "sarif", core, bad}, {"triage", "-resume", bad + "/x", core},
		{"groups", bad}, {"groups", "text" + bad}, {"groups", "-o", bad, "text" + bad},
		{"diff", bad, core}, {"diff", core, bad}, {"diff", core, core}, {"diff", "-" + bad, core, core},
		{"diff", "text" + bad, core},
		{"corpus", bad}, {"corpus", "add", bad}, {"corpus", "add", "-name", bad, core},
		{"corpus", "add", "-dir", bad, "-name", "n", core}, {"corpus", "add", "-name", "n", core},
		{"corpus", "add", "-name", "n", core}, {"corpus", "add", "-name", "w", "-witness", bad, core},
		{"corpus", "check", bad}, {"corpus", "check", "-dir", bad}, {"corpus", "check"},
		{"corpus", "update", bad}, {"corpus", "clean", "-dir", bad}, {"collect", "-" + bad},
		{"collect", "-dir", "kept" + bad, "-command", bad},
		{"bundle", "-redact", "-stacks", program, core, "-o", "r" + bad},
	} {
		clean(t, dir, "", args...)
	}
	clean(t, dir, "::status\n"+bad+"\n::stacks -a\n", "-k", core)
	clean(t, dir, strings.Join(calls[:60], "\n"), "-S", "-k", "b"+bad)
}
