package report

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"coredbg/chart"
	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/crash"
	"coredbg/crash/bugs"
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
	Status     *Section
	Threads    []Thread
	Total      int // threads
	Left       int // stacks that are not shown
	Flame      *Flame
	Sections   []*Section
	Script     template.JS
}

// New collects the content of the page from a session. It fails only with an error of ctx.
func New(ctx context.Context, s *commands.Session, o Options) (*Page, error) {
	p := &Page{Name: name(s.Process), Core: s.Process.Path, Script: template.JS(scriptText)}
	if !o.Now.IsZero() {
		p.Made = o.Now.UTC().Format("2006-01-02 15:04 UTC")
	}
	subject := s.Subject()
	subject.Heap = true
	p.Verdict = crash.Analyze(ctx, subject)
	p.Signature = p.Verdict.Signature
	var err error
	if p.Status, err = ask(ctx, s, &question{id: "status", title: "Status", command: "::status"}); err != nil {
		return nil, err
	}
	var flame *chart.Node
	if p.Threads, flame, p.Left, err = threads(ctx, s); err != nil {
		return nil, err
	}
	p.Total = len(s.Process.Threads)
	if p.Flame, err = draw(flame, chart.Drawing{Title: "Threads by their stacks", Note: "the outermost function on top; as wide as threads are in it",
		Unit: func(n uint64) string { return out.Count(n, "thread") }}); err != nil {
		return nil, err
	}
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
		switch {
		case q.id == "mappings":
			sec.Strip = strip(s.Process)
		case q.id == "processor":
			sec.Bars = bars(s.Process, func(t *core.Thread) string { name, _ := s.Stacks.Describe(t); return name })
		case q.id == "dominators" && !o.Bare: // names have contents of strings
			if sec.Flame, err = heapFlame(ctx, s); err != nil {
				return nil, err
			}
		}
		p.Sections = append(p.Sections, sec)
	}
	sec, err := timeline(ctx, s)
	if err != nil {
		return nil, err
	}
	p.Sections = slices.Insert(p.Sections, 0, sec)
	return p, nil
}

// name returns the program's name: its file's name, else the name that the kernel keeps.
func name(p *core.Process) string {
	if p.Exe != "" {
		return path.Base(p.Exe)
	}
	return p.Name
}

// Head returns the head of the page.
func (p *Page) Head() out.PageHead {
	return out.PageHead{Title: p.Name + ": " + p.Verdict.Title, Style: template.CSS(styleText), Scripts: []string{scriptText, chart.Script}}
}

// inks are the classes of the colours of cells.
var inks = map[out.Ink]string{out.Addr: "addr", out.Symbol: "sym", out.String: "str", out.Keyword: "key", out.Error: "err", out.Dim: "dim"}

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
