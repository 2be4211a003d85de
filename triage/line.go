package triage

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/crash"
	"coredbg/crash/bugs"
	"coredbg/runtimes"
	"coredbg/stack"
)

// A Line is triage's report on one core. Except for Seconds and Peak it is the same whenever it is
// made.
type Line struct {
	_        out.Record `record:"triage"`
	Core     string     `json:"core"`               // the path, as it was given or found
	SHA256   string     `json:"sha256,omitempty"`   // of the file
	Unhashed string     `json:"unhashed,omitempty"` // why there is no sha256
	Size     int64      `json:"size,omitempty"`     // of the file
	// when the file was changed last, which most often is when the process died; in UTC, as RFC 3339 has it
	Modified string `json:"modified,omitempty"`
	// when the core was written, where it says so: a minidump does; or when the process died, as "collect"
	// was told; in UTC
	Died string `json:"died,omitempty"`
	// read; unopened: it is not a core, or cannot be opened; timeout; memory: reading it took more than was
	// allowed; failed: the process that read it ended otherwise
	Status  Status `json:"status"`
	Error   string `json:"error,omitempty"`   // why it was not read
	Program string `json:"program,omitempty"` // the name of the executable's file
	Exe     string `json:"exe,omitempty"`
	Format  string `json:"format,omitempty"`
	Arch    string `json:"arch,omitempty"`
	OS      string `json:"os,omitempty"`
	PID     int    `json:"pid,omitempty"`
	// the name of the system that the process saw, where who kept the core was told it
	Host       string     `json:"host,omitempty"`
	Runtimes   []string   `json:"runtimes,omitempty"` // with their versions
	Signal     string     `json:"signal,omitempty"`
	Code       string     `json:"code,omitempty"` // of the signal
	Addr       *core.Addr `json:"addr,omitempty"` // the fault address
	Cause      bugs.Cause `json:"cause,omitempty"`
	Title      string     `json:"title,omitempty"`
	Confidence string     `json:"confidence,omitempty"` // certain, likely, possible, none
	Evidence   []string   `json:"evidence,omitempty"`
	Rule       string     `json:"rule,omitempty"` // the name of the rule that found the cause
	Signature  string     `json:"signature,omitempty"`
	Coarse     string     `json:"coarse,omitempty"` // the key of the cause and the first function
	Fine       string     `json:"fine,omitempty"`   // the key of the cause and up to five functions
	Rules      int        `json:"rules,omitempty"`  // the version of the signature's rules
	Thread     *Thread    `json:"thread,omitempty"` // that died
	// of the executable and of the images on that thread's stack, by their paths
	BuildIDs map[string]string `json:"build_ids,omitempty"`
	// of the same files: name and version, where they say so
	Packages map[string]string `json:"packages,omitempty"`
	// a digest of the signal, the threads and their registers: equal for copies of one core, also packed or compressed
	Process     string   `json:"process,omitempty"`
	Missing     []string `json:"missing,omitempty"`     // what the answer would have needed, or may be wrong without
	Unsandboxed string   `json:"unsandboxed,omitempty"` // why the process that read it could reach more than it should
	Seconds     float64  `json:"seconds,omitempty"`     // that reading it took
	Peak        int64    `json:"peak,omitempty"`        // the most memory that this took, in bytes
}

// A Status says what became of a core.
type Status string

// The outcomes for cores. Begun never appears in a complete line.
const (
	Begun    Status = "begun"
	Read     Status = "read"
	Unopened Status = "unopened"
	Timeout  Status = "timeout"
	Memory   Status = "memory"
	Failed   Status = "failed"
)

// A Thread is the thread that died.
type Thread struct {
	TID    int     `json:"tid"`
	Name   string  `json:"name,omitempty"`
	Frames []Frame `json:"frames"`         // the innermost first
	More   int     `json:"more,omitempty"` // frames that are not listed
	Stop   string  `json:"stop,omitempty"` // why the walk ended
}

// A Frame is a frame of it, without parts that differ between processes.
type Frame struct {
	Kind   string    `json:"kind"`
	Name   string    `json:"name,omitempty"`
	Module string    `json:"module,omitempty"`        // the path of the image
	Offset core.Addr `json:"module_offset,omitempty"` // from the image's first mapping; absent without module
	File   string    `json:"file,omitempty"`
	Line   int       `json:"line,omitempty"`
	Column int       `json:"column,omitempty"`
	Trust  string    `json:"trust"` // how it was found
}

// Label is the function's name. A function of a managed language without one is anonymous; of another it is not
// known.
func (f *Frame) Label() string {
	switch {
	case f.Name != "":
		return f.Name
	case f.File != "" && f.Kind != string(runtimes.Native):
		return "<anonymous>"
	}
	return "?"
}

