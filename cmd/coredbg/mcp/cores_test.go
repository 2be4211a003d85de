package mcp

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"coredbg"
	"coredbg/commands"
)

// TestOpenCores: no more than a number of cores are open, and closing one makes room.
func TestOpenCores(t *testing.T) {
	c := connect(t)
	for range maxCores {
		if g := c.call("open", `{"path":"null.cdb"}`); g.Error != nil {
			t.Fatal(g.text)
		}
	}
	if g := c.call("open", `{"path":"null.cdb"}`); g.Error == nil || g.Error.Kind != "usage" {
		t.Errorf("one more is opened: %s", g.text)
	}
	c.call("close", `{"core":"c3"}`)
	if g := c.call("open", `{"path":"null.cdb"}`); g.Error != nil {
		t.Errorf("no room after one was closed: %s", g.text)
	}
	if g := c.call("cores", `{}`); len(g.FromCore) != maxCores {
		t.Errorf("%d cores", len(g.FromCore))
	}
}

// TestOpenAtOnce: cores that are opened at the same time are counted, too, and a panic of one is an error.
func TestOpenAtOnce(t *testing.T) {
	s, err := New(Options{Open: func(_ context.Context, path, _ string, _ []string) (*commands.Session, error) {
		if path == "panic" {
			panic("x")
		}
		time.Sleep(10 * time.Millisecond)
		return coredbg.WithoutCore(coredbg.Options{}), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Open(t.Context(), "panic", "", nil); err == nil ||
			!strings.Contains(err.Error(), "internal error") {
			t.Errorf("a panic: %v", err)
		}
	}
	var opened atomic.Int32
	var wg sync.WaitGroup
	for range 3 * maxCores {
		wg.Go(func() {
			if _, err := s.Open(t.Context(), "core", "", nil); err == nil {
				opened.Add(1)
			}
		})
	}
	wg.Wait()
	if opened.Load() != maxCores || len(s.cores) != maxCores {
		t.Errorf("%d cores were opened, %d are open", opened.Load(), len(s.cores))
	}
}

// TestTriage: a folder's bugs come before its cores.
func TestTriage(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"segv.cdb", "null.cdb"} {
		b, err := os.ReadFile(filepath.Join(corpus, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	c := connect(t, dir)
	g := c.call("triage", `{"folder":"`+dir+`"}`)
	var types []string
	for _, r := range g.FromCore {
		var v struct{ Type string }
		json.Unmarshal(r, &v)
		types = append(types, v.Type)
	}
	if strings.Join(types, " ") != "bug bug core_brief core_brief" {
		t.Errorf("%s: %v", types, g.text)
	}
}
