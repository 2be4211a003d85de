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
	inRoot, searched, beside := put("root/app/a.jar", "root"), put("search/app/a.jar", "search"),
		put("beside/a.jar", "beside")
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

// TestWithin: a path that nothing proves is opened only in the folders of the want, wherever links
// lead, and where the user looks for files.
func TestWithin(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"build/a.c", "etc/shadow", "search/etc/shadow"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(at(name)), 0o755),
			os.WriteFile(at(name), []byte(name), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(at("etc/shadow"), at("build/link.c")); err != nil {
		t.Skip(err)
	}
	build := []string{at("build")}
	for _, c := range []struct {
		what    string
		disk    Disk
		path    string
		within  []string
		from    string
		refused int
	}{
		{"inside", Disk{}, at("build/a.c"), build, at("build/a.c"), 0},
		{"outside", Disk{}, at("etc/shadow"), build, "", 1},
		{"up and out", Disk{}, at("build") + "/../etc/shadow", build, "", 1},
		{"a link out", Disk{}, at("build/link.c"), build, "", 0},
		{"the root allows nothing", Disk{}, at("etc/shadow"), []string{"/", "", "."}, "", 1},
		{"no folder", Disk{}, at("build/a.c"), []string{}, "", 1},
		{"any folder", Disk{}, at("etc/shadow"), nil, at("etc/shadow"), 0},
		{"the second folder", Disk{}, at("build/a.c"), []string{at("none"), at("build")}, at("build/a.c"), 0},
		{"named by the user", Disk{Search: []string{at("search")}}, "/etc/shadow", build, at("search/etc/shadow"), 0},
		{"in the sysroot", Disk{Sysroot: at("search")}, "/etc/shadow", build, at("search/etc/shadow"), 0},
	} {
		got := c.disk.Find(t.Context(), Want{Kind: Data, Path: c.path, Within: c.within})
		if got.From != c.from || len(got.Refused) != c.refused {
			t.Errorf("%s: %q, refused %v", c.what, got.From, got.Refused)
		}
		if got.Source != nil {
			got.Source.Close()
		}
	}
}
