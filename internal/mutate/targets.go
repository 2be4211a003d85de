package main

import (
	"path/filepath"
)

// A target is tables and the tests that can notice a change in them.
type target struct {
	sites  func() ([]site, error)
	layout string // the package of the tables
	// config is the Go text of a function that yields, for each layout that may be made,
	// a name and its numbers.
	config string
	stages []stage
}

// A stage is a test binary with the tests of it that count, or, without a package, corpus check
// with the cases that do.
type stage struct {
	pkg, run string
	skip     string
	cases    []string
}

const (
	v8Layout  = "runtimes/v8/layout"
	artLayout = "runtimes/art/layout"
)

var targets = map[string]*target{
	"v8":     {sites: v8Sites, layout: v8Layout, config: v8Configs, stages: v8Stages},
	"tables": {sites: tableSites, layout: v8Layout, config: v8Configs, stages: v8Stages},
	"art":    {sites: artSites, layout: artLayout, config: artConfigs, stages: artStages},
}

// slow are the tests of runtimes/v8 that try every version on every image.
const slow = "TestRecognize|TestUndecoded|TestDuplicateStrings"

var v8Stages = []stage{
	{pkg: v8Layout},
	{pkg: "runtimes/v8/code"},
	{pkg: "runtimes/v8/text"},
	{pkg: "runtimes/v8/object"},
	{pkg: "runtimes/v8/amend"},
	{pkg: "runtimes/v8/frame"},
	{pkg: "runtimes/v8/page"},
	{pkg: "runtimes/v8/heap"},
	{pkg: "runtimes/v8/inspect"},
	{pkg: "runtimes/v8/eval"},
	{pkg: "runtimes/v8/source"},
	{pkg: "runtimes/v8/bytecode"},
	{cases: []string{"node-*"}},
	{pkg: "commands/js"},
	{pkg: "commands/js/console"},
	{pkg: "commands/js/frames"},
	{pkg: "runtimes/v8", skip: slow},
	{pkg: "cmd/coredbg", run: "TestScript/^(js|heap|lean|status|values|words|diff|analyze|jslocals|triage)"},
	{pkg: "internal/e2e", run: "TestCorpus"},
	{pkg: "runtimes/v8", run: slow},
	{pkg: "cmd/coredbg", run: "TestExamples|TestReadme"},
}

var artStages = []stage{
	{pkg: artLayout},
	{pkg: "runtimes/art/object"},
	{pkg: "runtimes/art/frame"},
	{pkg: "runtimes/art/sync"},
	{pkg: "runtimes/java"},
	{pkg: "runtimes/art/oat"},
	{pkg: "runtimes/art/code"},
	{cases: []string{"art-*"}},
	{pkg: "commands/java"},
	{pkg: "runtimes/art"},
	{pkg: "cmd/coredbg", run: "TestScript/^(java|analyze|diff|heap|hprof|status|tombstone|values)"},
	{pkg: "internal/e2e", run: "TestARTCorpus|TestCorpus"},
	{pkg: "cmd/coredbg", run: "TestExamples|TestReadme"},
}

// v8Sites returns the numbers that are written by hand.
func v8Sites() ([]site, error) {
	var out []site
	for _, name := range []string{"tables.go", "objects.go", "traits.go"} {
		list, err := goSites(filepath.Join(v8Layout, name), steps)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	for _, name := range []string{"compressed.go", "seen.go", "types.go"} {
		list, err := goSites(filepath.Join(v8Layout, name), literals)
		if err != nil {
			return nil, err
		}
		for i := range list {
			list[i].hidden = name != "compressed.go"
		}
		out = append(out, list...)
	}
	return out, nil
}

// tableSites returns the constants of the generated tables.
func tableSites() ([]site, error) {
	files, err := filepath.Glob(filepath.Join(v8Layout, "tables", "*.tsv"))
	if err != nil {
		return nil, err
	}
	var out []site
	for _, name := range files {
		list, err := tsvSites(name)
		if err != nil {
			return nil, err
		}
		for i := range list {
			list[i].hidden = true // they have more readers than layouts
		}
		out = append(out, list...)
	}
	return out, nil
}

// artSites returns the numbers of ART's rows.
func artSites() ([]site, error) {
	var out []site
	for _, name := range []string{"tables.go", "mirror.go", "dex.go"} {
		list, err := goSites(filepath.Join(artLayout, name), rows)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// v8Configs is each minor version from the first to some after the last, with the constants of
// the nearest table of each variant in place of an image's constants. A version that has a table
// of its own comes once more, with its constants as symbols.
const v8Configs = `
	for major := 7; major <= 16; major++ {
		for minor := 0; minor <= 9; minor++ {
			v := V(major, minor)
			if v.Before(7, 4) || v.AtLeast(16, 0) {
				continue
			}
			for _, variant := range []Variant{{TaggedSize: 8}, {TaggedSize: 4}, {TaggedSize: 4, Sandbox: true}} {
				tables, err := Tables(variant, v)
				if err != nil || len(tables) == 0 {
					t.Fatal(v, variant, err)
				}
				c := Constants{Values: tables[0].Constants, Table: tables[0]}
				yield(fmt.Sprint(v, variant, " by ", tables[0].Version), New(v, c).Facts())
				if variant.TaggedSize == 8 && tables[0].Version == v {
					yield(fmt.Sprint(v, " by symbols"), New(v, Constants{Values: c.Values}).Facts())
				}
			}
		}
	}
`

// artConfigs is each SDK, width and library.
const artConfigs = `
	for sdk := OldestSDK; sdk <= NewestSDK; sdk++ {
		for _, width := range []int{4, 8} {
			for _, lib := range []Library{LibCxx, LibStdCxx} {
				l := NewLayout(sdk, width, lib)
				yield(l.String(), l.Facts())
			}
		}
	}
`
