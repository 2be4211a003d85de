package malloc_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/stack"
)

// A kept session has a core of ckept.go.in, and the program's output.
type kept struct {
	t       *testing.T
	s       *coredbg.Session
	printed string
	stdout  *bytes.Buffer
}

// run returns what lines print.
func (k *kept) run(line string) string {
	k.t.Helper()
	k.stdout.Reset()
	if err := k.s.Run(k.t.Context(), line); err != nil {
		k.t.Errorf("%s: %v", line, err)
	}
	return k.stdout.String()
}

// TestLiveKept: blocks that Go has lost, and those alone, are called lost; each other one leads to its
// holder. The truth is what the program has printed (ckept.go.in).
func TestLiveKept(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(dir, "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			k := &kept{t: t, printed: string(text), stdout: &bytes.Buffer{}}
			if k.s, err = coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{Stdout: k.stdout}); err != nil {
				t.Fatal(err)
			}
			defer k.s.Close()
			k.lost()
			k.trimmed()
			k.heaps()
			if !strings.HasSuffix(dir, "stripped") {
				k.holders()
			}
		})
	}
}

// lost compares the lost blocks, of 3,000 bytes each, with the output.
func (k *kept) lost() {
	k.s.JSON = true
	defer func() { k.s.JSON = false }()
	var got, want []string
	for line := range strings.Lines(k.run("::findleaks -v")) {
		var r struct{ Type, Addr string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			k.t.Fatal(err)
		}
		if r.Type == "cleak" {
			got = append(got, r.Addr)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^lost (0x[0-9a-f]+)$`).FindAllStringSubmatch(k.printed, -1) {
		want = append(want, m[1])
	}
	slices.Sort(got)
	slices.Sort(want)
	if len(want) != 64 || !slices.Equal(got, want) {
		k.t.Errorf("%d blocks are lost, want %d: %v", len(got), len(want), got)
	}
}

// trimmed checks that the dead part of the main goroutine's stack leads to nothing. The program dies on
// another stack, after calls that went deeper than the one that panics (ckept.go.in: overwrite). The lowest
// frame is the stack's own.
func (k *kept) trimmed() {
	crashed := k.s.Process.Threads[0]
	for _, h := range k.s.Native().Slots(k.t.Context()) {
		for _, s := range h.Stacks() {
			if s.Thread != crashed {
				continue
			}
			low := s.End
			for _, f := range k.s.Stacks.Thread(k.t.Context(), crashed, stack.Options{}).Frames {
				if f.Name == "main.main" {
					low = min(low, f.SP)
				}
			}
			if low == s.End || s.Start > low || low-s.Start > 4096 {
				k.t.Errorf("the stack of the main goroutine begins at %v, main.main is at %v", s.Start, low)
			}
			return
		}
	}
	k.t.Error("the crashed thread runs no goroutine")
}

// heaps checks the rows of ::heapstat against the sums of each heap. The C library's sums equal the figures
// of ::malloc, whose own tests compare them with mallinfo2.
func (k *kept) heaps() {
	k.s.JSON = true
	defer func() { k.s.JSON = false }()
	rows, sums := map[string]uint64{}, map[string]uint64{}
	used := uint64(0)
	for line := range strings.Lines(k.run("::heapstat -a -n 0") + k.run("::malloc")) {
		var r struct {
			Type, Heap, Class, Allocator, Arena string
			Shallow                             uint64
			Used                                uint64 `json:"used_bytes"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			k.t.Fatal(err)
		}
		switch {
		case r.Type == "heapclass":
			if strings.HasPrefix(r.Class, "main.session") && r.Heap != "go" || r.Heap == "" {
				k.t.Errorf("%s is of the heap %q", r.Class, r.Heap)
			}
			rows[r.Heap] += r.Shallow
		case r.Type == "heapsum":
			sums[r.Heap] = r.Shallow
		case r.Type == "malloc" && r.Allocator == "glibc" && r.Arena == "all":
			used = r.Used
		}
	}
	if !maps.Equal(rows, sums) || sums["go"] == 0 || sums["glibc"] != used {
		k.t.Errorf("rows have %v, sums are %v; glibc has %d bytes in use", rows, sums, used)
	}
}

// holders compares who holds a block of each kind.
func (k *kept) holders() {
	for _, x := range []struct {
		line  string   // of the program: the block, then the object that has it
		facts []string // in order
	}{
		{`slice sessions (0x\w+) (0x\w+)`, []string{"held by a global", "main.sessions", "*main.session []",
			"main.session: [0]", "buffer"}},
		{`map images (0x\w+) (0x\w+)`, []string{"held by a global", "main.images", "main.image",
			"main._Ctype_struct_tile", "tile"}},
		{`global scratch (0x\w+)`, []string{"held by a global", "main.scratch"}},
		{`goroutine worker 1 (0x\w+)`, []string{"held by a stack", "of goroutine", "main.worker"}},
	} {
		m := regexp.MustCompile(`(?m)^` + x.line).FindStringSubmatch(k.printed)
		if m == nil {
			k.t.Fatalf("out.txt has no %s", x.line)
		}
		said := k.run(m[1] + "::gcroot -n 1")
		if facts := append(slices.Clone(m[2:]), ""); !strings.Contains(said, strings.TrimPrefix(facts[0], "0x")) {
			k.t.Errorf("%s: the object %s is not on the path: %s", x.line, facts[0], said)
		}
		rest := said
		for _, f := range x.facts {
			_, after, ok := strings.Cut(rest, f)
			if !ok {
				k.t.Errorf("%s: no %q in its place in %s", x.line, f, said)
				break
			}
			rest = after
		}
	}
	if said := k.run("::memory"); !strings.Contains(said, "main.session") ||
		!strings.Contains(said, " held by main.sessions.array") {
		k.t.Errorf("::memory does not name who holds most of it: %s", said)
	}
}
