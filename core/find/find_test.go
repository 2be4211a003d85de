package find

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"coredbg/core"
)

// have is a Finder of files of a kind by path; it refuses all others.
type have map[string]Kind

func (h have) Find(_ context.Context, w Want) Found {
	if k, ok := h[w.Path]; ok && k == w.Kind {
		return Found{Source: core.Bytes("x"), From: w.Path}
	}
	return Found{Refused: []error{errors.New("no " + w.Path)}}
}

func TestChain(t *testing.T) {
	c := Chain{have{"a": Image}, have{"b": Data}, have{"c": Image}}
	for _, tt := range []struct {
		want    Want
		found   bool
		refused int
	}{
		{Want{Path: "a"}, true, 0},
		{Want{Path: "a", Kind: Debug}, false, 3},
		{Want{Path: "b", Kind: Data}, true, 1},
		{Want{Path: "c"}, true, 2},
		{Want{Path: "d", Kind: Data}, false, 3},
	} {
		if got := c.Find(t.Context(), tt.want); (got.Source != nil) != tt.found || len(got.Refused) != tt.refused {
			t.Errorf("%+v: %+v", tt.want, got)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := c.Find(ctx, Want{Path: "c"}); got.Source != nil {
		t.Error("the chain goes on after the context's end")
	}
}

// TestDiskData looks for a file that proves itself in the places of a disk.
func TestDiskData(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	inRoot, searched, beside := put("root/app/a.jar", "root"), put("search/app/a.jar", "search"), put("beside/a.jar", "beside")
	named := put("app/a.jar", "named")
	root, search := filepath.Join(dir, "root"), []string{filepath.Join(dir, "search")}
	for _, c := range []struct {
		disk    Disk
		path    string
		text    string
		from    string
		refused int
	}{
		{Disk{Sysroot: root}, "/app/a.jar", "root", inRoot, 0},
		{Disk{Sysroot: root, Search: search}, "/app/a.jar (deleted)", "search", searched, 1},
		{Disk{Sysroot: root, Beside: filepath.Dir(beside)}, "/app/a.jar", "beside", "", 1},
		{Disk{Search: search, Beside: filepath.Dir(beside)}, "/x/app/a.jar", "beside", beside, 1},
		{Disk{}, named, "named", named, 0},
		{Disk{Sysroot: root}, named, "named", "", 0},
		{Disk{}, "", "named", "", 0},
	} {
		got := c.disk.Find(t.Context(), Want{Kind: Data, Path: c.path, Check: func(src core.Source) error {
			if b, err := core.SourceSlice(src, 0, len(c.text)); err != nil || string(b) != c.text {
				return errors.New("another file")
			}
			return nil
		}})
		if got.From != c.from || (got.Source != nil) != (c.from != "") || len(got.Refused) != c.refused {
			t.Errorf("%+v, %s: %+v", c.disk, c.path, got)
		}
		if got.Source != nil {
			got.Source.Close()
		}
	}
	if got := (&Disk{}).Find(t.Context(), Want{Kind: Image, Path: named}); got.Source != nil {
		t.Error("a disk without a format knows images")
	}
}
