package java

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"coredbg/core"
)

// maxWords bounds the int elements of a BigInteger.
const maxWords = 1 << 12

// words returns an object of java.math, java.time, java.net or java.util as its toString writes it; ok is false if it is none
// that is known, or lacks a field. Names of fields come from OpenJDK 8 to 21, which Android's libcore shares for java.time.
func (i *inspector) words(o Object) (text string, ok bool) {
	switch o.Class.Name {
	case "java.math.BigInteger":
		n, ok := i.bigInteger(o)
		if !ok {
			return "", false
		}
		return n.String(), true
	case "java.math.BigDecimal":
		return i.bigDecimal(o)
	case "java.net.URI":
		return i.textOf(o, "string")
	case "java.util.Locale":
		return i.locale(o)
	case "java.util.concurrent.atomic.LongAdder", "java.util.concurrent.atomic.DoubleAdder":
		return i.adder(o)
	}
	if strings.HasPrefix(o.Class.Name, "java.time.") {
		return i.time(o, 0)
	}
	return "", false
}

// bigInteger reads signum, and mag, whose first element is the most significant.
func (i *inspector) bigInteger(o Object) (*big.Int, bool) {
	sign, ok1 := i.h.IntField(o, "signum")
	mag, ok2 := i.h.RefField(o, "mag")
	r, err := i.h.Array(mag)
	if !ok1 || !ok2 || err != nil || r.Element != Int || r.Length > maxWords {
		return nil, false
	}
	n := new(big.Int)
	for k := range r.Length {
		w, ok := i.h.PrimitiveAt(r.At(k), Int)
		if !ok {
			return nil, false
		}
		n.Or(n.Lsh(n, 32), big.NewInt(int64(uint32(w))))
	}
	if sign < 0 {
		n.Neg(n)
	}
	return n, true
}

// bigDecimal reads intCompact, or intVal where that is the smallest long, and scale.
func (i *inspector) bigDecimal(o Object) (string, bool) {
	compact, ok1 := i.h.IntField(o, "intCompact")
	scale, ok2 := i.h.IntField(o, "scale")
	if !ok1 || !ok2 {
		return "", false
	}
	n := big.NewInt(compact)
	if compact == math.MinInt64 {
		at, _ := i.h.RefField(o, "intVal")
		x, err := i.h.Object(at)
		if err != nil {
			return "", false
		}
		var ok bool
		if n, ok = i.bigInteger(x); !ok {
			return "", false
		}
	}
	return decimal(n, scale), true
}

// decimal writes n times ten to the power of -scale as BigDecimal.toString does.
func decimal(n *big.Int, scale int64) string {
	sign, digits := "", new(big.Int).Abs(n).String()
	if n.Sign() < 0 {
		sign = "-"
	}
	exponent := int64(len(digits)) - 1 - scale
	switch {
	case scale == 0:
		return sign + digits
	case scale > 0 && exponent >= -6:
		if missing := scale - int64(len(digits)) + 1; missing > 0 {
			digits = strings.Repeat("0", int(missing)) + digits
		}
		at := len(digits) - int(scale)
		return sign + digits[:at] + "." + digits[at:]
	}
	if len(digits) > 1 {
		digits = digits[:1] + "." + digits[1:]
	}
	if exponent == 0 {
		return sign + digits
	}
	return fmt.Sprintf("%s%sE%+d", sign, digits, exponent)
}

// textOf returns the string in a field, quoted.
func (i *inspector) textOf(o Object, field string) (string, bool) {
	at, ok := i.h.RefField(o, field)
	if !ok || at == 0 || !i.h.IsString(at) {
		return "", false
	}
	s, err := i.h.Text(at, i.o.MaxString)
	return strconv.Quote(s.Value), err == nil && !s.Cut()
}

// plainWord is text that needs no quotes.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_+:/.-]{0,64}$`)

// word returns the string in a field if it is a plain word.
func (i *inspector) word(o Object, field string) (string, bool) {
	at, ok := i.h.RefField(o, field)
	if !ok || at == 0 || !i.h.IsString(at) {
		return "", false
	}
	s, err := i.h.Text(at, 64)
	return s.Value, err == nil && !s.Cut() && plainWord.MatchString(s.Value)
}

// locale writes language, region, variant and script. One with extensions is not written.
func (i *inspector) locale(o Object) (string, bool) {
	at, ok := i.h.RefField(o, "baseLocale")
	base, err := i.h.Object(at)
	if more, has := i.h.RefField(o, "localeExtensions"); !ok || err != nil || !has || more != 0 {
		return "", false
	}
	var part [4]string
	for k, name := range [...]string{"language", "region", "variant", "script"} {
		if part[k], ok = i.word(base, name); !ok {
			return "", false
		}
	}
	return localeWords(part[0], part[1], part[2], part[3]), true
}

