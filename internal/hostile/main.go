//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A campaign is what the flags say.
type campaign struct {
	program string // coredbg
	first   int    // number of the first trial
	trials  int
	seed    uint64
	workers int
	keep    string // folder for copies that failed
	bounds  bounds
	seeds   []seed
}

// Exit codes as coredbg's own: 0 no failure, 1 some, 2 the flags make no sense.
func main() {
	c := &campaign{}
	flag.StringVar(&c.program, "program", "", "the coredbg to run (default: it is built)")
	flag.IntVar(&c.trials, "n", 5000, "trials")
	flag.IntVar(&c.first, "first", 0, "number of the first trial")
	flag.Uint64Var(&c.seed, "seed", 1, "where the random numbers begin")
	flag.IntVar(&c.workers, "workers", 2, "trials at a time")
	flag.StringVar(&c.keep, "keep", "failed", "folder for the copies of trials that failed")
	flag.DurationVar(&c.bounds.cpu, "cpu", 10*time.Second, "processor time that a trial may take")
	flag.Int64Var(&c.bounds.output, "output", 64<<20, "bytes that a trial may write")
	flag.Int64Var(&c.bounds.memory, "memory", 3<<30, "resident bytes that a trial may have")
	damage := flag.Int("damage", -1, "damage the one file that is given as the trial of this number would, and end")
	flag.Parse()
	if *damage >= 0 {
		what, err := damageFile(flag.Arg(0), rand.New(rand.NewPCG(c.seed, uint64(*damage)^1<<63)))
		fmt.Fprintln(os.Stdout, what)
		if err != nil {
			fmt.Fprintln(os.Stderr, "hostile:", err)
			os.Exit(2)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	failed, err := c.run(ctx, os.Stdout, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// run makes all trials and writes the failures to w as they come, then the sums. It
// returns how many trials failed.
func (c *campaign) run(ctx context.Context, w io.Writer, args []string) (int, error) {
	work, err := os.MkdirTemp("", "hostile")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(work)
	if c.program == "" {
		c.program = filepath.Join(work, "coredbg")
		if err := build(ctx, c.program); err != nil {
			return 0, err
		}
	}
	if c.program, err = filepath.Abs(c.program); err != nil {
		return 0, err
	}
	if c.seeds, err = readSeeds(args); err != nil {
		return 0, err
	}
	numbers := make(chan int)
	var mu sync.Mutex
	sums, failed, ran := map[string]int{}, 0, 0
	var workers sync.WaitGroup
	for k := range c.workers {
		workers.Go(func() {
			for n := range numbers {
				folder := filepath.Join(work, fmt.Sprint("w", k))
				v := c.trial(ctx, n, folder)
				mu.Lock()
				ran++
				sums[v.outcome]++
				if v.failed() {
					failed++
					fmt.Fprintln(w, v)
				}
				mu.Unlock()
				os.RemoveAll(folder)
			}
		})
	}
	for n := c.first; n < c.first+c.trials && ctx.Err() == nil; n++ {
		numbers <- n
	}
	close(numbers)
	workers.Wait()
	fmt.Fprintf(w, "%d trials of %d seeds, %d failed\n", ran, len(c.seeds), failed)
	for _, k := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(w, "%6d %s\n", sums[k], k)
	}
	return failed, ctx.Err()
}

// trial damages a copy of a seed and runs coredbg on it. Its number alone, with the
// campaign's, decides what is done.
func (c *campaign) trial(ctx context.Context, n int, folder string) verdict {
	r := rand.New(rand.NewPCG(c.seed, uint64(n)))
	s := c.seeds[r.IntN(len(c.seeds))]
	args, target, err := s.copyTo(folder, r)
	if err != nil {
		return verdict{number: n, seed: s, outcome: "not copied", detail: err.Error()}
	}
	what, err := c.damage(ctx, n, target)
	if err != nil {
		return verdict{number: n, seed: s, outcome: "not damaged", detail: err.Error()}
	}
	args = append(ask(r), args...)
	input, err := script(r, folder, &args)
	if err != nil {
		return verdict{number: n, seed: s, outcome: "not copied", detail: err.Error()}
	}
	v := judge(ctx, c.bounds, c.program, folder, args, input)
	v.number, v.seed, v.damage = n, s, what
	if v.failed() {
		kept := filepath.Join(c.keep, fmt.Sprintf("%d-%d", c.seed, n))
		if err := os.MkdirAll(c.keep, 0o700); err == nil && os.Rename(folder, kept) == nil {
			v.kept = kept
		}
	}
	return v
}

// damage damages the file in a process of its own: its memory would count for the process
// that is started next, and a core may be large.
func (c *campaign) damage(ctx context.Context, n int, file string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	out, err := exec.CommandContext(ctx, self, "-seed", fmt.Sprint(c.seed), "-damage", fmt.Sprint(n), file).Output()
	return strings.TrimSpace(string(out)), err
}
