package cmdline

import "flag"

// Given are the flags that were given on a command line, in order, for other processes.
type Given struct{ list []given }

// A given is a flag as it was given.
type given struct{ name, value string }

// Note has the flags noted that are given to a set. It is called when all of them are declared.
func Note(set *flag.FlagSet) *Given {
	g := &Given{}
	set.VisitAll(func(f *flag.Flag) { f.Value = noted{f.Value, f.Name, g} })
	return g
}

// A noted is a flag's value that notes what it is set to.
type noted struct {
	flag.Value
	name string
	to   *Given
}

// Set implements flag.Value.
func (n noted) Set(s string) error {
	err := n.Value.Set(s)
	if err == nil {
		n.to.list = append(n.to.list, given{n.name, s})
	}
	return err
}

// IsBoolFlag says that the flag needs no value, as flag does.
func (n noted) IsBoolFlag() bool {
	b, ok := n.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// Set adds a flag as if it had been given, and drops earlier flags of the same name.
func (g *Given) Set(name, value string) {
	kept := g.list[:0]
	for _, x := range g.list {
		if x.name != name {
			kept = append(kept, x)
		}
	}
	g.list = append(kept, given{name, value})
}

// For returns the arguments that give the same to a command which has the flags of a set; it
// leaves out what the command does not have.
func (g *Given) For(set *flag.FlagSet) (args []string) {
	if g == nil {
		return nil
	}
	for _, x := range g.list {
		if set.Lookup(x.name) != nil {
			args = append(args, "-"+x.name+"="+x.value)
		}
	}
	return args
}
