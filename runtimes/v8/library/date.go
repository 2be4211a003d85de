package library

import (
	"math"
	"strings"
	"time"

	"coredbg/runtimes/v8/ecma"
)

func init() { constructors["Date"] = NewDate }

// dateLayouts are the forms of a date's text that are the same in all time zones.
var dateLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006",
	"Mon, 02 Jan 2006 15:04:05 MST", "Mon Jan 02 2006 15:04:05 GMT-0700"}

// localLayouts are the forms of a date's text in the time zone of the process.
var localLayouts = []string{"2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04:05",
	"2006-01-02 15:04",
	"Jan 2, 2006", "January 2, 2006", "Jan 2, 2006 15:04:05", "Jan 2 2006", "1/2/2006", "2006/1/2"}

// maxDate is the time of the last Date, in milliseconds.
const maxDate = 8.64e15

// NewDate makes a Date of milliseconds since 1970, of a text, of another Date, or of its parts. The time of the
// core is not known.
func NewDate(m *ecma.Machine, args []ecma.Value) ecma.Value {
	var at float64
	switch x := ecma.Arg(args, 0); {
	case len(args) == 0:
		m.Fail("a core has no clock: new Date(0) has a time, and the times of files and timers are values of the program")
	case len(args) > 1:
		at = dateFrom(m, args, zoneOf(m))
	case ecma.IsDate(m, x):
		at = dateOf(m, x)
	default:
		if x = m.ToPrimitive(x, "default"); m.TypeOf(x) == "string" {
			at = parseDate(m, m.Text(x))
		} else {
			at = math.Trunc(m.Number(x))
		}
	}
	return madeDate(m, at)
}

func madeDate(m *ecma.Machine, at float64) *ecma.Object {
	if math.Abs(at) > maxDate {
		at = math.NaN()
	}
	return &ecma.Object{Proto: ecma.PrototypeNamed(m, "Date"), Date: &at}
}

// parseDate is Date.parse.
func parseDate(m *ecma.Machine, s string) float64 {
	for _, l := range dateLayouts {
		if t, err := time.Parse(l, s); err == nil {
			return float64(t.UnixMilli())
		}
	}
	for _, l := range localLayouts {
		if _, err := time.Parse(l, s); err == nil {
			t, _ := time.ParseInLocation(l, s, zoneOf(m))
			return float64(t.UnixMilli())
		}
	}
	if strings.Trim(s, "0123456789") == s && !strings.ContainsAny(s, "0123456789") {
		return math.NaN()
	}
	m.Fail("the date %q is not one of ISO 8601", s)
	return 0
}

// dateFrom is the time of a year, a month, and the parts down to milliseconds.
func dateFrom(m *ecma.Machine, args []ecma.Value, in *time.Location) float64 {
	parts := []int{1970, 0, 1, 0, 0, 0, 0}
	for i := range parts {
		if i < len(args) {
			f := m.Number(args[i])
			if f != f || math.Abs(f) > 1e8 {
				return math.NaN()
			}
			parts[i] = int(f)
		}
	}
	if parts[0] >= 0 && parts[0] <= 99 {
		parts[0] += 1900
	}
	t := time.Date(parts[0], time.Month(parts[1]+1), parts[2], parts[3], parts[4], parts[5], 0, in)
	return float64(t.UnixMilli()) + float64(parts[6])
}

// zoneUnknown is said where local times are asked for.
const zoneUnknown = "local times are in UTC: the process has no variable TZ, and the zone of its machine is not in the core"

// zoneOf is the time zone of the process: the one that its variable TZ names. Without it the system's is used, which a
// core does not have: UTC stands for it where somebody hears that.
func zoneOf(m *ecma.Machine) *time.Location {
	if m.Zone != nil {
		return m.Zone
	}
	name := ""
	_, failed := m.Tried(func() ecma.Value {
		if process, ok := ecma.GlobalValue(m, 0, "process"); ok && m.IsObject(process) {
			if env := m.Get(process, ecma.Key{Name: "env"}); m.IsObject(env) {
				name, _ = m.Get(env, ecma.Key{Name: "TZ"}).(string)
			}
		}
		return nil
	})
	if failed != nil || name == "" {
		if !m.Remark(zoneUnknown) {
			m.Fail("the time zone of the process is not known, as it has no variable TZ: getUTCHours() and the like need none")
		}
		m.Zone = time.UTC
		return m.Zone
	}
	zone, err := time.LoadLocation(strings.TrimPrefix(name, ":"))
	if err != nil {
		m.Fail("the time zone of the process, %s, is not known here: %v", name, err)
	}
	m.Zone = zone
	return zone
}

