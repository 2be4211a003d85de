package layout

import (
	"fmt"
	"slices"
	"strconv"

	"coredbg/runtimes/layout"
)

// Facts and suppliers have the types that all runtimes share.
type (
	Fact     = layout.Fact
	Supplier = layout.Supplier
)

// The suppliers, the most trusted first; see the package comment.
const (
	FromHand     = layout.FromHand
	FromSymbol   = layout.FromSymbol // a v8dbg_* constant of the image
	FromProbe    = layout.FromProbe
	FromTable    = layout.FromTable
	FromRow      = layout.FromRow
	FromNowhere  = layout.FromNowhere
	symbolPrefix = "v8dbg_"
)

// Suppliers returns all suppliers, the most trusted first.
func Suppliers() []Supplier {
	return []Supplier{FromHand, FromSymbol, FromProbe, FromTable, FromRow, FromNowhere}
}

// Probed sets a fact to a value that the core's own memory shows. A constant of the image and a value set by hand stay;
// the difference is a conflict.
func (l *Layout) Probed(class, field string, value int) { l.set(class, field, value, FromProbe) }

// SetByHand sets a fact to a value that the user gives, which takes precedence over all others.
func (l *Layout) SetByHand(class, field string, value int) { l.set(class, field, value, FromHand) }

// set sets a fact unless a supplier that is trusted more has it.
func (l *Layout) set(class, field string, value int, by Supplier) {
	is := func(f Fact) bool { return f.Class == class && f.Field == field }
	i := slices.IndexFunc(l.facts, is)
	if i >= 0 && slices.Index(Suppliers(), l.facts[i].Supplier) < slices.Index(Suppliers(), by) {
		l.rejected = append(slices.DeleteFunc(l.rejected, is),
			Fact{Class: class, Field: field, Value: value, Supplier: by})
		return
	}
	if i >= 0 && l.facts[i].Supplier != by {
		l.rejected = append(slices.DeleteFunc(l.rejected, is), l.facts[i])
	}
	layout.Set(l, l.facts, class, field, value, by)
}

// A Conflict is a number that two suppliers have with different values.
type Conflict struct{ Used, Rejected Fact }

// String says both values.
func (c Conflict) String() string {
	return fmt.Sprintf("%s.%s is %s by %s, but %s by %s", c.Used.Class, c.Used.Field,
		ValueText(c.Used.Value), c.Used.Supplier, ValueText(c.Rejected.Value), c.Rejected.Supplier)
}

// ValueText returns a number of the Layout as text: masks, which no offset is as large as, in hexadecimal.
func ValueText(n int) string {
	switch {
	case n == Unknown:
		return "unknown"
	case n >= 1<<12:
		return fmt.Sprintf("%#x", n)
	}
	return strconv.Itoa(n)
}

// Conflicts returns the numbers with different values from two suppliers, in the order of Layout's fields. A
// supplier that does not know a number contradicts none.
func (l *Layout) Conflicts() (list []Conflict) {
	for _, f := range l.facts {
		for _, r := range l.rejected {
			if r.Class == f.Class && r.Field == f.Field && r.Value != f.Value && r.Value != Unknown {
				list = append(list, Conflict{f, r})
			}
		}
	}
	return list
}
