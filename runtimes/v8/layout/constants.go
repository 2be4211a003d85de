package layout

import "fmt"

// A Variant is what of V8's build options changes how its memory is laid out.
type Variant struct {
	TaggedSize int  // bytes of a tagged field: 8, or 4 with pointer compression
	Sandbox    bool // external and trusted pointers are handles
}

// Constants are values by the names of v8dbg_* symbols, without that prefix.
type Constants struct {
	Values map[string]int
	// Table is the table that they are from, nil for the symbols of the image.
	Table *Table
}

// Supplier says what the constants are from.
func (c Constants) Supplier() Supplier {
	if c.Table != nil {
		return FromTable
	}
	return FromSymbol
}

// fact returns the constant of that name with its supplier.
func (c Constants) fact(name string) Fact {
	f := Fact{Value: c.Values[name], Supplier: c.Supplier(), Source: symbolPrefix + name}
	if c.Table != nil {
		f.Source = fmt.Sprintf("%s of %d.%d", name, c.Table.Version.Major, c.Table.Version.Minor)
	}
	return f
}

// A Table is the constants of a version, by the names that v8dbg_* symbols have.
type Table struct {
	Version   Version
	Variant   Variant
	Constants map[string]int
}