func localeWords(language, region, variant, script string) string {
	text := language
	if region != "" || language != "" && (variant != "" || script != "") {
		text += "_" + region
	}
	if variant != "" && (language != "" || region != "") {
		text += "_" + variant
	}
	if script != "" && (language != "" || region != "") {
		text += "_#" + script
	}
	return strconv.Quote(text)
}

// adder sums base and the cells of a LongAdder, or of a DoubleAdder, whose long words are the bits of doubles.
func (i *inspector) adder(o Object) (string, bool) {
	base, ok := i.h.IntField(o, "base")
	cells, has := i.h.RefField(o, "cells")
	if !ok || !has {
		return "", false
	}
	all := []int64{base}
	refs, err := i.h.ArrayRefs(cells, maxWords)
	if err != nil && cells != 0 {
		return "", false
	}
	for _, at := range refs {
		if at == 0 {
			continue
		}
		cell, err := i.h.Object(at)
		if err != nil {
			return "", false
		}
		w, ok := i.h.IntField(cell, "value")
		if !ok {
			return "", false
		}
		all = append(all, w)
	}
	var sum int64
	var float float64
	for _, w := range all {
		sum += w
		float += math.Float64frombits(uint64(w))
	}
	if o.Class.Name == "java.util.concurrent.atomic.DoubleAdder" {
		return Double.Format(math.Float64bits(float)), true
	}
	return strconv.FormatInt(sum, 10), true
}

// maxTimeDepth bounds how many objects of java.time are in each other.
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

// timeParts are the fields of the classes that hold others of java.time.
var timeParts = map[string][]string{
	"java.time.LocalDateTime": {"date", "T", "time"}, "java.time.OffsetDateTime": {"dateTime", "", "offset"}, "java.time.OffsetTime": {"time", "", "offset"},
}

// time writes an object of java.time.
func (i *inspector) time(o Object, depth int) (string, bool) {
	if p := timeParts[o.Class.Name]; p != nil {
		a, ok1 := i.timeOf(o, p[0], depth+1)
		b, ok2 := i.timeOf(o, p[2], depth+1)
		return a + p[1] + b, ok1 && ok2
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
	"java.time.LocalDate": {[]string{"year", "month", "day"}, func(n []int64) string { return year(n[0]) + fmt.Sprintf("-%02d-%02d", n[1], n[2]) }},
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
	"java.time.Duration":  {[]string{"seconds", "nanos"}, func(n []int64) string { return duration(n[0], n[1]) }},
	"java.time.Period":    {[]string{"years", "months", "days"}, period},
	"java.time.Year":      {[]string{"year"}, func(n []int64) string { return strconv.FormatInt(n[0], 10) }},
	"java.time.YearMonth": {[]string{"year", "month"}, func(n []int64) string { return year(n[0]) + fmt.Sprintf("-%02d", n[1]) }},
	"java.time.MonthDay":  {[]string{"month", "day"}, func(n []int64) string { return fmt.Sprintf("--%02d-%02d", n[0], n[1]) }},
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

// readNumbers reads an array of numbers in a field, as AtomicIntegerArray has it.
func readNumbers(g *gatherer, o Object) bool {
	at, ok := g.ref(o, "array")
	r, err := g.i.h.Array(at)
	if !ok || err != nil || r.Element == NotPrimitive {
		return false
	}
	for k := range min(r.Length, maxNodes) {
		if g.taken >= g.i.o.MaxItems {
			g.count += int(min(r.Length, maxNodes) - k)
			break
		}
		g.add(g.i.primitive(r.At(k), r.Element))
	}
	return true
}

// valuesOf reads the values of a map.
func valuesOf(field string) collectionReader {
	return func(g *gatherer, o Object) bool {
		if !within(field)(g, o) {
			return false
		}
		g.v.Kind = ValueList
		values := []*Value{}
		for k := 1; k < len(g.v.Items); k += 2 {
			values = append(values, g.v.Items[k])
		}
		g.v.Items = values
		return true
	}
}

// nullOf returns 0 for the object that an EnumMap keeps for null.
func (g *gatherer) nullOf(at core.Addr) core.Addr {
	if x, err := g.i.h.Object(at); err == nil && x.Class.Name == "java.util.EnumMap$1" {
		return 0
	}
	return at
}
