package art

import (
	"fmt"

	"coredbg/core"
)

// WhatIs says what of the runtime lies at an address: an object of the Java heap
// or a place inside of one, a class, an ArtMethod, an ArtField, a Thread, a
// Monitor, a DexFile. It implements runtimes.Identifier.
func (a *ART) WhatIs(at core.Addr) (string, bool) {
	if a.layout == nil || a.fit.runtime == 0 {
		return "", false
	}
	if s, ok := a.whatIsObject(at); ok {
		return s, true
	}
	if t := a.threadAt(at); t != nil {
		return fmt.Sprintf("art::Thread of \"%s\" (tid %d)", t.Name, t.TID), true
	}
	if at == a.fit.runtime {
		return "art::Runtime", true
	}
	if f, err := a.Field(at); err == nil {
		return fmt.Sprintf("ArtField %s.%s", a.classAt(f.Class, 0).Name, f.Label()), true
	}
	if a.isMethodOf(at) {
		return fmt.Sprintf("ArtMethod %s", a.Method(at)), true
	}
	if c, ok := a.whatIsCode(at); ok {
		return c, true
	}
	if m, ok := a.whatIsMonitor(at); ok {
		return m, true
	}
	return a.whatIsDex(at)
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
		return fmt.Sprintf("%s at %v, in %s: %s", a.slotName(o, at&^3), o.Addr, s.Name, a.describe(o)), true
	}
	return fmt.Sprintf("in %s, no object that is in use", s.Name), true
}

// describe says what an object is, in a few words.
func (a *ART) describe(o Object) string {
	switch {
	case o.Class.Flags&flagClass != 0:
		return "class " + a.classAt(o.Addr, 0).Name
	case o.Class.IsArray():
		n, _ := a.arrayLength(o.Addr)
		return fmt.Sprintf("%s of %d elements", o.Class.Name, n)
	case o.Class.Flags&flagString != 0:
		v := a.Inspect(o.Addr, InspectOptions{MaxString: 40, MaxValues: 1})
		return "java.lang.String " + v.Format(FormatOptions{OneLine: true})
	}
	return "object of " + o.Class.Name
}

// isMethodOf reports whether an ArtMethod lies at an address: its class has it.
func (a *ART) isMethodOf(at core.Addr) bool {
	class, ok := a.ref(at)
	if !ok || at%4 != 0 || !a.IsClass(class) {
		return false
	}
	c := a.classAt(class, 0)
	n, ok := a.u32(c.methods)
	size := core.Addr(a.layout.ArtMethod.Size)
	first := c.methods + core.Addr(a.ptr)
	return ok && n <= maxMethods && at >= first && at < first+core.Addr(n)*size && (at-first)%size == 0
}

// whatIsMonitor says which object's Monitor lies at an address: the object's
// lock word leads back to it.
func (a *ART) whatIsMonitor(at core.Addr) (string, bool) {
	object, ok := a.ref(at.Add(int64(a.layout.Mirror.Monitor.Object)))
	if !ok || at%8 != 0 {
		return "", false
	}
	o, err := a.Object(object)
	if err != nil || o.Lock.State() != FatLocked {
		return "", false
	}
	if m, err := a.monitorAt(o.Lock.monitorID()); err != nil || m != at {
		return "", false
	}
	return fmt.Sprintf("art::Monitor of %s at %v", a.describe(o), o.Addr), true
}
