package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
)

// A moment is an event whose time a core records.
type moment struct {
	at      time.Duration // after the timeline's beginning
	what    string
	command string // that shows it
}

// stamped are the keys of the records that times are taken from: ::nodeinfo, ::uvloop,
// ::handles, ::timers (docs/json.md).
type stamped struct {
	Type   string
	Addr   core.Addr
	TID    int
	Time   *int64   // of a loop, in milliseconds of a clock that all loops of a process share
	Uptime *float64 // of the process at the time of its first loop, in seconds
	Loop   core.Addr
	Handle string
	Active bool
	Due    *float64 // in milliseconds after the loop's time
	// Deadline is a time of a clock that all timers of a process share, in milliseconds.
	Deadline *float64
	Repeat   float64
	Timer    string
	After    float64
	At       struct {
		Name, File string
		Line       int
	}
}

// timeline puts the times that a core has in order, and says which it has not.
func timeline(ctx context.Context, s *commands.Session) (*Section, error) {
	var list []stamped
	if has(s, "node") {
		var err error
		if list, err = records[stamped](ctx, s, "::uvloop", "::nodeinfo", "::handles", "::timers"); err != nil {
			return nil, err
		}
	}
	p := s.Process
	moments, fromStart := momentsOf(list)
	sec := &Section{ID: "timeline", Title: "Timeline", Command: "::status"}
	if slices.ContainsFunc(moments, func(m moment) bool { return m.command == "::uvloop" }) {
		sec.Notes = append(sec.Notes, "a loop that is blocked looks at no clock, so that its time may be long before the core was made")
	}
	moments, fromStart, notes := dated(moments, fromStart, p.Began, p.Written)
	switch {
	case fromStart:
		sec.Notes = append(sec.Notes, "seconds since the process began")
	case len(moments) > 0:
		sec.Notes = append(sec.Notes, "seconds since the first of these")
	}
	sec.Notes = append(sec.Notes, notes...)
	if p.Began.IsZero() && !fromStart {
		sec.Notes = append(sec.Notes, "when the process began is not known: the core does not say")
	}
	if p.Written.IsZero() {
		sec.Notes = append(sec.Notes, "when the core was written is not known: it does not say, and its file may be a copy with a later time")
	}
	if has(s, "art") {
		sec.Notes = append(sec.Notes, "times that the Android Runtime keeps, such as the time of its last collection, are not decoded")
	}
	moments = folded(moments)
	for i := range moments[:min(len(moments), maxRows)] {
		m := &moments[i]
		sec.Rows = append(sec.Rows, []out.Cell{{Column: "SECONDS",
			Text: fmt.Sprintf("%.3f", m.at.Seconds()), Right: true},
			{Column: "WHAT", Text: out.Clean(m.what, false)}, {Column: "SHOWN BY", Text: m.command, Ink: out.Symbol}})
	}
	if len(sec.Rows) > 0 {
		sec.Head, sec.More = sec.Rows[0], len(moments)-len(sec.Rows)
	}
	return sec, nil
}

// folded merges moments that follow each other and have the same text in the same millisecond, such as
// timers of one loop.
func folded(moments []moment) []moment {
	var list []moment
	for i := 0; i < len(moments); {
		m, n := moments[i], 1
		for i+n < len(moments) && moments[i+n].what == m.what && (moments[i+n].at-m.at).Abs() < time.Millisecond {
			n++
		}
		if i += n; n > 1 {
			m.what += fmt.Sprintf(", %d times", n)
		}
		list = append(list, m)
	}
	return list
}

// clock is how a time of day is written.
const clock = "2006-01-02 15:04:05 UTC"

