package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"coredbg/commands/out"
	"coredbg/core/sym"
	"coredbg/triage"
)

// A Checked is a case with its current results.
type Checked struct {
	_    out.Record `record:"casecheck"`
	Name string     `json:"name"`
	// same, changed; missing: its bundle was not found; failed: its bundle could not be read
	Status  string   `json:"status"`
	Changes []Change `json:"changes,omitempty"` // what differs, frame by frame
	Error   string   `json:"error,omitempty"`
	now     *Case
}

// The states of a case.
const (
	Same    = "same"
	Changed = "changed"
	Missing = "missing"
	Unread  = "failed"
)

// Text writes what differs.
func (c *Checked) Text(w *out.Writer) {
	w.Printf("%-8s %s\n", c.Status, c.Name)
	if c.Error != "" {
		w.Printf("    %s\n", sym.Clean(c.Error))
	}
	in := ""
	for _, x := range c.Changes {
		if x.In != in {
			w.Printf("    %s\n", sym.Clean(x.In))
			in = x.In
		}
		if x.Was != "" {
			w.Paint(out.Error, "      - %s", sym.Clean(x.Was))
			w.Printf("\n")
		}
		if x.Is != "" {
			w.Paint(out.Keyword, "      + %s", sym.Clean(x.Is))
			w.Printf("\n")
		}
	}
}

// Now returns what was found; nil if the bundle could not be read. It has the case's name
// and witness.
func (c *Checked) Now() *Case { return c.now }

// Check reads the bundles of cases, whose runner makes cases of them, and calls emit for each
// in their order.
func Check(ctx context.Context, r *triage.Runner, s *Store, cases []*Case, emit func(*Checked) error) error {
	var paths []string
	found := make([]error, len(cases))
	for i, c := range cases {
		path, err := s.Find(ctx, c)
		if found[i] = err; err == nil {
			paths = append(paths, path)
		}
	}
	i := 0
	missing := func() error { // the cases before the next one that has a bundle
		for ; i < len(cases) && found[i] != nil; i++ {
			if err := emit(&Checked{Name: cases[i].Name, Status: Missing, Error: found[i].Error()}); err != nil {
				return err
			}
		}
		return nil
	}
	err := r.Run(ctx, paths, func(got *triage.Result) error {
		if err := missing(); err != nil {
			return err
		}
		c := cases[i]
		i++
		return emit(c.against(got))
	})
	return errors.Join(err, missing())
}

// against compares a case with the current results.
func (c *Case) against(got *triage.Result) *Checked {
	x := &Checked{Name: c.Name, Status: Unread}
	now, err := c.Made(got)
	if err != nil {
		x.Error = err.Error()
		return x
	}
	x.now, x.Status, x.Changes = now, Same, c.Diff(now)
	if len(x.Changes) > 0 {
		x.Status = Changed
	}
	return x
}

// Made returns what a runner has found, with the name and witness of a case.
func (c *Case) Made(got *triage.Result) (*Case, error) {
	if got.Doc == nil {
		return nil, fmt.Errorf("%s: %s", got.Line.Status, got.Line.Error)
	}
	now := &Case{}
	if err := json.Unmarshal(got.Doc, now); err != nil {
		return nil, err
	}
	now.Name, now.Witness = c.Name, c.Witness
	return now, nil
}
