package collect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"coredbg/triage"
)

// reader stands for a process that reads a core.
func reader(_ context.Context, args []string, _ *os.File, stdout, _ io.Writer) (*os.ProcessState, error) {
	fmt.Fprintf(stdout, `{"type":"triage","core":%q,"status":"read","title":"died"}`+"\n", args[len(args)-1])
	return nil, nil
}

func newCollector(dir string) *Collector {
	return &Collector{Dir: dir, MaxSize: 1 << 20, Runner: &triage.Runner{Start: reader},
		Bundle: func(_ context.Context, core, bundle string) error {
			b, err := os.ReadFile(core)
			if err != nil {
				return err
			}
			return os.WriteFile(bundle, b[:min(len(b), 10)], 0o600)
		}}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range files {
		all = append(all, f.Name())
		if st, err := f.Info(); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", f.Name(), st.Mode(), err)
		}
	}
	return strings.Join(all, " ")
}

// TestTake: the files kept for a core, whatever happens to it.
func TestTake(t *testing.T) {
	at := time.Unix(1700000000, 0)
	for _, x := range []struct {
		what    string
		change  func(*Collector)
		in      io.Reader
		kept    string
		missing string
	}{
		{"a core", func(*Collector) {}, strings.NewReader("a core"), "c.cdb c.json", ""},
		{"no bundle", func(c *Collector) {
			c.Bundle = func(context.Context, string, string) error { return errors.New("not a core") }
		}, strings.NewReader("a core"), "c.core c.json", "a bundle: not a core"},
		{"slow", func(c *Collector) {
			c.Timeout = time.Millisecond
			c.Bundle = func(ctx context.Context, _, _ string) error { <-ctx.Done(); return errors.New("killed") }
		}, strings.NewReader("a core"), "c.core c.json", "a bundle: making it took more than 1ms"},
		{"long", func(c *Collector) { c.MaxSize = 100_000 }, io.MultiReader(bytes.NewReader(make([]byte, 90_000)),
			strings.NewReader(strings.Repeat("x", 90_000))),
			"c.cdb c.json", "what came after the first 100000 bytes of the core (-max-size)"},
		{"nothing", func(*Collector) {}, strings.NewReader(""), "c.cdb c.json", ""},
	} {
		dir := filepath.Join(t.TempDir(), "kept")
		c := newCollector(dir)
		x.change(c)
		l, err := c.Take(t.Context(), x.in, "c", at)
		if err != nil {
			t.Errorf("%s: %v", x.what, err)
			continue
		}
		if got := names(t, dir); got != x.kept {
			t.Errorf("%s: %s, want %s", x.what, got, x.kept)
		}
		if got := strings.Join(l.Missing, "; "); got != x.missing || l.Modified != "2023-11-14T22:13:20Z" {
			t.Errorf("%s: %q, %s", x.what, got, l.Modified)
		}
		text, err := os.ReadFile(filepath.Join(dir, "c.json"))
		if err != nil || !bytes.HasPrefix(text, []byte(`{"type":"triage",`)) || bytes.Count(text, []byte("\n")) != 1 {
			t.Errorf("%s: %q, %v", x.what, text, err)
		}
	}
	c := newCollector(t.TempDir())
	if _, err := c.Take(t.Context(), io.MultiReader(strings.NewReader("a core"), broken{}), "c", at); err == nil ||
		names(t, c.Dir) != "" {
		t.Errorf("%v, %s", err, names(t, c.Dir))
	}
}

// TestSameName: cores of one process id and second are all kept, also of processes that die at the
// same time.
func TestSameName(t *testing.T) {
	dir := t.TempDir()
	c := newCollector(dir)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if _, err := c.Take(t.Context(), strings.NewReader("a core"), "core.x",
				time.Unix(1700000000, 0)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got, want := names(t, dir), "core.x-2.cdb core.x-2.json core.x-3.cdb core.x-3.json core.x.cdb core.x.json"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("broken pipe") }

// TestSpool: holes are zeros when they are read again.
func TestSpool(t *testing.T) {
	text := append(append(bytes.Repeat([]byte("a"), block+3), make([]byte, 5*block)...), 'z')
	text = append(text, make([]byte, 3*block)...)
	path := filepath.Join(t.TempDir(), "core")
	cut, err := spool(t.Context(), bytes.NewReader(text), path, 1<<30)
	got, readErr := os.ReadFile(path)
	if cut || err != nil || readErr != nil || !bytes.Equal(got, text) {
		t.Errorf("%t, %v, %v, %d bytes of %d", cut, err, readErr, len(got), len(text))
	}
}

// TestPrune: the oldest go, by count and by size, and nothing else does.
func TestPrune(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		for _, ext := range []string{".cdb", ".json"} {
			path := filepath.Join(dir, fmt.Sprintf("core.x.%d%s", i, ext))
			os.WriteFile(path, make([]byte, 50), 0o600)
			at := time.Unix(int64(1000-i), 0)
			os.Chtimes(path, at, at)
		}
	}
	os.WriteFile(filepath.Join(dir, "notes.json"), nil, 0o600)
	c := &Collector{Dir: dir, Keep: 4}
	if err := c.prune("core.x.4"); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), "core.x.0.cdb core.x.0.json core.x.1.cdb core.x.1.json core.x.2.cdb core.x.2.json core.x.4.cdb core.x.4.json notes.json"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	c = &Collector{Dir: dir, MaxTotal: 250}
	if err := c.prune("core.x.4"); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), "core.x.0.cdb core.x.0.json core.x.4.cdb core.x.4.json notes.json"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestName(t *testing.T) {
	at := time.Unix(1700000000, 0)
	for command, want := range map[string]string{"crash": "core.crash.7.20231114T221320",
		"": "core.unknown.7.20231114T221320", "../../x y": "core._.._x_y.7.20231114T221320",
		"\x1b[2J\n": "core._2J_.7.20231114T221320", strings.Repeat("a", 300): "core." + strings.Repeat("a", 64) +
			".7.20231114T221320"} {
		if got := Name(command, 7, at); got != want {
			t.Errorf("%q: %s, want %s", command, got, want)
		}
	}
}
