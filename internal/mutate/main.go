// Command mutate measures which numbers of the version tables of V8 and of ART a
// test holds: it changes one at a time and runs the tests that can notice.
//
//	go run ./internal/mutate v8            the rows of runtimes/v8/layout
//	go run ./internal/mutate art           the rows of runtimes/art/layout
//	go run ./internal/mutate tables        the constants of runtimes/v8/layout/tables
//	go run ./internal/mutate -sample 40 -only 'Code\.' v8
//
// It runs at the top of the repository and changes nothing there. It builds the tests
// once, with go build -overlay: each number of a table asks the environment whether it is
// to be changed. Then each change is a run of the binaries, the cheapest tests first,
// until one fails.
//
// A row is overruled if no layout of any version and variant differs with it:
// constants of the image, or constants of the generated tables, always come before it.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	only := flag.String("only", "", "the rows whose `expression` fits file and name")
	sample := flag.Int("sample", 0, "as many rows, spread over all; 0 for each")
	jobs := flag.Int("j", runtime.NumCPU(), "runs at a time")
	short := flag.Bool("short", false, "leave out the stages that take more than two seconds of a processor")
	again := flag.String("again", "", "the rows that an earlier run, whose output is in `file`, did not catch")
	list := flag.Bool("list", false, "print the rows and run nothing")
	flag.Parse()
	t := targets[flag.Arg(0)]
	if t == nil || flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: mutate [-only REGEXP] [-sample N] [-j N] [-again FILE] [-short] [-list] v8|art|tables")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o := options{only: *only, again: *again, sample: *sample, jobs: *jobs, list: *list, short: *short}
	if err := run(ctx, os.Stdout, t, o); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	only, again  string
	sample, jobs int
	list, short  bool
}

// run finds the rows of a target, tries the chosen ones, and writes the outcome of each.
func run(ctx context.Context, w io.Writer, t *target, o options) error {
	sites, err := t.sites()
	if err != nil {
		return err
	}
	chosen, err := choose(sites, o)
	if err != nil {
		return err
	}
	if o.list {
		for _, s := range chosen {
			fmt.Fprintln(w, s)
		}
		fmt.Fprintf(w, "%d of %d rows\n", len(chosen), len(sites))
		return nil
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	start := time.Now()
	b, err := build(ctx, t, sites, dir)
	if err != nil {
		return err
	}
	if err := b.baseline(ctx, o.short); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d rows, %d stages, built and run as they are in %.0f s\n", len(chosen), len(b.stages),
		time.Since(start).Seconds())
	start = time.Now()
	results, err := tryAll(ctx, w, b, chosen, o.jobs)
	if err != nil {
		return err
	}
	summarize(w, results)
	_, err = fmt.Fprintf(w, "%.0f s\n", time.Since(start).Seconds())
	return err
}

// tryAll tries sites, some at a time, and writes the outcome of each when it is known.
func tryAll(ctx context.Context, w io.Writer, b *built, sites []site, jobs int) ([]result, error) {
	results := make([]result, len(sites))
	next := make(chan int)
	var done sync.WaitGroup
	var mu sync.Mutex
	for range jobs {
		done.Go(func() {
			for i := range next {
				r := b.try(ctx, sites[i])
				if ctx.Err() != nil {
					continue
				}
				mu.Lock()
				results[i] = r
				fmt.Fprintln(w, r)
				mu.Unlock()
			}
		})
	}
	for i := range sites {
		if ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	done.Wait()
	return results, ctx.Err()
}

// choose returns the sites that are asked for. A sample of the same sites is always the same.
func choose(sites []site, o options) ([]site, error) {
	re, err := regexp.Compile(o.only)
	if err != nil {
		return nil, err
	}
	earlier := ""
	if o.again != "" {
		b, err := os.ReadFile(o.again)
		if err != nil {
			return nil, err
		}
		earlier = string(b)
	}
	var out []site
	for _, s := range sites {
		if re.MatchString(s.String()) && (o.again == "" ||
			strings.Contains(earlier, result{site: s, outcome: missed}.String()+"\n")) {
			out = append(out, s)
		}
	}
	if o.sample <= 0 || o.sample >= len(out) {
		return out, nil
	}
	picked := rand.New(rand.NewPCG(1, 2)).Perm(len(out))[:o.sample]
	slices.Sort(picked)
	some := make([]site, 0, o.sample)
	for _, i := range picked {
		some = append(some, out[i])
	}
	return some, nil
}

// summarize writes how many rows of each file were caught.
func summarize(w io.Writer, results []result) {
	type count struct{ caught, missed, overruled int }
	byFile := map[string]*count{}
	var files []string
	total := &count{}
	for _, r := range results {
		c := byFile[r.site.file]
		if c == nil {
			c = &count{}
			byFile[r.site.file] = c
			files = append(files, r.site.file)
		}
		for _, c := range []*count{c, total} {
			switch r.outcome {
			case caught:
				c.caught++
			case missed:
				c.missed++
			default:
				c.overruled++
			}
		}
	}
	line := func(name string, c *count) {
		share := 100.0
		if held := c.caught + c.missed; held > 0 {
			share = 100 * float64(c.caught) / float64(held)
		}
		fmt.Fprintf(w, "%-46s %6d %7d %11d %10d %6.1f %%\n", name, c.caught+c.missed+c.overruled, c.caught, c.missed,
			c.overruled, share)
	}
	fmt.Fprintf(w, "%-46s %6s %7s %11s %10s %8s\n", "FILE", "ROWS", "CAUGHT", "NOT CAUGHT", "OVERRULED", "CAUGHT")
	slices.Sort(files)
	for _, f := range files {
		line(f, byFile[f])
	}
	line("all", total)
}
