package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// grace is how long work that runs without a prompt may take to end after a
// signal, before the process does. Files that are being written go at once.
const grace = 300 * time.Millisecond

// untilSignal returns a context that ends with ^C, SIGTERM or SIGHUP, unless
// these were ignored from the start, as by nohup. The process ends soon after
// that, or with a second signal, and says so on stderr, until stop is called.
func untilSignal(stderr io.Writer) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	done := make(chan struct{})
	go func() {
		select {
		case <-done:
			return
		case <-signals:
		}
		cancel()
		select {
		case <-done:
			return
		case <-signals:
		case <-time.After(grace):
		}
		fmt.Fprintln(stderr, "coredbg: interrupted")
		os.Exit(exitFatal)
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}
