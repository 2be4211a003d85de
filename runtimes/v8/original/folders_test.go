package original

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core/find"
	"coredbg/runtimes/v8/sourcemap"
)

// watched passes on what is asked for, and keeps it.
type watched struct {
	find.Disk
	asked []find.Want
}

func (w *watched) Find(ctx context.Context, want find.Want) find.Found {
	w.asked = append(w.asked, want)
	return w.Disk.Find(ctx, want)
}

// TestMapFolders: the source map that a script names is opened in the script's folder and the one above only:
// whoever wrote the script, or the core, chose the name.
func TestMapFolders(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(name))) }
	for _, name := range []string{"srv/app/dist/a.js.map", "srv/app/maps/a.js.map", "etc/passwd"} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), []byte(`{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}`),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	script := at("srv/app/dist/a.js")
	for url, opened := range map[string]bool{
		"a.js.map": true, "../maps/a.js.map": true, "file://" + at("srv/app/dist/a.js.map"): true,
		"file://" + at("etc/passwd"): false, "../../../etc/passwd": false, at("etc/passwd"): false,
	} {
		files := &watched{}
		s := &scriptMap{}
		New(nil, nil, files, nil).mapInFile(s, script, sourcemap.Resolve(script, url), nil)
		if (s.m != nil) != opened || s.refused == opened {
			t.Errorf("%s: map %v from %q, %v", url, s.m != nil, s.from, s.err)
		}
		if len(files.asked) != 1 || !slices.Equal(files.asked[0].Within, []string{at("srv/app/dist"), at("srv/app")}) {
			t.Errorf("%s: asked for %+v", url, files.asked)
		}
	}
}
