package art

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/java"
)

// WhatIs describes the part of the runtime at an address: an object of the Java heap or a place inside one, a
// class, an ArtMethod, an ArtField, a Thread, a Monitor, a DexFile. It implements runtimes.Identifier.
func (a *ART) WhatIs(at core.Addr) (string, bool) {
	if a.Layout == nil || a.Runtime == 0 {
		return "", false
	}
	if s, ok := a.whatIsObject(at); ok {
		return s, true
	}
	if t := a.ThreadAt(at); t != nil {
		return fmt.Sprintf("art::Thread of \"%s\" (tid %d)", t.Name, t.TID), true
	}
	if at == a.Runtime {
		return "art::Runtime", true
	}
	if f, err := a.Field(at); err == nil {
		return fmt.Sprintf("ArtField %s.%s", a.ClassAt(f.Class).Name, f.Label()), true
	}
	if a.IsMethodOf(at) {
		return fmt.Sprintf("ArtMethod %s", a.Method(at)), true
	}
	if c, ok := a.WhatIsCode(at); ok {
		return c, true
	}
	if o, ok := a.Monitored(at); ok {
		return fmt.Sprintf("art::Monitor of %s at %v", a.describe(o), o.Addr), true
	}
	return a.WhatIsDex(at)
}

// whatIsObject says which object begins at an address or holds it.
func (a *ART) whatIsObject(at core.Addr) (string, bool) {
	h, err := a.Heap()
	if err != nil {
		return "", false
	}
	s := h.Space(at)
	o, err := a.Object(at)
	switch {
	case err == nil:
		text := a.describe(o)
		if s != nil {
			text += ", in " + s.Name
		}
		return text, true
	case s == nil:
		return "", false
	}
	if o, ok := h.Find(at); ok {
		return fmt.Sprintf("%s at %v, in %s: %s", a.SlotName(o, at&^3), o.Addr, s.Name, a.describe(o)), true
	}
	return fmt.Sprintf("in %s, no object that is in use", s.Name), true
}

// describe says what an object is, in a few words.
func (a *ART) describe(o object.Object) string {
	switch {
	case o.Class.Flags&object.FlagClass != 0:
		return "class " + a.ClassAt(o.Addr).Name
	case o.Class.IsArray():
		n, _ := a.ArrayLength(o.Addr)
		return fmt.Sprintf("%s of %d elements", o.Class.Name, n)
	case o.Class.Flags&object.FlagString != 0:
		v := a.Inspect(o.Addr, java.Options{MaxString: 40, MaxValues: 1})
		return "java.lang.String " + v.Format(java.FormatOptions{OneLine: true})
	}
	return "object of " + o.Class.Name
}
