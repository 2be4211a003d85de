package report

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"coredbg/chart"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/crash"
	"coredbg/crash/bugs"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	styleText string
	//go:embed page.js
	scriptText string
)

// Options say what goes into a page.
type Options struct {
	// Bare leaves out the answers that show what the process worked on.
	Bare bool
	Now  time.Time // of the page
}

// A Page is the content of a report on a core.
type Page struct {
	Name, Core string
	Made       string
	Verdict    *crash.Verdict
	Signature  *bugs.Signature
	Crash      bool     // the process died of a fault of its own; it is not a snapshot, nor was it told to end
	Danger     bool     // Crash, or threads that wait for each other: the program has a fault
	Next       []string // commands that go on from the verdict
	Facts      []Fact
	Errors     []Error  // that ended it, with their own stacks
	Places     []Place  // the program's frames on the stack that it died in
	MorePlaces int      // that are left out
	Thrown     bool     // the error's own stack differs from Places: a handler ran since
	TID        int      // whose these are
	Suspect    *Suspect // what fills the heap; nil for none
	Full       bool     // the process ended because its heap was full
	Status     *Section
	Threads    []Thread
	Total      int // threads
	Left       int // stacks that are not shown
	Flame      *Flame
	Sections   []*Section
	Unknown    []*Section // sections without an answer
	Script     template.JS
}

// A Fact is something about the process in a word or two.
type Fact struct{ Name, Text string }

// An Error is an error that nothing caught, or a message that the process left.
type Error struct {
	Text   string   // empty if the page's title has it
	Frames []string // its own stack, the innermost first
	More   int      // frames that are left out
}

// New collects the content of the page from a session. It fails only with an error of ctx.
func New(ctx context.Context, s *commands.Session, o Options) (*Page, error) {
	p := &Page{Name: name(s.Process), Core: s.Process.Path, Script: template.JS(scriptText)}
	if !o.Now.IsZero() {
		p.Made = o.Now.UTC().Format("2006-01-02 15:04 UTC")
	}
	subject := s.Subject()
	subject.Heap, subject.Patient = true, true
	p.Verdict = crash.Analyze(ctx, subject)
	p.Signature = p.Verdict.Signature
	p.Crash = !s.Process.Snapshot && s.Process.Signal != nil && !p.Verdict.Cause.FromOutside()
	p.Danger = p.Crash || p.Verdict.Cause == bugs.Deadlock
	p.facts(s)
	p.Next = next(p.Verdict)
	var err error
	if !o.Bare {
		if err = p.details(ctx, s); err != nil {
			return nil, err
		}
	}
	if p.Status, err = ask(ctx, s, &question{id: "status", title: "Status", command: "::status"}); err != nil {
		return nil, err
	}
	var flame *chart.Node
	if p.Threads, flame, p.Left, err = threads(ctx, s); err != nil {
		return nil, err
	}
	if p.Total = len(s.Process.Threads); p.Suspect != nil {
		p.Suspect.mark(p.Threads)
	}
	if p.Flame, err = draw(flame, chart.Drawing{Title: "Threads by their stacks",
		Note: "the outermost function on top; as wide as threads are in it",
		Unit: func(n uint64) string { return out.Count(n, "thread") }}); err != nil {
		return nil, err
	}
	sections, err := sectionsOf(ctx, s, o)
	if err != nil {
		return nil, err
	}
	for _, sec := range sections {
		if sec.known() {
			p.Sections = append(p.Sections, sec)
		} else {
			p.Unknown = append(p.Unknown, sec)
		}
	}
	return p, nil
}

// details adds source, values and messages, which may have what the process worked on.
func (p *Page) details(ctx context.Context, s *commands.Session) (err error) {
	p.Errors = errorsOf(p.Verdict)
	p.Places, p.TID, p.MorePlaces = places(ctx, s, p.Verdict)
	p.Thrown = thrownBefore(p.Verdict)
	if !p.Crash && !slices.ContainsFunc(p.Places, func(x Place) bool { return len(x.Lines)+len(x.Values) > 0 }) {
		p.Places = nil // where a signal from outside found a thread says nothing without source or values
	}
	for i := range p.Places {
		p.Places[i].Open = p.Places[i].Open && !p.Thrown
	}
	if has(s, "heap") {
		p.Suspect, err = suspect(ctx, s)
		p.Full = p.Suspect != nil && p.Verdict.Cause.Full()
	}
	return err
}

