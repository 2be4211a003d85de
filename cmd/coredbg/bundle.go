package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"coredbg"
)

// runBundle is "coredbg bundle": it says what the bundle will contain, then
// writes it.
func runBundle(args []string, stdout, stderr *os.File) int {
	f, out, b, err := parseBundle(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := writeBundle(ctx, f, out, b, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "coredbg: %v\n", err)
		return exitFatal
	}
	return exitOK
}

func parseBundle(args []string, stderr io.Writer) (f *flags, out string, b coredbg.BundleOptions, err error) {
	f = &flags{}
	set := flag.NewFlagSet("coredbg bundle", flag.ContinueOnError)
	set.SetOutput(stderr)
	set.Usage = func() {
		fmt.Fprint(stderr, usage)
		set.PrintDefaults()
	}
	set.StringVar(&out, "o", "", "write to `file`; without it the core's name with .cdb, here")
	set.BoolVar(&b.Stacks, "stacks", false, "a small bundle for stacks: leave the heap out")
	set.BoolVar(&b.Redact, "redact", false, "leave arguments and environment out")
	set.BoolVar(&b.Small, "small", false, "pack harder, and slower")
	openFlags(set, f)
	operands, err := parseAll(set, args)
	if err != nil {
		return nil, "", b, err
	}
	if err = f.operands(operands); err != nil {
		fmt.Fprintf(stderr, "coredbg: %v\n%s", err, usage)
		return nil, "", b, err
	}
	if out == "" {
		out = filepath.Base(f.core) + ".cdb"
	}
	return f, out, b, nil
}

// writeBundle writes a bundle beside its name first, so that nothing half
// written is ever found under it.
func writeBundle(ctx context.Context, f *flags, path string, b coredbg.BundleOptions, stdout, stderr *os.File) error {
	bundle, err := coredbg.PlanBundle(ctx, f.core, coredbg.Options{
		Executable: f.executable, Sysroot: f.sysroot, Search: f.search, DebugDirs: f.debugDirs, SDK: f.sdk,
		Progress: progress(stderr), Stderr: stderr,
	}, b)
	if err != nil {
		return err
	}
	defer bundle.Close()
	fmt.Fprint(stdout, bundle.Contents())
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	n, err := bundle.WriteTo(file)
	err = errors.Join(err, file.Close(), ctx.Err())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
		return fmt.Errorf("writing %s: %w", path, err)
	}
	fmt.Fprintf(stdout, "wrote %s, %d bytes\n", path, n)
	return nil
}
