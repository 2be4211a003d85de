//go:build unix

package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"coredbg/core"
)

// makeTree makes a sysroot with links of all kinds, and a file outside of it.
func makeTree(t *testing.T) (root, outside string) {
	t.Helper()
	top := t.TempDir()
	root, outside = filepath.Join(top, "root"), filepath.Join(top, "outside")
	for path, text := range map[string]string{
		"outside/secret": "outside", "outside/usr/lib/libx.so": "outside",
		"root/usr/lib/libx.so": "inside", "root/opt/liby.so": "opt", "root/secret": "decoy",
	} {
		path = filepath.Join(top, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
			os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"lib":               "usr/lib",
		"lib64":             "/usr/lib",
		"usr/lib/liby.so":   "/opt/liby.so",
		"usr/lib/libup.so":  "../../../../../../../../opt/liby.so",
		"usr/lib/leak.so":   filepath.Join(outside, "secret"),
		"usr/lib/leak2.so":  "../../../outside/secret",
		"folder":            outside,
		"usr/lib/loop.so":   "loop.so",
		"usr/lib/status.so": "/proc/self/status",
		"usr/lib/zero.so":   "/dev/zero",
	} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(root, "usr/lib/fifo.so"), 0o644); err != nil {
		t.Fatal(err)
	}
	return root, outside
}

// TestBoundsRoot opens files of a root: links lead to places in it, and only regular files are opened.
func TestBoundsRoot(t *testing.T) {
	root, outside := makeTree(t)
	b := Bounds{Roots: []string{root}}
	for path, want := range map[string]string{
		root + "/usr/lib/libx.so":   "inside",
		root + "/lib/libx.so":       "inside",
		root + "/lib64/libx.so":     "inside",
		root + "/lib64/liby.so":     "opt",
		root + "/usr/lib/libup.so":  "opt",
		root + "/usr/lib/leak.so":   "file does not exist",
		root + "/usr/lib/leak2.so":  "file does not exist",
		root + "/folder/secret":     "file does not exist",
		root + "/usr/lib/loop.so":   "too many symbolic links",
		root + "/usr/lib/fifo.so":   "not a regular file",
		root + "/usr/lib/zero.so":   "file does not exist",
		root + "/usr/lib":           "not a regular file: it is a directory",
		root + "/usr/lib/status.so": "it is in /proc or /sys",
		outside + "/secret":         "outside the folders that were named",
		root + "/../outside/secret": "outside the folders that were named",
	} {
		got, err := read(b, path)
		if err != nil {
			got = err.Error()
		}
		if errors.Is(err, fs.ErrNotExist) {
			got = "file does not exist"
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", strings.TrimPrefix(path, root), got, want)
		}
	}
	// A root that is itself a link is the folder that it leads to.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	if got, err := read(Bounds{Roots: []string{link}}, link+"/lib64/libx.so"); got != "inside" {
		t.Errorf("root by a link: %q, %v", got, err)
	}
}

// TestBoundsNone opens paths of this machine: any regular file of a disk.
func TestBoundsNone(t *testing.T) {
	root, outside := makeTree(t)
	for path, want := range map[string]string{
		root + "/usr/lib/libx.so":   "inside",
		root + "/lib/libx.so":       "inside",
		root + "/usr/lib/leak.so":   "outside",
		root + "/folder/secret":     "outside",
		outside + "/secret":         "outside",
		root + "/usr/lib/fifo.so":   "not a regular file",
		root + "/usr/lib/zero.so":   "not a regular file",
		root + "/usr/lib/status.so": "it is in /proc or /sys",
		"/proc/self/maps":           "it is in /proc or /sys",
		"/usr/../proc/self/maps":    "it is in /proc or /sys",
	} {
		got, err := read(Bounds{}, path)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// read maps a file and returns its text. A file that is waited for fails the test
// by the time it takes.
func read(b Bounds, path string) (string, error) {
	type result struct {
		text string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		src, err := b.Map(path)
		if err != nil {
			done <- result{"", err}
			return
		}
		defer src.Close()
		text, err := core.SourceSlice(src, 0, int(src.Size()))
		done <- result{string(text), err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-time.After(10 * time.Second):
		return "", errors.New("it hangs")
	}
}
