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

// A Table is the constants of a version, which layout/gen writes.
//
// A row has the name that the v8dbg_* symbol has, without that prefix, where V8's script
// lists the constant. Fields have rows for all classes of objects on the heap,
// class_<class>__<field>__<type>, with the field's name as in V8's class, without the
// underscore at its end; size_<class> is the size of objects without what varies. Besides:
//
//	layout_<Class>_<Field>                the field of Layout of that name
//	bytecode_<number>_<name>__<operands>  the letters of runtimes/v8/bytecode, or "-"; the value is the number
//	translation_<number>_<name>           the value is the count of operands
//	root_<number>_<name>                  but for strings; the value is the number
//	<enumeration>_<name>                  elementskind_, codekind_, scopetype_, functionkind_, contextfield_, …
type Table struct {
	Version   Version
	Variant   Variant
	Constants map[string]int
}