// maxFrames is how many frames a line lists at most, and maxMissing how many things that
// are missing.
const (
	maxFrames  = 64
	maxMissing = 32
)

// NewLine returns the line of an open core, except for the fields about its file.
func NewLine(ctx context.Context, s *commands.Target) *Line {
	subject := s.Subject()
	subject.Heap = true
	v := crash.Analyze(ctx, subject)
	return lineOf(s, v)
}

func lineOf(s *commands.Target, v *crash.Verdict) *Line {
	p := s.Process
	l := &Line{Status: Read, Exe: p.Exe, Program: programOf(p), Format: p.Format, OS: p.OS, Arch: p.Machine, PID: p.PID,
		Process: identityOf(p),
		Cause:   v.Cause, Title: v.Title, Confidence: v.Confidence.String(), Evidence: v.Evidence, Rule: v.Rule}
	if p.Arch != nil {
		l.Arch = p.Arch.Name
	}
	if !p.Written.IsZero() {
		l.Died = p.Written.UTC().Format(time.RFC3339)
	}
	if g := p.Signal; g != nil {
		l.Signal, l.Code = cmp.Or(g.Name, fmt.Sprintf("signal %d", g.Number)), g.CodeName
		if g.HasAddr {
			l.Addr = &g.Addr
		}
	}
	if s := v.Signature; s != nil {
		l.Signature, l.Coarse, l.Fine, l.Rules = s.Name, s.Coarse, s.Fine, s.Rules
	}
	for _, r := range s.Found() {
		l.Runtimes = append(l.Runtimes, runtimes.Title(r))
	}
	if v.Stack != nil {
		l.Thread = threadOf(v.Stack)
	}
	l.images(p, s.Found())
	return l
}

// programOf returns the name of a process's executable.
func programOf(p *core.Process) string {
	if p.Exe != "" {
		return core.BaseName(p.Exe)
	}
	return p.Name
}

// Threads returns the threads of a document that lists at most most of them. The dead thread is among
// them.
func Threads(p *core.Process, most int) []*core.Thread {
	if len(p.Threads) <= most {
		return p.Threads
	}
	list := slices.Clone(p.Threads[:most])
	if died := slices.IndexFunc(p.Threads, func(t *core.Thread) bool { return t.Crashed }); died >= most {
		list[most-1] = p.Threads[died]
	}
	return list
}

func threadOf(s *stack.Stack) *Thread {
	t := &Thread{Frames: []Frame{}}
	if s.Thread != nil {
		t.TID, t.Name = s.Thread.TID, s.Name
	}
	for i := range s.Frames {
		if len(t.Frames) == maxFrames {
			t.More = len(s.Frames) - i
			break
		}
		f := &s.Frames[i]
		t.Frames = append(t.Frames, Frame{Kind: string(f.Kind), Name: f.Name, Module: f.Module, Offset: f.ModuleOffset,
			File: f.File, Line: f.Line, Column: f.Column, Trust: f.Trust.String()})
	}
	if s.Stop != nil {
		t.Stop = stack.StopText(s.Stop)
	}
	return t
}

// images records the builds of the executable and of the images on the stack, and the missing parts of
// them and of the core.
func (l *Line) images(p *core.Process, found []runtimes.Runtime) {
	l.Missing = append(l.Missing, p.Cut...)
	on := map[string]bool{}
	if l.Thread != nil {
		for _, f := range l.Thread.Frames {
			on[f.Module] = true
		}
	}
	for _, m := range p.Modules {
		if !m.Exe && !on[m.Path] || m.Path == "" {
			continue
		}
		facts := m.Facts()
		if facts.BuildID != nil {
			if l.BuildIDs == nil {
				l.BuildIDs = map[string]string{}
			}
			l.BuildIDs[m.Path] = hex.EncodeToString(facts.BuildID)
		}
		if of, ok := facts.Image.(core.Packaged); ok {
			if pkg := of.Package(); pkg != nil {
				if l.Packages == nil {
					l.Packages = map[string]string{}
				}
				l.Packages[m.Path] = pkg.String()
			}
		}
		if facts.Err != nil {
			l.Missing = append(l.Missing, facts.Err.Error())
		}
	}
	for _, r := range found {
		if u, ok := r.(runtimes.FileUser); ok {
			for _, err := range u.MissingFiles() {
				l.Missing = append(l.Missing, err.Error())
			}
		}
		if u, ok := r.(runtimes.Undecoded); ok {
			l.Missing = append(l.Missing, u.Undecoded())
		}
	}
	if n := len(l.Missing); n > maxMissing {
		l.Missing = append(l.Missing[:maxMissing:maxMissing], fmt.Sprintf("%d more", n-maxMissing))
	}
	l.Missing = slices.Compact(l.Missing)
}

// At gives a line the time of its core.
func (l *Line) At(t time.Time) { l.Modified = t.UTC().Format(time.RFC3339) }
