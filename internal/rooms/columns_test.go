package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const maxColumns = 120

// TestColumns bounds the lines of all files of the module, and of the modules inside it.
func TestColumns(t *testing.T) {
	const root = "../.."
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if d.Name() == "testdata" || d.Name() != ".." && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		files++
		lines, err := wide(path, maxColumns)
		for _, n := range lines {
			t.Errorf("%s:%d has more than %d columns", path, n, maxColumns)
		}
		return err
	})
	if err != nil || files < 1000 {
		t.Errorf("%d files: %v", files, err)
	}
}

// TestWide: code and prose count, with a tab of four columns; texts and tables do not.
func TestWide(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	long := strings.Repeat("x", 45)
	text := "package p\n\n" +
		"// " + long + "\n" +
		"//\t" + long + "\n" +
		"var a = \"" + long + "\"\n" +
		"var b = `\n" + long + "`\n" +
		"var " + long + " = 1\n" +
		"func f() {\n\t\t" + strings.Repeat("x", 33) + "()\n}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := wide(path, 40)
	if want := []int{3, 8, 10}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("lines %v, %v, want %v", got, err, want)
	}
	if _, err := wide(path+"x", 40); err == nil {
		t.Error("a file that is not there")
	}
}
