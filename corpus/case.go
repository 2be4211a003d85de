package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core/file"
	"coredbg/crash/bugs"
	"coredbg/stack"
	"coredbg/triage"
)

// A Case is a core with its correct results.
type Case struct {
	_       out.Record  `record:"case"`
	Name    string      `json:"name"`
	Bundle  Bundle      `json:"bundle"`
	Witness string      `json:"witness,omitempty"` // the person or tool that confirms the results
	Verdict CaseVerdict `json:"verdict"`
	Threads []Thread    `json:"threads"`
	More    int         `json:"more,omitempty"`    // threads that are not listed
	Missing []string    `json:"missing,omitempty"` // what stacks or verdict may be wrong without
}

// A Bundle is the file of a case.
type Bundle struct {
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// A CaseVerdict is why the process died.
type CaseVerdict struct {
	Cause      bugs.Cause `json:"cause"`
	Confidence string     `json:"confidence"`
	Title      string     `json:"title"`
	Signature  string     `json:"signature,omitempty"`
}

// A Thread is one with its stack.
type Thread struct {
	TID    int      `json:"tid"`
	Name   string   `json:"name,omitempty"`
	State  string   `json:"state,omitempty"`
	Signal string   `json:"signal,omitempty"`
	Frames []string `json:"frames"`         // the innermost first: how it was found, its name and place
	More   int      `json:"more,omitempty"` // frames that are not listed
	Stop   string   `json:"stop,omitempty"` // why the walk ended
}

// The largest numbers in a case.
const (
	maxThreads = 64
	maxFrames  = 128
)

// NewCase makes a case of an open core with its line.
func NewCase(ctx context.Context, s *commands.Session, l *triage.Line) *Case {
	c := &Case{Bundle: Bundle{l.SHA256, l.Size}, Missing: l.Missing,
		Verdict: CaseVerdict{Cause: l.Cause, Confidence: l.Confidence, Title: l.Title, Signature: l.Signature}}
	threads := triage.Threads(s.Process, maxThreads)
	c.More = len(s.Process.Threads) - len(threads)
	for rec := range s.Stacks.All(ctx, threads, stack.Options{}) {
		c.Threads = append(c.Threads, threadOf(rec))
	}
	return c
}

func threadOf(rec *stack.Stack) Thread {
	t := Thread{TID: rec.Thread.TID, Name: rec.Name, State: rec.State, Signal: rec.Signal, Frames: []string{}}
	for i := range rec.Frames {
		if i == maxFrames {
			t.More = len(rec.Frames) - i
			break
		}
		t.Frames = append(t.Frames, frameText(&rec.Frames[i]))
	}
	if rec.Stop != nil {
		t.Stop = stack.StopText(rec.Stop)
	}
	return t
}

// frameText is a frame in a line: its kind, its name and place, its tier, how it was found.
func frameText(f *stack.Frame) string {
	parts := []string{string(f.Kind), f.Symbolic()}
	if at := f.Position(); at != "" {
		parts = append(parts, "at", at)
	}
	for _, x := range []string{f.Tier, f.Callback, f.Note} {
		if x != "" {
			parts = append(parts, "["+x+"]")
		}
	}
	if f.Inlined {
		parts = append(parts, "[inlined]")
	}
	if f.Async {
		parts = append(parts, "[awaits]")
	}
	return strings.Join(append(parts, "by", f.Trust.String()), " ")
}

// caseExt is how the files of cases end.
const caseExt = ".json"

// caseName matches the names of cases, which are valid as file names everywhere.
var caseName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,120}$`)

// CheckName returns an error if name cannot be the name of a case.
func CheckName(name string) error {
	if !caseName.MatchString(name) {
		return fmt.Errorf("%q cannot be the name of a case: letters, digits, dots, dashes and underscores can", name)
	}
	return nil
}

// maxCase is how large the file of a case may be, in bytes.
const maxCase = 8 << 20

// Load reads the cases of a folder in the order of their names. Other files there are left
// alone.
func Load(dir string) ([]*Case, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []*Case
	for _, f := range files {
		name, is := strings.CutSuffix(f.Name(), caseExt)
		if !is || !f.Type().IsRegular() || CheckName(name) != nil {
			continue
		}
		c, err := read(filepath.Join(dir, f.Name()))
		if errors.Is(err, errNoCase) {
			continue
		}
		if err != nil {
			return nil, err
		}
		c.Name = name
		all = append(all, c)
	}
	return all, nil
}

// errNoCase is returned for a file of something else.
var errNoCase = errors.New("not a case")

func read(path string) (*Case, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxCase+1))
	if err != nil {
		return nil, err
	}
	var is struct{ Type string }
	if len(b) > maxCase || json.Unmarshal(b, &is) != nil || is.Type != "case" {
		return nil, errNoCase
	}
	c := &Case{}
	if err := json.Unmarshal(b, c); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !sum.MatchString(c.Bundle.SHA256) || c.Bundle.Size < 0 {
		return nil, fmt.Errorf("%s: the bundle's checksum or size cannot be one", path)
	}
	return c, nil
}

// sum matches a SHA-256 in hexadecimal digits.
var sum = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Write writes the file of a case, one key and one frame a line, so that version control shows
// what changed.
func (c *Case) Write(ctx context.Context, dir string, force bool) error {
	if err := CheckName(c.Name); err != nil {
		return err
	}
	b, err := out.Marshal(c)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := json.Indent(&text, b, "", " "); err != nil {
		return err
	}
	text.WriteByte('\n')
	return file.WriteFile(ctx, filepath.Join(dir, c.Name+caseExt), text.Bytes(), force)
}

// Named returns the cases with the given names, or all if there are no names. It returns an error if a
// name matches no case.
func Named(all []*Case, names []string) ([]*Case, error) {
	if len(names) == 0 {
		return all, nil
	}
	var some []*Case
	for _, n := range names {
		i := slices.IndexFunc(all, func(c *Case) bool { return c.Name == strings.TrimSuffix(n, caseExt) })
		if i < 0 {
			return nil, fmt.Errorf("there is no case %q", n)
		}
		some = append(some, all[i])
	}
	return some, nil
}
