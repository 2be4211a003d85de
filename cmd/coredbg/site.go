package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
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
	to, err := file.NewFolder(folder, force, sitePages.MatchString)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%s is not empty (-force replaces a site)", filepath.Clean(folder))
	}
	if err != nil {
		return err
	}
	defer to.Close()
	site := triage.Site{Bugs: bugs, Now: system.Now(),
		Report: func(core string) string { return reportOf(folder, core) }}
	err = site.Write(func(name string, content func(io.Writer) error) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return to.Write(name, content)
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	return to.Commit()
}

// reportOf returns a link from a folder to the report of a core, which is next to the core, or in the folder
// "reports" next to the site; "" if there is none.
func reportOf(folder, core string) string {
	for _, path := range []string{core + ".html", filepath.Join(filepath.Dir(folder), "reports",
		filepath.Base(core)+".html")} {
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
