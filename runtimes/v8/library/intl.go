package library

import "coredbg/runtimes/v8/ecma"

// The classes of Intl that are known write dates and numbers. What one was made with is a private property.
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
