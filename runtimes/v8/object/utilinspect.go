package object

import (
	"context"
	"strings"

	"coredbg/runtimes/v8/layout"
)

// CustomInspect is the description of the symbol that names functions which say how their
// objects look (lib/internal/util/inspect.js).
const CustomInspect = "nodejs.util.inspect.custom"

// IsUtilInspect reports whether fn is util.inspect: it has the symbol as a property.
func (r *Reader) IsUtilInspect(fn layout.Tagged) bool {
	p, ok := r.OwnProperty(fn, "custom")
	return ok && r.Is(p.Value, r.Types.Symbol) && r.SymbolDescription(p.Value) == CustomInspect
}

// InspectSource returns the source of the script that contains the process's util.inspect. It fails if the
// process has no util.inspect, if the source is neither in the core nor in its file, and if util.inspect leaves
// rendering to another script, as Deno's does.
func (r *Reader) InspectSource() (string, bool) {
	u := r.caches.inspect()
	return u.source, strings.Contains(u.source, "function formatRaw(")
}

// utilInspect describes the util.inspect of the first realm that has one.
func (r *Reader) utilInspect() *utilInspect {
	u := &utilInspect{}
	realms, err := r.Realms(context.Background(), nil)
	if err != nil {
		return u
	}
	for _, native := range realms {
		if fn, ok := r.findInspect(native); ok {
			r.readInspect(u, fn)
			break
		}
	}
	return u
}

// findInspect finds util.inspect: a class that a global names has a function
// [util.inspect.custom] which closes over it.
func (r *Reader) findInspect(native layout.Tagged) (layout.Tagged, bool) {
	g, err := r.GlobalObject(native)
	if err != nil {
		return 0, false
	}
	list, _, _ := r.Properties(g, MaxDictionary)
	for i := range list {
		p := &list[i]
		if p.Accessor || p.Native || p.Value.Raw {
			continue
		}
		proto, ok := r.FunctionPrototype(p.Value.Word)
		if !ok {
			continue
		}
		var found layout.Tagged
		r.EachProperty(proto, func(q RawProperty) bool {
			if r.Is(q.Key, r.Types.Symbol) && r.SymbolDescription(q.Key) == CustomInspect && r.IsFunction(q.Value) {
				found = r.closedInspect(q.Value)
			}
			return found == 0
		})
		if found != 0 {
			return found, true
		}
	}
	return 0, false
}

// closedInspect returns the variable of fn's contexts that is util.inspect, or 0 without one.
func (r *Reader) closedInspect(fn layout.Tagged) layout.Tagged {
	contexts, _ := r.Contexts(fn)
	for _, c := range contexts {
		for _, x := range c.Variables {
			if !x.Slot.Raw && r.IsFunction(x.Slot.Word) && r.IsUtilInspect(x.Slot.Word) {
				return x.Slot.Word
			}
		}
	}
	return 0
}

// readInspect reads what Dialects and classes depend on.
func (r *Reader) readInspect(u *utilInspect, fn layout.Tagged) {
	if s, ok := r.ClosureShared(fn); ok {
		if info, ok := r.SharedInfo(s); ok && info.Script != 0 {
			if n := r.ScriptInfo(info.Script).Length; n > 0 && n < maxInspectSource {
				u.source, _ = r.Source(info.Script, 0, n, n)
			}
		}
	}
	contexts, _ := r.Contexts(fn)
	for _, c := range contexts {
		for _, x := range c.Variables {
			if x.Name != "builtInObjects" || x.Slot.Raw {
				continue
			}
			if table, ok := r.Field(x.Slot.Word, r.Layout.JSCollection.Table); ok {
				list, more, err := r.OrderedEntries(table, false, 0, maxBuiltins)
				if err == nil && more == 0 && len(list) > 0 {
					u.builtins = map[string]bool{}
				}
				for _, e := range list {
					if u.builtins != nil && r.IsString(e.Key) {
						u.builtins[r.Text(e.Key)] = true
					}
				}
			}
		}
	}
}

// Limits for reading util.inspect.
const (
	maxInspectSource = 1 << 20 // code units
	maxBuiltins      = 1 << 10
)
