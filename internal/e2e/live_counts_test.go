package e2e

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"coredbg/crash"
	"coredbg/crash/bugs"
)

var update = flag.Bool("update", false, "write docs/verdicts.md and testdata/harm from the live set")

// A tally is how many cores of a class have which verdict.
type tally struct{ cores, right, sure, unknown, wrong int }

// counts are the results for the cores that TestLive has looked at, by cause of death, and for damaged
// copies.
type counts struct {
	classes map[bugs.Cause]*tally
	cut     tally
}

var counted = counts{classes: map[bugs.Cause]*tally{}}

func (c *counts) add(name string, want []bugs.Cause, v *crash.Verdict) {
	n := &c.cut
	if !strings.HasPrefix(name, "cut-") {
		if c.classes[want[0]] == nil {
			c.classes[want[0]] = &tally{}
		}
		n = c.classes[want[0]]
	}
	n.cores++
	switch {
	case slices.Contains(want, v.Cause):
		n.right++
		if v.Confidence == bugs.Certain {
			n.sure++
		}
	case v.Cause == bugs.Unknown:
		n.unknown++
	default:
		n.wrong++
	}
}

// writeVerdicts writes the page with the counts, if the flag asks for it.
func writeVerdicts(t *testing.T) {
	if !*update {
		return
	}
	var b strings.Builder
	b.WriteString(verdictsHead)
	var all tally
	row := func(name string, n *tally) {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", name, n.cores, n.right, n.sure, n.unknown, n.wrong)
	}
	for _, cause := range slices.Sorted(maps.Keys(counted.classes)) {
		n := counted.classes[cause]
		row("`"+string(cause)+"`", n)
		all.cores, all.right, all.sure, all.unknown, all.wrong = all.cores+n.cores, all.right+n.right, all.sure+n.sure,
			all.unknown+n.unknown, all.wrong+n.wrong
	}
	row(fmt.Sprintf("all %d classes", len(counted.classes)), &all)
	if counted.cut.cores > 0 {
		row("cores that the kernel cut short", &counted.cut)
	}
	b.WriteString(verdictsTail)
	if err := os.WriteFile("../../docs/verdicts.md", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

const verdictsHead = `# What ::analyze finds

Each core of the live set was made by a program that knows why it ends (testdata/cores/sources); its verdict is compared with that.
Right is what the program dies of, and of these certain are those of the highest confidence; unknown is an answer, too. The page is written by

    COREDBG_LIVE=DIR go test ./internal/e2e -run 'TestLive$' -update

and what the test holds on every run is that no verdict is wrong. TestLiveDamagedVerdicts does so of copies with noise and zeros in their
memory, and of such that are cut: those may be unknown or merely possible, but not surely wrong.

| what it dies of | cores | right | certain | unknown | wrong |
|---|---|---|---|---|---|
`

const verdictsTail = `
## What a core does not show

These were tried on Linux 6.18, with processes that wrote down what happened to them.

* A process that goes over the memory limit of its control group is sent SIGKILL, which leaves no core; only the kernel's log has it. A
  snapshot of one that is near the limit, or its core when it dies of something else, says nothing of the limit either: neither its number
  nor the group's name is in the process's memory. What it had mapped is there (` + "`::mappings`" + `), and what a managed heap is full of (` + "`::heapstat -r`" + `).
  ` + "`out-of-memory`" + ` is of programs that were refused memory and gave up.
* SIGPIPE, SIGKILL, SIGTERM, SIGALRM and the like end a process without a core (signal(7)). A debugger's snapshot, or a handler that
  aborts, is what there is of such a process.
* The kernel writes a core within the process's own limits: what dies of RLIMIT_FSIZE leaves one of that size at most, cut there. A
  handler that is a pipe (docs/collect.md) is not bound by it (fs/coredump.c; not tried). The core names the file descriptor that was written to, and not the file.
* A file that was cut, one whose file system is full (as /dev/shm in a container) and a medium that failed end in the same SIGBUS:
  ` + "`bus-truncated-file`" + ` is at most likely, and says so.
* A worker thread of Node that fills its heap bit by bit is ended by Node, which gives the heap back: the core that follows, if nobody handles
  the error, has the error but nothing of the heap. One that asks for too much at once takes the process with it, with its heap.
`
