package leaks_test

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/malloc/leaks"
)

// A tally is how many blocks there are, and their bytes.
type tally struct{ blocks, bytes int }

// A row is the blocks of a tag, as the program and each tool see them.
type row struct {
	lost             bool  // the program's word
	all              tally // asked for
	usable           int   // bytes
	valgrind         map[string]tally
	sanitizer, found tally
}

// differing are the tags whose blocks are called lost and are held, or the other way round; bench/README.md says why.
var differing = map[string]bool{"packed": true, "stale": true, "stream": true}

// TestLiveTally compares the lost blocks of tally-*.c with the program's own list, and all tools with the
// table in bench/README.md. Valgrind and LeakSanitizer ran the same program to the same point.
func TestLiveTally(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "bench", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			rows, at := listed(t, filepath.Join(path, "out.txt"))
			valgrind(t, rows, filepath.Join(path, "valgrind.txt"))
			sanitizer(t, rows, filepath.Join(path, "lsan.txt"))
			own := foundLost(t, rows, at, path)
			if own != 0 {
				t.Errorf("%d lost blocks are not the program's", own)
			}
			for _, tag := range tags(rows) {
				r := rows[tag]
				want := tally{}
				if r.lost {
					want = tally{r.all.blocks, r.usable}
				}
				if (r.found != want) != differing[tag] {
					t.Errorf("%s: %+v are found, the program has lost %+v of %+v", tag, r.found, want, r.all)
				}
				if line := r.line(filepath.Base(path), tag); !strings.Contains(string(page), line) {
					t.Errorf("the table has no\n%s", line)
				}
			}
		})
	}
}

// line returns the row of the table, without the reason.
func (r *row) line(program, tag string) string {
	word := "holds"
	if r.lost {
		word = "lost"
	}
	var kinds []string
	for _, kind := range []string{"definitely lost", "indirectly lost", "possibly lost", "still reachable"} {
		if n := r.valgrind[kind]; n.blocks > 0 {
			kinds = append(kinds, fmt.Sprintf("%s %d / %d", kind, n.blocks, n.bytes))
		}
	}
	return fmt.Sprintf("| %s | `%s` | %s %d / %d | %s | %d / %d | %d / %d |", strings.TrimPrefix(program, "tally-"),
		tag, word, r.all.blocks, r.all.bytes,
		strings.Join(kinds, ", "), r.sanitizer.blocks, r.sanitizer.bytes, r.found.blocks, r.found.bytes)
}

func tags(rows map[string]*row) []string {
	var out []string
	for tag := range rows {
		out = append(out, tag)
	}
	slices.Sort(out)
	return out
}

// listed reads the program's list: rows by tag, and the tags of blocks.
func listed(t *testing.T, name string) (rows map[string]*row, at map[core.Addr]string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, at = map[string]*row{}, map[core.Addr]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var state, tag string
		var a uint64
		var usable, size int
		if _, err := fmt.Sscanf(s.Text(), "%s 0x%x %d %s %d", &state, &a, &usable, &tag, &size); err != nil {
			continue
		}
		if rows[tag] == nil {
			rows[tag] = &row{lost: state == "lost", valgrind: map[string]tally{}}
		}
		r := rows[tag]
		r.all.blocks++
		r.all.bytes += size
		r.usable += usable
		at[core.Addr(a)] = tag
	}
	if len(at) < 100 {
		t.Fatalf("%d blocks are listed", len(at))
	}
	return rows, at
}

var (
	lossRecord = regexp.MustCompile(`==\d+== ([\d,]+) (?:\(([\d,]+) direct, [\d,]+ indirect\) )?bytes in ([\d,]+) blocks are (\w+ \w+) in loss record`)
	leakRecord = regexp.MustCompile(`^(?:Direct|Indirect) leak of (\d+) byte\(s\) in (\d+) object`)
	maker      = regexp.MustCompile(`\bmake_(\w+)`)
)

// valgrind adds the loss records of Valgrind.
func valgrind(t *testing.T, rows map[string]*row, name string) {
	t.Helper()
	records(t, rows, name, lossRecord, func(r *row, m []string) {
		n := r.valgrind[m[4]]
		n.blocks += number(m[3])
		n.bytes += number(cmp.Or(m[2], m[1]))
		r.valgrind[m[4]] = n
	})
}

// sanitizer adds the leaks of LeakSanitizer.
func sanitizer(t *testing.T, rows map[string]*row, name string) {
	t.Helper()
	records(t, rows, name, leakRecord, func(r *row, m []string) {
		r.sanitizer.blocks += number(m[2])
		r.sanitizer.bytes += number(m[1])
	})
}

// records calls add for each record, with the row of the outermost function in its trace that makes blocks of
// a tag. Records without one are the libraries' own.
func records(t *testing.T, rows map[string]*row, name string, head *regexp.Regexp, add func(r *row, m []string)) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var m []string
	tag := ""
	done := func() {
		if r := rows[tag]; m != nil && r != nil {
			add(r, m)
		}
		m, tag = nil, ""
	}
	for line := range strings.Lines(string(text)) {
		if x := head.FindStringSubmatch(line); x != nil {
			done()
			m = x
		}
		if x := maker.FindStringSubmatch(line); x != nil && rows[x[1]] != nil {
			tag = x[1]
		}
	}
	done()
}

func number(s string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	return n
}

// foundLost adds what leaks.Find calls lost, and returns how many lost blocks the program has not listed.
func foundLost(t *testing.T, rows map[string]*row, at map[core.Addr]string, dir string) (own int) {
	t.Helper()
	s, heaps, unused := openSession(t, dir)
	_, err := leaks.Find(t.Context(), s.Process, heaps, leaks.Options{Unused: unused,
		Lost: func(a core.Addr, size uint64) {
			r := rows[at[a]]
			if r == nil {
				own++
				return
			}
			r.found.blocks++
			r.found.bytes += int(size)
		}})
	if err != nil {
		t.Fatal(err)
	}
	return own
}
