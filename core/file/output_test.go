package file

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// names returns what is in a folder, hidden files included.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// TestOutput: nothing stands under the name before Commit, the whole after it,
// for its owner alone, and nothing else is in the folder.
func TestOutput(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	for _, force := range []bool{false, true, true} {
		o, err := Create(t.Context(), path, force)
		if err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(path)
		o.Write([]byte("one "))
		o.Write([]byte("two"))
		if now, _ := os.ReadFile(path); !bytes.Equal(now, before) {
			t.Errorf("%q under the name before Commit", now)
		}
		if err := o.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := o.Close(); err != nil {
			t.Error(err)
		}
		got, err := os.ReadFile(path)
		if string(got) != "one two" || err != nil || len(names(t, dir)) != 1 {
			t.Errorf("%q, %v, and %q in the folder", got, err, names(t, dir))
		}
		if st, _ := os.Stat(path); runtime.GOOS != "windows" && st.Mode() != 0o600 {
			t.Errorf("mode %v", st.Mode())
		}
	}
	if err := WriteFile(t.Context(), path, nil, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file that is there: %v", err)
	}
}

// TestOutputRefuses: inputs by any name, folders, devices and existing files are refused, at once and
// again at the end.
func TestOutputRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	input := at("core")
	if err := os.WriteFile(input, []byte("input"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Link(input, at("hard")), os.Symlink("core", at("soft")),
		os.Symlink("nothing", at("dangling"))); err != nil {
		t.Skip(err)
	}
	for path, want := range map[string]error{
		input: ErrInput, at("hard"): ErrInput, at("soft"): ErrInput, dir: ErrNotRegular, os.DevNull: ErrNotRegular,
	} {
		for _, force := range []bool{false, true} {
			if _, err := Create(t.Context(), path, force, at("missing"), input); !errors.Is(err, want) {
				t.Errorf("Create(%s, %v): %v, want %v", path, force, err, want)
			}
		}
		if path == os.DevNull || path == dir {
			continue
		}
		if _, err := Append(path, input); !errors.Is(err, want) {
			t.Errorf("Append(%s): %v", path, err)
		}
	}
	if _, err := Create(t.Context(), at("dangling"), false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a link to nothing: %v", err)
	}
	for _, force := range []bool{false, true} {
		late, err := Create(t.Context(), at("late"), force)
		if err != nil {
			t.Fatal(err)
		}
		os.Link(input, at("late"))
		if err := late.Keep(input); !errors.Is(err, ErrInput) {
			t.Errorf("Keep: %v", err)
		}
		if err := late.Commit(); !errors.Is(err, ErrInput) {
			t.Errorf("Commit: %v", err)
		}
		os.Remove(at("late"))
	}
	if got, _ := os.ReadFile(input); string(got) != "input" || len(names(t, dir)) != 4 {
		t.Errorf("the input is now %q, in %q", got, names(t, dir))
	}
}

// TestOutputEnds: an output whose context ends leaves nothing, whether it had a name or not.
func TestOutputEnds(t *testing.T) {
	for _, make := range []func(dir, base string) (*os.File, string, error){unnamed, named} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		o, err := Create(ctx, filepath.Join(dir, "out"), false)
		if err != nil {
			t.Fatal(err)
		}
		o.drop()
		if o.f, o.name, err = make(dir, "out"); err != nil {
			t.Fatal(err)
		}
		o.Write([]byte("half of it"))
		cancel()
		if err := o.Commit(); !errors.Is(err, context.Canceled) {
			t.Errorf("Commit: %v", err)
		}
		if _, err := o.Write([]byte("more")); !errors.Is(err, context.Canceled) {
			t.Errorf("Write: %v", err)
		}
		if left := names(t, dir); len(left) != 0 {
			t.Errorf("%q is left", left)
		}
	}
}

// TestOutputNamed commits outputs as systems without unnamed files do.
func TestOutputNamed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	for i, force := range []bool{false, true, false} {
		o, err := Create(t.Context(), path, true)
		if err != nil {
			t.Fatal(err)
		}
		o.drop()
		o.force = force
		if o.f, o.name, err = named(dir, "out"); err != nil {
			t.Fatal(err)
		}
		o.Write([]byte{byte(i)})
		if err := o.Commit(); errors.Is(err, fs.ErrExist) != (i == 2) || err != nil && i < 2 {
			t.Errorf("Commit %d: %v", i, err)
		}
		if got, _ := os.ReadFile(path); len(names(t, dir)) != 1 || int(got[0]) != min(i, 1) {
			t.Errorf("after Commit %d: %q, in %q", i, got, names(t, dir))
		}
	}
}

// TestOutputCopied: a file that cannot be linked to is copied.
func TestOutputCopied(t *testing.T) {
	for _, force := range []bool{false, true} {
		dir := t.TempDir()
		o, err := Create(t.Context(), filepath.Join(dir, "out"), force)
		if err != nil {
			t.Fatal(err)
		}
		o.Write([]byte("all of it"))
		if err := o.copy(); err != nil {
			t.Fatal(err)
		}
		if err := o.Commit(); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(o.path); string(got) != "all of it" || len(names(t, dir)) != 1 {
			t.Errorf("%q, in %q", got, names(t, dir))
		}
	}
}

func TestAppend(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "log")
	for range 2 {
		f, err := Append(path)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString("line\n")
		f.Close()
	}
	if got, _ := os.ReadFile(path); string(got) != "line\nline\n" {
		t.Errorf("appended %q", got)
	}
	if st, _ := os.Stat(path); runtime.GOOS != "windows" && st.Mode() != 0o600 {
		t.Errorf("mode %v", st.Mode())
	}
	binary := filepath.Join(dir, "binary")
	os.WriteFile(binary, []byte("\x7fELF\x02\x01\x01\x00"), 0o600)
	if _, err := Append(binary); err == nil {
		t.Error("appended to what is not text")
	}
	if _, err := Append(os.DevNull); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a device: %v", err)
	}
}

func TestScratch(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s, err := NewScratch()
	if err != nil {
		t.Fatal(err)
	}
	if left := names(t, dir); runtime.GOOS != "windows" && len(left) != 0 {
		t.Errorf("a scratch file is called %q", left)
	}
	if _, err := s.WriteString("x"); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil || len(names(t, dir)) != 0 {
		t.Errorf("Close: %v, and %q is left", err, names(t, dir))
	}
}

// TestSpoolHasNoName: while a core is unpacked, the folder for temporary files has no file that a dying
// process could leave there.
func TestSpoolHasNoName(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is open has a name")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var seen []string
	r := readerFunc(func(p []byte) (int, error) {
		seen = append(seen, names(t, dir)...)
		return copy(p, "data"), io.EOF
	})
	src, err := spool(r, &counter{r: r}, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	if src.Size() != 4 {
		t.Errorf("it has %d bytes", src.Size())
	}
	if err := src.Close(); err != nil {
		t.Error(err)
	}
	if seen = append(seen, names(t, dir)...); len(seen) != 0 {
		t.Errorf("it was called %q", seen)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
