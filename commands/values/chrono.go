package values

import (
	"time"

	"coredbg/core/dwarf"
)

// period returns the fraction of a second that a std::chrono::duration counts.
func period(t *dwarf.Type) (p [2]int64, ok bool) {
	list := madeWith(t, 2).Strip().TemplateParams()
	if len(list) < 2 || !list[0].HasValue || !list[1].HasValue || list[0].Value <= 0 || list[1].Value <= 0 {
		return p, false
	}
	return [2]int64{list[0].Value, list[1].Value}, true
}

// seconds converts n units of a std::chrono::duration to seconds and nanoseconds. ok is false if the result is
// not whole nanoseconds, and for a duration that counts in floating point.
func seconds(t *dwarf.Type, n int64) (sec, nano int64, ok bool) {
	rep := madeWith(t, 1).Strip()
	p, ok := period(t)
	if !ok || rep == nil || rep.Kind != dwarf.Base || rep.Encoding == dwarf.EncFloat || p[1] > 1e9 || 1e9%p[1] != 0 || p[0] > maxLength {
		return 0, 0, false
	}
	if whole := n / p[1]; whole > maxLength || whole < -maxLength || p[0] > 1 && p[1] > 1 || (whole*p[0])/p[0] != whole {
		return 0, 0, false
	}
	return n / p[1] * p[0], n % p[1] * p[0] * (1e9 / p[1]), true
}

// maxSeconds is how long a time.Duration can be.
const maxSeconds = (1<<63 - 1) / int64(time.Second)

// durationText returns what n of a std::chrono::duration are, as Go writes it: 1.5s.
func durationText(t *dwarf.Type, n int64) (string, bool) {
	sec, nano, ok := seconds(t, n)
	if !ok || sec >= maxSeconds || sec <= -maxSeconds {
		return "", false
	}
	return (time.Duration(sec)*time.Second + time.Duration(nano)).String(), true
}

// The times of the years 0 to 9999, in seconds since 1970.
const (
	firstSecond = -62167219200
	lastSecond  = 253402300799
)

// momentText returns the time, in UTC, that is n of a std::chrono::duration after the beginning of a clock; ok is false for
// clocks other than the system's, which begins in 1970.
func momentText(clock, t *dwarf.Type, n int64) (string, bool) {
	if clock = clock.Strip(); clock == nil || clock.Own() != "system_clock" {
		return "", false
	}
	sec, nano, ok := seconds(t, n)
	if !ok || sec < firstSecond || sec > lastSecond {
		return "", false
	}
	return time.Unix(sec, nano).UTC().Format(time.RFC3339Nano), true
}
