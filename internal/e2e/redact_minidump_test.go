package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/minidump"
	"coredbg/core/minidump/minidumptest"
)

// TestRedactMinidump is TestRedactLive for minidumps of the same process: with all memory and
// with stacks alone, with arguments and environment in streams, among annotations and on the
// stack, and pieces of values in the registers.
func TestRedactMinidump(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		text, err := os.ReadFile(filepath.Join(dir, "values.txt"))
		if err != nil {
			t.Fatal(err)
		}
		values := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		for name, of := range map[string]minidumptest.Of{
			"all memory": {Full: true, Maps: true}, "all memory, no mappings": {Full: true}, "stacks": {},
			"the tops of stacks": {Maps: true, Stack: 8 << 10},
		} {
			t.Run(filepath.Base(dir)+" "+name, func(t *testing.T) {
				dump := filepath.Join(t.TempDir(), "x.dmp")
				if err := os.WriteFile(dump, spread(t, s.Process, of, values), 0o600); err != nil {
					t.Fatal(err)
				}
				for _, stacks := range []bool{false, true} {
					checkRedactedDump(t, dump, stacks, values)
				}
			})
		}
	}
}

// spread writes a process as a minidump with its secrets wherever they may be.
func spread(t *testing.T, p *core.Process, of minidumptest.Of, values []string) []byte {
	t.Helper()
	args, err := core.Argv(p)
	if err != nil {
		t.Fatal(err)
	}
	environ, err := core.Environ(p)
	if err != nil {
		t.Fatal(err)
	}
	d, err := minidumptest.Begin(p, of)
	if err != nil {
		t.Fatal(err)
	}
	// Variables that the program has set since it began are where environ points to, which is not in
	// dumps of stacks: writers that copy /proc/PID/environ do not have them either.
	for _, v := range values {
		if !strings.Contains(strings.Join(append(args, environ...), "\x00"), v) {
			environ = append(environ, "SET="+v)
		}
	}
	d.Drop(minidumptest.CmdLine)
	d.Stream(minidumptest.CmdLine, []byte(strings.Join(args, "\x00")+"\x00"))
	d.Stream(minidumptest.Environ, []byte(strings.Join(environ, "\x00")+"\x00"))
	d.Stream(minidumptest.CommentA, []byte("with "+values[0]))
	d.Crashpad([][2]string{{"token", values[0]}}, 0, [][2]string{{"switch-1", "--folder=/home/somebody/at/home"},
		{"switch-2", "--password=" + values[2]}, {"ver", "1.2.3"}})
	b := d.Bytes()
	contexts := minidump.PrivateOf(core.Bytes(b)).Contexts
	if len(contexts) < len(p.Threads) {
		t.Fatalf("%d contexts of %d threads", len(contexts), len(p.Threads))
	}
	for i, c := range contexts {
		for _, v := range c.Vectors {
			for at := int64(0); at+16 <= v.Size; at += 16 {
				copy(b[v.Off+at:v.Off+at+16], values[i%len(values)])
			}
		}
		b[c.Flag] |= c.Bits
	}
	return b
}

func checkRedactedDump(t *testing.T, dump string, stacks bool, values []string) {
	t.Helper()
	all, contents, cdb := redacted(t, dump, stacks)
	original, _ := os.ReadFile(dump)
	for _, value := range values {
		if !bytes.Contains(original, []byte(value)) {
			t.Errorf("%.40q was never there", value)
		}
		for name, copies := range encoded(value) {
			if bytes.Contains(all, copies) {
				t.Errorf("stacks %v: %.40q is left as %s", stacks, value, name)
			}
		}
		for i := 0; i+8 <= len(value); i++ {
			if bytes.Contains(all, []byte(value[i:i+8])) {
				t.Errorf("stacks %v: %q of %.40q is left", stacks, value[i:i+8], value)
				break
			}
		}
	}
	if bytes.Contains(all, []byte("/home/somebody")) {
		t.Error("a switch is left")
	}
	if strings.Contains(contents, "not looked for") {
		t.Errorf("the contents say\n%s", contents)
	}
	if got, want := stackNames(t, cdb), stackNames(t, dump); got != want {
		t.Errorf("stacks %v: the stacks are now\n%s\nand were\n%s", stacks, got, want)
	}
	s := openLive(t, cdb)
	if len(s.Process.Args) > 0 || len(s.Process.Environ) > 0 || annotation(s.Process, "ver") != "1.2.3" {
		t.Errorf("arguments %q, environment %q, annotations %v", s.Process.Args, s.Process.Environ,
			s.Process.Annotations)
	}
	for _, r := range s.Process.Threads[0].Registers() {
		if r.Set == "vector" || r.Set == "fp" {
			t.Errorf("%s is shown as %x", r.Name, r.Bytes)
			break
		}
	}
}
