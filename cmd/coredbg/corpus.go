package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"coredbg"
	"coredbg/cmd/coredbg/cmdline"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core/file"
	"coredbg/corpus"
	"coredbg/triage"
)

const (
	corpusSynopsis = `usage: coredbg corpus add [flags] [executable] core
       coredbg corpus check [flags] [case ...]
       coredbg corpus update [flags] case ...
       coredbg corpus clean [flags]
`
	corpusAbout = `Regression over cores. add makes a bundle of a core and a case: a small file of JSON
that names the bundle by its checksum and has today's stacks and verdict, and who says
that they are right. check reads the bundles again and shows what changed, frame by
frame; update takes that over; clean removes bundles that were fetched. Bundles lie
next to their cases, in the folders of -bundles, or on its servers, as
NAME.cdb or SHA256.cdb. check exits with 1 if a case has changed, 3 if a bundle is missing.
`
)

// corpusPage is the help of "coredbg corpus".
var corpusPage = cmdline.Page{Synopsis: corpusSynopsis, About: corpusAbout,
	Example: "  coredbg corpus add -witness 'the program printed it' core.1234\n  coredbg corpus check -dir cases\n",
	Often:   []string{"dir", "witness"}}

// corpusFlags are the flags of "coredbg corpus".
type corpusFlags struct {
	triageFlags
	verb, dir, name, witness, cache string
	places                          []string
	bundle                          coredbg.BundleOptions
	json, force                     bool
	operands                        []string
}

// runCorpus is "coredbg corpus".
func runCorpus(args []string, _ opener, _ *os.File, stdout, stderr *out.Terminal) int {
	f, err := parseCorpus(args, stdout, stderr)
	return perform(err, stderr, func(ctx context.Context) error {
		if err := f.checkRecipes(stderr); err != nil {
			return err
		}
		switch f.verb {
		case "add":
			return f.add(ctx, stdout, stderr)
		case "clean":
			return f.clean(stdout)
		}
		return f.check(ctx, f.verb == "update", stdout)
	})
}

func parseCorpus(args []string, stdout, stderr io.Writer) (*corpusFlags, error) {
	f := &corpusFlags{triageFlags: triageFlags{format: caseFormat, steady: true}}
	set := flag.NewFlagSet("coredbg corpus", flag.ContinueOnError)
	set.StringVar(&f.dir, "dir", ".", "the `folder` of the cases")
	set.StringVar(&f.name, "name", "", "add: the `name` of the case; without it the name of the core's file")
	set.StringVar(&f.witness, "witness", "", "add, update: the witness for the stacks, in a `sentence`")
	set.BoolVar(&f.force, "force", false, "add: replace a case that is there; without -witness it keeps the former one")
	takeFlags(set, &f.bundle)
	set.Func("bundles", "look for bundles in this `place`, too: a folder, or a URL of http or https; may be repeated",
		func(s string) error {
			f.places = append(f.places, s)
			return nil
		})
	set.StringVar(&f.cache, "cache", "", "keep fetched bundles in `folder`; without it in one of the user's cache")
	set.IntVar(&f.jobs, "j", runtime.NumCPU(), "check: read `N` bundles at a time")
	set.BoolVar(&f.json, "json", false, "check: print one JSON object a case")
	limitFlags(set, &f.triageFlags)
	openFlags(set, &f.flags)
	f.given = cmdline.Note(set)
	operands, err := cmdline.Parse(set, args, &corpusPage, stdout, stderr)
	if err != nil {
		return nil, err
	}
	if len(operands) > 0 {
		f.verb, f.operands = operands[0], operands[1:]
	}
	switch f.verb {
	case "add":
		err = f.flags.operands(f.operands)
	case "update":
		if len(f.operands) == 0 {
			err = errors.New("which cases? Look at what check shows first")
		}
	case "check", "clean":
	case "":
		err = errors.New("add, check, update or clean?")
	default:
		err = fmt.Errorf("add, check, update or clean, not %q", f.verb)
	}
	if err != nil {
		cmdline.Mistake(set, err, corpusSynopsis, stderr)
	}
	return f, err
}