// onDate makes a function of a Date in a time zone; nil is the process's. An invalid Date gives NaN.
func onDate(in *time.Location, part func(t time.Time) float64) ecma.Builtin {
	return func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
		f := dateOf(m, this)
		if f != f {
			return math.NaN()
		}
		zone := in
		if zone == nil {
			zone = zoneOf(m)
		}
		return part(time.UnixMilli(int64(f)).In(zone))
	}
}

// dateText makes a function that writes a Date in a time zone; nil is the process's.
func dateText(in *time.Location, form func(t time.Time) string) ecma.Builtin {
	return func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
		f := dateOf(m, this)
		if f != f {
			return "Invalid Date"
		}
		zone := in
		if zone == nil {
			zone = zoneOf(m)
		}
		return form(time.UnixMilli(int64(f)).In(zone))
	}
}

// isoText is Date.prototype.toISOString.
func isoText(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
	f := dateOf(m, this)
	if f != f {
		m.ThrowAs("RangeError", "Invalid time value")
	}
	t := time.UnixMilli(int64(f)).UTC()
	if y := t.Year(); y >= 0 && y <= 9999 {
		return t.Format("2006-01-02T15:04:05.000Z")
	}
	sign, y := "+", t.Year()
	if y < 0 {
		sign, y = "-", -y
	}
	digits := "00000" + m.Text(float64(y))
	return sign + digits[len(digits)-6:] + t.Format("-01-02T15:04:05.000Z")
}

// zoned is a time with the offset of its zone, as V8 writes it.
func zoned(t time.Time) string {
	name := t.Format("MST")
	if name == "UTC" {
		name = "Coordinated Universal Time"
	}
	return t.Format("15:04:05 GMT-0700") + " (" + name + ")"
}

func init() {
	parts := map[string]func(t time.Time) float64{
		"FullYear":     func(t time.Time) float64 { return float64(t.Year()) },
		"Month":        func(t time.Time) float64 { return float64(t.Month() - 1) },
		"Date":         func(t time.Time) float64 { return float64(t.Day()) },
		"Day":          func(t time.Time) float64 { return float64(t.Weekday()) },
		"Hours":        func(t time.Time) float64 { return float64(t.Hour()) },
		"Minutes":      func(t time.Time) float64 { return float64(t.Minute()) },
		"Seconds":      func(t time.Time) float64 { return float64(t.Second()) },
		"Milliseconds": func(t time.Time) float64 { return float64(t.Nanosecond() / 1e6) },
	}
	for name, part := range parts {
		intrinsics["Date.prototype.get"+name] = onDate(nil, part)
		intrinsics["Date.prototype.getUTC"+name] = onDate(time.UTC, part)
	}
	text := func(layout string) func(t time.Time) string {
		return func(t time.Time) string { return t.Format(layout) }
	}
	register(map[string]ecma.Builtin{
		"Date.UTC": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return dateFrom(m, args,
				time.UTC)
		},
		"Date.parse": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return parseDate(m, m.Text(ecma.Arg(args, 0)))
		},
		"Date.prototype.getTime": func(m *ecma.Machine, this ecma.Value,
			_ []ecma.Value) ecma.Value {
			return dateOf(m, this)
		},
		"Date.prototype.valueOf": func(m *ecma.Machine, this ecma.Value,
			_ []ecma.Value) ecma.Value {
			return dateOf(m, this)
		},
		"Date.prototype.getTimezoneOffset": onDate(nil, func(t time.Time) float64 {
			_, offset := t.Zone()
			return -float64(offset) / 60
		}),
		"Date.prototype.toISOString": isoText,
		"Date.prototype.toJSON": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			if f := dateOf(m, this); f != f {
				return ecma.Null{}
			}
			return isoText(m, this, nil)
		},
		"Date.prototype.toUTCString":  dateText(time.UTC, text("Mon, 02 Jan 2006 15:04:05 GMT")),
		"Date.prototype.toGMTString":  dateText(time.UTC, text("Mon, 02 Jan 2006 15:04:05 GMT")),
		"Date.prototype.toDateString": dateText(nil, text("Mon Jan 02 2006")),
		"Date.prototype.toTimeString": dateText(nil, zoned),
		"Date.prototype.toString": dateText(nil, func(t time.Time) string {
			return t.Format("Mon Jan 02 2006 ") + zoned(t)
		}),
		"Date.prototype[Symbol.toPrimitive]": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			methods := []string{"toString", "valueOf"}
			if ecma.Arg(args, 0) == ecma.Value("number") {
				methods = []string{"valueOf", "toString"}
			}
			for _, name := range methods {
				if p := m.Call(m.Get(this, ecma.Key{Name: name}), this, nil); !m.IsObject(p) {
					return p
				}
			}
			return nil
		},
	})
}
