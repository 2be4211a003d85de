package lang

import (
	"fmt"
	"slices"
	"sort"
)

// Vars are the named variables. Registers of the current thread are read
// through, and not kept here.
type Vars struct {
	m map[string]uint64
}

// persistentNames exist from the start, as in MDB. thread, and the names of
// registers, are the host's.
var persistentNames = []string{"0", "1", "2", "9", "b", "d", "e", "m", "t", "hits"}

// NewVars returns the variables of a new session, all zero.
func NewVars() *Vars {
	v := &Vars{m: map[string]uint64{}}
	for _, n := range persistentNames {
		v.m[n] = 0
	}
	return v
}

// Get returns the value of a variable.
func (v *Vars) Get(name string) (uint64, bool) {
	x, ok := v.m[name]
	return x, ok
}

// Set assigns a variable, and makes it if need be.
func (v *Vars) Set(name string, value uint64) {
	v.m[name] = value
}

// Unset removes a variable.
func (v *Vars) Unset(name string) error {
	if _, ok := v.m[name]; !ok {
		return fmt.Errorf("variable %q is not defined", name)
	}
	if v.Persistent(name) {
		return fmt.Errorf("variable %q is persistent and cannot be unset", name)
	}
	delete(v.m, name)
	return nil
}

// Persistent reports whether the variable was there from the start.
func (v *Vars) Persistent(name string) bool {
	return slices.Contains(persistentNames, name)
}

// Names returns the names of all variables, sorted.
func (v *Vars) Names() []string {
	names := make([]string, 0, len(v.m))
	for n := range v.m {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}
