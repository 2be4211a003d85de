package library

import (
	"strconv"
	"strings"
	"time"

	"coredbg/runtimes/v8/ecma"
)

// A dateForm says how a date is written.
type dateForm struct {
	locale *locale
	zone   *time.Location // nil is the process's
	parts  map[string]string
	date   string // its style
	time   string
	// midnight is the hour that hour12: false has at midnight.
	half, midnight string
}

// dateParts and timeParts are the options that name parts.
var (
	dateParts = []string{"weekday", "year", "month", "day"}
	timeParts = []string{"hour", "minute", "second"}
)

// The parts that a form has without options.
const (
	defaultDate = 1 << iota
	defaultTime
)

// dateFormOf reads the options of Intl.DateTimeFormat. needs are the parts that a function is to write.
func dateFormOf(m *ecma.Machine, where, options ecma.Value, needs int) *dateForm {
	l, name := localeOf(m, where)
	knownOptions(m, options, append(append([]string{"timeZone", "dateStyle", "timeStyle", "hour12", "hourCycle",
		"timeZoneName"}, dateParts...), timeParts...)...)
	f := &dateForm{locale: l, parts: map[string]string{}, date: option(m, options, "dateStyle"),
		time: option(m, options, "timeStyle"), half: option(m, options, "hour12")}
	if f.midnight = "24"; option(m, options, "hourCycle") == "h23" {
		f.half, f.midnight = "false", "00"
	}
	given := 0
	for i, list := range [][]string{dateParts, timeParts} {
		for _, p := range list {
			if x := option(m, options, p); x != "" {
				f.parts[p] = x
				given |= 1 << i
			}
		}
	}
	if zone := option(m, options, "timeZone"); zone != "" {
		var err error
		if f.zone, err = time.LoadLocation(zone); err != nil {
			m.ThrowAs("RangeError", "Invalid time zone specified: %s", zone)
		}
	}
	if f.parts["zone"] = option(m, options, "timeZoneName"); f.parts["zone"] != "" && f.parts["zone"] != "short" {
		m.Fail("long names of time zones are not known")
	}
	if l != locales["en"] && (given != 0 || f.date != "" || f.time != "" || f.half != "" || f.parts["zone"] != "") {
		m.Fail("forms of dates in %s with options are not known", name)
	}
	if f.date == "" && f.time == "" && given&needs == 0 {
		f.fill(needs)
	}
	return f
}

// fill names the parts that are written without options. Without a need for one of both, a date is.
func (f *dateForm) fill(needs int) {
	if needs&defaultDate != 0 {
		f.parts["year"], f.parts["month"], f.parts["day"] = "numeric", "numeric", "numeric"
	}
	if needs&defaultTime != 0 {
		f.parts["hour"], f.parts["minute"], f.parts["second"] = "numeric", "2-digit", "2-digit"
	}
}

// text writes a time of a Date.
func (f *dateForm) text(m *ecma.Machine, at float64) string {
	if at != at {
		return "Invalid Date"
	}
	zone := f.zone
	if zone == nil {
		zone = zoneOf(m)
	}
	t := time.UnixMilli(int64(at)).In(zone)
	if f.date != "" || f.time != "" {
		return f.styled(m, t)
	}
	date, clock := f.dateText(t), f.clock(t)
	if name := f.parts["zone"]; name != "" && clock != "" {
		clock += " " + zoneName(t)
	} else if name != "" {
		clock = zoneName(t)
	}
	if date != "" && clock != "" {
		return date + f.locale.between + clock
	}
	return date + clock
}

// zoneName is the short name of a time's zone.
func zoneName(t time.Time) string {
	name := t.Format("MST")
	if name[0] != '+' && name[0] != '-' {
		return name
	}
	return "GMT" + t.Format("-7")[:1] + strings.TrimPrefix(strings.TrimSuffix(t.Format("-07:00"), ":00")[1:], "0")
}

// dateStyles and timeStyles are the styles of en-US.
var (
	dateStyles = map[string]string{"full": "Monday, January 2, 2006", "long": "January 2, 2006",
		"medium": "Jan 2, 2006", "short": "1/2/06"}
	timeStyles = map[string]string{"long": "3:04:05 PM", "medium": "3:04:05 PM", "short": "3:04 PM"}
)

