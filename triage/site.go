package triage

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"coredbg/commands/out"
)

var (
	//go:embed site.html
	siteText string
	//go:embed site.css
	siteStyle string
	//go:embed site.js
	siteScript string
)

// A Site is the bugs of Groups whose lines were kept (Groups.Whole), as pages of HTML that need no server and
// no network.
type Site struct {
	Bugs []*Bug
	// Report returns a link to the report of a core, from the site's folder, "" if there is none; it may be nil.
	Report func(core string) string
	// Now is the time of the pages.
	Now time.Time

	template *template.Template // nil before the first page
}

// sitePage is a page of a site: all bugs, or one.
type sitePage struct {
	Head    out.PageHead
	Title   string
	Made    string
	Script  template.JS
	Rows    any // what the script shows in the table
	Columns []string
	Bug     *Bug
	Common  []trait
	Differ  []trait
	Trend   *trend
	First   death
	Last    death
}

// A siteRow is a bug in the table of all.
type siteRow struct {
	Page     string   `json:"page"`
	Count    int      `json:"count"`
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Change   string   `json:"change,omitempty"`
	Cause    string   `json:"cause"`
	Sure     string   `json:"sure"`
	Programs []string `json:"programs"`
	Versions []string `json:"versions"`
	First    string   `json:"first"` // empty if it is not known
	Last     string   `json:"last"`
	OfFile   [2]bool  `json:"of_file"` // whether the first and the last time come from a core's file
	Days     []int    `json:"days"`    // cores by time, from the first death of all bugs to the last
}

// A coreRow is a core in the table of a bug.
type coreRow struct {
	Core    string `json:"core"`
	Report  string `json:"report,omitempty"`
	Died    string `json:"died"`
	OfFile  bool   `json:"of_file,omitempty"` // the time is the file's
	Program string `json:"program"`
	Version string `json:"version"`
	Host    string `json:"host"`
	PID     int    `json:"pid,omitempty"`
	Signal  string `json:"signal"`
	Title   string `json:"title"`
}

// A trait is something that cores have, with its values and how many have each.
type trait struct {
	Name   string
	Values []traitValue
	More   int // values that are not shown
}

// A traitValue is one value of a trait.
type traitValue struct {
	Text  string
	Count int
}

// maxValues bounds the values of a trait that are shown. minDays and maxDays bound the columns of a trend.
const (
	maxValues = 8
	minDays   = 14
	maxDays   = 60
)

// Write writes the pages by way of write, which makes a file of a name in the site's folder.
func (s *Site) Write(write func(name string, content func(io.Writer) error) error) error {
	cores := 0
	span := &span{}
	for _, b := range s.Bugs {
		cores += b.Count
		for _, l := range b.lines {
			span.add(died(l))
		}
	}
	rows := []siteRow{}
	for _, b := range s.Bugs {
		first, last, _ := deaths(b.lines)
		rows = append(rows, siteRow{Page: b.page(), Count: b.Count, Name: b.Name, Title: b.Title, Change: b.Change,
			Cause: string(b.Cause), Sure: b.Confidence,
			Programs: orEmpty(b.Programs), Versions: orEmpty(b.versions()), First: first.at, Last: last.at,
			OfFile: [2]bool{first.ofFile, last.ofFile}, Days: span.count(b.lines)})
	}
	title := fmt.Sprintf("%s of %s", out.Count(len(s.Bugs), "bug"), out.Count(cores, "core"))
	index := &sitePage{Title: title, Rows: rows, Columns: []string{"Cores", "Bug", "Program", "Versions", "First death",
		"Last death", span.heading(), "Sure"}}
	if err := s.page(write, "index.html", index); err != nil {
		return err
	}
	for _, b := range s.Bugs {
		if err := s.page(write, b.page(), s.bugPage(b, span)); err != nil {
			return err
		}
	}
	return nil
}

