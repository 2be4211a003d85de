package triage

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"coredbg/core/store"
)

// died returns when a core's process died, in UTC as RFC 3339 has it: as the core says, or as its name does,
// or else when the file was changed. A bundle's file was made later, and says nothing. at is empty if the
// time is not known.
func died(l *Line) (at string, ofFile bool) {
	if l.Died != "" {
		return l.Died, false
	}
	if t := store.Died(filepath.Base(l.Core)); !t.IsZero() {
		return t.UTC().Format(time.RFC3339), false
	}
	if strings.HasPrefix(l.Format, "bundle of ") {
		return "", false
	}
	return l.Modified, l.Modified != ""
}

// A death is a time of a bug, as died returns it.
type death struct {
	at     string
	ofFile bool
}

// String marks a time of a file, as the pages do.
func (d death) String() string {
	switch {
	case d.at == "":
		return "unknown"
	case d.ofFile:
		return date(d.at) + " *"
	}
	return date(d.at)
}

// deaths returns the first and the last death of cores, and how many died at an unknown time.
func deaths(lines []*Line) (first, last death, unknown int) {
	for _, l := range lines {
		at, ofFile := died(l)
		if at == "" {
			unknown++
			continue
		}
		if first.at == "" || at < first.at {
			first = death{at, ofFile}
		}
		if at > last.at {
			last = death{at, ofFile}
		}
	}
	return first, last, unknown
}

// A span is the time from the first death to the last. Its columns begin earlier if that is less than minDays.
type span struct {
	first, last time.Time
}

func (s *span) add(at string, _ bool) {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return
	}
	if s.first.IsZero() || t.Before(s.first) {
		s.first = t
	}
	if t.After(s.last) {
		s.last = t
	}
}

const day = 24 * time.Hour

// start returns the day of the first column. A single day among empty ones is seen to be a single day.
func (s *span) start() time.Time {
	from := s.first.UTC().Truncate(day)
	if least := s.last.UTC().Truncate(day).Add((1 - minDays) * day); least.Before(from) {
		return least
	}
	return from
}

// columns returns how many days a column of a trend stands for, and how many columns there are.
func (s *span) columns() (wide time.Duration, n int) {
	if s.first.IsZero() {
		return day, 0
	}
	from, to := s.start(), s.last.UTC().Truncate(day)
	days := int(to.Sub(from)/day) + 1
	step := (days + maxDays - 1) / maxDays
	return time.Duration(step) * day, (days + step - 1) / step
}

// heading is what a trend is called.
func (s *span) heading() string {
	switch wide, _ := s.columns(); {
	case wide == day:
		return "By day"
	default:
		return fmt.Sprintf("By %d days", wide/day)
	}
}

// count returns how many cores died in each column.
func (s *span) count(lines []*Line) []int {
	wide, n := s.columns()
	list := make([]int, n)
	for _, l := range lines {
		at, _ := died(l)
		if t, err := time.Parse(time.RFC3339, at); err == nil {
			if i := int(t.Sub(s.start()) / wide); i >= 0 && i < n {
				list[i]++
			}
		}
	}
	return list
}

// A trend is the deaths of a bug by day, as bars.
type trend struct {
	Bars       []trendBar
	Wide, Most int
	Heading    string
	From, To   string
	Unknown    int // deaths at an unknown time, which no bar has
}

// A trendBar is a column.
type trendBar struct {
	X, Y, High int
	Title      string
}

// The size of a trend in pixels.
const barStep, trendHigh = 12, 60

// trend draws the deaths of a bug. It returns nil if no time is known.
func (s *span) trend(lines []*Line) *trend {
	wide, n := s.columns()
	if n == 0 {
		return nil
	}
	from := s.start()
	t := &trend{Wide: n * barStep, Heading: s.heading(), From: from.Format(time.DateOnly),
		To: s.last.UTC().Format(time.DateOnly)}
	counts := s.count(lines)
	for _, c := range counts {
		t.Most = max(t.Most, c)
	}
	if t.Most == 0 {
		return nil
	}
	_, _, t.Unknown = deaths(lines)
	for i, c := range counts {
		if c > 0 {
			high := max(c*trendHigh/t.Most, 2)
			t.Bars = append(t.Bars, trendBar{i * barStep, trendHigh - high, high,
				fmt.Sprintf("%s: %d", from.Add(time.Duration(i)*wide).Format(time.DateOnly), c)})
		}
	}
	return t
}