// dated adds to moments when the process began and when its core was written, each zero if that
// is not known, and says whether they count from the beginning of the process. A time of day has
// no place among moments that count from somewhere else: it is a note.
func dated(moments []moment, fromStart bool, began, written time.Time) (_ []moment, ofStart bool, notes []string) {
	begin, end := "the process began, "+began.UTC().Format(clock), "the core was written, "+written.UTC().Format(clock)
	if began.IsZero() || len(moments) > 0 && !fromStart {
		if !began.IsZero() {
			notes = append(notes, begin)
		}
		if !written.IsZero() {
			notes = append(notes, end)
		}
		return moments, fromStart, notes
	}
	moments = slices.DeleteFunc(moments, func(m moment) bool { return m.command == "::nodeinfo" }) // it says the same
	moments = append([]moment{{0, begin, "::status"}}, moments...)
	switch at := written.Sub(began); {
	case written.IsZero():
	case at.Abs() < maxAhead:
		moments = append(moments, moment{at, end, "::status"})
	default:
		notes = append(notes, end)
	}
	slices.SortStableFunc(moments, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	return moments, true, notes
}

// maxAhead bounds how far from a loop's time
// they may be: what is further is no time.
const (
	maxAhead = 100 * 365 * 24 * time.Hour
)

// loopsOf returns how far the clocks of event loops are ahead of the first one's, the first one, and whether there are
// several.
func loopsOf(list []stamped) (loops map[core.Addr]time.Duration, first *stamped, several bool) {
	loops = map[core.Addr]time.Duration{}
	for i := range list {
		x := &list[i]
		if x.Type != "uvloop" || x.Time == nil {
			continue
		}
		if first == nil {
			first = x
		} else {
			several = true
		}
		if apart := *x.Time - *first.Time; apart > -maxAhead.Milliseconds() && apart < maxAhead.Milliseconds() {
			loops[x.Addr] = time.Duration(apart) * time.Millisecond
		}
	}
	return loops, first, several
}

// beginning returns when the first loop's time was, after the process began, if that is known.
func beginning(list []stamped) (began time.Duration, known bool) {
	for i := range list {
		if x := &list[i]; x.Type == "nodeinfo" && x.Uptime != nil && *x.Uptime >= 0 && *x.Uptime < maxAhead.Seconds() {
			began, known = time.Duration(*x.Uptime*float64(time.Second)), true
		}
	}
	return began, known
}

// momentsOf returns the times in order, and whether they count from the beginning of the process.
// Records of JavaScript timers do not name their loop: if there are several loops, the loops' own
// timers stand for them.
func momentsOf(list []stamped) (moments []moment, fromStart bool) {
	loops, first, several := loopsOf(list)
	began, fromStart := beginning(list)
	if first == nil {
		return deadlines(list), false
	}
	if fromStart {
		moments = append(moments, moment{0, "the process began", "::nodeinfo"})
	}
	add := func(at time.Duration, command, format string, args ...any) {
		if at.Abs() < maxAhead {
			moments = append(moments, moment{began + at, fmt.Sprintf(format, args...), command})
		}
	}
	for i := range list {
		x := &list[i]
		base, known := loops[cmp.Or(x.Loop, x.Addr)]
		switch {
		case x.Type == "uvloop" && known:
			add(base, "::uvloop", "the event loop of thread %d looked at the clock last", x.TID)
		case x.Due == nil || *x.Due > float64(maxAhead.Milliseconds()) || *x.Due < -float64(maxAhead.Milliseconds()):
		case x.Type == "uvhandle" && x.Handle == "timer" && x.Active && known && several:
			add(base+milliseconds(*x.Due), "::handles", "a timer of the loop at %v is due", x.Loop)
		case x.Type == "jstimer" && !several:
			add(milliseconds(*x.Due), "::timers", "%s is due%s", x.named(), x.every())
		}
	}
	slices.SortStableFunc(moments, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	return moments, fromStart
}

// deadlines are timers whose remaining time is not known, in order, relative to the first of them.
func deadlines(list []stamped) (moments []moment) {
	var first *float64
	for i := range list {
		if x := &list[i]; x.Type == "jstimer" && x.Deadline != nil && (first == nil || *x.Deadline < *first) {
			first = x.Deadline
		}
	}
	for i := range list {
		if x := &list[i]; x.Type == "jstimer" && x.Deadline != nil &&
			*x.Deadline-*first < float64(maxAhead.Milliseconds()) {
			moments = append(moments, moment{milliseconds(*x.Deadline - *first),
				x.named() + " is due" + x.every(), "::timers"})
		}
	}
	slices.SortStableFunc(moments, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	return moments
}

func milliseconds(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }

// named says which timer of JavaScript it is.
func (x *stamped) named() string {
	s := cmp.Or(x.Timer, "a timer")
	if x.At.Name != "" {
		s += " " + x.At.Name
	}
	if x.At.File != "" {
		s += fmt.Sprintf(" (%s:%d)", x.At.File, x.At.Line)
	}
	return s
}

func (x *stamped) every() string {
	if x.Timer == "interval" && x.After > 0 {
		return fmt.Sprintf(", every %v", milliseconds(x.After))
	}
	return ""
}
