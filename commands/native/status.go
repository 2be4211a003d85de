package native

import (
	"context"
	"fmt"
	"strings"
	"time"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/crash"
	"coredbg/crash/bugs"
	"coredbg/crash/fault"
	"coredbg/runtimes"
)

// A statusRecord is what ::status reports: which process this was, and why it
// died.
type statusRecord struct {
	_        out.Record             `record:"status"`
	Core     string                 `json:"core"`
	Format   string                 `json:"format"`
	OS       string                 `json:"os,omitempty"`
	Arch     string                 `json:"arch,omitempty"`
	Name     string                 `json:"name,omitempty"`
	File     string                 `json:"file,omitempty"`
	Argv     string                 `json:"argv,omitempty"`
	PID      int                    `json:"pid,omitempty"`
	PPID     int                    `json:"ppid,omitempty"`
	UID      *int                   `json:"uid,omitempty"` // nil if the core does not say
	GID      *int                   `json:"gid,omitempty"`
	Threads  int                    `json:"threads"`
	Crashed  int                    `json:"crashed_thread,omitempty"`
	Signal   *commands.SignalRecord `json:"signal,omitempty"`
	Snapshot bool                   `json:"snapshot,omitempty"` // the process was not ending
	Began    string                 `json:"began,omitempty"`    // when the process began, as 2006-01-02T15:04:05Z
	Written  string                 `json:"written,omitempty"`  // when the core was
	Verdict  *shortVerdict          `json:"verdict,omitempty"`  // none of a snapshot
	// Causes are why the process gave up, in its own words; Reason is what the
	// signal means.
	Causes   []runtimes.Cause `json:"causes,omitempty"`
	Reason   []string         `json:"reason,omitempty"`
	Runtimes []string         `json:"runtimes,omitempty"`
	Build    string           `json:"build,omitempty"`  // of the system, as a runtime knows it
	Packed   string           `json:"packed,omitempty"` // how the program was packed into the executable
	Warnings []string         `json:"warnings,omitempty"`

	bits    int
	words   string // how the process ended
	verbose bool
	thread  string // the one that was ended, by id and name; "" for none

	nameless bool // see nameIt
}

func newStatus(ctx context.Context, s *commands.Session, verbose bool) *statusRecord {
	p := s.Process
	r := &statusRecord{Core: p.Path, Format: p.Format, OS: p.OS, Arch: p.Machine,
		Name: p.Name, File: p.Exe, Argv: p.CommandLine(), PID: p.PID, PPID: p.PPID, UID: known(p.UID),
		GID:     known(p.GID),
		Threads: len(p.Threads), Reason: crash.Explain(ctx, s.Subject()), Snapshot: p.Snapshot, words: fault.Ending(p),
		verbose: verbose}
	r.Began, r.Written = stamp(p.Began), stamp(p.Written)
	if p.Arch != nil {
		r.Arch, r.bits = p.Arch.Name, 8*p.Arch.PtrSize
	}
	if p.Signal != nil {
		r.Signal = commands.NewSignalRecord(p.Signal)
	}
	if t := commands.Crashed(p); t != nil {
		r.Crashed, r.thread = t.TID, threadTitle(s, t)
	}
	for _, w := range p.Warnings {
		r.Warnings = append(r.Warnings, w.String())
		s.Partial = s.Partial || w.Place == core.PlaceExecutable
	}
	// A program that is not the one that died makes everything doubtful.
	for _, m := range p.Modules {
		if m.Exe && m.Facts().Err != nil {
			r.Warnings = append(r.Warnings, out.ErrorLines(m.Facts().Err)...)
			s.Partial = true
		}
	}
	if heapAlone := len(p.Threads) == 0 && len(p.Space.Segments()) == 0; !heapAlone {
		if len(p.Modules) == 0 {
			r.Warnings = append(r.Warnings, noModules)
		}
		r.nameless = nameless(p)
	}
	return r
}

// noModules is the reason that the process's mapped files are unknown.
const noModules = "no executable and no library is known: the core lists no files that were mapped"

