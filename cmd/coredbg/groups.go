package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"coredbg/cmd/coredbg/cmdline"
	"coredbg/cmd/coredbg/terminal"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/triage"
)

const (
	groupsSynopsis = `usage: coredbg groups [flags] file ...
`
	groupsAbout = `Shows which cores died of the same bug: files that coredbg triage has written (- is
standard input) become a table of bugs with how many cores each has, when the first and
the last was seen, how sure the cause is, and which core to look at.
`
)

// groupsPage is the help of "coredbg groups".
var groupsPage = cmdline.Page{Synopsis: groupsSynopsis, About: groupsAbout}

// groupsFlags are the flags of "coredbg groups".
type groupsFlags struct {
	json, all, across bool
	by, format        string
	older             []string
	color             string
	site              string // the folder of a site; "" for none
	force             bool
}

// runGroups is "coredbg groups".
func runGroups(args []string, _ opener, stdin *os.File, stdout, stderr *out.Terminal) int {
	f, files, err := parseGroups(args, stdout, stderr)
	return perform(err, stderr, func(ctx context.Context) error { return f.show(ctx, files, stdin, stdout, stderr) })
}

func parseGroups(args []string, stdout, stderr io.Writer) (f *groupsFlags, files []string, err error) {
	f = &groupsFlags{}
	set := flag.NewFlagSet("coredbg groups", flag.ContinueOnError)
	set.BoolVar(&f.json, "json", false, "print one JSON object a bug")
	set.BoolVar(&f.all, "v", false, "list all cores of each bug")
	set.BoolVar(&f.across, "across", false, "take what different programs died of for one bug, if the functions are the same")
	set.StringVar(&f.by, "by", string(triage.ByCoarse),
		"the `key` that groups cores by bug: coarse, of the cause and the first function, or fine, of up to five")
	set.Func("diff", "show what is new or gone since the run that wrote `file`; may be repeated", func(s string) error {
		f.older = append(f.older, s)
		return nil
	})
	set.StringVar(&f.format, "o", "text", "the `format`: text, or html for a page to look at")
	set.StringVar(&f.site, "html", "", "write a site of the bugs to the `folder`, a page for each")
	set.BoolVar(&f.force, "force", false, "replace a site that is there")
	set.StringVar(&f.color, "color", "auto", "`when` to use colour: auto, always or never")
	cmdline.Also(set, "o", "output")
	files, err = cmdline.Parse(set, args, &groupsPage, stdout, stderr)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case len(files) == 0:
		err = errors.New("which files of triage?")
	case f.by != string(triage.ByCoarse) && f.by != string(triage.ByFine):
		err = fmt.Errorf("-by is coarse or fine, not %q", f.by)
	case f.format != "text" && f.format != "html":
		err = fmt.Errorf("-o is text or html, not %q", f.format)
	}
	if err != nil {
		cmdline.Mistake(set, err, groupsSynopsis, stderr)
	}
	return f, files, err
}

// read returns the groups of files.
func (f *groupsFlags) read(files []string, stdin *os.File) (*triage.Groups, error) {
	g := &triage.Groups{By: triage.By(f.by), Across: f.across, Keep: f.all, Whole: f.site != ""}
	for _, name := range files {
		in := stdin
		if name != triage.Stdin {
			var err error
			if in, err = os.Open(name); err != nil {
				return nil, err
			}
		}
		err := g.Read(in, name)
		if in != stdin {
			in.Close()
		}
		if err != nil {
			return nil, err
		}
	}
	return g, nil
}

// show writes the bugs of files.
func (f *groupsFlags) show(ctx context.Context, files []string, stdin *os.File, stdout, stderr *out.Terminal) error {
	g, err := f.read(files, stdin)
	if err != nil {
		return err
	}
	bugs, rules := g.Bugs(), g.Rules()
	if len(f.older) > 0 {
		old, err := f.read(f.older, stdin)
		if err != nil {
			return err
		}
		all := len(bugs)
		bugs = triage.Diff(bugs, old.Bugs())
		fmt.Fprintf(stderr, "coredbg: %d bugs, %d of them or of the older run are new or gone\n", all, len(bugs))
		rules = append(rules, old.Rules()...)
	}
	for _, r := range rules {
		if r != rules[0] {
			fmt.Fprintf(stderr, "coredbg: some lines were made with version %d of the rules for signatures, others with %d: their keys do not compare\n", rules[0], r)
			break
		}
	}
	if f.site != "" {
		if err := writeSite(ctx, bugs, f.site, f.force); err != nil {
			return err
		}
		_, err := fmt.Fprintf(stdout, "wrote %s\n", filepath.Join(f.site, "index.html"))
		return err
	}
	if f.format == "html" {
		return triage.WriteHTML(stdout.File(), bugs)
	}
	colors, err := out.WantColor(f.color, terminal.Is(stdout.File()), system.Getenv)
	if err != nil {
		return err
	}
	w := out.NewBuffered(stdout)
	w.SetStyle(out.NewStyle(colors))
	for i, b := range bugs {
		switch {
		case f.json:
			err = w.JSON(b)
		case i == 0:
			commands.WriteHeader(w, b)
			err = commands.WriteText(w, b)
		default:
			err = commands.WriteText(w, b)
		}
		if err != nil {
			return err
		}
	}
	return w.Flush()
}
