package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// A goTrace is a stack as Go's runtime has written it: the stack of the thread's own goroutine, 0, or
// of the one that runs on it.
type goTrace struct {
	goroutine, m string
	functions    []string
	pcs          []uint64 // of the frames of the machine
}

var (
	goHeader = regexp.MustCompile(`^goroutine (\d+) gp=\S+ m=(\d+|nil) `)
	goFrame  = regexp.MustCompile(`fp=0x[0-9a-f]+ sp=0x[0-9a-f]+ pc=0x([0-9a-f]+)`)
)

// goTraces reads the stacks of threads that a program of Go has written.
func goTraces(t *testing.T, path string) (list []*goTrace) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cur *goTrace
	function := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		switch h := goHeader.FindStringSubmatch(line); {
		case h != nil:
			cur = &goTrace{goroutine: h[1], m: h[2]}
			list = append(list, cur)
		case line == "":
			cur = nil
		case cur != nil && strings.HasPrefix(line, "\t"):
			if f := goFrame.FindStringSubmatch(line); f != nil {
				pc, _ := strconv.ParseUint(f[1], 16, 64)
				cur.pcs, cur.functions = append(cur.pcs, pc), append(cur.functions, function)
			}
		case cur != nil:
			function, _, _ = strings.Cut(line, "(")
		}
	}
	return list
}

// TestLiveGoStacks: what Go does on a thread's stack for a goroutine goes on on that one's, or
// ends where it begins. Truth: the program's own trace.
func TestLiveGoStacks(t *testing.T) {
	switched := 0
	for _, file := range coretest.Live(t) {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			type thread struct {
				TID    int
				Stop   string
				Frames []struct {
					PC   string
					Name string
					Kind string
				}
			}
			var stacks [][]uint64
			var stops []string
			for _, th := range records[thread](t, openValues(t, file), "::walk thread | ::stack") {
				var pcs []uint64
				for _, f := range th.Frames {
					pc, err := strconv.ParseUint(strings.TrimPrefix(f.PC, "0x"), 16, 64)
					if err == nil && (len(pcs) == 0 || pcs[len(pcs)-1] != pc) {
						pcs = append(pcs, pc)
					}
				}
				stacks, stops = append(stacks, pcs), append(stops, th.Stop)
			}
			first := map[uint64]bool{} // where goroutines have begun
			traces := goTraces(t, filepath.Join(dir, "out.txt"))
			for _, x := range traces {
				if x.goroutine != "0" && len(x.pcs) > 0 {
					first[x.pcs[len(x.pcs)-1]] = true
				}
			}
			for _, own := range traces {
				if own.goroutine != "0" || len(own.pcs) == 0 {
					continue
				}
				want := slices.Clone(own.pcs)
				switch own.functions[len(own.functions)-1] {
				case "runtime.mcall", "runtime.morestack":
				case "runtime.systemstack":
					for _, other := range traces {
						if other.m == own.m && len(other.pcs) > 0 &&
							other.functions[0] == "runtime.systemstack_switch" {
							want = append(want, other.pcs[1:]...) // which stands for systemstack
						}
					}
				default:
					continue
				}
				k := slices.IndexFunc(stacks, func(s []uint64) bool { return ends(s, want) })
				if k >= 0 && len(want) > len(own.pcs) {
					switched++
				}
				if k < 0 { // the goroutine was somewhere else when its stack was written
					k = slices.IndexFunc(stacks, func(s []uint64) bool { return goesOn(s, own.pcs, first) })
				}
				if k < 0 {
					t.Errorf("m%s: no thread's stack ends in %x (%v)", own.m, want, own.functions)
				} else if stops[k] != "root" {
					t.Errorf("m%s: the walk stopped for %s", own.m, stops[k])
				}
			}
		})
	}
	if switched == 0 && coretest.OpenLive(t).Whole() {
		t.Error("no thread has left a goroutine's stack")
	}
}

// ends reports whether a stack ends in these frames.
func ends(stack, frames []uint64) bool {
	return len(stack) >= len(frames) && slices.Equal(stack[len(stack)-len(frames):], frames)
}

// goesOn reports whether a stack has these frames, and more below up to where a goroutine begins.
func goesOn(stack, frames []uint64, first map[uint64]bool) bool {
	for i := range stack {
		if len(stack)-i > len(frames)+1 && slices.Equal(stack[i:i+len(frames)], frames) {
			return first[stack[len(stack)-1]]
		}
	}
	return false
}