// nameIt says what a user can do where the program was not found.
const nameIt = "coredbg PROGRAM CORE names the program; -search DIR and -sysroot DIR say where files are"

// nameless reports whether the file of the program was not found and the user has
// named none.
func nameless(p *core.Process) bool {
	for _, w := range p.Warnings {
		if w.Place == core.PlaceExecutable || w.Place == core.PlaceShared {
			return false
		}
	}
	for _, m := range p.Modules {
		if m.Exe {
			return m.Facts().Err != nil
		}
	}
	return true
}

// known returns an id, or nil for -1: then the core does not have it.
func known(id int) *int {
	if id < 0 {
		return nil
	}
	return &id
}

// stamp returns a time as records have it; "" if there is none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// program is the name that people know the process by.
func (r *statusRecord) program() string {
	switch {
	case r.File != "":
		return core.BaseName(r.File)
	case r.Name != "":
		return r.Name
	}
	return "an unknown program"
}

// Addr returns the id of the crashed thread.
func (r *statusRecord) Addr() (core.Addr, bool) { return core.Addr(r.Crashed), r.Crashed != 0 }

// maxWarnings is how many warnings ::status shows without -v.
const maxWarnings = 3

// Text writes the lines that MDB has, and the additional ones.
func (r *statusRecord) Text(w *out.Writer) {
	kind := r.Arch
	if r.bits > 0 {
		kind = fmt.Sprintf("%d-bit %s", r.bits, r.Arch)
	}
	w.Printf("debugging core file of %s (%s)", sym.Clean(r.program()), strings.TrimSpace(kind))
	if r.PID != 0 {
		w.Printf(", pid %d", r.PID)
	}
	w.Printf("\n")
	w.Printf("core: %s (%s)\n", sym.Clean(r.Core), r.Format)
	line := func(name, value string) {
		if value != "" {
			w.Printf("%s: %s\n", name, sym.Clean(value))
		}
	}
	line("file", r.File)
	line("initial argv", r.Argv)
	line("began", r.Began)
	line("written", r.Written)
	w.Printf("threading model: native threads (%d)\n", r.Threads)
	for _, v := range r.Runtimes {
		line("runtime", v)
	}
	line("packed", r.Packed)
	line("build", r.Build)
	w.Printf("status: %s\n", r.words)
	if v := r.Verdict; v != nil {
		w.Printf("verdict: ")
		w.Paint(out.Error, "%s", sym.Clean(v.Title))
		w.Printf(" (%s, %s)\n", v.Cause, v.Confidence)
	}
	for i := range r.Causes {
		w.Printf("        ")
		w.Paint(out.Error, "%s", sym.Clean(r.Causes[i].String()))
		w.Printf("\n")
	}
	for _, s := range r.Reason {
		w.Printf("        %s\n", s)
	}
	if r.thread != "" {
		w.Printf("thread: %s\n", r.thread)
	}
	for i, s := range r.Warnings {
		if i == maxWarnings && !r.verbose {
			w.Printf("warning: %d more (::status -v)\n", len(r.Warnings)-i)
			break
		}
		w.Printf("warning: %s\n", sym.Clean(s))
	}
	if r.nameless {
		w.Printf("        %s\n", nameIt)
	}
}

// statusReach is how many frames of the thread that died ::status and the banner walk: a
// recursion shows in them.
const statusReach = 400

// A shortVerdict is the first line of ::analyze.
type shortVerdict struct {
	Cause      bugs.Cause      `json:"cause"`
	Title      string          `json:"title"`
	Confidence bugs.Confidence `json:"confidence"`
}

// judge returns the reason that the process died, or nil if the reason is unknown or it did not die.
func (r *statusRecord) judge(ctx context.Context, s *crash.Subject) *crash.Verdict {
	v := crash.Analyze(ctx, s)
	r.Causes = v.Causes
	if v.Cause != bugs.Unknown && v.Cause != bugs.Snapshot {
		r.Verdict = &shortVerdict{v.Cause, v.Title, v.Confidence}
	}
	return v
}

