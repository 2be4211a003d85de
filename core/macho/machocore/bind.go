package machocore

import (
	"fmt"
	"path"
	"sync"

	"coredbg/core"
	"coredbg/core/macho"
	"coredbg/core/macho/fixup"
)

// maxReexports bounds the libraries that a search for a symbol goes through.
const maxReexports = 256

// A boundSymbol is what an import of an image is bound to.
type boundSymbol struct {
	f   *macho.File
	imp fixup.Import
}

// A boundAddr is an address, or the reason why it is not known.
type boundAddr struct {
	a   core.Addr
	err error
}

// A binder remembers what imports are bound to.
type binder struct {
	boundMu sync.Mutex
	bound   map[boundSymbol]boundAddr
}

// maxBound bounds the imports that are remembered.
const maxBound = 1 << 16

// find is search with a memory: many pointers are bound to few symbols.
func (r *resolver) find(f *macho.File, imp *fixup.Import) (core.Addr, error) {
	key := boundSymbol{f, *imp}
	r.boundMu.Lock()
	b, ok := r.bound[key]
	r.boundMu.Unlock()
	if !ok {
		b.a, b.err = r.search(f, imp)
		r.boundMu.Lock()
		if r.bound == nil || len(r.bound) >= maxBound {
			r.bound = map[boundSymbol]boundAddr{}
		}
		r.bound[key] = b
		r.boundMu.Unlock()
	}
	return b.a, b.err
}

// search returns the address of the symbol that dyld binds an import of f to. The
// error says why that is not known: the library is absent, or several could be it.
func (r *resolver) search(f *macho.File, imp *fixup.Import) (core.Addr, error) {
	unknown := fmt.Errorf("a pointer that dyld bound to %q", imp.Name)
	var found []core.Addr
	budget := maxReexports
	switch {
	case imp.Library == fixup.LibrarySelf:
		for _, m := range r.p.Modules {
			if m.Facts().Image == core.Image(f) {
				found = r.define(m, []byte(imp.Name), &budget)
			}
		}
	case imp.Library == fixup.LibraryMain:
		for _, m := range r.p.Modules {
			if m.Exe {
				found = r.define(m, []byte(imp.Name), &budget)
			}
		}
	case imp.Library > 0 && imp.Library <= len(f.Libraries()):
		name := f.Libraries()[imp.Library-1].Path
		unknown = fmt.Errorf("%w of %q", unknown, path.Base(name))
		if m := r.named(name); m != nil {
			found = r.define(m, []byte(imp.Name), &budget)
		}
	case imp.Library == fixup.LibraryFlat || imp.Library == fixup.LibraryWeak:
		// The first in the order of loading wins, which is not known: it is
		// sure only if there is one.
		unknown = fmt.Errorf("%w of the first library to define it", unknown)
		for _, m := range r.p.Modules {
			if m.Facts().Image == nil {
				return 0, unknown
			}
			n := 1
			found = append(found, r.define(m, []byte(imp.Name), &n)...)
		}
	}
	if len(found) != 1 {
		return 0, unknown
	}
	return found[0], nil
}

// named returns the module of a library by the path that images load it by; a path
// that dyld completed is known by its last element, if only one module has that.
func (r *resolver) named(name string) *core.Module {
	var last *core.Module
	n := 0
	for _, m := range r.p.Modules {
		if f, ok := m.Facts().Image.(*macho.File); ok && f.ID() == name || m.Path == name {
			return m
		}
		if m.Name() == path.Base(name) {
			last = m
			n++
		}
	}
	if n > 1 {
		return nil
	}
	return last
}

// define returns where a module defines a symbol, itself or by a library whose
// symbols it passes on.
func (r *resolver) define(m *core.Module, name []byte, budget *int) []core.Addr {
	facts := m.Facts()
	f, ok := facts.Image.(*macho.File)
	if !ok || !facts.BiasKnown || *budget <= 0 {
		return nil
	}
	*budget--
	if e, ok := f.Export(name); ok {
		if e.Flags&macho.ExportReexport == 0 {
			if e.Flags&macho.ExportKindMask == macho.ExportAbsolute {
				return []core.Addr{core.Addr(e.Value)}
			}
			return []core.Addr{core.Addr(f.Base()+e.Value) + facts.Bias}
		}
		if e.Library == 0 || e.Library > uint64(len(f.Libraries())) {
			return nil
		}
		if e.Imported != nil {
			name = e.Imported
		}
		if next := r.named(f.Libraries()[e.Library-1].Path); next != nil {
			return r.define(next, name, budget)
		}
		return nil
	}
	for _, d := range f.Libraries() {
		if !d.Reexport {
			continue
		}
		if next := r.named(d.Path); next != nil {
			if found := r.define(next, name, budget); found != nil {
				return found
			}
		}
	}
	return nil
}
