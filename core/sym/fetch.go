package sym

import (
	"context"
	"errors"

	"coredbg/core"
)

// A Need is a kind of information that a caller wants about a module.
type Need uint8

// The needs.
const (
	Names     Need = iota // of functions that are not exported
	DebugInfo             // source lines, types, variables
)

// Fetch asks servers for the debug file of m if AllowRemote is set, if the local files lack what is
// needed, and if they were not asked before. It may take long. All other methods of Table use local
// files. Fetch returns false if the download was interrupted, and true if the module's files are final.
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

// Lacks reports whether the local files of m, which include an image with a build-id, do not satisfy a
// need.
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
