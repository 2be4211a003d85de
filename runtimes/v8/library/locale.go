package library

import (
	"math"
	"math/big"
	"strings"

	"coredbg/runtimes/v8/ecma"
)

// A locale is how numbers and dates are written somewhere (CLDR). Layouts are as in package time; {H} is an hour
// from 0 to 23 of as many digits as it needs.
type locale struct {
	group, point string // of numbers
	few          bool   // four digits are not grouped
	date, time   string
	between      string // a date and a time
}

// locales are the ones that are known, by their names and languages.
var locales = map[string]*locale{
	"en":    {",", ".", false, "1/2/2006", "3:04:05 PM", ", "},
	"en-GB": {",", ".", false, "02/01/2006", "15:04:05", ", "},
	"en-CA": {",", ".", false, "2006-01-02", "3:04:05 p.m.", ", "},
	"de":    {".", ",", false, "2.1.2006", "15:04:05", ", "},
	"fr":    {"\u202f", ",", false, "02/01/2006", "15:04:05", " "},
	"es":    {".", ",", true, "2/1/2006", "{H}:04:05", ", "},
	"it":    {".", ",", true, "02/01/2006", "15:04:05", ", "},
	"sv":    {"\u00a0", ",", false, "2006-01-02", "15:04:05", " "},
	"nl":    {".", ",", false, "2-1-2006", "15:04:05", ", "},
	"pt-BR": {".", ",", false, "02/01/2006", "15:04:05", ", "},
	"ja":    {",", ".", false, "2006/1/2", "{H}:04:05", " "},
	"zh-CN": {",", ".", false, "2006/1/2", "15:04:05", " "},
	"ru":    {"\u00a0", ",", false, "02.01.2006", "15:04:05", ", "},
	"pl":    {"\u00a0", ",", true, "2.01.2006", "15:04:05", ", "},
}

// ownCountries are the locales of countries that write as their language does.
var ownCountries = map[string]string{"en-US": "en", "de-DE": "de", "fr-FR": "fr", "es-ES": "es", "it-IT": "it",
	"sv-SE": "sv", "nl-NL": "nl", "pt": "pt-BR", "ja-JP": "ja", "zh": "zh-CN", "ru-RU": "ru", "pl-PL": "pl"}

// localeOf returns the locale that a program names, with its name; undefined is the one that Node has without
// another.
func localeOf(m *ecma.Machine, v ecma.Value) (l *locale, name string) {
	if v != nil && m.IsObject(v) {
		if list := ecma.ElementsOf(m, v); len(list) > 0 {
			v = list[0]
		} else {
			v = nil
		}
	}
	if v == nil {
		return locales["en"], "en-US"
	}
	name = m.Text(v)
	if l = locales[name]; l == nil {
		l = locales[ownCountries[name]]
	}
	if l == nil {
		m.Fail("the locale %s is not known", name)
	}
	return l, name
}

// option is a property of options; "" if there is none.
func option(m *ecma.Machine, options ecma.Value, name string) string {
	if ecma.IsNullish(options) {
		return ""
	}
	v := m.Get(options, ecma.Key{Name: name})
	if v == nil {
		return ""
	}
	return m.Text(v)
}

// knownOptions stops at an option that is not known.
func knownOptions(m *ecma.Machine, options ecma.Value, known ...string) {
	if !m.IsObject(options) {
		return
	}
	m.Each(options, func(k ecma.Key, v ecma.Value) {
		for _, name := range known {
			if k.Name == name {
				return
			}
		}
		if v != nil {
			m.Fail("the option %s of Intl is not known", k.Name)
		}
	})
}

// A numberForm says how a number is written.
type numberForm struct {
	locale      *locale
	style, sign string // of a currency or a unit
	least, most int    // digits behind the point
	whole       int    // digits before it, at least
	together    bool   // is not grouped
}

// currencies are the signs that en-US has, and the digits behind the point.
var currencies = map[string]struct {
	sign   string
	digits int
}{"USD": {"$", 2}, "EUR": {"€", 2}, "GBP": {"£", 2}, "JPY": {"¥", 0}, "INR": {"₹", 2}, "CNY": {"CN¥", 2},
	"KRW": {"₩", 0}, "CAD": {"CA$", 2}, "AUD": {"A$", 2}, "BRL": {"R$", 2}, "MXN": {"MX$", 2}, "CHF": {"CHF\u00a0", 2}}

// numberFormOf reads the options of Intl.NumberFormat.
func numberFormOf(m *ecma.Machine, where, options ecma.Value) *numberForm {
	l, name := localeOf(m, where)
	knownOptions(m, options, "style", "currency", "minimumFractionDigits", "maximumFractionDigits", "useGrouping",
		"minimumIntegerDigits")
	f := &numberForm{locale: l, style: option(m, options, "style"), most: 3, whole: 1}
	switch f.style {
	case "", "decimal":
	case "percent":
		f.most = 0
	case "currency":
		code := strings.ToUpper(option(m, options, "currency"))
		c, ok := currencies[code]
		if !ok || l != locales["en"] {
			m.Fail("the form of %s in %s is not known", code, name)
		}
		f.sign, f.least, f.most = c.sign, c.digits, c.digits
	default:
		m.Fail("the style %s of Intl is not known", f.style)
	}
	digits := func(name string, now *int) bool {
		if option(m, options, name) == "" {
			return false
		}
		if *now = m.Integer(m.Get(options, ecma.Key{Name: name})); *now < 0 || *now > 100 {
			m.ThrowAs("RangeError", "%s value is out of range.", name)
		}
		return true
	}
	least := digits("minimumFractionDigits", &f.least)
	switch most := digits("maximumFractionDigits", &f.most); {
	case most && !least:
		f.least = min(f.least, f.most)
	case !most:
		f.most = max(f.least, f.most)
	case f.least > f.most:
		m.ThrowAs("RangeError", "maximumFractionDigits value is out of range.")
	}
	digits("minimumIntegerDigits", &f.whole)
	f.together = option(m, options, "useGrouping") == "false"
	return f
}

