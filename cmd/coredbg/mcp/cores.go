package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"coredbg/cmd/coredbg/ask"
	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/runtimes"
	"coredbg/triage"
)

type openArgs struct {
	Path       string   `json:"path" jsonschema:"the core file or bundle (.cdb), in one of the folders that coredbg was started with"`
	Executable string   `json:"executable,omitempty" jsonschema:"the program, if it is not where the core says"`
	Search     []string `json:"search,omitempty" jsonschema:"folders with the program's libraries"`
}

type noArgs struct{}

type coreArgs struct {
	Core string `json:"core,omitempty" jsonschema:"which core, as open named it; may be left out if one core is open"`
}

type moreArgs struct {
	Core   string `json:"core,omitempty" jsonschema:"the core of the answer; may be left out"`
	Cursor string `json:"cursor" jsonschema:"the value of next in an answer"`
}

type compareArgs struct {
	coreArgs
	Older string `json:"older" jsonschema:"another open core: the older one, or one that may have died of the same bug"`
}

type triageArgs struct {
	Folder string `json:"folder" jsonschema:"a folder with cores; those below it are found, too"`
	Most   int    `json:"most,omitempty" jsonschema:"read at most this many cores; 40 without it"`
}

// A coreRecord is a line of the tools open and cores.
type coreRecord struct {
	_    out.Record `record:"open_core"`
	Core string     `json:"core"` // as the other tools name it
	Path string     `json:"path"`
}

// A sameRecord compares two bugs.
type sameRecord struct {
	_     out.Record `record:"same_bug"`
	Same  string     `json:"same"` // yes, likely, no, unknown
	Of    string     `json:"of"`   // name of the bug of the core
	Older string     `json:"older"`
	Text  string     `json:"text"`
}

// tools adds all tools.
func (s *Server) tools() error {
	return errors.Join(s.coreTools(), s.askTools())
}

func (s *Server) coreTools() error {
	return errors.Join(
		add(s, spec{"open", "Open a core", "Opens a core file and says which process it was, why it died, and how sure that is. Returns the name that other tools take as core.", []string{"open_core", "status"}}, s.open),
		add(s, spec{"cores", "List cores", "Lists the open cores, and the folders that cores may be opened from.",
			[]string{"open_core"}}, s.list),
		add(s, spec{"close", "Close a core", "Closes a core. Its name and its cursors are no longer valid.",
			nil}, s.close),
		add(s, spec{"compare", "Compare two cores",
			"Says if two open cores died of the same bug, and which objects of the heap grew from the older to the other.", []string{"same_bug", "heapdiff", "suspect"}}, s.compare),
		add(s, spec{"triage", "Triage a folder",
			"Reads all cores of a folder, each in a process of its own, and lists their bugs: first each bug with its number of cores, then a line for each core.", []string{"bug", "core_brief"}}, s.triage),
		add(s, spec{"more", "Continue an answer", "Returns the next page of an answer that has next.", nil},
			func(_ context.Context, in moreArgs) (*answer, error) { return s.more(in.Core, in.Cursor) }),
	)
}

// core returns an open core by its name, or the only one.
func (s *Server) core(id string) (*opened, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == "" {
		if len(s.cores) != 1 {
			return nil, usage("%d cores are open: core says which one is meant", len(s.cores))
		}
		for _, c := range s.cores {
			return c, nil
		}
	}
	if c := s.cores[id]; c != nil {
		return c, nil
	}
	return nil, usage("no core %q is open: cores lists the open ones", id)
}

func (s *Server) open(ctx context.Context, in openArgs) (*answer, error) {
	c, err := s.Open(ctx, in.Path, in.Executable, in.Search)
	if err != nil {
		return nil, err
	}
	return s.ask(ctx, c, func(q *ask.Query) error {
		r := &coreRecord{Core: c.ID, Path: c.Path}
		if err := q.Add(r, fmt.Sprintf("%s: %s\n", c.ID, out.Clean(c.Path, false))); err != nil {
			return err
		}
		q.Run("::status")
		return nil
	})
}

