package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"

	"coredbg/cmd/coredbg/cmdline"
	"coredbg/core/file"
	"coredbg/triage"
)

// sitePages matches the names of a site's files.
var sitePages = regexp.MustCompile(`^(index|bug-[0-9a-f]{16})\.html$`)

// writeSite writes the site of bugs to a folder, which appears whole or not at all. One that is there is replaced with
// force, if it holds a site and no other file.
func writeSite(ctx context.Context, bugs []*triage.Bug, folder string, force bool) error {
	folder = filepath.Clean(folder)
	old, err := os.ReadDir(folder)
	there := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range old {
		if !force {
			return fmt.Errorf("%s is not empty (-force replaces a site)", folder)
		}
		if !sitePages.MatchString(e.Name()) {
			return fmt.Errorf("%s holds %s, which is no page of a site: it is not replaced", folder, e.Name())
		}
	}
	next, err := os.MkdirTemp(filepath.Dir(folder), "."+filepath.Base(folder)+"-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(next) // what is left if it has not become the folder
	site := triage.Site{Bugs: bugs, Now: system.Now(), Report: func(core string) string { return reportOf(folder, core) }}
	err = site.Write(func(name string, content func(io.Writer) error) error {
		to, err := file.Create(ctx, filepath.Join(next, name), false)
		if err != nil {
			return err
		}
		defer to.Close()
		if err := content(to); err != nil {
			return err
		}
		return to.Commit()
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	if there {
		was := next + ".old"
		if err := os.Rename(folder, was); err != nil {
			return err
		}
		if err := os.Rename(next, folder); err != nil {
			return errors.Join(err, os.Rename(was, folder))
		}
		return os.RemoveAll(was)
	}
	return os.Rename(next, folder)
}

// reportOf returns a link from a folder to the report of a core, which is next to the core, or in the folder "reports" next to
// the site; "" if there is none.
func reportOf(folder, core string) string {
	for _, path := range []string{core + ".html", filepath.Join(filepath.Dir(folder), "reports", filepath.Base(core)+".html")} {
		if !cmdline.Exists(path) {
			continue
		}
		from, err := filepath.Abs(folder)
		if err != nil {
			return ""
		}
		to, err := filepath.Abs(path)
		if err != nil {
			return ""
		}
		rel, err := filepath.Rel(from, to)
		if err != nil {
			return ""
		}
		return "./" + (&url.URL{Path: filepath.ToSlash(rel)}).EscapedPath()
	}
	return ""
}
