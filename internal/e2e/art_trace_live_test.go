package e2e

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// logPrefix is what ART's log puts before a line of its dump.
var logPrefix = regexp.MustCompile(`^.*palette_fake\.cc:\d+\]? `)

// unknowable are parts of a trace that a core does not have, and parts that changed between the dump
// and the death of the process: suspension counts.
var unknowable = regexp.MustCompile(` sCount=\d+| (d|uc)sCount=\d+| flags=\d+| nice=\S+| cgrp=\S+| sched=\S+`)

// traceThreads cuts a dump into threads: by name the lines that a core can tell.
func traceThreads(dump string) map[string][]string {
	threads := map[string][]string{}
	name := ""
	_, dump, _ = strings.Cut(dump, "DALVIK THREADS")
	for line := range strings.Lines(dump) {
		line = logPrefix.ReplaceAllString(strings.TrimRight(line, "\n"), "")
		switch {
		case strings.HasPrefix(line, "----- end"):
			return threads
		case strings.HasPrefix(line, `"`):
			name = line[:strings.Index(line[1:], `"`)+2]
		case line == "":
			name = ""
		}
		if name == "" || strings.HasPrefix(line, "  native:") || strings.HasPrefix(line, "  | state=") ||
			strings.HasPrefix(line, "  | held mutexes=") {
			continue
		}
		// ART says that a static native method has the lock that it waits for.
		lines := threads[name]
		if n := len(lines); n > 0 && strings.HasPrefix(line, "  - locked ") &&
			strings.HasPrefix(lines[n-1], strings.Replace(line, "locked", "waiting to lock", 1)) {
			continue
		}
		threads[name] = append(lines, unknowable.ReplaceAllString(line, ""))
	}
	return threads
}

// sameTrace compares the lines of a thread. Where ART did not know a lock, a core
// may tell it, or that there was none.
func sameTrace(got, want []string) bool {
	i := 0
	for _, line := range want {
		if line == "  - locked an unknown object" {
			if i < len(got) && strings.HasPrefix(got[i], "  - locked ") {
				i++
			}
			continue
		}
		if i >= len(got) || got[i] != line {
			return false
		}
		i++
	}
	return i == len(got)
}

// state is the word after tid=N in the first line of a thread.
func state(line string) string {
	_, rest, _ := strings.Cut(line, " tid=")
	_, rest, _ = strings.Cut(rest, " ")
	return rest
}

// TestARTTraceLive: ::arttrace -c prints the lines that ART printed itself in the
// same process just before it died, thread by thread. Threads that ran or
// went on are left out, and so is the one that made the dump: they were somewhere
// else by then.
func TestARTTraceLive(t *testing.T) {
	compared := 0
	for _, file := range coretest.Live(t) {
		dir := filepath.Dir(file)
		log, err := os.ReadFile(filepath.Join(dir, "log.txt"))
		if err != nil || !bytes.Contains(log, []byte("DALVIK THREADS")) {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var truth artCore
			readJSON(t, file, &truth)
			var text bytes.Buffer
			o := liveOptions(t, dir, truth.Args)
			o.Stdout = &text
			s, err := coredbg.Open(filepath.Join(dir, truth.Core), o)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Process.Close()
			if err := s.Run(context.Background(), "::arttrace -c"); err != nil {
				t.Fatal(err)
			}
			got := traceThreads(text.String())
			for name, want := range traceThreads(string(log)) {
				if name == `"Signal Catcher"` || strings.Contains(want[0], " Runnable") ||
					strings.Contains(want[0], " Suspended") ||
					strings.HasPrefix(name, `"qemu-`) { // of the emulator, which is not in its core
					continue
				}
				if len(got[name]) > 0 && state(got[name][0]) != state(want[0]) {
					continue // it went on after the dump
				}
				compared++
				if !sameTrace(got[name], want) {
					t.Errorf("%s\n%s\nwant\n%s", name, strings.Join(got[name], "\n"), strings.Join(want, "\n"))
				}
			}
		})
	}
	if compared == 0 {
		t.Error("no thread was compared")
	}
}