// sectionsOf returns the timeline and the answers to the questions that fit the process. Some answers say nothing.
func sectionsOf(ctx context.Context, s *commands.Session, o Options) ([]*Section, error) {
	sec, err := timeline(ctx, s)
	if err != nil {
		return nil, err
	}
	sections := []*Section{sec}
	for i := range questions {
		q := &questions[i]
		if o.Bare && q.private || !has(s, q.runtime) {
			continue
		}
		sec, err := ask(ctx, s, q)
		if err != nil {
			return nil, err
		}
		if sec == nil {
			continue
		}
		if err := illustrate(ctx, s, sec, q.id, o); err != nil {
			return nil, err
		}
		sections = append(sections, sec)
	}
	return sections, nil
}

// illustrate adds the drawing of a section that has one.
func illustrate(ctx context.Context, s *commands.Session, sec *Section, id string, o Options) (err error) {
	switch {
	case id == "mappings":
		sec.Strip = strip(s.Process)
	case id == "processor":
		sec.Bars = bars(s.Process, func(t *core.Thread) string { name, _ := s.Stacks.Describe(t); return name })
	case id == "memory":
		sec.Flame, err = memoryMap(ctx, s)
	case id == "dominators" && !o.Bare: // names have contents of strings
		sec.Flame, err = heapFlame(ctx, s)
	}
	return err
}

// next returns the commands that a verdict names, by their long names.
func next(v *crash.Verdict) (list []string) {
	for _, line := range v.Next {
		if line == "$C" {
			line = "::stack"
		}
		if !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}

// facts says in short what the process was.
func (p *Page) facts(s *commands.Session) {
	add := func(name, text string) {
		if text != "" {
			p.Facts = append(p.Facts, Fact{name, text})
		}
	}
	of := s.Process
	if g := of.Signal; g != nil {
		text := cmp.Or(g.Name, "signal "+decimal(g.Number))
		if g.Text != "" {
			text += ", " + g.Text
		}
		if g.CodeName != "" {
			text += " (" + g.CodeName + ")"
		}
		add("signal", text)
	}
	if of.PID != 0 {
		add("process", decimal(of.PID))
	}
	add("threads", decimal(len(of.Threads)))
	var found []string
	for _, r := range s.Found() {
		found = append(found, runtimes.Title(r))
	}
	add("runtime", strings.Join(found, ", "))
	machine := of.Machine
	if of.Arch != nil {
		machine = of.Arch.Name
	}
	add("machine", strings.TrimSpace(of.OS+" "+machine))
}

// maxError bounds the frames of an error's own stack, and maxErrors the errors.
const (
	maxError  = 40
	maxErrors = 4
)

// errorsOf returns the errors that ended the process, as the runtimes have them. The page's title is not said again: a
// message in it is left out.
func errorsOf(v *crash.Verdict) (list []Error) {
	for i := range v.Causes[:min(len(v.Causes), maxErrors)] {
		c := &v.Causes[i]
		e := Error{Text: c.String(), Frames: c.Stack}
		for k := 0; k < len(c.Trace) && len(c.Stack) == 0; k++ {
			e.Frames = append(e.Frames, where.Frame(&stack.Frame{Name: c.Trace[k].Name, File: c.Trace[k].File,
				Line: c.Trace[k].Line, Column: c.Trace[k].Column}))
		}
		if len(e.Frames) > maxError {
			e.More, e.Frames = len(e.Frames)-maxError, e.Frames[:maxError]
		}
		if strings.Contains(v.Title, e.Text) {
			e.Text = ""
		}
		if len(e.Frames) == 0 && (e.Text == "" ||
			slices.ContainsFunc(v.Beyond(), func(said string) bool { return strings.Contains(said, e.Text) })) {
			continue
		}
		list = append(list, e)
	}
	return list
}

// decimal writes a number.
func decimal(n int) string { return strconv.Itoa(n) }

// name returns the program's name: its file's name, else the name that the kernel keeps.
func name(p *core.Process) string {
	if p.Exe != "" {
		return path.Base(p.Exe)
	}
	return p.Name
}

// Head returns the head of the page.
func (p *Page) Head() out.PageHead {
	return out.PageHead{Title: p.Name + ": " + p.Verdict.Title, Style: template.CSS(styleText),
		Scripts: []string{scriptText, chart.Script}}
}

// inks are the classes of the colours of cells.
var inks = map[out.Ink]string{out.Addr: "addr", out.Symbol: "sym", out.String: "str", out.Keyword: "key",
	out.Error: "err", out.Dim: "dim"}

// Write writes the page, which has no control characters, as it may be viewed on a terminal.
func (p *Page) Write(w io.Writer) error {
	page := out.PageTemplate(pageText, template.FuncMap{
		"ink":  func(i out.Ink) string { return inks[i] },
		"many": out.Count[int],
	})
	var b strings.Builder // text of the core is escaped by html/template wherever it goes
	if err := page.Execute(&b, p); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	_, err := io.WriteString(w, out.Clean(b.String(), true))
	return err
}