// Open opens a core and names it. Errors have the kind open.
func (s *Server) Open(ctx context.Context, path, executable string, search []string) (*opened, error) {
	s.mu.Lock()
	room := len(s.cores)+s.opening < maxCores
	if room {
		s.opening++
	}
	s.mu.Unlock()
	if !room {
		return nil, usage("%d cores are open, and no more may be: close one", maxCores)
	}
	session, err := s.session(ctx, path, executable, search)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opening--
	if err != nil {
		return nil, &problem{"open", fmt.Errorf("%s: %w", path, plain(err))}
	}
	s.last++
	c := &opened{Core: ask.New(fmt.Sprintf("c%d", s.last), session.Process.Path, session)}
	s.cores[c.ID] = c
	return c, nil
}

// session opens a core. A panic is an error: the server goes on.
func (s *Server) session(ctx context.Context, path, executable string,
	search []string) (session *commands.Session, err error) {
	defer func() {
		if p := recover(); p != nil {
			session, err = nil, fmt.Errorf("internal error, please report: %v", p)
		}
	}()
	return s.o.Open(ctx, path, executable, search)
}

// plain returns what is wrong with a path, without the path.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func (s *Server) list(context.Context, noArgs) (*answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := &answer{}
	for _, id := range slices.Sorted(maps.Keys(s.cores)) {
		e, err := ask.NewEntry(&coreRecord{Core: id, Path: s.cores[id].Path},
			fmt.Sprintf("%s: %s\n", id, out.Clean(s.cores[id].Path, false)))
		if err != nil {
			return nil, err
		}
		a.entries = append(a.entries, e)
	}
	if len(a.entries) == 0 {
		a.notes = append(a.notes, "no core is open")
	}
	for _, d := range s.o.Folders.Dirs() {
		a.notes = append(a.notes, "cores may be opened from "+out.Clean(d, false))
	}
	return a, nil
}

func (s *Server) close(_ context.Context, in coreArgs) (*answer, error) {
	c, err := s.core(in.Core)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	delete(s.cores, c.ID)
	s.mu.Unlock()
	if err := c.Close(); err != nil {
		return nil, err
	}
	return &answer{notes: []string{c.ID + " is closed"}}, nil
}

func (s *Server) closeAll() {
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.cores))
	clear(s.cores)
	s.mu.Unlock()
	for _, c := range all {
		c.Close()
	}
}

// ask runs lines of one core. The current thread and frame stay what command lines have made them.
func (s *Server) ask(ctx context.Context, c *opened, do func(q *ask.Query) error) (*answer, error) {
	return s.asked(ctx, c, func(q *ask.Query) error {
		return q.Kept(func() error { return do(q) })
	})
}

