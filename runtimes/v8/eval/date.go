package eval

import (
	"math"
	"time"
)

func init() { constructors["Date"] = newDate }

// dateLayouts are the forms of a date's text that are the same in all time zones.
var dateLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006"}

// newDate makes a Date of milliseconds since 1970, of a text in ISO 8601, or of another Date. The time of the
// core and its time zone are not known.
func newDate(m *Machine, args []Value) Value {
	at := math.NaN()
	switch x := arg(args, 0).(type) {
	case float64:
		at = math.Trunc(x)
	case string:
		for _, l := range dateLayouts {
			if t, err := time.Parse(l, x); err == nil {
				at = float64(t.UnixMilli())
				break
			}
		}
		if at != at {
			m.Fail("the date %q is not one of ISO 8601 with a time zone", x)
		}
	case Null:
		at = 0
	case Heap, *Object:
		at = dateOf(m, x)
	}
	switch {
	case len(args) == 0:
		m.Fail("a core has no clock: new Date(0) has a time, and the times of files and timers are values of the program")
	case len(args) > 1:
		m.Fail("the time zone of the process is not known: new Date('2026-01-31T12:00:00Z') says one")
	case math.Abs(at) > 8.64e15:
		at = math.NaN()
	}
	return &Object{Proto: m.realm(0).prototype("Date"), Date: &at}
}