// store returns where the bundles are.
func (f *corpusFlags) store() *corpus.Store {
	if f.cache == "" {
		if dir, err := os.UserCacheDir(); err == nil {
			f.cache = filepath.Join(dir, "coredbg", "bundles")
		}
	}
	return &corpus.Store{Dir: f.dir, Places: f.places, Cache: f.cache}
}

// add makes a bundle and its case.
func (f *corpusFlags) add(ctx context.Context, stdout, stderr *out.Terminal) (err error) {
	name := cmp.Or(f.name, strings.TrimSuffix(filepath.Base(f.core), ".cdb"))
	if err := corpus.CheckName(name); err != nil {
		return fmt.Errorf("%w (-name gives it another)", err)
	}
	if err := os.MkdirAll(f.dir, 0o777); err != nil {
		return err
	}
	path := filepath.Join(f.dir, name+".cdb")
	if file.Distinct(path, f.core) == nil { // else its bundle is where it should be
		o := &bundleFlags{BundleOptions: f.bundle, target: target{path: path, force: f.force}}
		if err := writeBundle(ctx, &f.flags, o, nil, out.NewTerminal(io.Discard), stderr); err != nil {
			return err
		}
		defer func() {
			if err != nil && !f.force { // a bundle without its case is none of the corpus
				err = errors.Join(err, os.Remove(path))
			}
		}()
	}
	empty := &corpus.Case{Name: name, Witness: f.witness}
	if f.witness == "" && f.force { // it says the same of the new bundle
		if all, err := corpus.Load(f.dir); err == nil {
			if was, err := corpus.Named(all, []string{name}); err == nil {
				empty.Witness = was[0].Witness
			}
		}
	}
	return f.runner().Run(ctx, []string{path}, func(got *triage.Result) error {
		now, err := empty.Made(got)
		if err == nil {
			err = now.Write(ctx, f.dir, f.force)
		}
		if err == nil {
			fmt.Fprintf(stdout, "added %s: %s (%d threads)\n", name, now.Verdict.Title, len(now.Threads)+now.More)
		}
		return err
	})
}

// check shows what changed, and takes it over if that is wanted.
func (f *corpusFlags) check(ctx context.Context, update bool, stdout *out.Terminal) error {
	all, err := corpus.Load(f.dir)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("no cases in %s", f.dir)
	}
	if err == nil {
		all, err = corpus.Named(all, f.operands)
	}
	if err != nil {
		return err
	}
	w := out.NewWriter(stdout)
	count := map[string]int{}
	err = corpus.Check(ctx, f.runner(), f.store(), all, func(c *corpus.Checked) error {
		count[c.Status]++
		if now := c.Now(); update && now != nil {
			now.Witness = cmp.Or(f.witness, now.Witness)
			if err := now.Write(ctx, f.dir, true); err != nil {
				return err
			}
		}
		switch {
		case f.json:
			return w.JSON(c)
		case c.Status != corpus.Same:
			return commands.WriteText(w, c)
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case !f.json:
		fmt.Fprintf(stdout, "%d cases: %d same, %d changed, %d missing, %d failed\n", len(all), count[corpus.Same],
			count[corpus.Changed], count[corpus.Missing], count[corpus.Unread])
	}
	switch {
	case count[corpus.Changed] > 0 && !update || count[corpus.Unread] > 0:
		return errChanged
	case count[corpus.Missing] > 0:
		return errUnread
	}
	return nil
}

// clean removes fetched bundles.
func (f *corpusFlags) clean(stdout *out.Terminal) error {
	all, err := corpus.Load(f.dir)
	if err != nil {
		return err
	}
	n, bytes, err := f.store().Clean(all)
	fmt.Fprintf(stdout, "removed %d bundles, %d bytes\n", n, bytes)
	return err
}