// text writes a number.
func (f *numberForm) text(x float64) string {
	sign := ""
	if math.Signbit(x) && x == x {
		sign, x = "-", -x
	}
	if f.style == "percent" && !math.IsInf(x, 0) {
		product := new(big.Rat)
		if product.SetFloat64(x) != nil {
			return sign + f.digits(product.Mul(product, big.NewRat(100, 1)).FloatString(f.most)) + "%"
		}
	}
	s := ""
	switch {
	case x != x:
		s = "NaN"
	case math.IsInf(x, 1):
		s = "∞"
	default:
		s = f.digits(rounded(x, f.most))
	}
	if f.style == "percent" {
		s += "%"
	}
	return sign + f.sign + s
}

// digits gives the digits of a number their separators.
func (f *numberForm) digits(s string) string {
	whole, part, _ := strings.Cut(s, ".")
	for len(part) > f.least && strings.HasSuffix(part, "0") {
		part = part[:len(part)-1]
	}
	if len(whole) < f.whole {
		whole = strings.Repeat("0", f.whole-len(whole)) + whole
	}
	if !f.together && !(f.locale.few && len(whole) < 5) {
		whole = strings.ReplaceAll(grouped(whole), ",", f.locale.group)
	}
	if part == "" {
		return whole
	}
	return whole + f.locale.point + part
}

// localNumber is Number.prototype.toLocaleString.
func localNumber(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
	x := thisNumber(m, this)
	return numberFormOf(m, ecma.Arg(args, 0), ecma.Arg(args, 1)).text(x)
}

// The classes of Intl that are known write dates and numbers. Their options are a private property.
var (
	intlForm = ecma.Key{Own: &ecma.Symbol{Description: "#form"}}
	intlArgs = ecma.Key{Own: &ecma.Symbol{Description: "#options"}}
)

func init() {
	constructors["Intl.DateTimeFormat"] = func(m *ecma.Machine, args []ecma.Value) ecma.Value {
		return newIntl(m, "Intl.DateTimeFormat", dateFormOf(m, ecma.Arg(args, 0), ecma.Arg(args, 1), defaultDate), args)
	}
	constructors["Intl.NumberFormat"] = func(m *ecma.Machine, args []ecma.Value) ecma.Value {
		return newIntl(m, "Intl.NumberFormat", numberFormOf(m, ecma.Arg(args, 0), ecma.Arg(args, 1)), args)
	}
	table := map[string]ecma.Builtin{}
	for _, class := range []string{"Intl.DateTimeFormat", "Intl.NumberFormat"} {
		table[class] = func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return constructors[class](m, args)
		}
		table["get "+class+".prototype.format"] = boundFormat
	}
	table["Intl.DateTimeFormat.prototype.resolvedOptions"] = resolvedDate
	register(table)
}

// newIntl makes an object of a class of Intl.
func newIntl(m *ecma.Machine, class string, form any, args []ecma.Value) *ecma.Object {
	o := &ecma.Object{Proto: ecma.PrototypeNamed(m, class)}
	o.Define(intlForm, &ecma.Prop{Value: form, Hidden: true})
	o.Define(intlArgs, &ecma.Prop{Value: ecma.Array(args...), Hidden: true})
	return o
}

// formOf is what an object of Intl was made with.
func formOf(m *ecma.Machine, v ecma.Value) any {
	o, ok := v.(*ecma.Object)
	if !ok || o.Props[intlForm] == nil {
		m.Fail("what an object of Intl was made with is not known")
	}
	return o.Props[intlForm].Value
}

// boundFormat is the getter of format, a function that knows its object.
func boundFormat(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
	form := formOf(m, this)
	return m.Native("", func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
		x := ecma.Arg(args, 0)
		switch f := form.(type) {
		case *numberForm:
			return f.text(m.Number(x))
		case *dateForm:
			if x == nil {
				x = NewDate(m, nil)
			}
			if ecma.IsDate(m, x) {
				return f.text(m, dateOf(m, x))
			}
			return f.text(m, m.Number(x))
		}
		return nil
	})
}

// resolvedDate is resolvedOptions of Intl.DateTimeFormat.
func resolvedDate(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
	f, _ := formOf(m, this).(*dateForm)
	if f == nil {
		m.Fail("what an object of Intl was made with is not known")
	}
	args := ecma.ElementsOf(m, this.(*ecma.Object).Props[intlArgs].Value)
	_, name := localeOf(m, ecma.Arg(args, 0))
	o := &ecma.Object{Proto: ecma.PrototypeNamed(m, "Object")}
	zone := f.zone
	if zone == nil {
		zone = zoneOf(m)
	}
	for _, p := range [][2]string{{"locale", name}, {"calendar", "gregory"}, {"numberingSystem", "latn"},
		{"timeZone", zone.String()}} {
		o.Set(ecma.Key{Name: p[0]}, p[1])
	}
	for _, p := range append(append([]string{}, dateParts...), timeParts...) {
		if f.parts[p] != "" {
			o.Set(ecma.Key{Name: p}, f.parts[p])
		}
	}
	return o
}