// styled writes a time in a style.
func (f *dateForm) styled(m *ecma.Machine, t time.Time) string {
	var list []string
	if f.date != "" {
		if dateStyles[f.date] == "" {
			m.ThrowAs("RangeError", "Value %s out of range for Intl.DateTimeFormat options property dateStyle", f.date)
		}
		list = append(list, t.Format(dateStyles[f.date]))
	}
	if f.time != "" {
		layout := timeStyles[f.time]
		if layout == "" {
			m.Fail("long names of time zones are not known")
		}
		clock := t.Format(layout)
		if f.half == "false" {
			clock = f.hours(t, strings.TrimSuffix(strings.Replace(layout, "3:", "15:", 1), " PM"))
		}
		if f.time == "long" {
			clock += " " + zoneName(t)
		}
		list = append(list, clock)
	}
	between := ", "
	if f.date == "full" || f.date == "long" {
		between = " at "
	}
	return strings.Join(list, between)
}

// dateText writes the parts of a date.
func (f *dateForm) dateText(t time.Time) string {
	p := f.parts
	if f.locale != locales["en"] {
		if p["year"] == "" {
			return ""
		}
		return t.Format(f.locale.date)
	}
	year := map[string]string{"numeric": "2006", "2-digit": "06"}[p["year"]]
	day := map[string]string{"numeric": "2", "2-digit": "02"}[p["day"]]
	month := map[string]string{"numeric": "1", "2-digit": "01", "long": "January", "short": "Jan"}[p["month"]]
	weekday := map[string]string{"long": "Monday", "short": "Mon"}[p["weekday"]]
	date := ""
	switch p["month"] {
	case "long", "short":
		if date = join(" ", month, day); day != "" {
			date = join(", ", date, year)
		} else {
			date = join(" ", date, year)
		}
	default:
		date = join("/", month, day, year)
	}
	return t.Format(join(", ", weekday, date))
}

// join joins the texts that are not empty.
func join(between string, list ...string) string { return strings.Join(nonempty(list), between) }

// clock writes the parts of a time of day.
func (f *dateForm) clock(t time.Time) string {
	p := f.parts
	if p["hour"] == "" {
		return t.Format(join(":", map[bool]string{true: "4"}[p["minute"] != ""],
			map[bool]string{true: "5"}[p["second"] != ""]))
	}
	if f.locale != locales["en"] {
		s := t.Format(strings.ReplaceAll(f.locale.time, "p.m.", "PM"))
		s = strings.ReplaceAll(s, "{H}", strconv.Itoa(t.Hour()))
		if strings.Contains(f.locale.time, "p.m.") {
			s = strings.NewReplacer("AM", "a.m.", "PM", "p.m.").Replace(s)
		}
		return s
	}
	hour := "3"
	if p["hour"] == "2-digit" {
		hour = "03"
	}
	rest := join(":", map[bool]string{true: "04"}[p["minute"] != ""], map[bool]string{true: "05"}[p["second"] != ""])
	if f.half == "false" {
		return f.hours(t, join(":", "15", rest))
	}
	return t.Format(join(":", hour, rest) + " PM")
}

// hours writes a time of day with 24 hours.
func (f *dateForm) hours(t time.Time, layout string) string {
	s := t.Format(layout)
	if t.Hour() == 0 {
		s = f.midnight + s[2:]
	}
	return s
}

// localDate makes a function that writes a Date in a locale.
func localDate(needs, most int) ecma.Builtin {
	return func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
		at := dateOf(m, this)
		f := dateFormOf(m, ecma.Arg(args, 0), ecma.Arg(args, 1), needs)
		if f.date != "" && most&defaultDate == 0 || f.time != "" && most&defaultTime == 0 {
			m.Throw("Can't set option %s when %s is used", map[bool]string{true: "dateStyle", false: "timeStyle"}[f.date != ""],
				map[bool]string{true: "toLocaleTimeString", false: "toLocaleDateString"}[f.date != ""])
		}
		return f.text(m, at)
	}
}

func init() {
	register(map[string]ecma.Builtin{
		"Date.prototype.toLocaleString":     localDate(defaultDate|defaultTime, defaultDate|defaultTime),
		"Date.prototype.toLocaleDateString": localDate(defaultDate, defaultDate),
		"Date.prototype.toLocaleTimeString": localDate(defaultTime, defaultTime),
	})
}
