package ask

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands"
)

// TestSplit: a record with a long list becomes records with all of its items; another one is cut, and says so.
func TestSplit(t *testing.T) {
	var frames []string
	for i := range 2000 {
		frames = append(frames, fmt.Sprintf(`{"index":%d,"name":"function"}`, i))
	}
	pieces, cut := split([]byte(`{"type":"thread","tid":7,"frames":[` + strings.Join(frames, ",") + `],"stop":"root"}`))
	next := 0
	for _, p := range pieces {
		var v struct {
			Type, Stop string
			TID        int
			Frames     []struct{ Index int }
		}
		if err := json.Unmarshal(p, &v); err != nil || v.Type != "thread" || v.TID != 7 || v.Stop != "root" ||
			len(p) > maxEntry {
			t.Fatalf("%v, %d bytes: %.200s", err, len(p), p)
		}
		for _, f := range v.Frames {
			if f.Index != next {
				t.Fatalf("frame %d comes where %d should", f.Index, next)
			}
			next++
		}
	}
	if next != 2000 || cut {
		t.Errorf("%d frames, cut %v", next, cut)
	}
	deep := strings.Repeat(`{"a":`, 5000) + `1` + strings.Repeat("}", 5000)
	for _, x := range []string{
		`{"type":"text","text":"` + strings.Repeat("é", 50_000) + `"}`,
		`{"type":"value","value":{"a":[` + strings.Repeat(`"xxxxxxxxxxxxxxx",`, 10_000) + `1],"b":{"c":"` +
			strings.Repeat("y", 9000) + `"}}}`,
		deep,
	} {
		pieces, cut := split([]byte(x))
		for _, p := range pieces {
			if len(p) > maxEntry || !json.Valid(p) {
				t.Errorf("%d bytes: %.200s", len(p), p)
			}
		}
		if !cut {
			t.Errorf("%.60s: nothing says that it is cut", x)
		}
	}
}

// FuzzSplit: whatever a record is, its pieces are JSON of bounded size without characters that a terminal obeys.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{`{"type":"a","b":[1,2,3]}`, `{"type":"a","b":"\u001b[31m\u202e"}`,
		`{"":{"":[]},"\u001b":null}`, `{"a":1e999}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if !json.Valid(b) || len(b) == 0 || b[0] != '{' {
			return
		}
		pieces, _ := split(b)
		for _, p := range pieces {
			if !json.Valid(p) || strings.ContainsAny(string(p), "\x1b\u202e") {
				t.Errorf("%q", p)
			}
		}
	})
}

// TestFolders: only what is below the folders is opened, wherever links lead.
func TestFolders(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(filepath.Join(outside, "secret"), []byte("x"), 0o600))
	must(os.WriteFile(filepath.Join(outside, "named"), []byte("n"), 0o600))
	must(os.MkdirAll(filepath.Join(dir, "sub"), 0o700))
	must(os.WriteFile(filepath.Join(dir, "sub", "core"), []byte("c"), 0o600))
	must(os.Symlink(filepath.Join(dir, "sub", "core"), filepath.Join(dir, "inside")))
	must(os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "out")))
	must(os.Symlink(outside, filepath.Join(dir, "folder")))
	must(os.Symlink("loop", filepath.Join(dir, "loop")))
	f, err := NewFolders([]string{dir}, []string{filepath.Join(outside, "named")})
	must(err)
	for path, want := range map[string]bool{
		"sub/core": true, "inside": true, filepath.Join(dir, "sub/core"): true, filepath.Join(outside, "named"): true,
		"./sub/../sub/core": true,
		"out":               false, "folder/secret": false, "loop": false, "sub": false, "nosuch": false, "": false,
		filepath.Join(outside, "secret"):                           false,
		filepath.Join(dir, "..", filepath.Base(outside), "secret"): false,
	} {
		file, _, err := f.Open(path)
		if (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
		if file != nil {
			file.Close()
		}
	}
	if _, err := NewFolders([]string{filepath.Join(dir, "inside")}, nil); err == nil {
		t.Error("a file is taken for a folder")
	}
	if _, err := f.Folder(outside); !errors.Is(err, ErrOutside) {
		t.Errorf("a folder outside: %v", err)
	}
}

// TestDo: a panic is an error, the next question is answered, and a closed core says so.
func TestDo(t *testing.T) {
	c := New("c1", "x", coredbg.WithoutCore(coredbg.Options{}))
	if err := c.Do(t.Context(), func(*Query) error { panic("x") }); err == nil ||
		!strings.Contains(err.Error(), "internal error") {
		t.Errorf("%v", err)
	}
	if err := c.Do(t.Context(), func(q *Query) error {
		q.Run("::echo hello")
		if len(q.Entries) != 1 || q.Entries[0].Text != "hello\n" || q.Failed != nil {
			t.Errorf("%+v", q)
		}
		q.Run("::status ! cat")
		if q.Failed == nil || !strings.Contains(q.Failed.Message, "refused") {
			t.Errorf("%+v", q.Failed)
		}
		n := 0
		if f := q.Records("::echo a; ::echo b", func(commands.Record) error { n++; return nil }); f != nil || n != 2 {
			t.Errorf("%d records, %v", n, f)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Do(t.Context(), func(*Query) error { return nil }); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed core: %v", err)
	}
}
