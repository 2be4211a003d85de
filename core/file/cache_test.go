package file

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// entries returns the files of a folder.
func entries(t *testing.T, dir string) (out []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "index")
	c := &Cache{Dir: dir}
	if c.Get("abc.names") != nil {
		t.Error("a folder that is not there has a file")
	}
	c.Put("abc.names", []byte("one, "), []byte("two"))
	c.Put("../abc", []byte("out of it"))
	c.Put("a/b", []byte("below it"))
	c.Put(".abc", []byte("hidden"))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if got := entries(t, dir); !slices.Equal(got, []string{"abc.names.cached"}) {
		t.Fatalf("it has %q", got)
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "abc.names.cached"): 0o600} {
			if st, err := os.Stat(path); err != nil || st.Mode().Perm() != want {
				t.Errorf("%s: %v, %v", path, st.Mode(), err)
			}
		}
	}
	c = &Cache{Dir: dir}
	defer c.Close()
	got := c.Get("abc.names")
	if string(got) != "one, two" || c.Get("abc") != nil || c.Get("") != nil || c.Get("../index/abc.names") != nil {
		t.Errorf("%q", got)
	}
	// Who has read a file is not disturbed by its next version.
	c.Put("abc.names", []byte("three"))
	c.writing.Wait()
	if string(got) != "one, two" || string(c.Get("abc.names")) != "three" {
		t.Errorf("%q, %q", got, c.Get("abc.names"))
	}
}

// TestCacheBounds: files unused for longest go first, and files that the cache did not write stay.
func TestCacheBounds(t *testing.T) {
	dir := t.TempDir()
	other, left, new := filepath.Join(dir, "notes.txt"), filepath.Join(dir, ".old.cached.1"),
		filepath.Join(dir, ".new.cached.2")
	for _, path := range []string{other, left, new} {
		if err := os.WriteFile(path, make([]byte, 100), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-time.Hour * 24)
	for _, path := range []string{other, left} {
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	c := &Cache{Dir: dir, Max: 30, MaxFile: 20, Now: time.Now}
	for i := range 3 {
		name := string(rune('a' + i))
		c.Put(name, make([]byte, 10))
		c.writing.Wait()
		at := long.Add(time.Duration(i) * time.Hour)
		if err := os.Chtimes(filepath.Join(dir, name+cached), at, at); err != nil {
			t.Fatal(err)
		}
	}
	c.Get("a") // now b is the one that was not used for longest
	c.Put("large", make([]byte, 21))
	c.Put("d", make([]byte, 10))
	c.Close()
	if got := entries(t, dir); !slices.Equal(got, []string{".new.cached.2", "a.cached", "c.cached", "d.cached",
		"notes.txt"}) {
		t.Errorf("it has %q", got)
	}
}

// TestCacheOthers: the cache does not read a file that others may write, or that is not regular.
func TestCacheOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing there")
	}
	dir := t.TempDir()
	c := &Cache{Dir: dir}
	c.Put("a", []byte("x"))
	c.Close()
	path := filepath.Join(dir, "a"+cached)
	for _, step := range []struct {
		path string
		mode os.FileMode
		want bool
	}{{dir, 0o700, true}, {dir, 0o770, false}, {dir, 0o755, true}, {path, 0o602, false}, {path, 0o644, true}} {
		if err := os.Chmod(step.path, step.mode); err != nil {
			t.Fatal(err)
		}
		if got := c.Get("a"); (got != nil) != step.want {
			t.Errorf("%s with mode %o: %q", step.path, step.mode, got)
		}
	}
	for _, at := range []string{dir, path} {
		if st, err := os.Lstat(at); err != nil || !oursAlone(st) || ours(st, os.Geteuid()+1) {
			t.Errorf("%s: whose it is: %v", at, err)
		}
		if os.Geteuid() == 0 { // the folder, or the file in it, is made another user's
			if err := os.Lchown(at, 12345, -1); err != nil {
				t.Fatal(err)
			}
			if got := c.Get("a"); got != nil {
				t.Errorf("%s of another user: %q", at, got)
			}
			c.Put("d", []byte("x"))
			if _, err := os.Stat(filepath.Join(dir, "d"+cached)); at == dir && err == nil {
				t.Error("a file was kept in a folder of another user")
			}
			if err := os.Lchown(at, 0, -1); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Symlink(path, filepath.Join(dir, "b"+cached)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "c"+cached), 0o700); err != nil {
		t.Fatal(err)
	}
	if c.Get("b") != nil || c.Get("c") != nil {
		t.Error("a link or a folder is read")
	}
	c.Close()
}

// TestCacheReadOnly: what cannot be written is not kept, and nothing else happens.
func TestCacheReadOnly(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{file, filepath.Join(file, "below"), "/proc/nowhere"} {
		c := &Cache{Dir: where}
		c.Put("a", []byte("x"))
		if err := c.Close(); err != nil || c.Get("a") != nil {
			t.Errorf("%s: %v", where, err)
		}
	}
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		return // who may write anywhere
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	c := &Cache{Dir: dir}
	c.Put("a", []byte("x"))
	if err := c.Close(); err != nil || c.Get("a") != nil {
		t.Error(err)
	}
}

// TestCacheProcesses has two processes write and read the same names: what is read is always whole.
func TestCacheProcesses(t *testing.T) {
	const env = "COREDBG_TEST_CACHE"
	if dir := os.Getenv(env); dir != "" {
		c := &Cache{Dir: dir, Max: 3 << 19, MaxFile: 1 << 20}
		for i := range 60 {
			name := fmt.Sprint("n", i%3)
			c.Put(name, bytes.Repeat([]byte{byte(os.Getpid())}, 1<<19))
			if got := c.Get(name); got != nil && (len(got) != 1<<19 || bytes.Count(got, got[:1]) != len(got)) {
				t.Fatal("half a file was read")
			}
		}
		c.Close()
		return
	}
	dir := t.TempDir()
	var all []*exec.Cmd
	for range 2 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestCacheProcesses$")
		cmd.Env = append(os.Environ(), env+"="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	for _, name := range entries(t, dir) {
		if st, err := os.Stat(filepath.Join(dir, name)); err != nil || st.Size() != 1<<19 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
