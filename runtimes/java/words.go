package java

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// maxWords bounds the int elements of a BigInteger.
const maxWords = 1 << 12

// words returns an object of java.math, java.time, java.net or java.util as its toString writes it; ok is
// false if its class is not known, or a field is missing. Names of fields come from OpenJDK 8 to 21, which
// Android's libcore shares for java.time.
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
