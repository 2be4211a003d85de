//go:build linux

package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestDamage runs each mutator on files of few bytes, and holds a damaged copy to the
// seed and the number that it was made with.
func TestDamage(t *testing.T) {
	for _, text := range []string{"x", "FUNC 10 20 0 f\n10 4 1 1\n", strings.Repeat("\x00\x01\x7fELF", 900)} {
		for _, m := range append(mutators, textMutators...) {
			for n := range uint64(50) {
				m.do([]byte(text), rand.New(rand.NewPCG(1, n)))
			}
		}
		changed := 0
		for n := range uint64(20) {
			var copies [2][]byte
			for i := range copies {
				name := filepath.Join(t.TempDir(), "copy")
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				if _, err := damageFile(name, rand.New(rand.NewPCG(2, n))); err != nil {
					t.Fatal(err)
				}
				copies[i], _ = os.ReadFile(name)
			}
			if !bytes.Equal(copies[0], copies[1]) {
				t.Errorf("trial %d of %.8q is not the same twice", n, text)
			}
			if string(copies[0]) != text {
				changed++
			}
		}
		if changed < 10 {
			t.Errorf("%d of 20 copies of %.8q were changed", changed, text)
		}
	}
}

// TestJudge has programs do what coredbg never may.
func TestJudge(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"exit 3", "exit 3"},
		{"echo 'panic: x' >&2; exit 2", "panic"},
		{"kill -SEGV $$", "signal"},
		{"printf 'a\\033[2J'", "control character"},
		{"while :; do :; done", "time"},
		{"yes", "output"},
		{"dd if=/dev/zero of=/dev/null bs=800M count=1 2>/dev/null", "memory"},
	} {
		b := bounds{cpu: 2 * time.Second, output: 1 << 20, memory: 600 << 20}
		v := judge(context.Background(), b, "/bin/sh", t.TempDir(), []string{"-c", c.script}, "")
		if v.outcome != c.want {
			t.Errorf("%s: %s (%s), want %s", c.script, v.outcome, v.detail, c.want)
		}
	}
}
