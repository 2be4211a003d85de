package library

import (
	"testing"
	"time"
)

// TestLocale compares dates and numbers with what Node 24.21 writes for 2024-01-05T15:04:09Z and 1234567.891.
func TestLocale(t *testing.T) {
	at := float64(time.Date(2024, 1, 5, 15, 4, 9, 0, time.UTC).UnixMilli())
	for name, want := range map[string][2]string{
		"en":    {"1/5/2024, 3:04:09 PM", "1,234,567.891"},
		"en-GB": {"05/01/2024, 15:04:09", "1,234,567.891"},
		"en-CA": {"2024-01-05, 3:04:09 p.m.", "1,234,567.891"},
		"de":    {"5.1.2024, 15:04:09", "1.234.567,891"},
		"fr":    {"05/01/2024 15:04:09", "1\u202f234\u202f567,891"},
		"es":    {"5/1/2024, 15:04:09", "1.234.567,891"},
		"sv":    {"2024-01-05 15:04:09", "1\u00a0234\u00a0567,891"},
		"ja":    {"2024/1/5 15:04:09", "1,234,567.891"},
		"pl":    {"5.01.2024, 15:04:09", "1\u00a0234\u00a0567,891"},
	} {
		f := &dateForm{locale: locales[name], zone: time.UTC, parts: map[string]string{}}
		f.fill(defaultDate | defaultTime)
		if got := f.text(nil, at); got != want[0] {
			t.Errorf("%s writes the date %q, want %q", name, got, want[0])
		}
		n := &numberForm{locale: locales[name], most: 3, whole: 1}
		if got := n.text(1234567.891); got != want[1] {
			t.Errorf("%s writes the number %q, want %q", name, got, want[1])
		}
	}
	for _, x := range []struct {
		form dateForm
		want string
	}{
		{dateForm{date: "full", time: "long"}, "Friday, January 5, 2024 at 3:04:09 PM UTC"},
		{dateForm{date: "medium", time: "short"}, "Jan 5, 2024, 3:04 PM"},
		{dateForm{parts: map[string]string{"weekday": "short", "year": "numeric", "month": "short", "day": "numeric"}},
			"Fri, Jan 5, 2024"},
		{dateForm{parts: map[string]string{"hour": "2-digit", "minute": "2-digit"}}, "03:04 PM"},
	} {
		x.form.locale, x.form.zone = locales["en"], time.UTC
		if got := x.form.text(nil, at); got != x.want {
			t.Errorf("a date is %q, want %q", got, x.want)
		}
	}
}