// bugPage returns the page of a bug.
func (s *Site) bugPage(b *Bug, all *span) *sitePage {
	p := &sitePage{Title: b.Name, Bug: b, Columns: []string{"Died", "Program", "Version", "Host", "Process", "Signal",
		"Core"}, Trend: all.trend(b.lines)}
	p.First, p.Last, _ = deaths(b.lines)
	rows := []coreRow{}
	for _, l := range b.lines {
		at, ofFile := died(l)
		r := coreRow{Core: l.Core, Died: at, OfFile: ofFile, Program: l.Program, Version: versionOf(l), Host: l.Host,
			PID: l.PID, Signal: l.Signal,
			Title: cmp.Or(l.Title, l.Error)}
		if s.Report != nil {
			r.Report = s.Report(l.Core)
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(x, y coreRow) int {
		return cmp.Or(-cmp.Compare(x.Died, y.Died),
			cmp.Compare(x.Core, y.Core))
	})
	p.Rows = rows
	p.Common, p.Differ = traits(b.lines)
	return p
}

// page writes one page.
func (s *Site) page(write func(name string, content func(io.Writer) error) error, name string, p *sitePage) error {
	p.Head = out.PageHead{Title: p.Title, Style: template.CSS(siteStyle), Scripts: []string{siteScript}}
	p.Script = template.JS(siteScript)
	if !s.Now.IsZero() {
		p.Made = s.Now.UTC().Format("2006-01-02 15:04 UTC")
	}
	return write(name, func(w io.Writer) error {
		var b strings.Builder
		if err := s.pages().Execute(&b, p); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
		_, err := io.WriteString(w, out.Clean(b.String(), true))
		return err
	})
}

// pages returns the template of all pages, which takes longer to make than a page.
func (s *Site) pages() *template.Template {
	if s.template == nil {
		s.template = out.PageTemplate(siteText, template.FuncMap{"date": date})
	}
	return s.template
}

// page is the name of a bug's file. Keys have names of programs in them.
func (b *Bug) page() string {
	sum := sha256.Sum256([]byte(b.Change + "\x00" + b.Key))
	return "bug-" + hex.EncodeToString(sum[:8]) + ".html"
}

// versions returns the versions of the programs of a bug's cores.
func (b *Bug) versions() []string {
	seen := map[string]bool{}
	for _, l := range b.lines {
		if v := versionOf(l); v != "" {
			seen[v] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// versionOf returns the version of a core's program: its package's version, or the beginning of its build-id.
func versionOf(l *Line) string {
	if _, version, ok := strings.Cut(l.Packages[l.Exe], " "); ok {
		return version
	}
	id := l.BuildIDs[l.Exe]
	return id[:min(len(id), 12)]
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// traits returns the traits that all cores share, and the traits that differ.
func traits(lines []*Line) (common, differ []trait) {
	for _, x := range []struct {
		name string
		of   func(l *Line) string
	}{
		{"Program", func(l *Line) string { return cmp.Or(l.Exe, l.Program) }},
		{"Version", versionOf},
		{"Package", func(l *Line) string { return l.Packages[l.Exe] }},
		{"Cause", func(l *Line) string { return string(l.Cause) }},
		{"Signal", func(l *Line) string { return strings.TrimSpace(l.Signal + " " + l.Code) }},
		{"Fault address", func(l *Line) string {
			if l.Addr == nil {
				return ""
			}
			return l.Addr.String()
		}},
		{"Thread", func(l *Line) string {
			if l.Thread == nil {
				return ""
			}
			return l.Thread.Name
		}},
		{"Runtimes", func(l *Line) string { return strings.Join(l.Runtimes, ", ") }},
		{"Machine", func(l *Line) string { return strings.TrimSpace(l.OS + " " + l.Arch) }},
		{"Host", func(l *Line) string { return l.Host }},
		{"Stack", func(l *Line) string { return l.Signature }},
		{"Sure", func(l *Line) string { return l.Confidence }},
		{"Missing", func(l *Line) string { return strings.Join(l.Missing, "; ") }},
	} {
		count := map[string]int{}
		for _, l := range lines {
			count[x.of(l)]++
		}
		if len(count) == 1 && count[""] > 0 || len(count) == 0 {
			continue
		}
		t := trait{Name: x.name}
		for _, v := range slices.Sorted(maps.Keys(count)) {
			t.Values = append(t.Values, traitValue{cmp.Or(v, "not known"), count[v]})
		}
		slices.SortStableFunc(t.Values, func(a, b traitValue) int { return -cmp.Compare(a.Count, b.Count) })
		if t.More = len(t.Values) - maxValues; t.More > 0 {
			t.Values = t.Values[:maxValues]
		}
		if len(count) == 1 {
			common = append(common, t)
		} else {
			differ = append(differ, t)
		}
	}
	return common, differ
}
