package report

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
)

// A moment is something that a core has the time of.
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
	Repeat float64
	Timer  string
	After  float64
	At     struct {
		Name, File string
		Line       int
	}
}

// timeline puts the times that a core has in order; nil if it has none, as most have: neither
// the kernel nor a C library writes down when a process or a thread began.
func timeline(ctx context.Context, s *commands.Session) (*Section, error) {
	list, err := stamps(ctx, s, "::uvloop", "::nodeinfo", "::handles", "::timers")
	if err != nil || len(list) == 0 {
		return nil, err
	}
	moments, fromStart := momentsOf(list)
	if len(moments) < 2 {
		return nil, nil
	}
	since := "since the first loop's time"
	if fromStart {
		since = "since the process began"
	}
	sec := &Section{ID: "timeline", Title: "Timeline", Command: "::uvloop", Notes: []string{"seconds " + since +
		"; when the core was made is not in it: a loop that is blocked looks at no clock, so that its time may be long before"}}
	for i := range moments[:min(len(moments), maxRows)] {
		m := &moments[i]
		sec.Rows = append(sec.Rows, []out.Cell{{Column: "SECONDS", Text: fmt.Sprintf("%.3f", m.at.Seconds()), Right: true},
			{Column: "WHAT", Text: out.Clean(m.what, false)}, {Column: "SHOWN BY", Text: m.command, Ink: out.Symbol}})
	}
	sec.Head, sec.More = sec.Rows[0], len(moments)-len(sec.Rows)
	return sec, nil
}

// stamps asks commands and returns what their records have of times. A command that fails
// says nothing here.
func stamps(ctx context.Context, s *commands.Session, asked ...string) (list []stamped, err error) {
	before := s.Err
	s.Err = out.NewTerminal(&bytes.Buffer{})
	defer func() { s.Err = before }()
	for _, command := range asked {
		s.Lang.Eval(ctx, command, func(r lang.Record) error {
			var text bytes.Buffer
			w := out.NewWriter(&text)
			var x stamped
			if w.JSON(commands.Plain(r)) == nil && w.Flush() == nil && json.Unmarshal(text.Bytes(), &x) == nil && len(list) < maxMoments {
				list = append(list, x)
			}
			return nil
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return list, nil
}

// maxMoments bounds how many records are looked at, and maxAhead how far from a loop's time
// they may be: what is further is no time.
const (
	maxMoments = 1 << 16
	maxAhead   = 100 * 365 * 24 * time.Hour
)

// momentsOf returns the times in order, and whether they count from the beginning of the
// process. Timers of JavaScript are of a loop that their records do not name: with several,
// the loops' own timers stand for them.
func momentsOf(list []stamped) (moments []moment, fromStart bool) {
	loops := map[core.Addr]time.Duration{}
	var first *stamped
	several := false
	var began time.Duration // when the first loop's time was, after the beginning of the timeline
	for i := range list {
		x := &list[i]
		switch {
		case x.Type == "uvloop" && x.Time != nil:
			if first == nil {
				first = x
			} else {
				several = true
			}
			if apart := *x.Time - *first.Time; apart > -maxAhead.Milliseconds() && apart < maxAhead.Milliseconds() {
				loops[x.Addr] = time.Duration(apart) * time.Millisecond
			}
		case x.Type == "nodeinfo" && x.Uptime != nil && *x.Uptime >= 0 && *x.Uptime < maxAhead.Seconds():
			began, fromStart = time.Duration(*x.Uptime*float64(time.Second)), true
		}
	}
	if first == nil {
		return nil, false
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
