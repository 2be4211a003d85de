package art

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art/heap"
)

// jniHeads begin ART's words when it ends a process because a call through JNI is wrong
// (runtime/jni/java_vm_ext.cc, JniAbort; jni_internal.cc, FatalError; java_vm_ext.cc and
// indirect_reference_table.cc, tables that are full), the surest first.
var jniHeads = []string{"JNI DETECTED ERROR IN APPLICATION: ", "JNI FatalError called: ", "JNI ERROR (app bug): "}

// Bounds of the search for these words.
const (
	maxJNIError   = 4 << 10
	maxAbortStack = 32 << 10 // bytes from the top of the stack
	maxLogFrames  = 4        // of liblog and libbase, in a row
)

// jniAbort returns why ART gave up in a call through JNI: the frames from the abort to that call
// refer to the words, as to strings that were put together there.
func (a *ART) jniAbort(ctx context.Context, c *runtimes.Crash) (runtimes.Cause, bool) {
	last := a.lastOfLibart(c)
	if last < 0 || c.Signal != nil && c.Signal.Unix() != "SIGABRT" {
		return runtimes.Cause{}, false
	}
	cur := a.Process.Cursor()
	from, to := c.Frames[0].SP, c.Frames[last].SP+maxAbortStack/4
	word := core.Addr(cur.PtrSize())
	head, said := len(jniHeads), ""
	for at := from &^ (word - 1); at < min(to, from+maxAbortStack) && head > 0 && ctx.Err() == nil; at += word {
		text := cur.Text(cur.Pointer(at), maxJNIError)
		if cur.Reset() != nil {
			continue
		}
		for i, h := range jniHeads[:head] {
			if _, after, ok := strings.Cut(text, h); ok {
				head, said = i, after
				break
			}
		}
	}
	if head == len(jniHeads) {
		return runtimes.Cause{}, false
	}
	out := runtimes.Cause{Kind: runtimes.JNIError, Message: oneLine(said), TID: c.Thread.TID}
	switch jniHeads[head] {
	case "JNI FatalError called: ":
		out.Message = "FatalError: " + strings.Join(strings.Fields(said), " ")
	case "JNI ERROR (app bug): ":
		a.overflow(&out, said, c)
	}
	return out, true
}

// lastOfLibart returns the outermost frame of libart between an abort and the code that called
// into it, or -1: frames of liblog and libbase lie among them.
func (a *ART) lastOfLibart(c *runtimes.Crash) int {
	last := -1
	for i := range c.Frames {
		switch {
		case a.InLibart(c.Frames[i].PC):
			last = i
		case c.Frames[i].Own != "", last >= 0 && i-last > maxLogFrames:
			return last
		}
	}
	return last
}

// oneLine returns what JniAbort says without the trace of an exception that it may have in it: the
// first line, the function that was called and the method that called it.
func oneLine(said string) string {
	var words []string
	for i, line := range strings.Split(said, "\n") {
		line = strings.Join(strings.Fields(line), " ")
		if line != "" && (i == 0 || strings.HasPrefix(line, "in call to ") || strings.HasPrefix(line, "from ")) {
			words = append(words, line)
		}
	}
	return strings.Join(words, " ")
}

// tableFull matches ART's words about a table of references that is full.
var tableFull = regexp.MustCompile(`^(local|global|weak global) reference table overflow \(max=\d+\)`)

// maxOverflowClasses is how many classes of such a table a cause names.
const maxOverflowClasses = 10

// overflow makes a cause of a table that is full: its name, its limit, and the classes of its
// references, as ART sums them up.
func (a *ART) overflow(out *runtimes.Cause, said string, c *runtimes.Crash) {
	out.Message, _, _ = strings.Cut(said, "\n")
	full := tableFull.FindStringSubmatch(said)
	if full == nil {
		return
	}
	out.Message = full[0]
	refs, err := a.tableOf(full[1], c)
	totals := a.JNITotals(refs)
	if len(totals) == 0 {
		if err != nil {
			out.Note = err.Error()
		}
		return
	}
	out.Message += fmt.Sprintf(", %d of %d to %s", totals[0].Count, len(refs), totals[0].Class)
	for i := range totals[:min(len(totals), maxOverflowClasses)] {
		out.Details = append(out.Details, totals[i].String())
	}
}

// tableOf returns the references in the table that ART calls local, global or weak global.
func (a *ART) tableOf(name string, c *runtimes.Crash) ([]heap.JNIRef, error) {
	if name == "local" {
		t := a.Thread(c.Thread)
		if t == nil {
			return nil, nil
		}
		return a.JNILocals(t)
	}
	kind := heap.JNIGlobal
	if name == "weak global" {
		kind = heap.JNIWeak
	}
	refs, err := a.JNIGlobals()
	var out []heap.JNIRef
	for _, r := range refs {
		if r.Kind == kind {
			out = append(out, r)
		}
	}
	return out, err
}
