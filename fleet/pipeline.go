package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/parquetio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"coredbg/commands/out"
	"coredbg/triage"
)

func init() {
	register.DoFn3x1[string, func(*string) bool, func(string, string), error](&keyFn{})
	register.DoFn3x1[string, func(*string) bool, func(string), error](&bugFn{})
	register.Emitter2[string, string]()
	register.Iter1[string]()
	register.Function1x1(pathOf)
	register.Function2x1(byCore)
	register.Function2x2(table)
	register.Function1x2(coreRow)
	register.Function1x2(bugRow)
}

// build makes the pipeline: cores of this machine, patterns of others, and the files that
// come of them.
func build(local, patterns []string, to *target, read *readFn, fine bool) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	cores := beam.CreateList(s, append([]string{}, local...))
	if len(local) == 0 {
		cores = beam.Create(s, patterns[0])
		cores = beam.ParDo(s, pathOf, fileio.MatchAll(s, cores, fileio.MatchEmptyAllow()))
		patterns = patterns[1:]
	}
	all := []beam.PCollection{cores}
	for _, pattern := range patterns {
		all = append(all, beam.ParDo(s, pathOf, fileio.MatchFiles(s, pattern, fileio.MatchEmptyAllow())))
	}
	cores = beam.Reshuffle(s, beam.Flatten(s, all...)) // each worker gets some
	lines := beam.ParDo(s.Scope("read cores"), read, cores)
	bugs := beam.ParDo(s.Scope("bugs"), &bugFn{Fine: fine},
		beam.GroupByKey(s, beam.ParDo(s, &keyFn{Fine: fine}, beam.GroupByKey(s, beam.ParDo(s, byCore, lines)))))

	textio.Write(s, to.file("cores.ndjson"), lines)
	textio.Write(s, to.file("bugs.ndjson"), bugs)
	textio.Write(s, to.file("bugs.txt"), beam.ParDo(s, table, beam.GroupByKey(s, beam.AddFixedKey(s, bugs))))
	parquetio.Write(s, to.file("cores.parquet"), beam.ParDo(s, coreRow, lines))
	parquetio.Write(s, to.file("bugs.parquet"), beam.ParDo(s, bugRow, bugs))
	return p
}

func pathOf(f fileio.FileMetadata) string { return f.Path }

// groups are those of one run.
func groups(fine bool) *triage.Groups {
	g := &triage.Groups{By: triage.ByCoarse}
	if fine {
		g.By = triage.ByFine
	}
	return g
}

// byCore puts before a line what is equal for copies of its core.
func byCore(line string, emit func(string, string)) error {
	l, err := lineOf(line)
	if err == nil {
		emit(l.ID(), line)
	}
	return err
}

// keyFn puts the key of their bug before the lines of copies of a core.
type keyFn struct{ Fine bool }

// ProcessElement emits the key and each line.
func (f *keyFn) ProcessElement(_ string, next func(*string) bool, emit func(string, string)) error {
	g := groups(f.Fine)
	var lines []string
	for line := ""; next(&line); lines = append(lines, line) {
		l, err := lineOf(line)
		if err != nil {
			return err
		}
		g.Add(l)
	}
	for _, line := range lines {
		l, err := lineOf(line)
		if err != nil {
			return err
		}
		emit(g.Bug(l), line)
	}
	return nil
}

// bugFn makes a bug of the lines of its cores.
type bugFn struct{ Fine bool }

// ProcessElement emits the bug, as JSON.
func (f *bugFn) ProcessElement(_ string, next func(*string) bool, emit func(string)) error {
	g := groups(f.Fine)
	for line := ""; next(&line); {
		l, err := lineOf(line)
		if err != nil {
			return err
		}
		g.Add(l)
	}
	for _, b := range g.Bugs() {
		text, err := out.Marshal(b)
		if err != nil {
			return fmt.Errorf("writing a bug: %w", err)
		}
		emit(string(text))
	}
	return nil
}

func lineOf(text string) (*triage.Line, error) {
	l := &triage.Line{}
	if err := json.Unmarshal([]byte(text), l); err != nil {
		return nil, fmt.Errorf("reading a line of triage: %w", err)
	}
	return l, nil
}

func bugOf(text string) (*triage.Bug, error) {
	b := &triage.Bug{}
	if err := json.Unmarshal([]byte(text), b); err != nil {
		return nil, fmt.Errorf("reading a bug: %w", err)
	}
	return b, nil
}

// table is what coredbg groups prints: all bugs, those with most cores first.
func table(_ int, next func(*string) bool) (string, error) {
	var bugs []*triage.Bug
	for text := ""; next(&text); {
		b, err := bugOf(text)
		if err != nil {
			return "", err
		}
		bugs = append(bugs, b)
	}
	slices.SortFunc(bugs, triage.Order)
	var b strings.Builder
	w := out.NewWriter(&b)
	for i, bug := range bugs {
		if i == 0 {
			bug.Header(w)
		}
		bug.Text(w)
	}
	err := w.Flush()
	return strings.TrimSuffix(b.String(), "\n"), err
}
