package sym

import (
	"context"
	"errors"

	"coredbg/core"
)

// A Need is what somebody wants to know of a module.
type Need uint8

// The needs.
const (
	Names     Need = iota // of functions that are not exported
	DebugInfo             // source lines, types, variables
)

// Fetch has servers asked for the debug file of m if that is allowed, if what is there
// lacks what is needed, and if they were not asked before. It may take long. All else
// of a Table is content with files that are there. Fetch reports whether it is
// settled what is known of m: not if the download was interrupted.
func (t *Table) Fetch(m *core.Module, need Need) (settled bool) {
	if !t.AllowRemote || m == nil || !t.Lacks(m, need) {
		return true
	}
	t.mu.RLock()
	asked := t.fetched[m]
	t.mu.RUnlock()
	if asked {
		return true
	}
	e := t.newModule(m, true)
	f := e.files()
	if f.debug == nil && errors.Is(f.err, context.Canceled) {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.fetched == nil {
		t.fetched = map[*core.Module]bool{}
	}
	if !t.fetched[m] && f.debug != nil {
		t.modules[m] = e
	}
	t.fetched[m] = true
	return true
}

// Lacks reports whether the files of m that are there, of which one is an image with a
// build-id, are not enough for a need.
func (t *Table) Lacks(m *core.Module, need Need) bool {
	facts := m.Facts()
	if len(facts.BuildID) == 0 || facts.Image == nil || m.Path == "[vdso]" {
		return false
	}
	f := t.module(m).files()
	if f.debug != nil {
		return false
	}
	if need == DebugInfo {
		return !has(f.image, ".debug_info")
	}
	for _, s := range f.tables {
		if !s.dynamic && has(s.image, ".symtab") {
			return false
		}
	}
	return true
}
