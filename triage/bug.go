package triage

import (
	"cmp"
	"strings"

	"coredbg/commands/out"
	"coredbg/core/sym"
	"coredbg/crash/bugs"
)

// A Bug is the cores that died of one.
type Bug struct {
	_          out.Record `record:"bug"`
	Count      int        `json:"count"`            // of cores
	Change     string     `json:"change,omitempty"` // new, gone: since the older run
	First      string     `json:"first,omitempty"`  // seen: when a core was written, or else when its file was changed
	Last       string     `json:"last,omitempty"`
	Cause      bugs.Cause `json:"cause,omitempty"`
	Confidence string     `json:"confidence,omitempty"` // that most of the cores have
	Status     Status     `json:"status"`               // read, or why these cores were not
	Name       string     `json:"name"`                 // the signature that most of the cores have
	Title      string     `json:"title,omitempty"`      // of the example, or why it was not read
	Signal     string     `json:"signal,omitempty"`
	Programs   []string   `json:"programs,omitempty"`
	Example    string     `json:"example"`          // the core to look at: the one that lacks least
	Key        string     `json:"key"`              // of the bug, equal in other runs
	Coarse     string     `json:"coarse,omitempty"` // the coarse key of the example
	Cores      []string   `json:"cores,omitempty"`  // all of them, with -v
	example    *Line
	lines      []*Line         // of all its cores, if they were kept
	copies     map[string]bool // by Line.ID; without cores whose ID is a path
}

// date is a time without its time of day.
func date(s string) string {
	d, _, _ := strings.Cut(s, "T")
	return d
}

// Header writes the heading of the table.
func (b *Bug) Header(w *out.Writer) {
	w.Paint(out.Dim, "%6s %-10s %-10s %-8s %s", "CORES", "FIRST", "LAST", "SURE", "BUG")
	w.Printf("\n")
}

// Text writes a bug in two lines: how often, and which; then where to look.
func (b *Bug) Text(w *out.Writer) {
	w.Printf("%6d %-10s %-10s %-8s ", b.Count, cmp.Or(date(b.First), "unknown"),
		cmp.Or(date(b.Last), "unknown"), b.Confidence)
	if b.Change != "" {
		w.Paint(out.Keyword, "%s: ", b.Change)
	}
	w.Paint(out.Symbol, "%s", sym.Clean(b.Name))
	if len(b.Programs) > 0 {
		w.Printf(" (%s)", sym.Clean(strings.Join(b.Programs, ", ")))
	}
	w.Printf("\n%38s%s\n%38s%s\n", "", sym.Clean(b.Title), "", sym.Clean(b.Example))
	for _, c := range b.Cores {
		if c != b.Example {
			w.Printf("%38s%s\n", "", sym.Clean(c))
		}
	}
}
