// Package layout holds what the tables of numbers of all runtimes share.
//
// A decoder keeps every number that it depends on (offsets of members, sizes,
// bits, tags) in one struct, whose fields are structs, one for each class of the
// runtime, of fields of type int. A field's tag has the number's name upstream.
// Each and Fill go over such a struct. A Fact has the value of a number, and its
// supplier.
//
// The decoders have the numbers themselves, the tables by version and the probes.
package layout

import "reflect"

// Unknown is the value of a fact without a supplier.
const Unknown = -1 << 31

// A Supplier says where the value of a fact comes from.
type Supplier string

// The suppliers, the most trusted first.
const (
	FromHand    Supplier = "hand"    // set by the user
	FromSymbol  Supplier = "symbol"  // a symbol or a constant of the runtime's image
	FromProbe   Supplier = "probe"   // seen on known objects of this core
	FromTable   Supplier = "table"   // the decoder's table of the version, or of the nearest one
	FromRow     Supplier = "row"     // the decoder's rows by version, if it has tables too
	FromNowhere Supplier = "unknown" // no supplier has it
)

// A Fact is one number that decoding depends on.
type Fact struct {
	Class, Field string // of the layout's struct: "ArtMethod", "EntryPoint"
	Name         string // upstream's, where that is not Class and Field: "ThreadList.list_"
	Value        int    // in bytes where it is an offset or a size; Unknown if Supplier is FromNowhere
	Supplier     Supplier
	Source       string // the symbol or constant, or the upstream file and version that the table has it from
}

// Each calls do for each number of a layout, a pointer to a struct, in the order
// of its fields: for the fields of type int of the structs in it, class, however
// deep. Structs with the tag `layout:"-"` are left out.
func Each(layout any, do func(class, field reflect.StructField, p *int)) {
	each(reflect.ValueOf(layout).Elem(), nil, do)
}

func each(v reflect.Value, class *reflect.StructField, do func(class, field reflect.StructField, p *int)) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		switch {
		case field.Tag.Get("layout") == "-":
		case field.Type.Kind() == reflect.Struct:
			each(v.Field(i), &field, do)
		case class != nil:
			if p, ok := v.Field(i).Addr().Interface().(*int); ok {
				do(*class, field, p)
			}
		}
	}
}

// Fill sets each number of a layout to the value of the fact that is returned
// for it, and returns the facts in the order of the fields. The value is handed
// in as it is; Class and Field need not be set.
func Fill(layout any, fact func(class, field reflect.StructField, value int) Fact) []Fact {
	var facts []Fact
	Each(layout, func(class, field reflect.StructField, p *int) {
		f := fact(class, field, *p)
		f.Class, f.Field = class.Name, field.Name
		*p = f.Value
		facts = append(facts, f)
	})
	return facts
}

// Set sets a number of a layout, and its fact, to a value that the supplier found for this core.
func Set(layout any, facts []Fact, class, field string, value int, by Supplier) {
	Each(layout, func(c, f reflect.StructField, p *int) {
		if c.Name == class && f.Name == field {
			*p = value
		}
	})
	for i := range facts {
		if f := &facts[i]; f.Class == class && f.Field == field {
			f.Value, f.Supplier, f.Source = value, by, ""
		}
	}
}
