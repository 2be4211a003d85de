package coredbg

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fileName is the name of a file in a package comment, or a pattern of several: size*.go. Those of upstream
// have a path.
var fileName = regexp.MustCompile(`[^/a-z0-9_]([a-z0-9_]+\*?\.go)\b`)

// TestFileMaps holds the maps of files in package comments to the files: a map has all of them, and no other.
func TestFileMaps(t *testing.T) {
	maps := 0
	for _, root := range []string{"core", "crash", "runtimes", "stack", "walk"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.Name() != "doc.go" {
				return err
			}
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			var named []string
			for _, m := range fileName.FindAllStringSubmatch(string(b), -1) {
				named = append(named, m[1])
			}
			if len(named) > 0 {
				maps++
				checkMap(t, filepath.Dir(path), named)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if maps < 50 {
		t.Errorf("%d packages have a map of their files", maps)
	}
}

// checkMap compares the names that the map of a package has with its files.
func checkMap(t *testing.T, dir string, named []string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, f := range files {
		f = filepath.Base(f)
		found := f == "doc.go" || strings.HasSuffix(f, "_test.go")
		for _, n := range named {
			if ok, _ := filepath.Match(n, f); ok {
				found, used[n] = true, true
			}
		}
		if !found {
			t.Errorf("the map of %s lacks %s", dir, f)
		}
	}
	for _, n := range named {
		if !used[n] {
			t.Errorf("the map of %s has %s, which is not there", dir, n)
		}
	}
}
