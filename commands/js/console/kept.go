package console

import (
	"fmt"
	"maps"
	"slices"

	"coredbg/commands"
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/object"
)

// A kept has the variables that texts declared which were typed before, and $_, the last value, if there is one.
type kept struct {
	values map[string]*ecma.Value
	// constants are the names of the constants among values.
	constants map[string]bool
	used      bool // something was typed
	counts    map[string]int
	ends      []func() // of generators that have not ended
	said      map[string]bool
}

// maxLasting bounds the generators that last.
const maxLasting = 64

// lasting keeps generators that have not ended. The oldest end.
func (k *kept) lasting(ends []func()) {
	k.ends = append(k.ends, ends...)
	for len(k.ends) > maxLasting {
		k.ends[0]()
		k.ends = k.ends[1:]
	}
}

// counted is what console.count shows for its label.
func (k *kept) counted(list []*inspect.Value) []*inspect.Value {
	label := "default"
	if len(list) > 0 {
		label = list[0].Text
	}
	if k.counts == nil {
		k.counts = map[string]int{}
	}
	k.counts[label]++
	return []*inspect.Value{{Kind: object.KindString, Text: fmt.Sprintf("%s: %d", label, k.counts[label])}}
}

// keptOf returns what was typed before in a session.
func keptOf(s *commands.Session) *kept {
	k := commands.Kept[kept](s)
	if k == nil {
		k = &kept{constants: map[string]bool{},
			values: map[string]*ecma.Value{"$0": new(ecma.Value)}, // nothing is chosen in a page
			said:   map[string]bool{}}
		commands.Keep(s, k)
	}
	return k
}

// OwnWord reports whether a name means something that no path finds: what was typed before, or the arguments.
func OwnWord(s *commands.Session, name string) bool {
	_, kept := keptOf(s).values[name]
	return kept || name == "arguments"
}

// Names returns the names of the variables that were typed before in a session.
func Names(s *commands.Session) []string { return slices.Sorted(maps.Keys(keptOf(s).values)) }
