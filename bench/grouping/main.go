// Command grouping measures how well cores are grouped by bug: it writes programs with
// seeded bugs in C, C++, Rust and Go, builds each in many ways, lets every bug kill a
// process in many variants, and compares the groups of our signatures, and of the rules
// of others, with the bugs that were seeded.
//
//	main.go      flags, and the work, which is taken up where it was left
//	names.go     names of functions, by chance
//	c.go cxx.go rust.go golang.go   bugs of a language: what they do, in functions of their own
//	builds.go    compilers, levels of optimisation, libraries, and what else differs
//	variant.go   one core: depth, threads, way, and what is damaged of it
//	table.go     purity and completeness
//
// A core is read as soon as it is there, packed into a bundle if these are to be kept, and
// removed: what remains is a line of triage for each.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"coredbg/core/file"
	"coredbg/triage"
)

var (
	dir      = flag.String("dir", "", "build programs, and write lines.ndjson, in this `folder`")
	bundles  = flag.String("bundles", "", "keep a bundle of each core in this `folder`")
	variants = flag.Int("variants", 50, "how many cores a bug has")
	every    = flag.Int("every", 1, "of the bugs take each one of so many")
	jobs     = flag.Int("j", 2, "make so many cores at a time")
	seed     = flag.Uint64("seed", 1, "what the programs are made by")
	only     = flag.Bool("table", false, "print the table of what there is, and make no core")
	again    = flag.Bool("again", false, "read the bundles that were kept anew, instead of making cores")
	sign     = flag.Bool("sign", false, "sign what there is by the rules of today, but for recursions")
	wrong    = flag.Bool("wrong", false, "print the signatures of bugs that are split or merged")
)

func main() {
	flag.Parse()
	if err := run(context.Background()); err != nil {
		log.Fatal("grouping: ", err)
	}
}

// A Row is the line of one core, and which it is.
type Row struct {
	Bug, Kind, Build string
	Variant          int
	Damage           string
	Line             *triage.Line
}

func run(ctx context.Context) error {
	if *dir == "" {
		return fmt.Errorf("-dir says where to work")
	}
	folder, err := filepath.Abs(*dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	rowsFile := filepath.Join(folder, "lines.ndjson")
	if *again {
		rowsFile = filepath.Join(folder, "again.ndjson")
	}
	rows, err := read(rowsFile)
	if err != nil {
		return err
	}
	if !*only {
		if rows, err = work(ctx, folder, rowsFile, rows); err != nil {
			return err
		}
	}
	if *sign {
		resign(rows)
	}
	table(os.Stdout, rows, *wrong)
	return nil
}

// work makes the cores of which there is no row yet.
func work(ctx context.Context, folder, rowsFile string, rows []*Row) ([]*Row, error) {
	done := map[string]bool{}
	for _, r := range rows {
		done[fmt.Sprintf("%s.%d", r.Bug, r.Variant)] = true
	}
	var todo []*variant
	for _, l := range languages(*seed) {
		built, err := l.build(ctx, folder)
		if err != nil {
			return nil, err
		}
		for i := 0; i < len(l.bugs); i += *every {
			for n := range *variants {
				if v := newVariant(l, &l.bugs[i], built, n); !done[v.name()] {
					todo = append(todo, v)
				}
			}
		}
	}
	// Of what was interrupted, each bug is to have as many as the others.
	slices.SortStableFunc(todo, func(a, b *variant) int { return a.n - b.n })
	to, err := file.Append(rowsFile)
	if err != nil {
		return nil, err
	}
	defer to.Close()
	var all sync.WaitGroup
	var lock sync.Mutex
	next := make(chan *variant)
	enc := json.NewEncoder(to)
	for j := range *jobs {
		all.Go(func() {
			at := filepath.Join(folder, fmt.Sprintf("job%d", j))
			for v := range next {
				r, err := v.row(ctx, at)
				if err != nil {
					log.Printf("%s on %s: %v", v.name(), v.build.name, err)
					continue
				}
				lock.Lock()
				rows = append(rows, r)
				enc.Encode(r)
				lock.Unlock()
			}
		})
	}
	for i, v := range todo {
		if i%500 == 0 {
			log.Printf("%d of %d", i, len(todo))
		}
		next <- v
	}
	close(next)
	all.Wait()
	return rows, nil
}

// read returns the rows of an earlier run, but for a last one that is not whole.
func read(path string) ([]*Row, error) {
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows []*Row
	in := bufio.NewReader(f)
	for {
		b, err := in.ReadBytes('\n')
		if err != nil {
			return rows, nil
		}
		r := &Row{}
		if json.Unmarshal(b, r) == nil && r.Line != nil {
			rows = append(rows, r)
		}
	}
}
