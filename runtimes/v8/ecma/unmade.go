package ecma

import "fmt"

// An UnmadeError says that a property has no value yet: its getter would make it. Variable is where the getter
// keeps it; it is "" for a getter without bytecode, which did not run, or not for a while. Getter is "" for one that
// is not in the core with all of its parts.
type UnmadeError struct{ Property, Getter, Variable string }

// Error gives the reason, and the place of the value if it had one.
func (e *UnmadeError) Error() string {
	switch {
	case e.Getter == "":
		return fmt.Sprintf("eval: not in the core: %s is what its getter returns, which is not in the core either",
			e.Property)
	case e.Variable == "":
		return fmt.Sprintf("eval: not in the core: %s is what its getter %s returns, and that is not compiled: "+
			"the program had not asked for it, or not for a long time", e.Property, e.Getter)
	}
	return fmt.Sprintf("eval: not in the core: %s is made when it is first asked for, and the program had not asked: "+
		"the variable %s, where its getter %s keeps it, is undefined", e.Property, e.Variable, e.Getter)
}
