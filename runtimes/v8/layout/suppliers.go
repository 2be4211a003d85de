package layout

import (
	"fmt"
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
