package java

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// maxTimeDepth bounds the nesting of objects of java.time.
const maxTimeDepth = 4

// ints returns the numbers in fields.
func (i *inspector) ints(o Object, names ...string) (list []int64, ok bool) {
	for _, n := range names {
		v, ok := i.h.IntField(o, n)
		if !ok {
			return nil, false
		}
		list = append(list, v)
	}
	return list, true
}

// timeOf returns the object of java.time in a field as it is written.
func (i *inspector) timeOf(o Object, field string, depth int) (string, bool) {
	at, ok := i.h.RefField(o, field)
	if !ok || at == 0 || depth > maxTimeDepth {
		return "", false
	}
	x, err := i.h.Object(at)
	if err != nil {
		return "", false
	}
	return i.time(x, depth)
}

// A timePair is a class whose objects are two others: their fields, and the text between them.
type timePair struct{ first, between, second string }

// timePairs are the classes of java.time that hold two others.
var timePairs = map[string]timePair{
	"java.time.LocalDateTime":  {"date", "T", "time"},
	"java.time.OffsetDateTime": {"dateTime", "", "offset"},
	"java.time.OffsetTime":     {"time", "", "offset"},
}

// time writes an object of java.time.
func (i *inspector) time(o Object, depth int) (string, bool) {
	if p, ok := timePairs[o.Class.Name]; ok {
		a, ok1 := i.timeOf(o, p.first, depth+1)
		b, ok2 := i.timeOf(o, p.second, depth+1)
		return a + p.between + b, ok1 && ok2
	}
	form, known := timeForms[o.Class.Name]
	switch {
	case o.Class.Name == "java.time.ZonedDateTime":
		a, ok1 := i.timeOf(o, "dateTime", depth+1)
		b, ok2 := i.timeOf(o, "offset", depth+1)
		zone, ok3 := i.timeOf(o, "zone", depth+1)
		if zone != b {
			b += "[" + zone + "]"
		}
		return a + b, ok1 && ok2 && ok3
	case o.Class.Name == "java.time.ZoneOffset", o.Class.Name == "java.time.ZoneRegion":
		return i.word(o, "id")
	case !known:
		return "", false
	}
	n, ok := i.ints(o, form.fields...)
	if !ok {
		return "", false
	}
	return form.write(n), true
}

// A timeForm is a class of numbers.
type timeForm struct {
	fields []string
	write  func(n []int64) string
}

// timeForms are the classes of java.time that hold numbers.
var timeForms = map[string]timeForm{
	"java.time.LocalDate": {[]string{"year", "month", "day"}, func(n []int64) string {
		return year(n[0]) + fmt.Sprintf("-%02d-%02d", n[1], n[2])
	}},
	"java.time.LocalTime": {[]string{"hour", "minute", "second", "nano"}, func(n []int64) string {
		text := fmt.Sprintf("%02d:%02d", n[0], n[1])
		if n[2] > 0 || n[3] > 0 {
			text += fmt.Sprintf(":%02d%s", n[2], nanos(n[3]))
		}
		return text
	}},
	"java.time.Instant": {[]string{"seconds", "nanos"}, func(n []int64) string {
		t := time.Unix(n[0], 0).UTC()
		return year(int64(t.Year())) + t.Format("-01-02T15:04:05") + nanos(n[1]) + "Z"
	}},
	"java.time.Duration": {[]string{"seconds", "nanos"}, func(n []int64) string { return duration(n[0], n[1]) }},
	"java.time.Period":   {[]string{"years", "months", "days"}, period},
	"java.time.Year":     {[]string{"year"}, func(n []int64) string { return strconv.FormatInt(n[0], 10) }},
	"java.time.YearMonth": {[]string{"year", "month"},
		func(n []int64) string { return year(n[0]) + fmt.Sprintf("-%02d", n[1]) }},
	"java.time.MonthDay": {[]string{"month", "day"},
		func(n []int64) string { return fmt.Sprintf("--%02d-%02d", n[0], n[1]) }},
}

// year writes a year with four digits or more, with a sign if it has more.
func year(n int64) string {
	switch {
	case n > 9999:
		return fmt.Sprintf("+%d", n)
	case n < 0:
		return fmt.Sprintf("-%04d", -n)
	}
	return fmt.Sprintf("%04d", n)
}

// nanos writes a fraction of a second with three, six or nine digits.
func nanos(n int64) string {
	switch {
	case n == 0:
		return ""
	case n%1e6 == 0:
		return fmt.Sprintf(".%03d", n/1e6)
	case n%1e3 == 0:
		return fmt.Sprintf(".%06d", n/1e3)
	}
	return fmt.Sprintf(".%09d", n)
}

// duration writes seconds and nanoseconds as Duration.toString does.
func duration(seconds, nano int64) string {
	if seconds == 0 && nano == 0 {
		return "PT0S"
	}
	if seconds < 0 && nano > 0 { // the fraction counts upwards
		seconds++
		nano -= 1e9
	}
	text := "PT"
	hours, minutes, rest := seconds/3600, seconds%3600/60, seconds%60
	if hours != 0 {
		text += fmt.Sprintf("%dH", hours)
	}
	if minutes != 0 {
		text += fmt.Sprintf("%dM", minutes)
	}
	if rest == 0 && nano == 0 {
		return text
	}
	if nano < 0 && rest == 0 {
		text += "-"
	}
	text += strconv.FormatInt(rest, 10)
	if nano < 0 {
		nano = -nano
	}
	if nano != 0 {
		text += strings.TrimRight(fmt.Sprintf(".%09d", nano), "0")
	}
	return text + "S"
}

// period writes years, months and days as Period.toString does.
func period(n []int64) string {
	text := "P"
	for k, unit := range "YMD" {
		if n[k] != 0 {
			text += fmt.Sprintf("%d%c", n[k], unit)
		}
	}
	if text == "P" {
		return "P0D"
	}
	return text
}
