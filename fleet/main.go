package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3" // the others come with beamx
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"coredbg"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/triage"
)

var (
	inputs  list
	output  = flag.String("output", "", "write cores.ndjson, cores.parquet, bugs.ndjson, bugs.parquet and bugs.txt into this `folder`")
	timeout = flag.Duration("timeout", 30*time.Second, "end the process of a core after this `time`")
	memory  = flag.Int64("memory", 2<<30, "let the process of a core take at most this many `bytes`")
	largest = flag.Int64("max-size", 64<<30, "copy no core of another file system that has more `bytes`")
	sysroot = flag.String("sysroot", "", "take files from the `folder` as if it were the root")
	fine    = flag.Bool("fine", false, "cores are of one bug if up to five functions are the same, not the first alone")
	bare    = flag.Bool("no-sandbox", false, "let the processes reach what you can")
)

// A list is a flag that may be repeated.
type list []string

func (l *list) String() string     { return fmt.Sprint(*l) }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func init() {
	flag.Var(&inputs, "input", "read these `cores`: a file, a folder, a pattern such as 'cores/**', a list of paths, or a pattern of another file system such as 's3://bucket/cores/*'; may be repeated")
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == triage.OneCore {
		os.Exit(readOne(os.Args[2:]))
	}
	private()
	flag.Parse()
	beam.Init() // on a worker it does not return
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second one ends it at once
	if err := run(ctx); err != nil {
		fail(err)
	}
}

// run makes the pipeline and waits for it; nothing is left of one that fails or that ctx ends.
func run(ctx context.Context) error {
	if len(inputs) == 0 || *output == "" {
		return errors.New("-input says which cores, and -output where to write")
	}
	local, patterns, err := split(inputs)
	if err != nil {
		return err
	}
	to, err := newTarget(*output)
	if err != nil {
		return err
	}
	defer to.remove()
	// Prism does not stand being cancelled: it panics where a stream ends in another way than it expects
	// (worker.go @ 2.77). So it never hears of it.
	goesOn := context.AfterFunc(ctx, func() {
		to.remove()
		fail(fmt.Errorf("running the pipeline: %w", context.Cause(ctx)))
	})
	p := build(local, patterns, to, &readFn{
		Timeout: *timeout, Memory: *memory, Largest: *largest, Sysroot: *sysroot, Bare: *bare,
	}, *fine)
	err = beamx.Run(context.WithoutCancel(ctx), p)
	if !goesOn() {
		select {} // until it has ended
	}
	if err != nil {
		return fmt.Errorf("running the pipeline: %w", err)
	}
	return to.commit(ctx)
}

// fail ends the process with an error.
func fail(err error) {
	commands.WriteError(os.Stderr, err)
	os.Exit(1)
}

// readOne reads the core of a process that does nothing else, and ends with the one that
// has started it.
func readOne(args []string) int {
	set := flag.NewFlagSet("fleet "+triage.OneCore, flag.ContinueOnError)
	j := &triage.Job{}
	set.Int64Var(&j.Memory, "memory", 0, "")
	set.BoolVar(&j.NoSandbox, "no-sandbox", false, "")
	set.StringVar(&j.Options.Sysroot, "sysroot", "", "")
	if err := set.Parse(args); err != nil || set.NArg() != 1 {
		return 2
	}
	j.Core = set.Arg(0)
	j.Options = coredbg.Options{Sysroot: j.Options.Sysroot, Stderr: out.NewTerminal(io.Discard)}
	if err := j.Serve(os.Stdin, os.Stdout); err != nil {
		commands.WriteError(os.Stderr, err)
		return 1
	}
	return 0
}