// threadTitle is a thread's id with its name, as a runtime has it.
func threadTitle(s *commands.Session, t *core.Thread) string {
	name := t.Name
	if s.Stacks != nil {
		if known, _ := s.Stacks.Describe(t); known != "" {
			name = known
		}
	}
	if name == "" {
		return fmt.Sprint(t.TID)
	}
	return fmt.Sprintf("%d (%s)", t.TID, sym.Clean(name))
}

// askedModules is how many modules ::status without -v asks whether their file
// was found: more would take longer than all the rest.
const askedModules = 256

func runStatus(ctx context.Context, c *commands.Call) error {
	r := newStatus(ctx, c.Session, c.Flag('v'))
	subject := c.Session.Subject()
	subject.Limit = statusReach
	r.judge(ctx, subject)
	for _, rt := range c.Session.Runtimes() {
		name := runtimes.Title(rt)
		if u, ok := rt.(runtimes.Undecoded); ok {
			c.Session.Partial = true
			name += ", not decoded: " + u.Undecoded()
		}
		r.Runtimes = append(r.Runtimes, name)
		if b, ok := rt.(runtimes.Builder); ok {
			r.Build = b.Build()
		}
		if p, ok := rt.(runtimes.Packer); ok {
			r.Packed = p.Packed(ctx)
		}
	}
	if n, ok := c.Session.Process.Made.(interface{ Notes() []core.Warning }); ok {
		for _, w := range n.Notes() {
			r.Warnings = append(r.Warnings, w.String())
		}
	}
	for _, rt := range c.Session.Runtimes() {
		if u, ok := rt.(runtimes.FileUser); ok {
			for _, err := range u.MissingFiles() {
				r.Warnings = append(r.Warnings, rt.Name()+": "+err.Error())
			}
		}
	}
	modules := c.Session.Process.Modules
	if len(modules) > askedModules && !c.Flag('v') {
		return c.Emit(r)
	}
	for _, m := range modules {
		if f := m.Facts(); f.Err != nil && !m.Exe {
			r.Warnings = append(r.Warnings, out.ErrorLines(f.Err)...)
		}
	}
	return c.Emit(r)
}

func runSiginfo(ctx context.Context, c *commands.Call) error {
	if c.Flag('l') {
		return listSignals(c)
	}
	g := c.Session.Process.Signal
	if g == nil {
		if c.Session.Process.Snapshot {
			return c.Empty("no signal: the core is a snapshot of a running process")
		}
		return c.Unknown("the core records no signal")
	}
	return c.Emit(&siginfoRecord{SignalRecord: commands.NewSignalRecord(g), signal: g,
		Reason: crash.Explain(ctx, c.Session.Subject())})
}

// A siginfoRecord is the signal with its explanation.
type siginfoRecord struct {
	_ out.Record `record:"siginfo"`
	*commands.SignalRecord
	signal *core.Signal
	Reason []string `json:"reason,omitempty"`
}

// Addr returns the fault address.
func (r *siginfoRecord) Addr() (core.Addr, bool) { return r.signal.Addr, r.signal.HasAddr }

// Text writes one field a line.
func (r *siginfoRecord) Text(w *out.Writer) {
	g := r.signal
	w.Printf("si_signo  %d  %s  %s\n", g.Number, g.Name, g.Text)
	if !g.HasCode {
		w.Printf("si_code   not recorded: the core has no siginfo\n")
	} else {
		w.Printf("si_code   %d  %s  %s\n", g.Code, g.CodeName, g.CodeText)
		w.Printf("si_errno  %d\n", g.Errno)
	}
	if g.HasAddr {
		w.Printf("si_addr   %v\n", g.Addr)
	}
	if g.HasSender {
		w.Printf("si_pid    %d\nsi_uid    %d\n", g.PID, g.UID)
	}
	for _, s := range r.Reason {
		w.Printf("          %s\n", s)
	}
}