// asked runs lines of one core.
func (s *Server) asked(ctx context.Context, c *opened, do func(q *ask.Query) error) (*answer, error) {
	a := &answer{core: c}
	err := c.Do(ctx, func(q *ask.Query) error {
		err := do(q)
		a.entries, a.notes, a.failed = q.Entries, q.Notes, q.Failed
		if len(a.entries) == 0 {
			a.failed = cmp.Or(a.failed, q.Tried)
		}
		return err
	})
	if errors.Is(err, lang.ErrStop) {
		err = nil
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return a, err
}

func (s *Server) compare(ctx context.Context, in compareArgs) (*answer, error) {
	c, err := s.core(in.Core)
	if err == nil && in.Core == "" {
		err = usage("core says which core is compared with the older one")
	}
	if err != nil {
		return nil, err
	}
	older, err := s.core(in.Older)
	if err != nil {
		return nil, err
	}
	if c == older {
		return nil, usage("%s is compared with itself", c.ID)
	}
	lines := [2]*triage.Line{}
	heap := false
	for i, x := range []*opened{older, c} {
		if err := x.Do(ctx, func(q *ask.Query) error {
			lines[i] = triage.NewLine(ctx, &q.Session().Target)
			lines[i].Status = triage.Read
			_, heap = commands.RuntimeOf[runtimes.Grapher](q.Session())
			return ctx.Err()
		}); err != nil {
			return nil, err
		}
	}
	return s.ask(ctx, c, func(q *ask.Query) error {
		r := same(lines[1], lines[0])
		if err := q.Add(r, r.Text+"\n"); err != nil {
			return err
		}
		if heap {
			q.Try("::heapdiff -n 20 %s", lang.Part{Text: older.Path, Quote: '"'}.String())
		}
		return nil
	})
}

// same says if two cores died of one bug, as coredbg groups does.
func same(of, older *triage.Line) *sameRecord {
	r := &sameRecord{Of: of.Signature, Older: older.Signature, Same: "no",
		Text: "different bugs: their causes or the functions on their stacks differ"}
	coarse, fine := &triage.Groups{By: triage.ByCoarse}, &triage.Groups{By: triage.ByFine}
	switch {
	case of.Coarse == "" || older.Coarse == "":
		r.Same, r.Text = "unknown", "it cannot be known: no thread of one of them died, or its stack says nothing"
	case fine.Key(of) == fine.Key(older):
		r.Same, r.Text = "yes", "the same bug: cause and functions are equal"
	case coarse.Key(of) == coarse.Key(older):
		r.Same, r.Text = "likely", "likely the same bug: coredbg groups puts both into one, frames further out differ"
	case of.Coarse == older.Coarse:
		r.Same, r.Text = "likely", "likely the same bug in two programs"
	}
	r.Text += fmt.Sprintf("; now %s, older %s", out.Clean(of.Signature, false), out.Clean(older.Signature, false))
	return r
}

// triage reads the cores of a folder.
func (s *Server) triage(ctx context.Context, in triageArgs) (*answer, error) {
	dir, err := s.o.Folders.Folder(in.Folder)
	if err != nil {
		return nil, &problem{"open", fmt.Errorf("%s: %w", in.Folder, plain(err))}
	}
	found, err := triage.Cores([]string{dir}, strings.NewReader(""), false)
	if err != nil {
		return nil, &problem{"open", err}
	}
	most := in.Most
	if most <= 0 {
		most = 40
	}
	a := &answer{}
	if len(found) > most {
		a.notes = append(a.notes, fmt.Sprintf("%d of the %d cores are read: most allows more", most, len(found)))
		found = found[:most]
	}
	groups := &triage.Groups{By: triage.ByCoarse, Keep: true}
	var lines []*triage.Line
	if err := s.o.Triage(ctx, found, func(l *triage.Line) error {
		groups.Add(l)
		lines = append(lines, l)
		return nil
	}); err != nil {
		return nil, err
	}
	for _, b := range groups.Bugs() {
		e, err := ask.NewEntry(b, out.Clean(fmt.Sprintf("%d of %s: %s", b.Count, b.Name, b.Title), false)+"\n")
		if err != nil {
			return nil, err
		}
		a.entries = append(a.entries, e)
	}
	for _, l := range lines {
		b := brief(l)
		text := b.Core + ": " + b.Title
		if b.Error != "" {
			text = fmt.Sprintf("%s: %s: %s", b.Core, b.Status, b.Error)
		}
		e, err := ask.NewEntry(b, out.Clean(text, false)+"\n")
		if err != nil {
			return nil, err
		}
		a.entries = append(a.entries, e)
	}
	return a, nil
}

// A briefRecord is a line of triage with the keys that are asked for most.
type briefRecord struct {
	_          out.Record    `record:"core_brief"`
	Core       string        `json:"core"` // the path
	Status     triage.Status `json:"status"`
	Error      string        `json:"error,omitempty"` // why it was not read
	Program    string        `json:"program,omitempty"`
	Signal     string        `json:"signal,omitempty"`
	Cause      string        `json:"cause,omitempty"`
	Title      string        `json:"title,omitempty"`
	Confidence string        `json:"confidence,omitempty"`
	Signature  string        `json:"signature,omitempty"`
	Frames     []string      `json:"frames,omitempty"` // the innermost with names, a few
}

// maxBrief is how many frames a line of triage has in an answer.
const maxBrief = 5

func brief(l *triage.Line) *briefRecord {
	b := &briefRecord{Core: l.Core, Status: l.Status, Error: l.Error, Program: l.Program, Signal: l.Signal,
		Cause: string(l.Cause),
		Title: l.Title, Confidence: l.Confidence, Signature: l.Signature}
	if l.Thread == nil {
		return b
	}
	for _, f := range l.Thread.Frames {
		if f.Name == "" || len(b.Frames) == maxBrief {
			continue
		}
		if f.File != "" {
			f.Name += fmt.Sprintf(" (%s:%d)", f.File, f.Line)
		}
		b.Frames = append(b.Frames, f.Name)
	}
	return b
}
